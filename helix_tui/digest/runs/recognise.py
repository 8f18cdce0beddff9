"""Which checks a command line runs: behind wrappers, in scripts, in shells within shells."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from helix_tui.digest.runs.shell import Pipeline, Stage, pipelines, without_assignments
from helix_tui.digest.runs.table import Kind, Runner, Script, Table, Wrapper, table

_WORDS = re.compile(r"[\w.+-]+")
_ASCII_WORDS = re.compile(r"[A-Za-z0-9_.+-]+")  # looked up by sign, in half the time
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "ksh"})
_SHELL_COMMAND = re.compile(r"-[a-z]*c$")
_ASKING = frozenset({"--version", "--help", "-h", "-V"})
_CHECKING = re.compile(
    r"(?:^|[:_./-])(?:(?P<test>tests?|specs?|e2e|unit|integration|coverage|cov|pytest|jest|vitest)"
    r"|(?P<lint>lint|linter|eslint|ruff|clippy|vet|golangci)"
    r"|(?P<types>typecheck|type-check|types|tsc|mypy|pyright|check-types)"
    r"|(?P<format>format-check|fmt-check|formatcheck)"
    r"|(?P<build>build|compile)"
    r"|(?P<check>check|checks|ci|verify|validate|qa|precommit|pre-commit|all))(?=$|[:_./-])"
)
_FORMAT_CHECK = re.compile(r"(?:fmt|format|prettier)[:_-](?:check|ci)$")
_DEEPEST = 4


class Part(NamedTuple):
    """One pipeline that runs a check: by which row, under what name, behind which filters."""

    at: int
    name: str
    kind: Kind
    row: Runner | Script
    is_check: bool
    is_wrapped: bool
    pipeline: Pipeline


class Plan(NamedTuple):
    """A command line as far as its checks go."""

    pipelines: tuple[Pipeline, ...]
    parts: tuple[Part, ...]
    has_pipefail: bool
    stops_at_errors: bool


class _Found(NamedTuple):
    name: str
    kind: Kind
    row: Runner | Script
    is_check: bool
    is_wrapped: bool


def may_run(command: str) -> bool:
    """Whether a command line names a runner at all: a look that costs little."""
    firsts = table().firsts
    words = set((_ASCII_WORDS if command.isascii() else _WORDS).findall(command))
    for word in firsts.keys() & words:
        if not firsts[word] or not firsts[word].isdisjoint(words):
            return True
    return False


@lru_cache(maxsize=512)
def plan_of(command: str) -> Plan:
    """What a command line runs, as far as the table knows it."""
    known = table()
    lines = expanded(pipelines(command), 0)
    parts: list[Part] = []
    for index, pipeline in enumerate(lines):
        found = _runner_in(known, pipeline.stages[0].words)
        if found is not None:
            parts.append(Part(index, *found, pipeline))
    options = [line.stages[0].words for line in lines if line.stages[0].words[0] == "set"]
    has_pipefail = any("pipefail" in word for words in options for word in words)
    stops = any(re.match(r"-[a-z]*e", word) for words in options for word in words[1:])
    return Plan(tuple(lines), tuple(parts), has_pipefail, stops)


def expanded(lines: list[Pipeline], depth: int) -> list[Pipeline]:
    """The same with what shells are handed put in their place."""
    found: list[Pipeline] = []
    for line in lines:
        inner = _handed(line.stages[0].words) if depth < _DEEPEST else None
        if inner is None:
            found.append(line)
            continue
        within = expanded(pipelines(inner), depth + 1)
        for index, one in enumerate(within):
            found.append(
                one._replace(
                    joint=line.joint if index == 0 else one.joint,
                    stages=(
                        *one.stages[:-1],
                        _through(one.stages[-1], line.stages[0]),
                        *line.stages[1:],
                    ),
                    is_background=one.is_background or line.is_background,
                    is_asked=one.is_asked or line.is_asked,
                )
            )
    return found


def _through(inner: Stage, outer: Stage) -> Stage:
    """A command's outputs, with where the shell around it sends them."""
    return inner._replace(
        hides_out=inner.hides_out or outer.hides_out,
        hides_errors=inner.hides_errors or outer.hides_errors,
        joins_errors=inner.joins_errors or outer.joins_errors,
    )


def _handed(words: tuple[str, ...]) -> str | None:
    """What `bash -c` runs, wherever it stands in a command."""
    for index, word in enumerate(words[:-2]):
        if word.rpartition("/")[2] in _SHELLS and _SHELL_COMMAND.match(words[index + 1]):
            return words[index + 2]
    return None


def _runner_in(known: Table, words: tuple[str, ...]) -> _Found | None:
    is_wrapped = False
    for _ in range(_DEEPEST * 2):
        words = without_assignments(words)
        if not words:
            return None
        found = _row_at(known, words, is_wrapped)
        if found is not None:
            return found
        behind = _behind_wrapper(known, words)
        if behind is None:
            behind = _behind_unknown(known, words) if not is_wrapped else None
            if behind is None:
                return None
            is_wrapped = True
        words = behind
    return None


def name_of(word: str) -> str:
    """A program's name, without its folder."""
    name = word.rpartition("/")[2]
    return name.removesuffix(".cmd").removesuffix(".exe").removesuffix(".bat")


