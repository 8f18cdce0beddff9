"""Lines by which programs say that they gave up, whatever their status is."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from helix_tui.digest.runs.expression import Expression
from helix_tui.text.lazy import lazy
from helix_tui.text.signature.classify import row_of
from helix_tui.text.signature.lead import unframed

_FILE = Path(__file__).parent / "failing_lines.toml"
_LONGEST = 400
# An error at the head of a line, as any program may write it, or behind the program's name.
_LED = lazy(
    r"(?:\[?(?:error|ERROR|Error|fatal(?: error)?|FATAL(?: ERROR)?|Fatal(?: error)?|CRITICAL)\]?"
    r"(?:\[[\w-]{1,40}\]|[ ]?\([\w -]{1,40}\)|[ ][A-Z]{1,4}\d{2,6})?: {0,9}|ERROR {2,4}"
    r"|(?P<name>[\w./@+-]{1,80}): (?:(?:fatal )?error|fatal|ERROR|Error|FATAL): ?)"
    r"(?!(?:0|[Nn]one|[Nn]o|[Nn]ull|[Ff]alse)\W{0,4}$)\S"
)
# An exception by its name, where a filter cut the frames before it.
_THROWN = lazy(
    r"(?:[a-z_][\w$]{0,60}\.){0,8}[A-Z][\w$]{1,80}(?:Error|Exception|Interrupt|Fault)"
    r"(?: \[\w{1,60}\])?: \S"
)
_NAMED = lazy(r"(?:\S{0,200}/)?(?P<name>[\w.+-]{1,40}): (?!warning\b|note\b|info\b)\S")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One such line, and a line that it was made from."""

    of: str
    line: str
    sample: str
    is_uncaught: bool = False


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[Row, ...]


class Failing(NamedTuple):
    """A line that tells of a failure: what it says, and where it stands in its text."""

    said: str
    start: int
    end: int


@cache
def rows() -> tuple[Row, ...]:
    """The rows as their file has them."""
    return msgspec.convert(tomllib.loads(_FILE.read_text("utf-8")), _Rows).row


@cache
def _expressions(is_uncaught: bool) -> tuple[Expression, ...]:
    return tuple(Expression(row.line) for row in rows() if row.is_uncaught or not is_uncaught)


def marked_in(text: str, *, is_uncaught: bool) -> Failing | None:
    """The last line in a text that fits a row; of what nobody caught only, where asked for."""
    best: Failing | None = None
    for one in _expressions(is_uncaught):
        for found in one.finditer(text):
            if best is None or found.end() > best.end:
                best = failing(found)
    return best


def failing(found: re.Match[str]) -> Failing:
    """What was found, to the end of its line."""
    text = found.string
    group = "said" if "said" in found.re.groupindex else 0
    end = text.find("\n", found.end(group))
    end = len(text) if end < 0 else end
    return Failing(text[found.start(group) : end].strip(), found.start(), max(end, found.end()))


def is_led(line: str) -> bool:
    """Whether a line begins as programs begin one that says why they gave up."""
    return _LED.match(line) is not None or _THROWN.match(line) is not None


def is_own_voice(line: str, programs: frozenset[str]) -> bool:
    """Whether a program names itself before a failure that is known."""
    named = _NAMED.match(line)
    return named is not None and named["name"] in programs and is_known(line)


def is_known(line: str) -> bool:
    """Whether a line has a wording of the table of classes that ends what was asked for."""
    row = row_of(line[:_LONGEST])
    return row is not None and not row[0].is_weak and not row[0].in_code


def bare(line: str) -> str:
    """A line without what boxes and clocks put around it."""
    line = line.strip()
    return unframed(line) if line else ""
