"""Every setting: its default, the form it must have, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from helix_tui.agent_homes import FLAVORS, AgentHome
from helix_tui.schema.curation import DistributeFloors, Floors, HubSettings
from helix_tui.schema.memory import DISTILLERS, MemorySettings
from helix_tui.schema.model import PRESETS, ModelSettings
from helix_tui.schema.quality import READERS, DetectSettings, Quality
from helix_tui.schema.team_settings import SHARES, TeamSettings
from helix_tui.setting_values import (
    one_of,
    parse_size,
    read_address,
    read_any_text,
    read_any_variable,
    read_cadence,
    read_characters,
    read_count,
    read_days,
    read_detail,
    read_percent,
    read_seconds,
    read_switch,
    read_text,
    read_texts,
    read_variable,
    read_workers,
    threshold,
)

# How long a plug-in may take from one answer to the next.
PLUGIN_SECONDS = 60


# A plug-in's agent: only the person knows where its logs are.
_UNKNOWN = AgentHome((), ())


class Key(msgspec.Struct, frozen=True):
    """One setting: its default as it would stand in the file, how it is read, what it means."""

    default: object
    read: Callable[[object], Any]
    means: str


def _source(flavor: str, home: AgentHome) -> dict[str, Key]:
    """The settings of one agent's logs."""
    roots = list(home.roots)
    named = " or ".join(f"${variable}" for variable in home.variables)
    fallback = f"; not set, {named} is used where it is set, else this" if named else ""
    return {
        "enabled": Key(True, read_switch, f"Whether the logs of {flavor} are taken in."),
        "roots": Key(roots, read_texts, f"Where {flavor} keeps its data{fallback}."),
        "exclude": Key([], read_texts, "Globs of projects that stay out."),
    }


