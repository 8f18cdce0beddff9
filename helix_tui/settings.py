"""Every setting: its default, the form it must have, and what it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from helix_tui.schema.curation import Floors, HubSettings
from helix_tui.schema.memory import DISTILLERS, MemorySettings
from helix_tui.schema.model import PRESETS, ModelSettings
from helix_tui.schema.quality import READERS, DetectSettings, Quality

FLAVORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude": ("CLAUDE_CONFIG_DIR", ("~/.claude", "~/.config/claude")),
    "codex": ("CODEX_HOME", ("~/.codex",)),
    "grok": ("GROK_HOME", ("~/.grok",)),
}
# How long a plug-in may take from one answer to the next.
PLUGIN_SECONDS = 60
_UNITS = {"b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
_UNITS |= {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_MINUTES_PER = {"min": 1, "m": 1, "h": 60, "d": 24 * 60}


class BadValueError(Exception):
    """A value has the wrong form; the message says which form it should have."""


def parse_size(value: object) -> int:
    """Bytes from a number or from text such as "2 GiB"."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    match = (
        re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", value)
        if isinstance(value, str)
        else None
    )
    factor = _UNITS.get(match[2].lower() or "b") if match else None
    if match is None or factor is None:
        raise BadValueError('a size: a number of bytes, or text such as "2 GiB"')
    return int(float(match[1]) * factor)


def _cadence(value: object) -> int:
    """Minutes between sweeps; both systemd and cron must be able to say them."""
    match = (
        re.fullmatch(r"\s*(\d{1,4})\s*(min|m|h|d)\s*", value) if isinstance(value, str) else None
    )
    minutes = int(match[1]) * _MINUTES_PER[match[2]] if match else 0
    if not minutes or (60 % minutes and (minutes % 60 or 1440 % minutes)):
        raise BadValueError(
            'a time that divides an hour or a day, such as "30 min", "2 h" or "1 d"'
        )
    return minutes


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadValueError("true or false")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(map(_is_text, value)):
        raise BadValueError("a list of texts")
    return tuple(value)


