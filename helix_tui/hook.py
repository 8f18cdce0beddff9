"""The script that an agent's hook runs: spool one line, always exit 0.

It prints nothing, but for an agent that was installed with `--context`: what is kept ready for its
repository where a session starts, and the name of a session's notes before it is compacted.

It is run by its path and without site-packages, and may take 100 ms with the start of the
interpreter: it imports the standard library only, and as little of it as possible.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import sys
import time

INVOKED_BY = "HELIX_INVOKED_BY"
DIVERTED = "HELIX_HOOK_SPOOL"
SPOOL = "spool.jsonl"
LATE = "late-"
HANDED_OUT = "HandedOut"
RECALL = os.path.join("memory", "recall")
FILE_MODE = 0o600

# What Gemini calls the moments that others call so.
_EVENTS = {"PreCompress": "PreCompact", "AfterAgent": "Stop"}
_MOST_PAYLOAD = 1 << 20
_MOST_SPOOL = 64 << 20
_MOST = {"session": 256, "path": 4096, "event": 64}
_MOST_CONTEXT = 4096
_MOST_PREPARED = 64 << 10
# How a session starts that has nothing of it in its context yet; a resumed one has.
_STARTS = ("startup", "clear", "compact", "")
_SECONDS_TO_READ = 2.0
_SECONDS_TO_LOCK = 0.04
_SECONDS_BETWEEN_TRIES = 0.001


def main(arguments: list[str]) -> None:
    """Spool the event on stdin for a store, and start the command after `--flush`."""
    store, otherwise, flush, has_context = _asked(arguments)
    text = read_stdin()
    if not store or os.environ.get(INVOKED_BY):
        return
    diverted = os.environ.get(DIVERTED)
    payload = _decoded(text)
    line = line_of(payload, now_ms(), otherwise)
    if line is None or is_our_own(payload, store):
        return
    spool = diverted or os.path.join(store, SPOOL)
    reported = json.loads(line)
    if reported["event"] == "SessionStart":
        if has_context:
            _hand_out(payload, reported, store, spool)
        return
    append(spool, line)
    if has_context and (reported["flavor"], reported["event"]) == ("claude", "PreCompact"):
        _print(_named_notes(reported, store))
    # The end of a turn flushes nothing: its session may go on at once.
    if flush and not diverted and reported["event"] != "Stop":
        _start(flush)


def now_ms() -> int:
    """The time, as lines have it."""
    return int(time.time() * 1000)


def _hand_out(payload: dict[str, object], line: dict[str, object], store: str, spool: str) -> None:
    """Print what is kept ready for a repository, noted first so that it is known who saw it.

    What Grok's hooks print never reaches its model.
    """
    cwd = payload.get("cwd")
    if line["flavor"] == "grok" or payload.get("source", "") not in _STARTS:
        return
    root = repository_root(cwd) if isinstance(cwd, str) else ""
    found = prepared(store, root) if root else {}
    notes = _named_notes(line, store) if payload.get("source") == "compact" else ""
    text = _bounded(f"{notes}\n\n{found.get('text', '')}".strip())
    if not text:
        return
    handed = {
        "at": line["at"],
        "by": "hook",
        "flavor": line["flavor"],
        "session": line["session"],
        "repo": found.get("repo", ""),
        "cwd": root,
        "patterns": found.get("patterns", []),
        "sources": found.get("sources", 0),
    }
    fields = {**line, "event": HANDED_OUT, "handed": json.dumps(handed)}
    append(spool, json.dumps(fields, separators=(",", ":")).encode() + b"\n")
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    _print(json.dumps({"hookSpecificOutput": output}))


def repository_root(folder: str) -> str:
    """The main repository around a folder, by `.git` alone; else the folder itself."""
    if not folder.startswith("/") or "\0" in folder:
        return ""
    place = folder = os.path.normpath(folder)
    while True:
        git = os.path.join(place, ".git")
        if os.path.isdir(git):  # noqa: PTH112
            return os.path.realpath(place)
        if os.path.isfile(git):  # noqa: PTH113
            return os.path.realpath(_of_worktree(git) or place)
        above = os.path.dirname(place)  # noqa: PTH120
        if above == place:
            return os.path.realpath(folder)
        place = above


def _of_worktree(git: str) -> str:
    """The main repository that a linked worktree's `.git` file leads to; empty for a submodule."""
    with open(git, encoding="utf-8", errors="replace") as file:
        pointer = file.read(4096).strip()
    if not pointer.startswith("gitdir:"):
        return ""
    named = os.path.join(os.path.dirname(git), pointer[len("gitdir:") :].strip())  # noqa: PTH120
    above, _, _ = os.path.realpath(named).rpartition("/")
    owner, _, folder = above.rpartition("/")
    if folder != "worktrees":
        return ""
    return owner.rpartition("/")[0] if owner.endswith("/.git") else owner


