"""Commit files of the catalog with the git command line, and nothing but those files."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.environment import outside_environment
from helix_tui.text.safe import safe_line

_TIMEOUT_SECONDS = 30.0
_GRACE_SECONDS = 2.0  # git removes its locks when it is asked to end
_REASON_WIDTH = 400
# Set by git for a hook, within which this may run; they describe the hook's own repository.
_ELSEWHERE = frozenset(
    (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_OBJECT_DIRECTORY",
        "GIT_COMMON_DIR",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_NAMESPACE",
        "GIT_QUARANTINE_PATH",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_GRAFT_FILE",
        "GIT_SHALLOW_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_TRACE",
        "GIT_TRACE2",
        "GPG_TTY",
    )
)
_OF_A_HOOK = ("GIT_DIR", "GIT_INDEX_FILE")
_OF_ITS_COMMIT = frozenset({"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"})
_QUIET = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_EDITOR": "true",
    "LC_ALL": "C.UTF-8",  # failures are recognised by git's English messages
}
_OPTIONS = ("--no-pager", "-c", "gc.auto=0", "-c", "maintenance.auto=false")
_NOTHING = ("nothing to commit", "nothing added to commit", "no changes added")


class CommitResult(NamedTuple):
    """The commit, or the reason why there is none; both are empty where nothing had changed."""

    commit: str
    reason: str


class _GitResult(NamedTuple):
    code: int
    out: str
    err: str


class _NotCommittedError(Exception):
    pass


def commit(
    root: Path, paths: Sequence[Path], message: str, *, timeout: float = _TIMEOUT_SECONDS
) -> CommitResult:
    """Commit these files of the catalog as they are, whether new, changed or removed.

    Anything else that is staged or changed stays so. A failure is returned as a reason, not raised:
    a verdict is kept whether or not it could be committed.
    """
    try:
        return _commit(root, paths, safe_line(message).strip() or "Pattern Catalog", timeout)
    except _NotCommittedError as error:
        return CommitResult("", safe_line(str(error), _REASON_WIDTH))


def _commit(root: Path, paths: Sequence[Path], message: str, timeout: float) -> CommitResult:
    folder = root.absolute()
    inside = _git(folder, ["rev-parse", "--is-inside-work-tree"], timeout)
    if inside.code != 0 or inside.out.strip() != "true":
        raise _NotCommittedError(_why_no_repository(folder, inside))
    names = sorted({os.path.relpath(path.absolute(), folder) for path in paths})
    changed = _changed(folder, names, timeout)
    if not changed:
        return CommitResult("", "")
    new = [name for name, state in changed.items() if state == "??"]
    if new:
        _output_of(_git(folder, ["add", "--intent-to-add", "--", *new], timeout))
    is_committed = False
    try:
        arguments = ["commit", "--quiet", "--only", f"--message={message}", "--", *changed]
        committed = _git(folder, arguments, timeout)
        is_committed = committed.code == 0
    finally:
        if new and not is_committed:
            _git(folder, ["rm", "--cached", "--force", "--quiet", "--", *new], timeout)
    if not is_committed and any(words in committed.out + committed.err for words in _NOTHING):
        return CommitResult("", "")
    _output_of(committed)
    return CommitResult(_output_of(_git(folder, ["rev-parse", "HEAD"], timeout)).strip(), "")


def _changed(folder: Path, names: list[str], timeout: float) -> dict[str, str]:
    """Return the files that differ from the last commit, each with its state in `git status`."""
    if not names:
        return {}
    prefix = _output_of(_git(folder, ["rev-parse", "--show-prefix"], timeout)).rstrip("\n")
    arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"]
    output = _output_of(_git(folder, [*arguments, "--ignored=matching", "--", *names], timeout))
    entries = [(entry[3:], entry[:2]) for entry in output.split("\0") if entry]
    if ignored := [name for name, state in entries if state == "!!"]:
        raise _NotCommittedError(f"{ignored[0]} is ignored by git: look at its .gitignore.")
    # A file staged as deleted that exists again is listed twice, the second time as new.
    changed: dict[str, str] = {}
    for name, state in entries:
        changed.setdefault(os.path.relpath(name, prefix or "."), state)
    return changed


def _git(folder: Path, arguments: Sequence[str], timeout: float) -> _GitResult:
    command = ["git", "-C", str(folder), *_OPTIONS, *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # Files, not pipes: a process that a hook leaves running would hold a pipe open. With a
        # session of its own git has no terminal to ask for a passphrase, and is ended with all
        # that it started.
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=_environment(),
                start_new_session=True,
            )
        except OSError as error:
            words = "git is not installed" if isinstance(error, FileNotFoundError) else str(error)
            raise _NotCommittedError(f"{words}.") from error
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise _NotCommittedError(
                f"git {arguments[0]} was not done within {timeout:g} seconds and was ended: "
                "look for a hook or a signature that waits for somebody."
            ) from error
        finally:
            if process.returncode is None:
                _end(process)
        out.seek(0)
        err.seek(0)
        outputs = (file.read().decode("utf-8", "replace") for file in (out, err))
        return _GitResult(process.returncode, *outputs)


def _end(process: subprocess.Popen[bytes]) -> None:
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, signal_number)
        except ProcessLookupError:
            break
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def _environment() -> dict[str, str]:
    left_out = _ELSEWHERE
    if any(name in os.environ for name in _OF_A_HOOK):
        left_out |= _OF_ITS_COMMIT
    return {**{k: v for k, v in outside_environment().items() if k not in left_out}, **_QUIET}


def _output_of(ran: _GitResult) -> str:
    if ran.code == 0:
        return ran.out
    words = ran.err.strip() or ran.out.strip()
    if ".lock" in words and "File exists" in words:
        raise _NotCommittedError(
            "Another git is at work in this repository: commit when it is done."
        )
    if "tell me who you are" in words or "empty ident" in words:
        raise _NotCommittedError(
            "git does not know who you are: set user.name and user.email with `git config`."
        )
    last = " ".join(line.strip() for line in words.split("\n")[-3:] if line.strip())
    raise _NotCommittedError(f"git (or a hook) refused: {last or f'it ended with {ran.code}'}")


def _why_no_repository(folder: Path, ran: _GitResult) -> str:
    if ran.code == 0 or "not a git repository" in ran.err:
        return f"{folder} is not in a git repository."
    return f"git cannot use {folder}: {' '.join(ran.err.split())}"
