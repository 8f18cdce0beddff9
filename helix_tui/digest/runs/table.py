"""The table of runners: rows as files have them, read when first asked for, compiled once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

Kind = Literal["test", "lint", "types", "format", "build", "hook", "ci", "git", "check"]
# What must be seen of an output before its line of success counts: the line alone, all that
# follows it too, or everything.
Needs = Literal["line", "end", "whole"]
_FOLDER = Path(__file__).parent / "runners"
_MOST_TEXT = 200


class Runner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One runner as its row has it; docs/runs.md says what each field means."""

    name: str
    kind: Kind
    commands: tuple[str, ...]
    versions: str = ""
    hints: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    needs: Needs = "line"
    is_silent: bool = False
    is_script: bool = False
    not_with: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()
    sample_passed: str = ""
    sample_failed: str = ""


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A program that runs what a project names: `npm run lint`, `make test`."""

    program: str
    versions: str = ""
    run: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    is_any: bool = False
    builtin: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()
    default: str = ""
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    sample_passed: str = ""
    sample_failed: str = ""


class Wrapper(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What stands before a program and passes its output on."""

    words: tuple[str, ...]
    valued: tuple[str, ...] = ()
    skip: int = 0
    ends_at: str = ""
    only_with_path: bool = False


class _Quiet(msgspec.Struct, frozen=True):
    words: tuple[str, ...] = ()


class Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one file of the table holds."""

    runner: tuple[Runner, ...] = ()
    script: tuple[Script, ...] = ()
    wrapper: tuple[Wrapper, ...] = ()
    quiet: _Quiet = _Quiet()


class Lines(NamedTuple):
    """A row's expressions, compiled."""

    passed: tuple[re.Pattern[str], ...]
    failed: tuple[re.Pattern[str], ...]
    counted: tuple[re.Pattern[str], ...]
    nothing: tuple[re.Pattern[str], ...]
    pending: tuple[re.Pattern[str], ...]
    signs: tuple[re.Pattern[str], ...]
    ignored: tuple[re.Pattern[str], ...]


class RowsError(ValueError):
    """A file of rows cannot be used; says where and why."""


class Table(NamedTuple):
    """All rows, by the first word of what they are recognised by."""

    runners: tuple[Runner, ...]
    by_word: dict[str, list[tuple[tuple[str, ...], Runner]]]
    scripts: dict[str, Script]
    wrappers: dict[str, list[tuple[tuple[str, ...], Wrapper]]]
    quiet: frozenset[str]
    names: re.Pattern[str]


def read_rows(path: Path) -> Rows:
    """The rows of a file; every expression in it is tried."""
    try:
        rows = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Rows)
        for row in (*rows.runner, *rows.script):
            for one in (*row.passed, *row.failed, *getattr(row, "signs", ())):
                re.compile(one)
    except (OSError, ValueError, re.error) as error:
        # msgspec's, tomllib's and a decoder's errors are all of these.
        raise RowsError(f"{path}: {str(error)[:_MOST_TEXT]}") from error
    return rows


_added: tuple[str, ...] = ()


def add_rows(paths: tuple[str, ...]) -> None:
    """Takes further files of rows into the table; those before the ones that come with Helix."""
    global _added
    if paths != _added:
        _added = paths
        table.cache_clear()


@cache
def table() -> Table:
    """The table, read and put in order once."""
    files = [read_rows(Path(path)) for path in _added]
    files += [read_rows(path) for path in sorted(_FOLDER.glob("*.toml"))]
    runners: dict[str, Runner] = {}
    scripts: dict[str, Script] = {}
    wrappers: dict[str, list[tuple[tuple[str, ...], Wrapper]]] = {}
    quiet: set[str] = set()
    for rows in files:
        for runner in rows.runner:
            runners.setdefault(runner.name, runner)
        for script in rows.script:
            scripts.setdefault(script.program, script)
        for wrapper in rows.wrapper:
            for words in map(_split, wrapper.words):
                wrappers.setdefault(words[0], []).append((words, wrapper))
        quiet.update(rows.quiet.words)
    by_word: dict[str, list[tuple[tuple[str, ...], Runner]]] = {}
    for runner in runners.values():
        for words in map(_split, runner.commands):
            by_word.setdefault(words[0], []).append((words, runner))
    for listed in (*by_word.values(), *wrappers.values()):
        listed.sort(key=lambda pair: -len(pair[0]))  # type: ignore[arg-type,return-value]
    names = re.compile(rf"(?<![\w-])(?:{'|'.join(_looks(by_word, scripts))})(?![\w-])")
    return Table(tuple(runners.values()), by_word, scripts, wrappers, frozenset(quiet), names)


def _looks(
    by_word: dict[str, list[tuple[tuple[str, ...], Runner]]], scripts: dict[str, Script]
) -> list[str]:
    """Expressions that find whatever may be a run, and little else."""
    found = {re.escape(word) for word in scripts}
    for word, listed in by_word.items():
        if word in scripts:
            continue
        seconds = {words[1] for words, _ in listed if len(words) > 1}
        if len(seconds) < len(listed):  # the word alone is one
            found.add(re.escape(word))
        else:
            then = "|".join(sorted(map(re.escape, seconds)))
            found.add(rf"{re.escape(word)}\b[^\n;&|]{{0,200}}?\s(?:{then})")
    return sorted(found, key=lambda one: (-len(one), one))


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


@cache
def lines_of(row: Runner | Script) -> Lines:
    """A row's expressions."""
    if isinstance(row, Script):
        return Lines(_compiled(row.passed), _compiled(row.failed), (), (), (), (), ())
    return Lines(
        _compiled(row.passed),
        _compiled(row.failed),
        _compiled(row.counted),
        _compiled(row.nothing),
        _compiled(row.pending),
        _compiled(row.signs),
        _compiled(row.ignored),
    )


def _compiled(expressions: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.MULTILINE) for one in expressions)