def read_text(value: object) -> str:
    """A text, as it is."""
    if not isinstance(value, str) or not _is_text(value):
        raise BadValueError("a text that is not empty")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _workers(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 64:
        raise BadValueError("a number from 0 (read in this process) to 64")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 10**9:
        raise BadValueError("a number, 0 or more")
    return value


def _days(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 36_500:
        raise BadValueError("a number of days, or 0 for never")
    return value


def _any_text(value: object) -> str:
    return "" if value == "" else read_text(value)


def _detail(value: object) -> str:
    if value not in ("excerpts", "counts"):
        raise BadValueError('"excerpts" or "counts"')
    return str(value)


def _percent(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 50 <= value <= 100:
        raise BadValueError("a number from 50 to 100")
    return value


def _seconds(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 600:
        raise BadValueError("a number of seconds from 1 to 600")
    return value


def _one_of(names: tuple[str, ...]) -> Callable[[object], str]:
    """One of these names."""

    def read(value: object) -> str:
        if value not in names:
            raise BadValueError(" or ".join(f'"{name}"' for name in names))
        return str(value)

    return read


def _characters(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 4_000 <= value <= 10**7:
        raise BadValueError("a number of characters from 4,000 to 10,000,000")
    return value


def _threshold(default: int) -> Callable[[object], int]:
    """A number above zero; zero and less mean the default."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**9:
            raise BadValueError(f"a number; 0 and less mean {default:,}")
        return value if value > 0 else default

    return read


def _variable(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
        raise BadValueError("the name of an environment variable")
    return value


def _any_variable(value: object) -> str:
    return "" if value == "" else _variable(value)


def _address(value: object) -> str:
    """An address that a token may be sent to: encrypted, or on this machine."""
    if value == "":
        return ""
    form = "an https address (http on this machine) without user, query or fragment"
    if not isinstance(value, str):
        raise BadValueError(form)
    from helix_tui.text.address import url_problem

    if wrong := url_problem(value):
        raise BadValueError(f"{form}: {wrong}")
    return value.rstrip("/")


# Keys that tmux or a terminal takes for itself.
TAKEN_KEYS = ("ctrl+s", "ctrl+j", "ctrl+o", "ctrl+b")
_KEY_NAMES = {"/": "slash", "?": "question_mark", "pgdn": "pagedown", "pgup": "pageup"}
_KEY_NAMES |= {"esc": "escape", "return": "enter", " ": "space", "del": "delete"}


def read_keys(value: object) -> tuple[str, ...]:
    """Keys of the workstation: one, or a list, as `a`, `G`, `f3` or `ctrl+e`."""
    names = [value] if isinstance(value, str) else value
    form = 'a key or a list of them, such as "a", "G", "f3" or ["ctrl+e", "e"]'
    if not isinstance(names, list) or not names:
        raise BadValueError(form)
    keys: list[str] = []
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"[!-~ ]|(\w+\+)*\w+", name):
            raise BadValueError(form)
        key = _KEY_NAMES.get(name, name)
        if key in TAKEN_KEYS:
            raise BadValueError(f"a key that reaches a program: a terminal takes {name} for itself")
        keys.append(key)
    return tuple(dict.fromkeys(keys))


class Key(msgspec.Struct, frozen=True):
    """One setting: its default as it would stand in the file, how it is read, what it means."""

    default: object
    read: Callable[[object], Any]
    means: str


def _source(flavor: str, roots: list[str], variable: str = "") -> dict[str, Key]:
    """The settings of one agent's logs."""
    fallback = f"; not set, ${variable} is used where it is set, else this" if variable else ""
    return {
        "enabled": Key(True, _switch, f"Whether the logs of {flavor} are taken in."),
        "roots": Key(roots, _texts, f"Where {flavor} keeps its data{fallback}."),
        "exclude": Key([], _texts, "Globs of projects that stay out."),
    }


# A setting that has a default outside of any file takes it from there; all others are here alone.
_DETECT, _QUALITY, _FLOORS = DetectSettings(), Quality(), Floors()
_HUB, _MEMORY, _MODEL = HubSettings(), MemorySettings(), ModelSettings()
KEYS: dict[str, dict[str, Key]] = {
    "store": {
        "path": Key(
            "~/.local/share/helix",
            read_text,
            "The one data folder: database, packs and log. Where XDG_DATA_HOME is set, the default "
            "follows it.",
        )
    },
    **{
        f"sources.{flavor}": _source(flavor, list(roots), variable)
        for flavor, (variable, roots) in FLAVORS.items()
    },
    "sweep": {
        "cadence": Key(
            "30 min",
            _cadence,
            "How often `helix schedule install` sweeps: a time that divides an hour or a day.",
        ),
        "workers": Key(
            2,
            _workers,
            "Processes that read logs beside the one that writes the store, which reads small ones "
            "while it has nothing to write; never more than there are other cores. 0 reads all in "
            "the writer's own.",
        ),
        "plugin_timeout_seconds": Key(
            PLUGIN_SECONDS,
            _seconds,
            "A plug-in (docs/plugins.md) that neither lists a folder nor gives a piece of a log "
            "within so many seconds is ended: it loses what it was at, and half of the time for "
            "the next.",
        ),
    },
    "retention": {
        "raw_soft_cap_bytes": Key(
            "1.6 GiB",
            parse_size,
            "Above this the oldest analyzed sessions lose their raw bytes, except pinned and "
            "growing ones.",
        ),
        "raw_hard_cap_bytes": Key(
            "2 GiB",
            parse_size,
            "Above this any session may: growing and pinned ones too, at last those without a "
            "digest.",
        ),
        "raw_max_age_days": Key(
            0, _days, "After so many days raw bytes go whatever the caps say; 0 is never."
        ),
        "distilled_cap_bytes": Key(
            "500 MiB",
            parse_size,
            "Above this the report alerts; nothing distilled is ever dropped by itself.",
        ),
    },
    "digest": {
        "runners": Key(
            [],
            _texts,
            "Files of further rows for the table of runners (docs/runs.md): how a check of your "
            "own is recognised and what it prints. Relative to the file that sets it; read "
            "before the rows that come with Helix, for what is read from then on.",
        )
    },
    "detect": {
        "min_sessions": Key(
            _DETECT.min_sessions,
            _count,
            "A candidate of fewer sessions stays in the store and out of the list; "
            "`helix detect --all` shows it. Unless this is set, what a remedy fixed in two "
            "conversations is listed from two on.",
        ),
        "reader": Key(
            _DETECT.reader,
            _one_of(READERS),
            'Who says what a person\'s turn is: "rules" (no model), or "model", that of [model], '
            "which then gets each turn with its neighbours, redacted, once (docs/model.md).",
        ),
    },
    "detect.quality": {
        "min_events": Key(_QUALITY.min_events, _count, "Sessions with fewer events do not count."),
        "min_tool_calls": Key(
            _QUALITY.min_tool_calls,
            _count,
            "Nor do sessions with fewer calls of tools that do something.",
        ),
        "require_repo": Key(
            _QUALITY.require_repo, _switch, "Nor do sessions outside of any repository."
        ),
        "require_task": Key(
            _QUALITY.require_task,
            _switch,
            "Nor do sessions in which nobody asked for work (a greeting, a ping, a stub).",
        ),
    },
    # Places that nobody set are those in the store.
    "curate": {
        "catalog_dir": Key(
            "catalog",
            read_text,
            "The Pattern Catalog: a file per approved pattern, made to be kept in git. Set in a "
            "file it is relative to that file; where no file sets it, it is the folder `catalog` "
            "in the store.",
        ),
        "review_log": Key(
            "review/journal.jsonl", read_text, "The journal of verdicts; not set, in the store."
        ),
        "decision_queue": Key(
            "review/decisions.jsonl",
            read_text,
            "What of them waits to be sent to the hub; not set, in the store.",
        ),
        "evidence": Key(
            "excerpts",
            _detail,
            'What a pattern shows of its evidence: "excerpts" (redacted, with sessions and '
            'repositories, once a person has approved it), or "counts" alone.',
        ),
        "author": Key("", _any_text, "The name under verdicts and notes; empty, the login name."),
        "commit": Key(
            False, _switch, "Commit the files of each verdict with git, and nothing else."
        ),
        "alike": Key(
            90,
            _percent,
            "Guidance that is alike by so many of a hundred makes a near-duplicate.",
        ),
    },
    "curate.gate": {
        "min_frequency": Key(
            _FLOORS.min_frequency,
            _count,
            "What `helix curate --auto-approve` promotes happened at least so often.",
        ),
        "min_sessions": Key(
            _FLOORS.min_sessions, _count, "It was seen in at least so many sessions."
        ),
        "min_cost_impact": Key(_FLOORS.min_cost_impact, _count, "It took at least so many tokens."),
        "require_words": Key(
            _FLOORS.require_words,
            _switch,
            "Its page says what to do. Without words a page is `provisional`, and never handed "
            "to agents; `helix approve ID --guidance TEXT` gives them.",
        ),
        "dist_require_cross_flavor": Key(
            _FLOORS.dist_require_cross_flavor,
            _switch,
            "What is `approved`, and ready to be handed to agents, was seen in two of them.",
        ),
        "dist_min_frequency": Key(
            _FLOORS.dist_min_frequency, _count, "It happened at least so often."
        ),
        "dist_min_cost_impact": Key(
            _FLOORS.dist_min_cost_impact, _count, "It took at least so many tokens."
        ),
    },
    "curate.draft": {
        "command": Key([], _texts, "The program and its arguments; none, drafts stay as they are."),
        "timeout_seconds": Key(60, _seconds, "How long it may take."),
    },
    "hub": {
        "url": Key(
            _HUB.url,
            _address,
            "Where decisions go: https, or http on this machine. Empty, they wait in the queue.",
        ),
        "token_env": Key(_HUB.token_env, _variable, "The variable that holds the token."),
        "token_file": Key(
            "",
            _any_text,
            "Where that is not set: the file that holds it, which only you may read (mode 0600).",
        ),
        "ca_file": Key("", _any_text, "A certificate authority of your own."),
        "timeout_seconds": Key(
            _HUB.timeout_seconds, _seconds, "How long the hub may take to answer."
        ),
    },
    "model": {
        "preset": Key(
            _MODEL.preset,
            _one_of(("", *PRESETS)),
            'Who is asked: "claude" or "codex" (the agent\'s print mode), "ollama", "openai" (any '
            'server of that form), or "command". Empty, no model is ever asked; it is used by '
            '[memory] distiller = "model" and [detect] reader = "model" (docs/model.md).',
        ),
        "model": Key(
            _MODEL.model,
            _any_text,
            "The model's name; empty, a small one of Claude's or what Codex is set to. The two "
            "servers need one.",
        ),
        "url": Key(
            _MODEL.url,
            _address,
            "The server's address: https, or http on this machine. Empty, http://127.0.0.1:11434 "
            "for ollama, https://api.openai.com/v1 for openai.",
        ),
        "key_env": Key(
            _MODEL.key_env,
            _any_variable,
            "The variable that holds the key; empty, OPENAI_API_KEY for openai. Only the server, "
            "or the program that is asked, gets it.",
        ),
        "ca_file": Key("", _any_text, "A certificate authority of your own, for the server."),
        "command": Key(
            list(_MODEL.command),
            _texts,
            'The program of the preset "command" and its arguments; set, it is also called in the '
            "place of claude or codex. It reads the request on stdin and prints its answer.",
        ),
        "timeout_seconds": Key(
            _MODEL.timeout_seconds, _seconds, "How long one question may take, with all retries."
        ),
        "daily_token_cap": Key(
            _MODEL.daily_token_cap,
            _count,
            "What the model may read and write in a day, in tokens; 0 is no cap.",
        ),
        "max_input_characters": Key(
            _MODEL.max_input_characters,
            _characters,
            "The longest question; the middle of what is longer is left out.",
        ),
    },
    "memory": {
        "distiller": Key(
            _MEMORY.distiller,
            _one_of(DISTILLERS),
            'What distills a session into the daily log: "extractive" (no model), "model", that of '
            '[model], or "command", a program that reads redacted text on stdin and prints JSON '
            "(docs/memory.md).",
        ),
        "command": Key(list(_MEMORY.command), _texts, "That program and its arguments."),
        "timeout_seconds": Key(_MEMORY.timeout_seconds, _seconds, "How long the program may take."),
        "repeat_window_seconds": Key(
            _MEMORY.repeat_window_seconds,
            _count,
            "A session is not flushed again within so many seconds.",
        ),
        "daily_token_cap": Key(
            _MEMORY.daily_token_cap,
            _count,
            "What the program may read and write in a day, in tokens; 0 is no cap.",
        ),
        "compile_interval_minutes": Key(
            _MEMORY.compile_interval_minutes,
            _count,
            "A daily log that changed is compiled into knowledge again after so many minutes.",
        ),
        "flush_on_hook": Key(
            _MEMORY.flush_on_hook,
            _switch,
            "Let an agent's hook start `helix flush --spooled`; takes effect with the next "
            "`helix hooks install`.",
        ),
        "notes": Key(_MEMORY.notes, _switch, "Keep a notes file for each session that is running."),
        "minimum_tokens_to_init": Key(
            _MEMORY.minimum_tokens_to_init,
            _threshold(_MEMORY.minimum_tokens_to_init),
            "Notes begin at so many tokens of context; 0 and less mean the default.",
        ),
        "minimum_tokens_between_update": Key(
            _MEMORY.minimum_tokens_between_update,
            _threshold(_MEMORY.minimum_tokens_between_update),
            "They are brought up to date once the context grew by so many tokens, and …",
        ),
        "tool_calls_between_updates": Key(
            _MEMORY.tool_calls_between_updates,
            _threshold(_MEMORY.tool_calls_between_updates),
            "… so many tools were called, or the last turn called none.",
        ),
        "notes_template": Key(
            "", _any_text, "Your own template of a notes file: its headings are kept."
        ),
    },
}
# Sections in which a person chooses the names.
FREE_SECTIONS = ("domains", "prices", "keys")


def keys_of(section: str) -> dict[str, Key]:
    """The keys of a section; a plug-in's source has those of any other."""
    return KEYS.get(section) or _source(section.removeprefix("sources."), [])