# A setting that has a default outside of any file takes it from there; all others are here alone.
_DETECT, _QUALITY, _FLOORS = DetectSettings(), Quality(), Floors()
_HUB, _MEMORY, _MODEL = HubSettings(), MemorySettings(), ModelSettings()
_TEAM = TeamSettings()
_REPO_FLOORS = DistributeFloors()
KEYS: dict[str, dict[str, Key]] = {
    "store": {
        "path": Key(
            "~/.local/share/helix",
            read_text,
            "The one data folder: database, packs and log. Where XDG_DATA_HOME is set, the default "
            "follows it.",
        )
    },
    **{f"sources.{flavor}": _source(flavor, home) for flavor, home in FLAVORS.items()},
    "sweep": {
        "cadence": Key(
            "30 min",
            read_cadence,
            "How often `helix schedule install` sweeps: a time that divides an hour or a day.",
        ),
        "workers": Key(
            2,
            read_workers,
            "Processes that read logs beside the one that writes the store, which reads small ones "
            "while it has nothing to write; never more than there are other cores. 0 reads all in "
            "the writer's own.",
        ),
        "plugin_timeout_seconds": Key(
            PLUGIN_SECONDS,
            read_seconds,
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
            0, read_days, "After so many days raw bytes go whatever the caps say; 0 is never."
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
            read_texts,
            "Files of further rows for the table of runners (docs/runs.md): how a check of your "
            "own is recognised and what it prints. Relative to the file that sets it; read "
            "before the rows that come with Helix, for what is read from then on.",
        )
    },
    "detect": {
        "min_sessions": Key(
            _DETECT.min_sessions,
            read_count,
            "A candidate of fewer sessions stays in the store and out of the list; "
            "`helix detect --all` shows it. Unless this is set, what a remedy fixed in two "
            "conversations is listed from two on.",
        ),
        "reader": Key(
            _DETECT.reader,
            one_of(READERS),
            'Who says what a person\'s turn is: "rules" (no model), or "model", that of [model], '
            "which then gets each turn with its neighbours, redacted, once (docs/model.md).",
        ),
    },
    "detect.quality": {
        "min_events": Key(
            _QUALITY.min_events, read_count, "Sessions with fewer events do not count."
        ),
        "min_tool_calls": Key(
            _QUALITY.min_tool_calls,
            read_count,
            "Nor do sessions with fewer calls of tools that do something.",
        ),
        "require_repo": Key(
            _QUALITY.require_repo, read_switch, "Nor do sessions outside of any repository."
        ),
        "require_task": Key(
            _QUALITY.require_task,
            read_switch,
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
            read_detail,
            'What a pattern shows of its evidence: "excerpts" (redacted, with sessions and '
            'repositories, once a person has approved it), or "counts" alone.',
        ),
        "author": Key(
            "", read_any_text, "The name under verdicts and notes; empty, the login name."
        ),
        "commit": Key(
            False, read_switch, "Commit the files of each verdict with git, and nothing else."
        ),
        "alike": Key(
            90,
            read_percent,
            "Guidance that is alike by so many of a hundred makes a near-duplicate.",
        ),
    },
    "curate.gate": {
        "min_frequency": Key(
            _FLOORS.min_frequency,
            read_count,
            "What `helix curate --auto-approve` promotes happened at least so often.",
        ),
        "min_sessions": Key(
            _FLOORS.min_sessions, read_count, "It was seen in at least so many sessions."
        ),
        "min_cost_impact": Key(
            _FLOORS.min_cost_impact, read_count, "It took at least so many tokens."
        ),
        "require_words": Key(
            _FLOORS.require_words,
            read_switch,
            "Its page says what to do. Without words a page is `provisional`, and never handed "
            "to agents; `helix approve ID --guidance TEXT` gives them.",
        ),
        "dist_require_cross_flavor": Key(
            _FLOORS.dist_require_cross_flavor,
            read_switch,
            "What is `approved`, and ready to be handed to agents, was seen in two of them.",
        ),
        "dist_min_frequency": Key(
            _FLOORS.dist_min_frequency, read_count, "It happened at least so often."
        ),
        "dist_min_cost_impact": Key(
            _FLOORS.dist_min_cost_impact, read_count, "It took at least so many tokens."
        ),
    },
    "distribute.gate": {
        "min_frequency": Key(
            _REPO_FLOORS.min_frequency,
            read_count,
            "What goes to the agents of the one repository that it is meant for happened at least "
            "so often; it need not have been seen in two agents. For all of your work the floors "
            "of [curate.gate] hold.",
        ),
        "min_sessions": Key(
            _REPO_FLOORS.min_sessions, read_count, "It was seen in at least so many sessions."
        ),
        "min_cost_impact": Key(
            _REPO_FLOORS.min_cost_impact, read_count, "It took at least so many tokens."
        ),
    },
    "curate.draft": {
        "command": Key(
            [], read_texts, "The program and its arguments; none, drafts stay as they are."
        ),
        "timeout_seconds": Key(60, read_seconds, "How long it may take."),
    },
    "hub": {
        "url": Key(
            _HUB.url,
            read_address,
            "Where decisions go: https, or http on this machine. Empty, they wait in the queue.",
        ),
        "token_env": Key(_HUB.token_env, read_variable, "The variable that holds the token."),
        "token_file": Key(
            "",
            read_any_text,
            "Where that is not set: the file that holds it, which only you may read (mode 0600).",
        ),
        "ca_file": Key("", read_any_text, "A certificate authority of your own."),
        "timeout_seconds": Key(
            _HUB.timeout_seconds, read_seconds, "How long the hub may take to answer."
        ),
    },
    "team": {
        "url": Key(
            _TEAM.url,
            read_any_text,
            "Where the team's store is, for data folders that are thrown away and join with each "
            "`helix sweep --push --origin ci:NAME`; others remember where they joined.",
        ),
        "repos": Key(
            list(_TEAM.repos),
            read_texts,
            "Repositories whose sessions are pushed, by name or glob; none, nothing leaves.",
        ),
        "names": Key(
            list(_TEAM.names),
            read_texts,
            "Of these, those whose names others may read; the others' are made unreadable.",
        ),
        "share": Key(
            _TEAM.share,
            one_of(SHARES),
            '"numbers": figures, and errors of known kinds without any words. "excerpts": also '
            "redacted excerpts and words, by which others can search.",
        ),
        "push": Key(_TEAM.push, read_switch, "Push with each sweep, as `helix sweep --push` does."),
        "secret_env": Key(
            _TEAM.secret_env,
            read_any_variable,
            "The variable that holds what `helix team invite` printed.",
        ),
        "secret_file": Key(
            "",
            read_any_text,
            "Where that is not set: a file that holds it, which only you may read (mode 0600).",
        ),
        "ca_file": Key(
            "", read_any_text, "A certificate authority of your own, for the team's server."
        ),
        "timeout_seconds": Key(
            _TEAM.timeout_seconds, read_seconds, "How long the server may take to answer."
        ),
    },
    "model": {
        "preset": Key(
            _MODEL.preset,
            one_of(("", *PRESETS)),
            'Who is asked: "claude" or "codex" (the agent\'s print mode), "ollama", "openai" (any '
            'server of that form), or "command". Empty, no model is ever asked; it is used by '
            '[memory] distiller = "model" and [detect] reader = "model" (docs/model.md).',
        ),
        "model": Key(
            _MODEL.model,
            read_any_text,
            "The model's name; empty, a small one of Claude's or what Codex is set to. The two "
            "servers need one.",
        ),
        "url": Key(
            _MODEL.url,
            read_address,
            "The server's address: https, or http on this machine. Empty, http://127.0.0.1:11434 "
            "for ollama, https://api.openai.com/v1 for openai.",
        ),
        "key_env": Key(
            _MODEL.key_env,
            read_any_variable,
            "The variable that holds the key; empty, OPENAI_API_KEY for openai. Only the server, "
            "or the program that is asked, gets it.",
        ),
        "ca_file": Key("", read_any_text, "A certificate authority of your own, for the server."),
        "command": Key(
            list(_MODEL.command),
            read_texts,
            'The program of the preset "command" and its arguments; set, it is also called in the '
            "place of claude or codex. It reads the request on stdin and prints its answer.",
        ),
        "timeout_seconds": Key(
            _MODEL.timeout_seconds,
            read_seconds,
            "How long one question may take, with all retries.",
        ),
        "daily_token_cap": Key(
            _MODEL.daily_token_cap,
            read_count,
            "What the model may read and write in a day, in tokens; 0 is no cap.",
        ),
        "max_input_characters": Key(
            _MODEL.max_input_characters,
            read_characters,
            "The longest question; of what is longer replies are shortened, then the middle.",
        ),
    },
    "memory": {
        "distiller": Key(
            _MEMORY.distiller,
            one_of(DISTILLERS),
            'What distills a session into the daily log: "extractive" (no model), "model", that of '
            '[model], or "command", a program that reads redacted text on stdin and prints JSON '
            "(docs/memory.md).",
        ),
        "command": Key(list(_MEMORY.command), read_texts, "That program and its arguments."),
        "timeout_seconds": Key(
            _MEMORY.timeout_seconds, read_seconds, "How long the program may take."
        ),
        "repeat_window_seconds": Key(
            _MEMORY.repeat_window_seconds,
            read_count,
            "A session is not flushed again within so many seconds.",
        ),
        "daily_token_cap": Key(
            _MEMORY.daily_token_cap,
            read_count,
            "What the program may read and write in a day, in tokens; 0 is no cap.",
        ),
        "compile_interval_minutes": Key(
            _MEMORY.compile_interval_minutes,
            read_count,
            "With a model, a daily log that changed is compiled again after so many minutes.",
        ),
        "flush_on_hook": Key(
            _MEMORY.flush_on_hook,
            read_switch,
            "Let an agent's hook start `helix flush --spooled`, unless it was installed with "
            "`--no-flush`; takes effect with the next `helix hooks install`.",
        ),
        "notes": Key(
            _MEMORY.notes, read_switch, "Keep a notes file for each session that is running."
        ),
        "minimum_tokens_to_init": Key(
            _MEMORY.minimum_tokens_to_init,
            threshold(_MEMORY.minimum_tokens_to_init),
            "Notes begin at so many tokens of context; 0 and less mean the default.",
        ),
        "minimum_tokens_between_update": Key(
            _MEMORY.minimum_tokens_between_update,
            threshold(_MEMORY.minimum_tokens_between_update),
            "They are brought up to date once the context grew by so many tokens, and …",
        ),
        "tool_calls_between_updates": Key(
            _MEMORY.tool_calls_between_updates,
            threshold(_MEMORY.tool_calls_between_updates),
            "… so many tools were called, or the last turn called none.",
        ),
        "notes_template": Key(
            "", read_any_text, "Your own template of a notes file: its headings are kept."
        ),
    },
}
# Sections in which a person chooses the names.
FREE_SECTIONS = ("domains", "prices", "keys", "distribute")


def keys_of(section: str) -> dict[str, Key]:
    """The keys of a section; a plug-in's source has those of any other."""
    return KEYS.get(section) or _source(section.removeprefix("sources."), _UNKNOWN)
