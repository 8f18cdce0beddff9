"""How much a pattern is about a file or a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from helix_tui.context.globs import fits_glob
from helix_tui.schema.distribute import Teaching

_MOST = 2_000
_SURELY = 100
_WORD = re.compile(r"[A-Za-z0-9_][\w.+/@-]*")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_BETWEEN = re.compile(r"&&|\|\||[|;&\n]")
# Programs that only start another one.
_LEADS = frozenset(("sudo", "env", "time", "nohup", "exec", "command"))


def applies_to(teaching: Teaching, applies: str, subject: str, path: str, command: str) -> int:
    """How much of a file or a command a pattern names; 0 where it is about neither.

    A glob of its scope decides on a file. Of a command the program must be named; further words of
    it say how near it is.
    """
    words = {
        word.strip(".").casefold()
        for word in _WORD.findall(f"{teaching.title} {teaching.rule} {applies} {subject}")
    }
    score = _SURELY if path and _is_about_path(teaching, words, path[:_MOST]) else 0
    for program, further in programs_in(command):
        if program.casefold() in words:
            score += 1 + sum(word.casefold() in words for word in further)
    return score


def _is_about_path(teaching: Teaching, words: set[str], path: str) -> bool:
    if teaching.scope.globs:
        return any(fits_glob(glob, path) for glob in teaching.scope.globs)
    named = PurePosixPath(path)
    return named.name.casefold() in words or str(named).casefold() in words


def programs_in(command: str) -> Iterator[tuple[str, list[str]]]:
    """The programs that a command runs, each with the words behind it."""
    for piece in _BETWEEN.split(command[:_MOST]):
        words = [word for word in piece.split() if not _ASSIGNED.match(word)]
        while words and words[0] in _LEADS:
            words.pop(0)
        if words:
            yield PurePosixPath(words[0]).name, [word for word in words[1:] if word[:1] != "-"]
