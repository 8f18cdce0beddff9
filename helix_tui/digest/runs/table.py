"""The table of runners: rows as files have them, read when first asked for, compiled once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from helix_tui.digest.runs.expression import Expression

Kind = Literal["test", "lint", "types", "format", "build", "hook", "ci", "git", "check"]
# What must be seen of an output before its line of success counts: the line alone, all that
# follows it too, or everything.
Needs = Literal["line", "end", "whole"]
_FOLDER = Path(__file__).parent / "runners"
_MOST_TEXT = 200
_STEM = re.compile(r"[A-Za-z]{4}")


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
    is_final: bool = False
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


class Lines:
    """A row's expressions, each kind made when it is first asked for."""

    def __init__(self, row: Runner | Script) -> None:
        self._row = row

    @cached_property
    def passed(self) -> tuple[Expression, ...]:
        """Lines of success."""
        return _compiled(self._row.passed)

    @cached_property
    def failed(self) -> tuple[Expression, ...]:
        """Lines that decide for a failure."""
        return _compiled(self._row.failed)

    @cached_property
    def counted(self) -> tuple[Expression, ...]:
        """Lines that only count."""
        return _compiled(self._row.counted) if isinstance(self._row, Runner) else ()

    @cached_property
    def nothing(self) -> tuple[Expression, ...]:
        """Lines that say that nothing was run."""
        return _compiled(self._row.nothing) if isinstance(self._row, Runner) else ()

    @cached_property
    def pending(self) -> tuple[Expression, ...]:
        """Lines that say that it is not over."""
        return _compiled(self._row.pending) if isinstance(self._row, Runner) else ()

    @cached_property
    def signs(self) -> tuple[Expression, ...]:
        """Lines that look like a failure."""
        return _compiled(self._row.signs) if isinstance(self._row, Runner) else ()

    @cached_property
    def ignored(self) -> tuple[Expression, ...]:
        """Lines that say nothing."""
        return _compiled(self._row.ignored) if isinstance(self._row, Runner) else ()


class RowsError(ValueError):
    """A file of rows cannot be used; says where and why."""


class Table(NamedTuple):
    """All rows, by the first word of what they are recognised by."""

    runners: tuple[Runner, ...]
    by_word: dict[str, list[tuple[tuple[str, ...], Runner]]]
    scripts: dict[str, Script]
    wrappers: dict[str, list[tuple[tuple[str, ...], Wrapper]]]
    quiet: frozenset[str]
    firsts: dict[str, frozenset[str]]
    # Where among the runners those stand that a hint in an output may be of; git is none.
    by_hint: dict[str, list[int]]
    # The hints by letters that several share: a text that lacks these has none of them.
    hints: dict[str, list[str]]


def read_rows(path: Path) -> Rows:
    """The rows of a file."""
    import tomllib  # a guard has its rows from elsewhere, and an agent waits for it

    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Rows)
    except (OSError, ValueError) as error:  # msgspec's and tomllib's errors are of these
        raise RowsError(f"{path}: {str(error)[:_MOST_TEXT]}") from error


def check_rows(path: Path) -> None:
    """Reads a file of rows and tries every expression in it; raises where one is wrong."""
    rows = read_rows(path)
    lists = [lines for row in rows.runner for lines in expressions_of(row)]
    lists += [lines for row in rows.script for lines in (row.passed, row.failed)]
    for one in (one for lines in lists for one in lines):
        try:
            re.compile(one, re.MULTILINE)
        except re.error as error:
            raise RowsError(f"{path}: {one!r}: {error}") from error


def expressions_of(row: Runner) -> tuple[tuple[str, ...], ...]:
    """A row's expressions, by the field that has them."""
    return row.passed, row.failed, row.counted, row.nothing, row.pending, row.signs, row.ignored


_added: tuple[str, ...] = ()


def add_rows(paths: tuple[str, ...]) -> None:
    """Takes further files of rows into the table; those before the ones that come with Helix."""
    global _added
    if paths != _added:
        _added = paths
        table.cache_clear()
        _lines.clear()


_given: Rows | None = None


def use_rows(rows: Rows) -> None:
    """Takes these rows for all that there are."""
    global _given
    _given = rows
    table.cache_clear()


def shape_rows() -> Rows:
    """What of the table the shape of a command depends on."""
    known = table()
    return Rows(
        tuple(Runner(row.name, row.kind, row.commands) for row in known.runners),
        tuple(
            Script(row.program, "", row.run, row.short, row.is_any, row.builtin, row.valued)
            for row in known.scripts.values()
        ),
        tuple({id(row): row for rows in known.wrappers.values() for _, row in rows}.values()),
    )


@cache
def table() -> Table:
    """The table, read and put in order once."""
    if _given is not None:
        return _table_of([_given])
    files = [read_rows(Path(path)) for path in _added]
    return _table_of(files + [read_rows(path) for path in sorted(_FOLDER.glob("*.toml"))])


def _table_of(files: Iterable[Rows]) -> Table:
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
    for rows_of_word in by_word.values():
        rows_of_word.sort(key=lambda pair: -len(pair[0]))
    for wrappers_of_word in wrappers.values():
        wrappers_of_word.sort(key=lambda pair: -len(pair[0]))
    firsts = _firsts(by_word, scripts)
    by_hint: dict[str, list[int]] = {}
    for number, runner in enumerate(runners.values()):
        for hint in runner.hints if runner.kind != "git" else ():
            by_hint.setdefault(hint, []).append(number)
    known = tuple(runners.values())
    hints = _by_stem(by_hint)
    return Table(known, by_word, scripts, wrappers, frozenset(quiet), firsts, by_hint, hints)


def _by_stem(hints: Iterable[str]) -> dict[str, list[str]]:
    """Hints by the first four letters in a row that each has, or by themselves."""
    found: dict[str, list[str]] = {}
    for hint in hints:
        stem = _STEM.search(hint)
        found.setdefault(stem[0] if stem else hint, []).append(hint)
    return found


def _firsts(
    by_word: dict[str, list[tuple[tuple[str, ...], Runner]]], scripts: dict[str, Script]
) -> dict[str, frozenset[str]]:
    """The words that a run begins with, and those of which one must follow; none, where it is one
    alone."""
    found: dict[str, frozenset[str]] = {}
    for word, listed in by_word.items():
        seconds = {words[1] for words, _ in listed if len(words) > 1}
        is_alone = any(len(words) == 1 for words, _ in listed)
        found[word] = frozenset() if is_alone else frozenset(seconds)
    found.update(dict.fromkeys(scripts, frozenset()))
    return found


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_lines: dict[str, Lines] = {}


def lines_of(row: Runner | Script) -> Lines:
    """A row's expressions."""
    key = row.name if isinstance(row, Runner) else f"script {row.program}"
    found = _lines.get(key)
    if found is None:
        found = _lines[key] = Lines(row)
    return found


def _compiled(expressions: tuple[str, ...]) -> tuple[Expression, ...]:
    return tuple(map(Expression, expressions))
