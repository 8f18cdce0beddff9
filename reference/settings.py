"""config.toml and the page of all settings, made of the one table of them."""

from __future__ import annotations

import json
import textwrap

from helix_tui.settings import KEYS, Key
from reference.markdown import page, table

_HEADER = """\
# Helix: every setting, with its built-in default. Take the `#` off a line to change it.
# Helix reads the file named by --config, else $HELIX_CONFIG, else config.toml in the XDG
# configuration folder (~/.config/helix on Linux). Paths may begin with ~; others are relative to
# this file. `helix config show` prints each value in force and where it came from.
"""
_INTRO = """
Helix reads the file named by `--config`, else `$HELIX_CONFIG`, else `~/.config/helix/config.toml`;
never a file of the current folder. [config.toml](../../config.toml) holds all of this to be filled
in. `helix config show` prints each value in force and where it came from; `helix config check`
tells every mistake of a file at once.
"""
# What the file of this project sets itself: its catalog is committed beside it.
_SET = {"curate.catalog_dir"}
SHIPPED = {"curate": {"catalog_dir": "catalog"}}
_WIDTH = 98
# The sections in their order; those that `KEYS` does not know have names of your own.
_SECTIONS: dict[str, str] = {
    "store": "",
    "sources.claude": "Where each agent keeps its data. Several roots are fine: containers, other "
    "users' homes. `exclude` takes globs of projects that stay out: a working directory "
    '("/home/me/private*") or the agent\'s own folder name for it.',
    "sources.codex": "Rollouts, compressed and archived ones too.",
    "sources.grok": "An agent that a plug-in reads has a section of its own, [sources.<flavor>], "
    "with roots that must be set (docs/plugins.md).",
    "sources.copilot": "",
    "sources.gemini": "Documents and lines; Gemini deletes them after 30 days.",
    "sources.qwen": "",
    "sources.pi": "",
    "sources.droid": "",
    "sources.cursor": "",
    "sources.kilo": "",
    "sources.opencode": "",
    "domains": "Which domain a repository belongs to; the name is the repository's, and may be a "
    "glob.",
    "prices": "Your own prices go before those that come with Helix, in USD per million tokens, "
    "and hold at once for all that is stored. A kind of token without a price leaves its cost "
    "unknown; only input and output must be named. `from` is the first day, UTC, that they hold "
    'for; without it, always. Where a price changed, write [[prices."model"]] once for each.',
    "sweep": "",
    "retention": "What the stored copies of logs may take on disk; the agents' own logs are never "
    'touched. Sizes are numbers of bytes, or text such as "500 MiB". Digests stay whatever is '
    "evicted.",
    "digest": "",
    "detect": "",
    "detect.quality": "Only real coding sessions count. What is dropped, and by which rule: "
    "`helix detect --dropped`.",
    "curate": "",
    "curate.gate": "What a batch asks of a candidate; approved by a person it may have less, and "
    "is `provisional` like all that do not clear the second floor.",
    "curate.draft": "A program that words drafts: it reads one as JSON on stdin and prints the "
    "fields it changes. What it wrote is marked, checked, and never approved without a person.",
    "distribute.gate": "What a pattern needs for the agents of one repository, or somebody's word "
    "(`helix catalog set ID --allow TEXT`).",
    "distribute.repos": "Which folder a repository is; not set, that of its latest sessions on "
    "this machine.",
    "hub": "",
    "team": "",
    "model": "A model that may distil sessions and read turns; nothing is sent to one before it is "
    "named here and [memory] distiller or [detect] reader asks it. `helix model test` tries it.",
    "memory": "",
    "keys": "Your own keys of the workstation, by action; ? there and docs/reference/keys.md list "
    "all actions with their keys. A key or a list of keys; what a terminal takes for itself "
    "(ctrl+s, ctrl+j …) is refused.",
}
_EXAMPLES = {
    "domains": ('payments-api = "billing"', '"web-*" = "frontend"'),
    "prices": (
        *('[prices."my-model"]', "input = 3", "output = 15", "cache_read = 0.3"),
        *("cache_write = 3.75", "cache_write_1h = 6", "from = 2026-01-31"),
    ),
    "distribute.repos": ('payments-api = "~/src/payments-api"',),
    "keys": ('"candidate.approve" = "a"', '"list.filter" = ["slash", "f7"]'),
}


def config_file() -> str:
    """The shipped configuration: every setting, its meaning and its default."""
    assert KEYS.keys() <= _SECTIONS.keys(), "a section has no place in config.toml"
    parts = [_HEADER]
    for section, intro in _SECTIONS.items():
        lines = [f"[{section}]", *_comment(intro)]
        lines += [f"#   {line}" for line in _EXAMPLES.get(section, ())]
        for name, key in KEYS.get(section, {}).items():
            off = "" if f"{section}.{name}" in _SET else "# "
            lines += [*_comment(key.means), f"{off}{name} = {_value(key)}"]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def settings_page() -> str:
    """Every setting by section, with default and meaning."""
    parts = [_INTRO]
    for section, intro in _SECTIONS.items():
        rows = [
            (f"`{section}.{name}`", f"`{_value(key)}`", key.means)
            for name, key in KEYS.get(section, {}).items()
        ]
        part = [f"## [{section}]", *([intro.replace("<", "&lt;")] if intro else [])]
        if section in _EXAMPLES:
            part.append("\n".join(["```toml", f"[{section}]", *_EXAMPLES[section], "```"]))
        part += [table(("key", "default", "meaning"), rows)] if rows else []
        parts.append("\n\n".join(part))
    return page("Configuration", "the table of settings", *parts)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False)]


def _value(key: Key) -> str:
    return json.dumps(key.default)
