"""When a person wrote a line of instructions: the first commit that has it, wherever it stood."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from helix_tui.context.files import Disk
from helix_tui.context.gather import root_by
from helix_tui.engine.context.git_history import SPECS, ask_git
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.effect import EffectMoment, MomentKind

_SAFE = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate")
_MOST_COMMITS = 200
_LARGEST = 4 << 20
_SIGNS = re.compile(r"^\s*(?:[-*+•>]|\d{1,4}[.)])\s+")
_SHORTEST = 8


class WrittenRule(NamedTuple):
    """A line that a person wrote: its words, its repository, and what became of it in git.

    `root` is empty for a file that is in no repository; then nobody knows when it came in.
    """

    file: str
    line: int
    text: str
    root: str
    moments: list[EffectMoment]


def written_rule(file: str, line: int) -> WrittenRule:
    """Look a line up in its file and in the history of its repository."""
    # Links stay: an agent sees the file under the name that it was given.
    path = os.path.normpath(Path(file).expanduser().absolute())
    text = _line_of(path, line)
    root = root_by(Disk(), str(Path(path).parent), [".git"]) or ""
    moments = _moments(root, path, _words(text)) if root else []
    return WrittenRule(path, line, text.strip(), root, moments)


def _line_of(path: str, line: int) -> str:
    try:
        with Path(path).open("rb") as opened:
            data = opened.read(_LARGEST)
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}.", "Name a file.") from error
    lines = data.decode("utf-8", "replace").splitlines()
    if not 1 <= line <= len(lines):
        raise NotFoundError(f"{path} has {len(lines)} lines, and no line {line}.", "Name another.")
    if len(_words(lines[line - 1])) < _SHORTEST:
        raise UsageError(
            f"Line {line} of {path} is no rule: {lines[line - 1].strip()!r}.",
            "Name the line that tells what to do.",
        )
    return lines[line - 1]


def _words(text: str) -> str:
    """A line as its history is searched: without the sign of a list, which may change."""
    return _SIGNS.sub("", text).strip()


class _Commit(NamedTuple):
    at: int
    name: str


def _moments(root: str, path: str, words: str) -> list[EffectMoment]:
    """When the line came into any file that agents load, or this file under any of its names."""
    own = _names_of(root, path)
    specs = [*SPECS, *(f":(top,literal){name}" for name in own)]
    output = ask_git(
        root,
        (
            *("log", *_SAFE, "--no-renames", "--name-only", "-z", f"--max-count={_MOST_COMMITS}"),
            *("--format=%x01%H %ct", f"-S{words}", "--", *specs),
        ),
    )
    commits: dict[_Commit, set[str]] = {}
    for entry in output.decode("utf-8", "replace").split("\x01")[1:]:
        head, _, rest = entry.replace("\n", "\0", 1).partition("\0")
        name, _, seconds = head.partition(" ")
        if seconds.strip().isdecimal():
            files = {one.strip("\n") for one in rest.split("\0") if one.strip("\n")}
            commits[_Commit(int(seconds) * 1000, name)] = files
    names = sorted({*own, *(file for files in commits.values() for file in files)})
    moments: list[EffectMoment] = []
    is_in = False
    for commit in sorted(commits):
        where = [file for file in names if _has(root, commit.name, file, words)]
        if bool(where) != is_in:
            is_in = bool(where)
            kind: MomentKind = "out" if not is_in else "again" if moments else "in"
            moments.append(
                EffectMoment(
                    at=commit.at,
                    kind=kind,
                    version=commit.name[:10],
                    agents=[],
                    files=where or sorted(commits[commit]),
                )
            )
    return moments


def _names_of(root: str, path: str) -> list[str]:
    """The names that a file has had."""
    name = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    output = ask_git(
        root,
        ("log", *_SAFE, "--follow", "--name-only", "-z", f"--max-count={_MOST_COMMITS}",
         "--format=", "--", name),
    )  # fmt: skip
    names = {one.strip("\n") for one in output.decode("utf-8", "replace").split("\0")}
    return sorted({name, *(one for one in names if one)})


def _has(root: str, commit: str, file: str, words: str) -> bool:
    output = ask_git(root, ("cat-file", "--batch"), f"{commit}:{file}\n".encode())
    return words.encode() in output.partition(b"\n")[2]
