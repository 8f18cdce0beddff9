"""Runs a command under strace: lists the calls that change a store, the points of a fault."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Calls that change a file or make it durable; `?` lets strace pass over those a machine lacks.
CHANGING = (
    *("write", "writev", "pwrite64", "pwritev", "pwritev2", "copy_file_range", "sendfile"),
    *("fsync", "fdatasync", "syncfs", "truncate", "ftruncate", "fallocate"),
    *("unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "link", "linkat"),
    *("symlink", "symlinkat", "mkdir", "mkdirat", "mknod", "mknodat"),
    *("chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "setxattr", "fsetxattr", "open", "openat", "creat"),
)
_OPENS = ("open", "openat", "creat")
_LINE = re.compile(r"(\d+) +(\w+)\((.*)")
_PATHS = re.compile(r"<([^<>\"]+)>|\"([^\"]*)\"")
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Call:
    """One line of a trace."""

    process: int
    name: str
    text: str

    @property
    def paths(self) -> list[str]:
        """Every path that the call names, by descriptor or by name."""
        return [by_fd or by_name for by_fd, by_name in _PATHS.findall(self.text)]

    @property
    def is_change(self) -> bool:
        """Whether it changes something; opening does where it may create, cut or write."""
        if self.name not in _OPENS:
            return True
        return bool(re.search(r"O_(CREAT|TRUNC|WRONLY|RDWR|APPEND)", self.text))

    @property
    def is_done(self) -> bool:
        """Whether it did not fail."""
        return ") = -1 " not in self.text

    def touches(self, folder: Path) -> bool:
        """Whether one of its paths is the folder or lies in it."""
        return any(path == str(folder) or path.startswith(f"{folder}/") for path in self.paths)


@dataclass(frozen=True, slots=True)
class Point:
    """The n-th call of a name that touches one of the store's paths; `path` is within the store."""

    name: str
    nth: int
    path: str
    is_creating: bool = False

    def __str__(self) -> str:
        return f"{self.name} #{self.nth} ({self.path})"


@dataclass(frozen=True, slots=True)
class Points:
    """All points of a run, in their order, and the paths by which strace counts them."""

    all: tuple[Point, ...]
    paths: tuple[str, ...]


@functools.cache
def trouble() -> str | None:
    """Why nothing can be traced here, or None where it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"strace may not trace: {tried.stderr.strip()}" if tried.returncode else None


def require() -> None:
    """Skips where nothing can be traced; fails where HELIX_REQUIRE_STRACE says that it must."""
    reason = trouble()
    if reason is None:
        return
    if os.environ.get("HELIX_REQUIRE_STRACE"):
        pytest.fail(f"{reason}, but HELIX_REQUIRE_STRACE is set")
    pytest.skip(reason)


def environ(home: Path) -> dict[str, str]:
    """What a traced command sees; compiled modules are kept, so that it starts quickly."""
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


def traced(command: Sequence[str], home: Path, code: int = 0) -> list[Call]:
    """Runs a command and its children; returns every changing call of theirs, failed or not."""
    with tempfile.NamedTemporaryFile("r", prefix="helix-trace-", errors="replace") as output:
        ran = run([*_strace(output.name, CHANGING), "-y", "-s", "0", *command], home)
        assert ran.returncode == code, ran.stderr
        return calls_in(output.read().splitlines())


def calls_in(lines: Iterable[str]) -> list[Call]:
    """The calls of a trace."""
    found = [match for match in map(_LINE.match, lines) if match]
    return [Call(int(match[1]), match[2], match[3]) for match in found]


def points_of(calls: Iterable[Call], store: Path) -> Points:
    """The points in a trace: every call that changed something in the store."""
    calls = list(calls)
    changing = [call for call in calls if call.is_change and call.is_done and call.touches(store)]
    paths = {path for call in changing for path in call.paths if _is_within(path, store)}
    counted: Counter[str] = Counter()
    points: list[Point] = []
    for call in calls:
        touched = [path for path in call.paths if path in paths]
        if touched:
            counted[call.name] += 1
            if call.is_change and call.is_done:
                path = _within(touched[0], store)
                is_creating = "O_CREAT" in call.text
                points.append(Point(call.name, counted[call.name], path, is_creating))
    return Points(tuple(points), tuple(sorted(_within(path, store) for path in paths)))


def _strace(output: str, calls: Iterable[str]) -> list[str]:
    """The command so far; filtered, the kernel stops for no other calls, which is quicker."""
    names = ",".join(f"?{name}" for name in calls)
    return ["strace", "-f", "-qq", "--seccomp-bpf", "-o", output, "-e", f"trace={names}"]


def run(command: Sequence[str], home: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of this checkout in a home."""
    return subprocess.run(
        command,
        env=environ(home),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )


def _is_within(path: str, folder: Path) -> bool:
    return path == str(folder) or path.startswith(f"{folder}/")


def _within(path: str, folder: Path) -> str:
    return str(Path(path).relative_to(folder))


def python(module: str, *arguments: object) -> list[str]:
    """The command that runs a module of this checkout."""
    return [sys.executable, "-m", module, *map(str, arguments)]