def prepared_name(root: str) -> str:
    """The name of the file that is kept ready for a repository."""
    from hashlib import blake2b

    return blake2b(os.fsencode(root), digest_size=16).hexdigest() + ".json"


def prepared(store: str, root: str) -> dict[str, object]:
    """What is kept ready for a repository; without its patterns where verdicts came since."""
    path = os.path.join(store, RECALL, prepared_name(root))
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(_MOST_PREPARED))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("root") != root:
        return {}
    if found.get("patterns") and stamp_of(str(found.get("journal", ""))) != found.get("stamp"):
        found["text"], found["patterns"] = found.get("without", ""), []
    return found


def stamp_of(path: str) -> str:
    """What changes when a file does."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return ""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def _named_notes(line: dict[str, object], store: str) -> str:
    """A sentence that names a session's notes, where there are any."""
    session = str(line["session"])
    if not session.replace("-", "").replace("_", "").isalnum() or not session.isascii():
        return ""
    path = os.path.join(store, "memory", "notes", f"{line['flavor']}-{session}.md")
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    return f"Helix keeps notes of this session in {path}: name this file in the summary."


def _bounded(text: str) -> str:
    """A text of so many bytes at most, cut between two lines."""
    while len(text.encode("utf-8", "replace")) > _MOST_CONTEXT:
        text = text.rpartition("\n")[0]
    return text


def _print(text: str) -> None:
    if text:
        os.write(1, text.encode("utf-8", "replace") + b"\n")


def line_of(payload: dict[str, object], at: int, otherwise: str = "claude") -> bytes | None:
    """The line for an event, or None where the payload names no session.

    Grok writes camelCase, lately with Claude's names beside it, and runs Claude's hooks as well;
    Codex says which turn it is, and its logs are rollouts.
    """
    is_grok = any(name in payload for name in ("sessionId", "hookEventName", "workspaceRoot"))
    session = _text(payload, "session", "sessionId", "session_id")
    path = _text(payload, "path", "transcriptPath", "transcript_path")
    event = _text(payload, "event", "hookEventName", "hook_event_name")
    if not session:
        return None
    is_codex = "turn_id" in payload or os.path.basename(path).startswith("rollout-")  # noqa: PTH119
    fields = {
        "flavor": "grok" if is_grok else "codex" if is_codex else otherwise,
        "session": session,
        "path": path,
        "event": _EVENTS.get(event)
        or "".join(word[:1].upper() + word[1:] for word in event.split("_")),
        "at": at,
    }
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def append(path: str, line: bytes) -> None:
    """Append a line; where another process holds the file, write it to a file beside it.

    Whoever removes lines replaces the file under its lock: a line written without the lock may be
    lost with the old file.
    """
    deadline = time.monotonic() + _SECONDS_TO_LOCK
    while True:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags, FILE_MODE)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return
            if not _locked(descriptor, deadline):
                _write_late(path, line)
                return
            if _is_still(path, descriptor):
                _write(descriptor, line)
                return
        finally:
            os.close(descriptor)


