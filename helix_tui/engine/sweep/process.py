"""A sweep as a child process: its events are lines of JSON on stdout, the last one how it ended.

It ends in order when its stdin is closed or a SIGTERM comes, so that it never outlives the
workstation that watches it.
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
    """The sweep could not be carried out, or not to its end."""

    what: str
    todo: str
    exit_code: int


class TroubleFollowed(msgspec.Struct, frozen=True):
    """What comes behind a sweep, the catalog and the hub, found something that is wrong."""

    what: str


StreamEvent = SweepEvent | SweepFailed | TroubleFollowed
_TYPES: dict[str, type[StreamEvent]] = {
    one.__name__: one
    for one in (
        SweepStarted,
        UnitIngested,
        Progress,
        CandidatesGrouped,
        ProblemFound,
        SessionEvicted,
        SweepFinished,
        SweepFailed,
        TroubleFollowed,
    )
}
# Of these the latest says enough.
_FREQUENT = (Progress, UnitIngested)


def line_of(event: StreamEvent) -> str:
    """An event as one line of ASCII, whatever a path in it is made of."""
    return json.dumps({"event": type(event).__name__, "of": msgspec.to_builtins(event)})


def event_of(line: str) -> StreamEvent:
    """The event of a line."""
    said = json.loads(line)
    return msgspec.convert(said["of"], _TYPES[said["event"]])


def throttled(events: Iterable[SweepEvent], seconds: float = _SECONDS_BETWEEN) -> Iterator[str]:
    """Lines of events, at most one of each frequent kind in so many seconds."""
    last: dict[type[SweepEvent], float] = {}
    for event in events:
        now = time.monotonic()
        if isinstance(event, _FREQUENT):
            if now - last.get(type(event), 0.0) < seconds:
                continue
            last[type(event)] = now
        yield line_of(event)


def command_for(config_file: Path | None, store: Path) -> list[str]:
    """The command that sweeps a store in a process of its own."""
    command = [sys.executable, "-m", "helix_tui.engine.sweep.process", str(store.absolute())]
    return [*command, str(config_file.absolute())] if config_file else command


def main(arguments: list[str]) -> int:
    """Sweeps the named store, under the named configuration if there is one."""
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
            for said in engine.after_sweep(stop.is_set):
                print(line_of(TroubleFollowed(said)), flush=True)
    except HelixError as error:
        print(line_of(SweepFailed(error.what, error.todo, error.exit_code)), flush=True)
        return error.exit_code
    return 130 if stop.is_set() else 0


def watched() -> threading.Event:
    """Makes this process give way to others; set when whoever started it wants it to end."""
    with suppress(OSError):
        os.nice(_NICENESS)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=_await_end, args=(sys.stdin, stop), daemon=True).start()
    return stop


def _await_end(stdin: TextIO, stop: threading.Event) -> None:
    """Whoever started the sweep holds its stdin open for as long as it wants it."""
    with suppress(OSError, ValueError):
        while stdin.read(1):
            pass
    stop.set()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # nobody is there to read it any more
        os._exit(0)
