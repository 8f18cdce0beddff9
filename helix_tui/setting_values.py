"""How the value of a setting is read, and what is said of one that has another form."""

from __future__ import annotations

import re
from collections.abc import Callable

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


def read_cadence(value: object) -> int:
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


def read_switch(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise BadValueError("true or false")
    return value


def read_texts(value: object) -> tuple[str, ...]:
    """A list of texts."""
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


def read_workers(value: object) -> int:
    """How many processes read logs."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 64:
        raise BadValueError("a number from 0 (read in this process) to 64")
    return value


def read_count(value: object) -> int:
    """A number, 0 or more."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 10**9:
        raise BadValueError("a number, 0 or more")
    return value


def read_days(value: object) -> int:
    """A number of days."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 36_500:
        raise BadValueError("a number of days, or 0 for never")
    return value


def read_any_text(value: object) -> str:
    """A text that may be empty."""
    return "" if value == "" else read_text(value)


def read_detail(value: object) -> str:
    """How much of evidence a page quotes."""
    if value not in ("excerpts", "counts"):
        raise BadValueError('"excerpts" or "counts"')
    return str(value)


def read_percent(value: object) -> int:
    """How alike two texts must be, of 100."""
    if not isinstance(value, int) or isinstance(value, bool) or not 50 <= value <= 100:
        raise BadValueError("a number from 50 to 100")
    return value


def read_seconds(value: object) -> int:
    """How long something may take."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 600:
        raise BadValueError("a number of seconds from 1 to 600")
    return value


def one_of(names: tuple[str, ...]) -> Callable[[object], str]:
    """One of these names."""

    def read(value: object) -> str:
        if value not in names:
            raise BadValueError(" or ".join(f'"{name}"' for name in names))
        return str(value)

    return read


def read_characters(value: object) -> int:
    """How long a text may be."""
    if not isinstance(value, int) or isinstance(value, bool) or not 4_000 <= value <= 10**7:
        raise BadValueError("a number of characters from 4,000 to 10,000,000")
    return value


def threshold(default: int) -> Callable[[object], int]:
    """A number above zero; zero and less mean the default."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**9:
            raise BadValueError(f"a number; 0 and less mean {default:,}")
        return value if value > 0 else default

    return read


def read_variable(value: object) -> str:
    """The name of an environment variable."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
        raise BadValueError("the name of an environment variable")
    return value


def read_any_variable(value: object) -> str:
    """The same, or nothing."""
    return "" if value == "" else read_variable(value)


def read_address(value: object) -> str:
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
