"""The catalog's files committed through git's own command line, just those and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.outside import outside_environment
from helix_tui.text.safe import safe_line

_TIMEOUT_SECONDS = 30.0
_GRACE_SECONDS = 2.0  # git removes its locks when it is asked to end
_REASON_WIDTH = 400
# What a hook of another repository, in which this may run, says of that repository.
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
    "LC_ALL": "C.UTF-8",  # reasons are told by git's words
}
_OPTIONS = ("--no-pager", "-c", "gc.auto=0", "-c", "maintenance.auto=false")
_NOTHING = ("nothing to commit", "nothing added to commit", "no changes added")


class CommitResult(NamedTuple):
    """The commit that was made, or why there is none; neither where nothing had changed."""

    commit: str
    reason: str


class _Ran(NamedTuple):
    code: int
    out: str
    err: str


class _NotDoneError(Exception):
    pass


def commit(
    root: Path, paths: Sequence[Path], message: str, *, timeout: float = _TIMEOUT_SECONDS
) -> CommitResult:
    """Commits these files of the catalog as they are, new, changed or gone.

    What else is staged or changed stays so. What hinders it is a reason in words: a verdict is kept
    whether or not it could be committed.
    """
    try:
        return _commit(root, paths, safe_line(message).strip() or "Pattern Catalog", timeout)
    except _NotDoneError as error:
        return CommitResult("", safe_line(str(error), _REASON_WIDTH))


def _commit(root: Path, paths: Sequence[Path], message: str, timeout: float) -> CommitResult:
    here = root.absolute()
    inside = _git(here, ["rev-parse", "--is-inside-work-tree"], timeout)
    if inside.code != 0 or inside.out.strip() != "true":
        raise _NotDoneError(_why_no_repository(here, inside))
    wanted = sorted({os.path.relpath(path.absolute(), here) for path in paths})
    changed = _changed(here, wanted, timeout)
    if not changed:
        return CommitResult("", "")
    new = [name for name, state in changed.items() if state == "??"]
    if new:
        _must(_git(here, ["add", "--intent-to-add", "--", *new], timeout))
    is_done = False
    try:
        asked = ["commit", "--quiet", "--only", f"--message={message}", "--", *changed]
        made = _git(here, asked, timeout)
        is_done = made.code == 0
    finally:
        if new and not is_done:
            _git(here, ["rm", "--cached", "--force", "--quiet", "--", *new], timeout)
    if not is_done and any(words in made.out + made.err for words in _NOTHING):
        return CommitResult("", "")
    _must(made)
    return CommitResult(_must(_git(here, ["rev-parse", "HEAD"], timeout)).strip(), "")


def _changed(here: Path, wanted: list[str], timeout: float) -> dict[str, str]:
    """Which of the files differ from the last commit, and how; git minds names it never saw."""
    if not wanted:
        return {}
    prefix = _must(_git(here, ["rev-parse", "--show-prefix"], timeout)).rstrip("\n")
    asked = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"]
    listed = _must(_git(here, [*asked, "--ignored=matching", "--", *wanted], timeout))
    entries = [(entry[3:], entry[:2]) for entry in listed.split("\0") if entry]
    if ignored := [name for name, state in entries if state == "!!"]:
        raise _NotDoneError(f"{ignored[0]} is ignored by git: look at its .gitignore.")
    # A file that is staged as gone and there again is listed twice, the second time as new.
    changed: dict[str, str] = {}
    for name, state in entries:
        changed.setdefault(os.path.relpath(name, prefix or "."), state)
    return changed


def _git(here: Path, arguments: Sequence[str], timeout: float) -> _Ran:
    command = ["git", "-C", str(here), *_OPTIONS, *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # Files, not pipes: what a hook leaves running would hold a pipe open. A session of its own
        # has no terminal to ask for a passphrase on, and can be ended with all that it started.
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
            raise _NotDoneError(f"{words}.") from error
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise _NotDoneError(
                f"git {arguments[0]} was not done within {timeout:g} seconds and was ended: "
                "look for a hook or a signature that waits for somebody."
            ) from error
        finally:
            if process.returncode is None:
                _end(process)
        out.seek(0)
        err.seek(0)
        said = (file.read().decode("utf-8", "replace") for file in (out, err))
        return _Ran(process.returncode, *said)


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
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


def _must(ran: _Ran) -> str:
    if ran.code == 0:
        return ran.out
    words = ran.err.strip() or ran.out.strip()
    if ".lock" in words and "File exists" in words:
        raise _NotDoneError("Another git is at work in this repository: commit when it is done.")
    if "tell me who you are" in words or "empty ident" in words:
        raise _NotDoneError(
            "git does not know who you are: set user.name and user.email with `git config`."
        )
    last = " ".join(line.strip() for line in words.split("\n")[-3:] if line.strip())
    raise _NotDoneError(f"git (or a hook) refused: {last or f'it ended with {ran.code}'}")


def _why_no_repository(here: Path, asked: _Ran) -> str:
    if asked.code == 0 or "not a git repository" in asked.err:
        return f"{here} is not in a git repository."
    return f"git cannot use {here}: {' '.join(asked.err.split())}"
