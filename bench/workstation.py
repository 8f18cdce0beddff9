"""The workstation through a real pty: its first frame, its keys idle and during a sweep, verdicts.

What is measured is the time from a key's bytes to the last byte of the frame that shows what the
key does. The kernel tells how long the main thread waited for a core meanwhile: that is the share
of whatever else the machine did.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench import corpus
from bench.filled import copy_of, filled_store
from bench.measure import clean_environ
from bench.reviewer import TITLES, Reviewer
from bench.row import Row
from bench.terminal import Moment, Terminal
from helix_tui.engine.sweep.process import command_for

SIZES = {"100": 100, "10k": 10_000, "100k": 100_000}
_HELIX = str(Path(sys.executable).with_name("helix"))
_BARE = [sys.executable, str(Path(__file__).with_name("bare.py"))]
_FIRST_FRAMES = 9
_ROUNDS = 3
_IDLE_TURNS = 2
_BARE_KEYS = 40
_VERDICTS = 30
_SECONDS_FOR_RESULTS = 30
# Milliseconds that a key may take at p95, and a first frame in units of a bare app's.
_AT_MOST = 50.0
_FIRST_FRAME = 1.5

Times = dict[str, list[Moment]]


def first_frame() -> Iterator[Row]:
    """Each size in turns with a bare app; only what has all titles is a first frame."""
    stores = {name: copy_of(filled_store(count), f"first-{name}") for name, count in SIZES.items()}
    seconds: dict[str, list[float]] = defaultdict(list)
    filled: dict[str, list[float]] = defaultdict(list)
    for _ in range(_FIRST_FRAMES):
        with _bare() as bare:
            seconds["bare"].append(bare.sees("counted 0.", "end of").since(bare.began).at)
        for name, store in stores.items():
            with _helix(corpus.WORK, store) as terminal:
                seen = _first_titles(terminal)
                seconds[name].append(seen.since(terminal.began).at)
                rows = Reviewer(terminal).sees_list()
                filled[name].append(rows.since(terminal.began).at)
    base = min(seconds.pop("bare"))
    for name, found in seconds.items():
        yield Row(name, "first frame", min(found), "bare Textual", base, _FIRST_FRAME)
    for name, found in filled.items():
        yield Row(name, "list filled", min(found), "bare Textual", base, None)


def _first_titles(terminal: Terminal) -> Moment:
    """The first frame that shows anything; it has to have the titles of all panes."""
    seen = terminal.until(lambda one: one.text.strip())
    missing = [title for title in TITLES if title not in terminal.text]
    if missing:
        seen = terminal.sees(*TITLES)
        print(f"not in the first frame: {', '.join(missing)}", file=sys.stderr)
    return seen


def workstation() -> Iterator[Row]:
    """Keys and verdicts at each size, idle and during a sweep."""
    home = _logs()
    with _bare() as bare:
        idle = _bare_keys(bare)
    yield from _all_keys("bare Textual", idle, idle)
    with _sweeping(home, "bare"), _bare() as bare:
        sweep = _bare_keys(bare)
    yield from _all_keys("bare, sweep", sweep, sweep)
    for name, count in SIZES.items():
        sittings = [_sitting(home, name, count) for _ in range(_ROUNDS)]
        for case, rounds, base in (
            (name, [one.idle for one in sittings], idle),
            (f"{name}, sweep", [one.sweep for one in sittings], sweep),
        ):
            yield from _single_keys(case, _best(rounds))
            sat = [_keys(times) for times in rounds]
            yield from _all_keys(case, min(sat, key=_p95), base)
            every = [moment for keys in sat for moment in keys]
            yield Row(case, "every sitting, p95", _p95(every), "at most", _AT_MOST, None, "ms")
        for figure, rates in (
            ("verdicts seen", [one.seen for one in sittings]),
            ("and written", [one.written for one in sittings]),
        ):
            yield Row(name, figure, max(rates), "one a second", 60, None, "/min")


def _logs() -> Path:
    return corpus.home("1k", sessions=1000, megabytes=218)


def _environ(home: Path, store: Path) -> dict[str, str]:
    return clean_environ(home, XDG_STATE_HOME=str(store / "state"))


# Keys


class _Sitting:
    """What one sitting measured."""

    def __init__(self, idle: Times, sweep: Times, seen: float, written: float) -> None:
        self.idle, self.sweep, self.seen, self.written = idle, sweep, seen, written


def _sitting(home: Path, name: str, count: int) -> _Sitting:
    """One start on a fresh copy of the store: keys idle, verdicts, then keys during a sweep."""
    store = copy_of(filled_store(count), f"sitting-{name}")
    with _helix(home, store) as terminal:
        reviewer = Reviewer(terminal)
        reviewer.sees_list()
        terminal.pause(1)
        idle: Times = defaultdict(list)
        for _ in range(_IDLE_TURNS):
            _add(idle, reviewer.round())
        journal = store / "review" / "journal.jsonl"
        lines = _lines(journal)
        began = time.perf_counter()
        seen = reviewer.decide(_VERDICTS)
        while _lines(journal) < lines + _VERDICTS:
            terminal.pause(0.01)
        written = time.perf_counter() - began
        sweep: Times = defaultdict(list)
        _add(sweep, reviewer.sweep(_SECONDS_FOR_RESULTS))
    return _Sitting(idle, sweep, _VERDICTS / seen * 60, _VERDICTS / written * 60)


def _add(times: Times, seen: Iterator[tuple[str, Moment]]) -> None:
    for name, moment in seen:
        times[name].append(moment)


def _lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def _bare_keys(bare: Terminal) -> list[Moment]:
    bare.sees("counted 0.")
    bare.pause(1)
    times = []
    for number in range(1, _BARE_KEYS + 1):
        times.append(bare.key("j", lambda one: f"counted {number}." in one.text))  # noqa: B023
        bare.pause(0.05)
    return times


# What the times come to


def _best(rounds: Sequence[Times]) -> Times:
    """Of each key the round whose slow ones were the least slow."""
    names = dict.fromkeys(name for one in rounds for name in one)
    return {
        name: min((one[name] for one in rounds if one.get(name)), key=lambda found: _p95(found))
        for name in names
    }


def _single_keys(case: str, times: Mapping[str, Sequence[Moment]]) -> Iterator[Row]:
    """Each key at p95; what follows a frame that was shown already has no aim of its own."""
    for name, found in times.items():
        aim = None if "," in name and name != "filter, typed" else 1.0
        yield Row(case, f"{name}, p95", _p95(found), "at most", _AT_MOST, aim, "ms")


def _all_keys(case: str, keys: Sequence[Moment], bare: Sequence[Moment]) -> Iterator[Row]:
    """The keys of one sitting together, also without the wait for a core."""
    p50 = statistics.median(one.at for one in keys) * 1e3
    base = statistics.median(one.at for one in bare) * 1e3
    yield Row(case, "all keys, p50", p50, "bare Textual", base, None, "ms")
    yield Row(case, "all keys, p95", _p95(keys), "at most", _AT_MOST, 1.0, "ms")
    alone = _p95([Moment(one.at - one.waited, 0, 0) for one in keys])
    yield Row(case, "p95 less waits", alone, "at most", _AT_MOST, None, "ms")


def _keys(times: Mapping[str, Sequence[Moment]]) -> list[Moment]:
    """Every key; what follows its frame is none."""
    return [one for name, found in times.items() if "," not in name for one in found]


def _p95(times: Sequence[Moment]) -> float:
    """In milliseconds."""
    found = sorted(one.at for one in times)
    return found[round(0.95 * (len(found) - 1))] * 1e3


# Programs


def _helix(home: Path, store: Path) -> Terminal:
    return Terminal([_HELIX, "--store", str(store)], _environ(home, store))


def _bare() -> Terminal:
    return Terminal(_BARE, clean_environ(corpus.WORK))


@contextmanager
def _sweeping(home: Path, name: str) -> Iterator[None]:
    """Cold sweeps of the same logs beside something else, as the workstation starts them."""
    store = copy_of(filled_store(SIZES["100"]), f"sweep-{name}")
    process = subprocess.Popen(
        command_for(None, store),
        env=clean_environ(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.communicate()
