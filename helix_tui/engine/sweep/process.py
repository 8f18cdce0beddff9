"""Run a sweep as a child process that prints its events as lines of JSON.

It stops cleanly when its stdin is closed or on SIGTERM, so that it never outlives the workstation
that started it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from helix_tui.errors import HelixError
from helix_tui.events import (
    CandidatesGrouped,
    DigestsMade,
    ProblemFound,
    Progress,
    SessionEvicted,
    SweepEvent,
    SweepFinished,
    SweepStarted,
    UnitIngested,
)

_SECONDS_BETWEEN = 0.1
_NICENESS = 10


class SweepFailed(msgspec.Struct, frozen=True):
    """The sweep failed, or did not finish."""

    what: str
    todo: str
    exit_code: int


class TroubleFollowed(msgspec.Struct, frozen=True):
    """Something went wrong after the sweep, with catalog, hub or memory."""

    what: str


StreamEvent = SweepEvent | SweepFailed | TroubleFollowed
_TYPES: dict[str, type[StreamEvent]] = {
    event_type.__name__: event_type
    for event_type in (
        SweepStarted,
        UnitIngested,
        Progress,
        DigestsMade,
        CandidatesGrouped,
        ProblemFound,
        SessionEvicted,
        SweepFinished,
        SweepFailed,
        TroubleFollowed,
    )
}
# Of these only the latest matters.
_FREQUENT = (Progress, DigestsMade, UnitIngested)


def line_of(event: StreamEvent) -> str:
    """Encode an event as one line of ASCII, whatever bytes its paths have."""
    return json.dumps({"event": type(event).__name__, "of": msgspec.to_builtins(event)})


def event_of(line: str) -> StreamEvent:
    """Decode the event of a line."""
    decoded = json.loads(line)
    return msgspec.convert(decoded["of"], _TYPES[decoded["event"]])


def throttled(events: Iterable[SweepEvent], seconds: float = _SECONDS_BETWEEN) -> Iterator[str]:
    """Yield events as lines, at most one of each frequent kind per interval."""
    last: dict[type[SweepEvent], float] = {}
    for event in events:
        now = time.monotonic()
        if isinstance(event, _FREQUENT):
            if now - last.get(type(event), 0.0) < seconds:
                continue
            last[type(event)] = now
        yield line_of(event)


def command_for(config_file: Path | None, store: Path) -> list[str]:
    """Return the command that sweeps a store in a process of its own."""
    command = [sys.executable, "-m", "helix_tui.engine.sweep.process", str(store.absolute())]
    return [*command, str(config_file.absolute())] if config_file else command


def main(arguments: list[str]) -> int:
    """Sweep the named store, under the named configuration if there is one."""
    from helix_tui.config import load
    from helix_tui.engine.facade import Engine
    from helix_tui.workers.garbage import spare_gc

    stop = watched()
    spare_gc()
    try:
        config = load(Path(arguments[1]) if len(arguments) > 1 else None, Path(arguments[0]))
        engine = Engine(config)
        for line in throttled(engine.sweep(cancelled=stop.is_set, groups_early=True)):
            print(line, flush=True)
        if not stop.is_set():
            for message in engine.after_sweep(stop.is_set):
                print(line_of(TroubleFollowed(message)), flush=True)
    except HelixError as error:
        print(line_of(SweepFailed(error.what, error.todo, error.exit_code)), flush=True)
        return error.exit_code
    return 130 if stop.is_set() else 0


def watched() -> threading.Event:
    """Lower this process's priority; return an event that is set when it should stop."""
    with suppress(OSError):
        os.nice(_NICENESS)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=_await_end, args=(sys.stdin, stop), daemon=True).start()
    return stop


def _await_end(stdin: TextIO, stop: threading.Event) -> None:
    """Wait until the parent process closes our stdin."""
    with suppress(OSError, ValueError):
        while stdin.read(1):
            pass
    stop.set()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # the reader is gone
        os._exit(0)
