"""What instruction files of a repository said at a time, from its git history.

A foreign repository may name programs in its settings: none of them is run.
"""

from __future__ import annotations

import logging
import os
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from helix_tui.context.files import Content, Files, Kind
from helix_tui.program import ProgramError, run_program

log = logging.getLogger(__name__)
_GIT = (
    "git", "--no-pager", "--no-optional-locks", "--no-replace-objects",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false",
    "-c", "core.quotePath=false", "-c", "diff.external=", "-c", "core.pager=cat",
)  # fmt: skip
_LOG = (
    "log", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-renames", "--no-color",
    "--no-decorate", "--name-only", "-z", "--max-count=5000", "--format=%x01%H %ct",
)  # fmt: skip
SPECS = tuple(
    f":(top,glob)**/{name}"
    for name in (
        *("AGENTS.md", "AGENTS.override.md", "AGENT.md", "Agents.md"),
        *("CLAUDE.md", "Claude.md", "CLAUDE.local.md", ".gitignore"),
        *("GEMINI.md", "QWEN.md", "CONTEXT.md", ".cursorrules"),
        *(".claude/rules/**", ".grok/rules/**", ".cursor/rules/**"),
        *(".github/copilot-instructions.md", ".github/instructions/**"),
    )
)
_SECONDS = 5.0
_MOST_OUTPUT = 32 << 20
# Nothing of it is fetched, whatever is missing; nobody is asked for a password.
_VARIABLES = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


class _Version(NamedTuple):
    """From when on, in milliseconds, a file was as a commit has it."""

    since: int
    commit: str


class History:
    """The instruction files of one repository over time."""

    def __init__(self, root: str, also: Iterable[str] = ()) -> None:
        self.root = root
        self._also = sorted({os.path.relpath(path, root) for path in also})
        self._blobs: dict[tuple[str, str], bytes | None] = {}

    @cached_property
    def _versions(self) -> dict[str, list[_Version]]:
        """The versions of each file, the oldest first; none where git cannot tell."""
        specs = [*SPECS, *(f":(top,literal){name}" for name in self._also)]
        output = self._run((*_LOG, "--", *specs), b"")
        by_file: dict[str, list[_Version]] = {}
        for entry in output.decode("utf-8", "replace").split("\x01")[1:]:
            head, _, rest = entry.partition("\0")
            head, _, first = head.partition("\n")
            commit, _, seconds = head.partition(" ")
            if not seconds.strip().isdecimal():
                continue
            for name in (first, *rest.split("\0")):
                if path := name.strip("\n"):
                    by_file.setdefault(path, []).append(_Version(int(seconds) * 1000, commit))
        for versions in by_file.values():
            versions.sort(key=lambda version: version.since)
        return by_file

    @cached_property
    def epochs(self) -> list[int]:
        """The times at which any file changed, in order, those of a change by hand among them."""
        times = {one.since for versions in self._versions.values() for one in versions}
        times |= {_changed(f"{self.root.rstrip('/')}/{name}") for name in self._versions}
        return sorted(times)

    def knows(self, path: str) -> bool:
        """Whether the history has a file."""
        return self._name(path) in self._versions

    def last_change(self, path: str) -> int:
        """When a file was last committed, in milliseconds."""
        return self._versions[self._name(path)][-1].since

    def content(self, path: str, at: int) -> bytes | None:
        """What a file held at a time; None where it was not there."""
        name = self._name(path)
        versions = self._versions[name]
        number = bisect_right([one.since for one in versions], at)
        if not number:
            return None
        commit = versions[number - 1].commit
        if (commit, name) not in self._blobs:
            self._blobs[commit, name] = self._blob(commit, name)
        return self._blobs[commit, name]

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.root.rstrip('/')}/")

    def _blob(self, commit: str, name: str) -> bytes | None:
        if "\n" in name:
            return None  # one line asks for one file
        asked = f"{commit}:{name}\n".encode("utf-8", "surrogateescape")
        output = self._run(("cat-file", "--batch"), asked)
        head, _, body = output.partition(b"\n")
        words = head.split()
        if len(words) != 3 or words[1] != b"blob":
            return None
        return body[: int(words[2])]

    def _run(self, arguments: tuple[str, ...], request: bytes) -> bytes:
        return ask_git(self.root, arguments, request)


def ask_git(root: str, arguments: tuple[str, ...], request: bytes = b"") -> bytes:
    """What git says of a repository, without running anything that it names; empty in trouble."""
    command = (*_GIT, "-C", root, *arguments)
    try:
        return run_program(
            command, request, _SECONDS, variables=_VARIABLES, most_output=_MOST_OUTPUT
        )
    except ProgramError as error:
        log.info("the history of %s is not known: %s", root, error.what)
        return b""


_SETTINGS = frozenset(
    {
        *("config.toml", "trusted_folders.toml", ".claude.json"),
        *("settings.json", "settings.local.json", "managed-settings.json"),
    }
)


class AsOf:
    """Files as they were at a time: those of a history by it, others as they are now.

    `newest` is when the latest of the others was written: what it held before is not known.
    Settings count as they are now: agents write to them all the time, and seldom what matters here.
    """

    def __init__(self, files: Files, history: History | None, at: int) -> None:
        self._files = files
        self._history = history
        self._at = at
        self.newest = 0

    def kind(self, path: str) -> Kind:
        """What was there."""
        now = self._files.kind(path)
        if self._is_past(path):
            return "file" if self._past(path) is not None else "none"
        if now == "file" and path.rpartition("/")[2] not in _SETTINGS:
            self.newest = max(self.newest, _changed(path))
        return now

    def read(self, path: str) -> Content:
        """What it held."""
        if not self._is_past(path):
            return self._files.read(path)
        data = self._past(path)
        return Content(data, len(data)) if data is not None else Content(b"", 0, "not there then")

    def names(self, folder: str) -> list[str]:
        """The names in a folder now."""
        return self._files.names(folder)

    def real(self, path: str) -> str:
        """The path behind all links now."""
        return self._files.real(path)

    def _is_past(self, path: str) -> bool:
        """Whether the history tells; what was changed by hand before that time counts as it is."""
        history = self._history
        if history is None or not path.startswith(f"{history.root.rstrip('/')}/"):
            return False
        if not history.knows(path):
            return False
        return not history.last_change(path) <= _changed(path) <= self._at

    def _past(self, path: str) -> bytes | None:
        assert self._history is not None
        return self._history.content(path, self._at)


def _changed(path: str) -> int:
    """When a file was last written, in milliseconds; 0 where it is not there."""
    try:
        return int(Path(path).stat().st_mtime * 1000)
    except OSError:
        return 0
