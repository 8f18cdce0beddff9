"""A transcript that is streamed is the one that is read into memory, and takes little of it."""

from __future__ import annotations

import sqlite3
import tracemalloc
from collections.abc import Callable
from functools import partial

import peewee
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helix_tui.engine.memory.pieces import gather
from helix_tui.schema import SessionFilter
from helix_tui.store.database import reading
from helix_tui.store.ingest.plan import REWRITTEN
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.transcript import _Runs, in_order, stored_events
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

# The short one fills what is bounded: lists of a digest, and caches of commands.
SHORT, LONG = 1400, 2400
PATHS = ("/b/two.jsonl", "/a/one.jsonl", "/b/two.jsonl", "/c/é.jsonl")

Row = tuple[int, int, int | None]
rows = st.lists(
    st.tuples(
        st.integers(0, len(PATHS) - 1),
        st.one_of(st.integers(0, 30), st.integers(-REWRITTEN, -REWRITTEN + 30)),
        st.one_of(st.none(), st.integers(0, 20)),
    ),
    unique_by=lambda row: (PATHS[row[0]], row[1]),
    max_size=20,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(rows=rows)
def test_merged_runs_are_in_the_order_of_a_transcript(rows: list[Row]) -> None:
    database = peewee.SqliteDatabase(":memory:")
    connection: sqlite3.Connection = database.connection()
    connection.execute("CREATE TABLE part (key INTEGER PRIMARY KEY, path TEXT)")
    connection.execute(
        "CREATE TABLE event (session, fingerprint, part, position, ts, kind, is_error, frame, slot)"
    )
    connection.executemany("INSERT INTO part VALUES (?, ?)", enumerate(PATHS))
    connection.executemany(
        "INSERT INTO event VALUES (7, ?, ?, ?, ?, 0, 0, ?, ?)",
        [(number, *row, number, number + 1) for number, row in enumerate(rows)],
    )
    runs = _Runs(database, 7)
    streamed = [(runs.frames[number], runs.slots[number]) for number in runs.in_order()]
    placed = in_order(stored_events(database, 7))
    assert streamed == [(one.frame, one.slot) for one in placed]
    database.close()


def talk(bench: Workbench, turns: int, files: int = 1) -> None:
    """One session of so many turns, which files had in turns."""
    logs = [ClaudeLog() for _ in range(files)]
    for turn in range(turns):
        log = logs[turn % files]
        log.second = turn * 4
        log._count = turn * 4  # a name of its own for each record
        log.prompt(f"build number {turn}")
        log.step(f"make t{turn}", f"{turn} passed " * 20)
        log.reply(f"Build {turn} is done.")
    for number, log in enumerate(logs):
        log.write(bench.home, name=f"{number:04d}")
    bench.sweep()


def test_files_that_were_written_in_turns_are_read_in_turns(bench: Workbench) -> None:
    talk(bench, 60, files=12)
    (session,) = bench.sessions().values()
    events = bench.events(session.id)
    assert len(events) == session.events == 240
    assert [event.ts for event in events] == sorted(event.ts or 0 for event in events)
    reading_at_will = bench.engine().open_transcript(session.id)
    assert [step.event for step in reading_at_will.steps(0, len(events))] == events
    reading_at_will.close()


def peak(work: Callable[[], object]) -> int:
    """What a piece of work has in memory at most."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def shown(bench: Workbench) -> object:
    """Goes through a session as `helix show --events` does."""
    engine = bench.engine()
    (session,) = engine.sessions(SessionFilter())
    return sum(1 for _ in engine.session_events(session))


def gathered(bench: Workbench) -> object:
    """Gathers all of a session as a flush does."""
    layout = StoreLayout(bench.store)
    (session,) = bench.engine().sessions(SessionFilter())
    with reading(layout) as database:
        assert database is not None
        return gather(database, layout, session, ())


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Workbench]:
    """A short and a long session, in small frames, so that there are many of them in either."""
    made = {turns: Workbench(tmp_path_factory.mktemp(f"{turns}")) for turns in (SHORT, LONG)}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("helix_tui.capture.units.BATCH_BYTES", 1 << 16)
        patched.setattr("helix_tui.capture.tail.CHUNK", 1 << 16)
        for turns, bench in made.items():
            talk(bench, turns, files=2)
    return made


# The bodies alone are 160 bytes each; what a flush tells of a session grows up to its bounds.
@pytest.mark.parametrize(("job", "most"), [(shown, 100), (gathered, 250)])
def test_an_event_more_takes_some_bytes_of_memory(
    talks: dict[int, Workbench], job: Callable[[Workbench], object], most: int
) -> None:
    job(talks[SHORT])  # loads modules, and fills what they remember
    peaks = [peak(partial(job, bench)) for bench in talks.values()]
    assert peaks[1] - peaks[0] < most * 4 * (LONG - SHORT)
