"""List the names that may stand in an unreviewed page, and ways out to recommend."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

_FOLDER = Path(__file__).parent / "allowed_lists"
_FILES = ("names.toml", "programs.toml", "ways.toml")


class Instead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program that stands in for others, and why that does no harm."""

    use: str
    of: str
    sense: str


class Through(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program that runs the same command in the project's own environment."""

    name: str
    sense: str


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option of some programs, `git_pull` for two words, and why it does no harm there."""

    name: str
    of: str
    sense: str


class First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that may be run first."""

    name: str
    sense: str


class Allowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lists as their files have them."""

    program: dict[str, str]
    verbs: dict[str, str]
    names: dict[str, str]
    shapes: dict[str, str]
    instead: list[Instead]
    through: list[Through]
    option: list[Option]
    first: list[First]


@cache
def allowed() -> Allowed:
    """Load the lists that are shipped with Helix."""
    merged: dict[str, Any] = {}
    for file in _FILES:
        merged.update(tomllib.loads((_FOLDER / file).read_text(encoding="utf-8")))
    return msgspec.convert(merged, Allowed)


@cache
def _names() -> frozenset[str]:
    table = allowed()
    return frozenset(table.program) | frozenset(" ".join(table.names.values()).split())


@cache
def _verbs() -> frozenset[str]:
    return frozenset(allowed().verbs["words"].split())


def is_known(name: str) -> bool:
    """Whether a name is on the lists, so that nobody can have put a message into it.

    Its shape alone does not tell: a name from a log may be a sentence in hyphens.
    """
    if name in _names() or any(re.fullmatch(shape, name) for shape in allowed().shapes.values()):
        return True
    program, _, verb = name.partition(" ")
    return program in allowed().program and verb in _verbs()


def may_replace(use: str, of: str) -> bool:
    """Whether a program may be recommended in place of another one."""
    return any(row.use == use and of in row.of.split() for row in allowed().instead)


def may_run_through(name: str) -> bool:
    """Whether running the same command through a program may be recommended."""
    return any(row.name == name for row in allowed().through)


def may_run_first(name: str) -> bool:
    """Whether running a command first may be recommended."""
    return any(row.name == name for row in allowed().first)


def programs_with(option: str) -> frozenset[str]:
    """Return the programs for which an option may be recommended."""
    rows = [row.of.split() for row in allowed().option if row.name == option]
    return frozenset(name for names in rows for name in names)