def _asked(arguments: list[str]) -> tuple[str, str, list[str], bool]:
    flush: list[str] = []
    if "--flush" in arguments:
        at = arguments.index("--flush")
        arguments, flush = arguments[:at], arguments[at + 1 :]
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    store, otherwise = options.get("--store", ""), options.get("--otherwise", "claude")
    return store, otherwise, flush, options.get("--context") == "on"


def read_stdin() -> str:
    """Read the agent's input to its end, so that it can go on; keep only a bounded part."""
    if os.isatty(0):
        return ""
    os.set_blocking(0, False)
    deadline = time.monotonic() + _SECONDS_TO_READ
    payload = b""
    while time.monotonic() < deadline:
        try:
            piece = os.read(0, 1 << 16)
        except BlockingIOError:
            time.sleep(_SECONDS_BETWEEN_TRIES)
            continue
        if not piece:
            break
        payload += piece[: _MOST_PAYLOAD - len(payload)]
    return payload.decode("utf-8", "replace")


def _decoded(text: str) -> dict[str, object]:
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return _salvaged(text)
    return payload if isinstance(payload, dict) else {}


def _salvaged(text: str) -> dict[str, object]:
    """The fields that can be read of a payload that was cut off or is not JSON."""
    fields: dict[str, object] = {}
    for name in (
        *("sessionId", "session_id", "transcriptPath", "transcript_path"),
        *("hookEventName", "hook_event_name", "turn_id", "workspaceRoot", "cwd"),
    ):
        _, mark, rest = text.partition(f'"{name}"')
        rest = rest.lstrip()
        if not mark or not rest.startswith(":"):
            continue
        try:
            fields[name] = json.JSONDecoder().raw_decode(rest[1:].lstrip())[0]
        except (ValueError, RecursionError):
            continue
    return fields


def _text(payload: dict[str, object], field: str, *names: str) -> str:
    """A bounded text without NUL and lone surrogates, by the first name that has one."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return "".join(
                "\ufffd" if sign == "\0" or "\ud800" <= sign <= "\udfff" else sign
                for sign in value[: _MOST[field]]
            )
    return ""


def is_our_own(payload: dict[str, object], store: str) -> bool:
    """Whether a distiller's agent reports itself; not every agent passes its environment on."""
    cwd = payload.get("cwd")
    if not isinstance(cwd, str) or not cwd or "\0" in cwd:
        return False
    run = os.path.realpath(os.path.join(store, "memory", "run"))
    place = os.path.realpath(cwd)
    return place == run or place.startswith(run + os.sep)


def _locked(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_SECONDS_BETWEEN_TRIES)
        else:
            return True


def _is_still(path: str, descriptor: int) -> bool:
    """Whether a path still names the open file: it may have been replaced meanwhile."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))  # noqa: PTH116
    except FileNotFoundError:
        return False


def _write(descriptor: int, line: bytes) -> None:
    size = os.fstat(descriptor).st_size
    if size > _MOST_SPOOL:
        return
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line  # the last line was torn
    try:
        is_whole = os.write(descriptor, line) == len(line)
    except OSError:
        is_whole = False
    if not is_whole:
        os.ftruncate(descriptor, size)


def _write_late(path: str, line: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    late = f"{path}.{LATE}{time.time_ns()}-{os.getpid()}"
    descriptor = os.open(late, flags, FILE_MODE)
    try:
        is_whole = os.write(descriptor, line) == len(line)
    except OSError:
        is_whole = False
    finally:
        os.close(descriptor)
    if not is_whole:
        os.unlink(late)  # noqa: PTH108


def _start(command: list[str]) -> None:
    """Start a program that runs on by itself: in its own session, with no open files."""
    os.chdir("/")  # so that nothing is imported from the agent's working folder
    os.closerange(3, 1024)
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    os.posix_spawn(command[0], command, os.environ, file_actions=null, setsid=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException:  # noqa: BLE001 - an agent must never hear of it
        os._exit(0)
    os._exit(0)
