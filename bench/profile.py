"""`python -m bench.profile`: the CPU seconds and calls of each stage of a cold sweep.

Everything runs in this process, whose clock is read around whole chunks, frames and transactions
only, so that it tells little more than is there. Of several rounds the least of each stage counts.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial, wraps
from typing import Any
from unittest.mock import patch

import msgspec

from bench import corpus
from bench.corpus import fresh_store
from bench.measure import clean_environ, in_turns, run
from bench.sweeps import open_engine, sweep_whole
from helix_tui.capture.adapters.claude.reader import ClaudeReader
from helix_tui.capture.adapters.claude.records import decode_record
from helix_tui.schema import UnitBatch, UnitTask
from helix_tui.workers.reading import read_and_fold

ROUNDS = 3
# What is timed, and the name of its stage; what stands further down lies within what is above it.
_TIMED = (
    ("fold events", "helix_tui.digest.fold.Folder.step_all"),
    ("  redact, within it", "helix_tui.digest.excerpt.redact"),
    ("  name errors, within it", "helix_tui.digest.steps.failure.signature"),
    ("encode and compress folds", "helix_tui.workers.reading.pack_fold"),
    ("encode and compress frames", "helix_tui.capture.draft.encode_frame"),
    ("plan transactions", "helix_tui.store.ingest.plan.TransactionPlan.add"),
    ("write packs", "helix_tui.store.ingest.writer.StoreWriter._append_packs"),
    ("  sync them, within it", "helix_tui.store.packs.packs.PackAppender.sync"),
    ("count usage", "helix_tui.store.ingest.writer.StoreWriter._write_usage"),
    ("judge, write folds", "helix_tui.store.ingest.writer.StoreWriter._write_digests"),
    ("write rows", "helix_tui.store.ingest.writer.StoreWriter._write_rows"),
    ("all of a transaction", "helix_tui.store.ingest.writer.StoreWriter.flush"),
    ("find changes", "helix_tui.engine.sweep.sweep.find_changes"),
)

_STARTS = {
    "start of a worker": "from helix_tui.workers import process",
    "start of a sweep": "import helix_tui.cli.main, helix_tui.engine",
}


class Clock:
    """Adds up CPU seconds and calls by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    def add(self, stage: str, seconds: float, calls: int = 1) -> None:
        """Enters what a call took."""
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        self.calls[stage] = self.calls.get(stage, 0) + calls

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its calls timed."""

        @wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            started = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                self.add(stage, time.process_time() - started)

        return call

    def stepped(self, stage: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Any]:
        """The generator, its steps timed."""

        def steps(*arguments: Any) -> Iterator[Any]:
            items = function(*arguments)
            while True:
                started = time.process_time()
                item = next(items, None)
                self.add(stage, time.process_time() - started)
                if item is None:
                    return
                yield item

        return steps


def _target(name: str) -> Any:
    return patch(name).get_original()[0]


def _reading(clock: Clock) -> Callable[..., None]:
    """Reads lines as ever, after decoding them once more to know what that takes."""
    real = ClaudeReader.read_lines

    def read(
        self: ClaudeReader, part: str, offset: int, lines: Sequence[bytes], draft: Any
    ) -> None:
        started = time.process_time()
        for line in lines:
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                decode_record(line)
        between = time.process_time()
        real(self, part, offset, lines, draft)
        decoding = between - started
        clock.add("decode records", decoding, len(lines))
        clock.add("records to events", time.process_time() - between - decoding, len(lines))

    return read


def _piping(clock: Clock) -> Callable[..., Iterator[UnitBatch]]:
    """What workers and sweep send each other, without the pipe itself."""
    encode = clock.timed("encode batches", msgspec.msgpack.Encoder().encode)
    decode = clock.timed("decode batches", msgspec.msgpack.Decoder(UnitBatch).decode)

    def read(tasks: Sequence[UnitTask], *_: object) -> Iterator[UnitBatch]:
        for task in tasks:
            for batch in read_and_fold(task):
                yield decode(encode(batch))

    return read


def profile_once() -> Clock:
    """One cold sweep in this process."""
    home = corpus.home("1k", sessions=1000, megabytes=218)
    engine = open_engine(home, fresh_store("profile"))
    clock = Clock()
    with ExitStack() as stack:
        for stage, name in _TIMED:
            stack.enter_context(patch(name, clock.timed(stage, _target(name))))
        lines = "helix_tui.capture.units.read_lines"
        stack.enter_context(patch(lines, clock.stepped("read and split", _target(lines))))
        stack.enter_context(patch.object(ClaudeReader, "read_lines", _reading(clock)))
        stack.enter_context(patch("helix_tui.engine.sweep.sweep.read_units", _piping(clock)))
        clock.timed("whole sweep", sweep_whole)(engine)
    return clock


def main() -> None:
    """Prints the table."""
    gc.freeze()
    gc.set_threshold(100_000)
    clocks = [profile_once() for _ in range(ROUNDS)]
    environ = clean_environ(corpus.WORK)
    costs = in_turns(
        {
            stage: partial(run, [sys.executable, "-c", code], environ)
            for stage, code in _STARTS.items()
        },
        9,
    )
    print(f"{'stage':<30}{'CPU s':>8}{'calls':>10}")
    for name, cost in costs.items():
        print(f"{name:<30}{cost.cpu:>8.3f}{1:>10,}")
    for stage in clocks[0].seconds:
        least = min(clock.seconds[stage] for clock in clocks)
        print(f"{stage:<30}{least:>8.3f}{clocks[0].calls[stage]:>10,}")


if __name__ == "__main__":
    main()