def _row_at(known: Table, words: tuple[str, ...], is_wrapped: bool) -> _Found | None:
    """The row that a command begins with."""
    name = name_of(words[0])
    name = "python" if re.fullmatch(r"python\d?(?:\.\d+)?", name) else name
    for wanted, runner in known.by_word.get(name, ()):
        if not _has(words, wanted, runner.valued):
            continue
        if not _ASKING.isdisjoint(words) or not set(runner.not_with).isdisjoint(words):
            return None
        return _Found(runner.name, runner.kind, runner, True, is_wrapped)
    script = known.scripts.get(name)
    return _script_at(known, script, words, is_wrapped) if script is not None else None


def _has(words: tuple[str, ...], wanted: tuple[str, ...], valued: tuple[str, ...]) -> bool:
    """Whether a command begins with the wanted words, options between them left out."""
    if len(wanted) == 1:
        return True
    if wanted[1].startswith("-"):
        # What stands behind the script that a shell runs is the script's.
        own = takewhile(lambda word: word.startswith("-"), words[1:])
        return wanted[1] in (own if name_of(words[0]) in _SHELLS else words[1:])
    rest = positional(words[1:], valued)
    return rest[: len(wanted) - 1] == wanted[1:]


def positional(words: tuple[str, ...], valued: tuple[str, ...]) -> tuple[str, ...]:
    """A command's words without its options and their values."""
    rest: list[str] = []
    skips = False
    for word in words:
        if skips:
            skips = False
        elif word.startswith("-") and len(word) > 1:
            skips = word in valued
        elif not word.startswith("+"):
            rest.append(word)
    return tuple(rest)


def _script_at(
    known: Table, script: Script, words: tuple[str, ...], is_wrapped: bool
) -> _Found | None:
    options = {word for word in words[1:] if word.startswith("-")}
    if not _ASKING.isdisjoint(options):
        return None
    rest = positional(words[1:], script.valued)
    rest = tuple(word for word in rest if "=" not in word) if script.default else rest
    if not rest:
        name = script.default
        return _of_script(script, name, name, is_wrapped) if name else None
    if rest[0] in script.run:
        called = rest[1] if len(rest) > 1 else ""
        if script.program == "yarn" and rest[0] == "workspace":
            called = rest[2] if len(rest) > 2 else ""
        return _of_script(script, f"{script.program} {called}", called, is_wrapped)
    if rest[0] in script.short:
        called = "test" if rest[0] in ("t", "tst") else rest[0]
        return _of_script(script, f"{script.program} {called}", called, is_wrapped)
    if not script.is_any or rest[0] in script.builtin:
        return None
    if script.run and rest[0] in known.by_word:
        # `yarn tsc` runs the program, unless a script has its name.
        at = words.index(rest[0])
        found = _row_at(known, words[at:], is_wrapped)
        if found is not None:
            return found
    return _of_script(script, f"{script.program} {rest[0]}", rest[0], is_wrapped)


def _of_script(script: Script, name: str, called: str, is_wrapped: bool) -> _Found:
    kind = kind_of(called)
    return _Found(name.strip(), kind or "check", script, kind is not None, is_wrapped)


def kind_of(script: str) -> Kind | None:
    """What kind of check a script's name promises, if any: `check:lint` is a linter."""
    if _FORMAT_CHECK.search(script):
        return "format"
    found: list[Any] = [match.lastgroup for match in _CHECKING.finditer(script)]
    return min(found, key=lambda kind: bool(kind == "check"), default=None)


def _behind_wrapper(known: Table, words: tuple[str, ...]) -> tuple[str, ...] | None:
    found = wrapper_at(known, words)
    return found.behind if found is not None else None


class Wrapped(NamedTuple):
    """A wrapper that a command begins with: its own words, and what it runs."""

    words: tuple[str, ...]
    wrapper: Wrapper
    behind: tuple[str, ...]


def wrapper_at(known: Table, words: tuple[str, ...]) -> Wrapped | None:
    """The wrapper that a command begins with, if any."""
    name = name_of(words[0])
    name = "python" if re.fullmatch(r"python\d?(?:\.\d+)?", name) else name
    for wanted, wrapper in known.wrappers.get(name, ()):
        is_plain = words[1 : len(wanted)] == wanted[1:]
        if not is_plain and positional(words[1:], wrapper.valued)[:1] != wanted[1:2]:
            continue
        behind = _handed_on(words, wanted, wrapper, is_plain)
        return Wrapped(wanted, wrapper, behind) if behind is not None else None
    return None


def _handed_on(
    words: tuple[str, ...], wanted: tuple[str, ...], wrapper: Wrapper, is_plain: bool
) -> tuple[str, ...] | None:
    if wrapper.only_with_path:
        return words[1:] if len(words) > 1 and "/" in words[1] else None
    if wrapper.ends_at:
        if wrapper.ends_at in words:
            return words[words.index(wrapper.ends_at) + 1 :]
        rest = positional(words[1:], wrapper.valued)
        return words[words.index(rest[0]) :] if rest and "/" in rest[0] + "/" else None
    start = len(wanted) if is_plain else words.index(wanted[1]) + len(wanted) - 1
    return _behind(words[start:], wrapper.valued, wrapper.skip)


def _behind(words: tuple[str, ...], valued: tuple[str, ...], skip: int) -> tuple[str, ...]:
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return words[at + 1 :]
        if word.startswith("-"):
            at += 2 if word in valued else 1
        elif skip:
            skip -= 1
            at += 1
        else:
            break
    return words[at:]


def _behind_unknown(known: Table, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What an unknown program of one word is handed, where that begins like a run."""
    if name_of(words[0]) in known.quiet or len(words) < 2 or words[0].startswith("-"):
        return None
    if "--" in words[:-1]:
        return words[words.index("--") + 1 :]
    rest = words[1:]
    return rest if not rest[0].startswith("-") and "/" not in rest[0] else None
