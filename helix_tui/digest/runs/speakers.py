"""Whose words an output is: a program's own, or those of what it shows."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from helix_tui.digest.runs.recognise import Plan, name_of, positional, wrapper_at
from helix_tui.digest.runs.shell import Pipeline, without_assignments
from helix_tui.digest.runs.status import has_own_status
from helix_tui.digest.runs.table import table

_FILE = Path(__file__).parent / "speakers.toml"
_ASKING = frozenset({"--version", "--help", "-h", "-V", "help"})
_DETACHED = frozenset({"-d", "--detach", "--wait"})
_INLINE = re.compile(r"-[a-z]*[cepr]$|--eval$|--command(?:=|$)|--execute")
# What PowerShell calls its programs that look, choose and print.
_LOOKING = re.compile(
    r"(?i)(?:get|select|format|where|foreach|convert\w{0,4}|write|test|out|measure|sort|group"
    r"|compare|resolve|show)-[a-z]+$"
)
_LEAVING = frozenset({"exit", "false", "return"})
_DEEPEST = 6
# Options of many programs that stand before what they are asked for, and take a value.
_VALUED = ("-C", "-c", "-n", "--namespace", "-f", "--file", "-F", "--filter", "--prefix", "--dir")

Sort = Literal["speaking", "interpreting", "showing", "trivial"]


class _Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    showing: tuple[str, ...]
    trivial: tuple[str, ...]
    interpreting: tuple[str, ...]


class _Words(NamedTuple):
    showing: frozenset[str]
    trivial: frozenset[str]
    interpreting: frozenset[str]


@cache
def _known() -> _Words:
    known = msgspec.convert(tomllib.loads(_FILE.read_text("utf-8")), _Known)
    return _Words(*map(frozenset, (known.showing, known.trivial, known.interpreting)))


def may_hide_failure(command: str) -> bool:
    """Whether a command line may end in a status that is not its programs': a look of no cost."""
    return "|" in command or ";" in command or "\n" in command or "& " in command


def has_unheard(plan: Plan) -> bool:
    """Whether one of its programs speaks for itself and may fail without anybody learning of it."""
    last = len(plan.pipelines) - 1
    return any(
        one.sort in ("speaking", "interpreting")
        and (one.at < last or not has_own_status(plan, one.at))
        and has_open_status(plan, one.at)
        for one in speakers_of(plan)
    )


class Speaker(NamedTuple):
    """One pipeline: the name of its program, and of which sort that is."""

    at: int
    name: str
    sort: Sort


def speakers_of(plan: Plan) -> list[Speaker]:
    """What may have printed something, in its order."""
    return [
        Speaker(at, *_sort_of(line))
        for at, line in enumerate(plan.pipelines)
        if not line.stages[0].hides_out
    ]


def has_open_status(plan: Plan, at: int) -> bool:
    """Whether nobody learns a pipeline's status, and nothing was planned for its failure."""
    line = plan.pipelines[at]
    if line.is_background or line.is_asked:
        return False
    behind = plan.pipelines[at + 1] if at + 1 < len(plan.pipelines) else None
    is_excused = behind is not None and behind.joint == "||"
    return not is_excused or not has_own_status(plan, at) or _leaves(behind)


def _leaves(line: Pipeline | None) -> bool:
    return line is not None and line.stages[0].words[0] in _LEAVING


def _sort_of(line: Pipeline) -> tuple[str, Sort]:
    words = _unwrapped(line.stages[0].words)
    if not words:
        return "", "trivial"
    name, known = name_of(words[0]), _known()
    if name in known.trivial or name.startswith(("#", "$")):
        return name, "trivial"
    if name in known.interpreting and _is_inline(words):
        return name, "interpreting"
    if not _ASKING.isdisjoint(words) or _shows(name, words, known.showing):
        return name, "showing"
    return name, "speaking"


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    for _ in range(_DEEPEST):
        words = without_assignments(words)
        if not words or (name_of(words[0]) in _known().interpreting and _is_inline(words)):
            break
        found = wrapper_at(table(), words)
        if found is None or not found.behind:
            break
        words = found.behind
    return words


def _shows(name: str, words: tuple[str, ...], showing: frozenset[str]) -> bool:
    if name in showing or _LOOKING.match(name):
        return True
    if not _DETACHED.isdisjoint(words):
        return False
    rest = positional(words[1:], _VALUED)[:2]
    return any(" ".join((name, *rest[:count])) in showing for count in range(1, len(rest) + 1))


def _is_inline(words: tuple[str, ...]) -> bool:
    """Whether an interpreter is handed its text in the command, or by what stands before it."""
    rest = words[1:]
    if not rest or rest[0] in ("-", "<<"):
        return True
    return any(_INLINE.match(word) for word in rest)
