"""Every setting with its default and the form it must have."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from helix_tui.schema.curation import Floors, HubSettings
from helix_tui.schema.memory import DISTILLERS, MemorySettings
from helix_tui.schema.quality import DetectSettings, Quality

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


def _distiller(value: object) -> str:
    if value not in DISTILLERS:
        raise BadValueError(" or ".join(f'"{name}"' for name in DISTILLERS))
    return str(value)


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


def _hub_url(value: object) -> str:
    """An address that a token may be sent to: encrypted, or on this machine."""
    if value == "":
        return ""
    wanted = "an https address (http on this machine) without user, query or fragment"
    if not isinstance(value, str):
        raise BadValueError(wanted)
    from helix_tui.text.address import url_problem

    if wrong := url_problem(value):
        raise BadValueError(f"{wanted}: {wrong}")
    return value.rstrip("/")


# Keys that tmux or a terminal takes for itself.
TAKEN_KEYS = ("ctrl+s", "ctrl+j", "ctrl+o", "ctrl+b")
_KEY_NAMES = {"/": "slash", "?": "question_mark", "pgdn": "pagedown", "pgup": "pageup"}
_KEY_NAMES |= {"esc": "escape", "return": "enter", " ": "space", "del": "delete"}


def read_keys(value: object) -> tuple[str, ...]:
    """Keys of the workstation: one, or a list, as `a`, `G`, `f3` or `ctrl+e`."""
    found = [value] if isinstance(value, str) else value
    wanted = 'a key or a list of them, such as "a", "G", "f3" or ["ctrl+e", "e"]'
    if not isinstance(found, list) or not found:
        raise BadValueError(wanted)
    keys: list[str] = []
    for one in found:
        if not isinstance(one, str) or not re.fullmatch(r"[!-~ ]|(\w+\+)*\w+", one):
            raise BadValueError(wanted)
        key = _KEY_NAMES.get(one, one)
        if key in TAKEN_KEYS:
            raise BadValueError(f"a key that reaches a program: a terminal takes {one} for itself")
        keys.append(key)
    return tuple(dict.fromkeys(keys))


class Key(msgspec.Struct, frozen=True):
    """One key of a section: its default as it would stand in the file, and how it is read."""

    default: object
    read: Callable[[object], Any]


_MEMORY = MemorySettings()
_SOURCE = {"enabled": Key(True, _switch), "exclude": Key([], _texts)}
KEYS: dict[str, dict[str, Key]] = {
    "store": {"path": Key("~/.local/share/helix", read_text)},
    **{
        f"sources.{flavor}": {**_SOURCE, "roots": Key(list(roots), _texts)}
        for flavor, (_, roots) in FLAVORS.items()
    },
    "sweep": {
        "cadence": Key("30 min", _cadence),
        "workers": Key(2, _workers),
        "plugin_timeout_seconds": Key(PLUGIN_SECONDS, _seconds),
    },
    "retention": {
        "raw_soft_cap_bytes": Key("1.6 GiB", parse_size),
        "raw_hard_cap_bytes": Key("2 GiB", parse_size),
        "raw_max_age_days": Key(0, _days),
        "distilled_cap_bytes": Key("500 MiB", parse_size),
    },
    "detect": {"min_sessions": Key(DetectSettings().min_sessions, _count)},
    "detect.quality": {
        "min_events": Key(Quality().min_events, _count),
        "min_tool_calls": Key(Quality().min_tool_calls, _count),
        "require_repo": Key(Quality().require_repo, _switch),
        "require_task": Key(Quality().require_task, _switch),
    },
    # Places that nobody set are those in the store.
    "curate": {
        "catalog_dir": Key("catalog", read_text),
        "review_log": Key("review/journal.jsonl", read_text),
        "decision_queue": Key("review/decisions.jsonl", read_text),
        "evidence": Key("excerpts", _detail),
        "author": Key("", _any_text),
        "commit": Key(False, _switch),
        "alike": Key(90, _percent),
    },
    "curate.gate": {
        name: Key(default, _switch if isinstance(default, bool) else _count)
        for name, default in Floors()._asdict().items()
    },
    "curate.draft": {
        "command": Key([], _texts),
        "timeout_seconds": Key(60, _seconds),
    },
    "hub": {
        "url": Key("", _hub_url),
        "token_env": Key(HubSettings().token_env, _variable),
        "token_file": Key("", _any_text),
        "ca_file": Key("", _any_text),
        "timeout_seconds": Key(HubSettings().timeout_seconds, _seconds),
    },
    "memory": {
        "distiller": Key(_MEMORY.distiller, _distiller),
        "command": Key([], _texts),
        "timeout_seconds": Key(_MEMORY.timeout_seconds, _seconds),
        "repeat_window_seconds": Key(_MEMORY.repeat_window_seconds, _count),
        "daily_token_cap": Key(_MEMORY.daily_token_cap, _count),
        "compile_interval_minutes": Key(_MEMORY.compile_interval_minutes, _count),
        "flush_on_hook": Key(_MEMORY.flush_on_hook, _switch),
        "notes": Key(_MEMORY.notes, _switch),
        **{
            name: Key(default, _threshold(default))
            for name, default in _MEMORY._asdict().items()
            if name.startswith(("minimum_", "tool_calls_"))
        },
        "notes_template": Key("", _any_text),
    },
}
# Sections in which a person chooses the names.
FREE_SECTIONS = ("domains", "prices", "keys")


def keys_of(section: str) -> dict[str, Key]:
    """The keys of a section; a plug-in's source has those of any other."""
    return KEYS.get(section) or {**_SOURCE, "roots": Key([], _texts)}
