"""Sessions dated in the future or at the epoch: told, kept, and no measure of any other."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.detect.states import state_of, trend_of, week_of
from helix_tui.retain.plan import plan
from helix_tui.schema import Caps, DiskUsage, Evictable
from helix_tui.schema.candidate import CandidateFilter, Ranked
from helix_tui.text.times import EARLIEST, latest_believed, parse_iso
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.trouble_log import EVERYTHING, troubled

FALSE = ("2099-01-01T00:00", "9999-12-31T23:00", "1970-01-01T00:00")
_DAY = 86_400


def dated(log: ClaudeLog, minute: str) -> ClaudeLog:
    """A log whose clock was set wrong."""
    for number, record in enumerate(log.records):
        record["timestamp"] = f"{minute}:{number % 60:02d}.000Z"
    return log


def alone(number: int) -> ClaudeLog:
    """A real session in which nothing recurs that others have."""
    log = ClaudeLog(session=f"9{number:07d}-ffff-4000-8000-000000000000", cwd="/work/lone")
    log.prompt("please write the page about gears")
    for step in range(6):
        log.step(f"cat gears-{number}-{step}.md", f"gear {number} {step}")
    log.reply("Written.")
    return log


def fill(bench: Workbench) -> None:
    """Ten weeks of sessions, and something new in the last of them."""
    for number in range(12):
        troubled_at(number, number * 6 * _DAY).write(bench.home)
    for number in (20, 25, 30):
        log = troubled_at(number, 12 * 6 * _DAY + number)
        said = json.dumps(log.records).replace("rg: command", "fzf: command").replace("rg ", "fzf ")
        log.records = json.loads(said)
        log.write(bench.home)


def troubled_at(number: int, second: int) -> ClaudeLog:
    log = troubled(number, rounds=1 + number % 3)
    clock = ClaudeLog(start=second)
    for record in log.records:
        record["timestamp"] = clock.add("mode")["timestamp"]
    return log


def ranked(bench: Workbench, wanted: CandidateFilter = EVERYTHING) -> list[Ranked]:
    return bench.engine().candidates.detect(wanted).ranked


def standing(found: list[Ranked]) -> dict[str, tuple[str, list[int]]]:
    return {one.candidate.id: (one.state, one.trend) for one in found}


@pytest.fixture
def filled(bench: Workbench) -> Workbench:
    fill(bench)
    bench.sweep()
    return bench


class TestDetection:
    """Now is the clock, never the time of a session beyond it."""

    def test_states_and_ranks_of_others_are_what_they_were(self, filled: Workbench) -> None:
        before = ranked(filled)
        assert {one.state for one in before} >= {"new", "ongoing"}
        for number, minute in enumerate(FALSE):
            dated(alone(number), minute).write(filled.home)
        filled.sweep()
        assert len(filled.sessions()) == 18
        after = ranked(filled)
        known = standing(before)
        assert {name: how for name, how in standing(after).items() if name in known} == known
        assert [one.candidate.id for one in after if one.candidate.id in known] == list(known)

    def test_what_a_false_time_takes_part_in_stands_as_it_did(self, filled: Workbench) -> None:
        # More sessions may take a row of the last tier apart.
        before = [one for one in ranked(filled) if one.candidate.tier != "rest"]
        for number, minute in enumerate(FALSE):
            dated(troubled(100 + number), minute).write(filled.home)
        filled.sweep()
        known = standing(before)
        after = {name: how for name, how in standing(ranked(filled)).items() if name in known}
        assert after == known
        assert sum(one.frequency for one in ranked(filled)) > sum(one.frequency for one in before)

    def test_a_store_that_took_such_a_time_in_before(self, filled: Workbench) -> None:
        before = standing(ranked(filled))
        dated(alone(1), FALSE[2]).write(filled.home)
        filled.sweep()
        ts = parse_iso("2099-01-01T00:00:00.000Z")
        with closing(sqlite3.connect(filled.store / "store.db")) as database, database:
            for table in ("session", "counted"):
                done = database.execute(
                    f"UPDATE {table} SET first_ts = ?, last_ts = ? WHERE id LIKE '%-ffff-%'",
                    (ts, ts),
                )
                assert done.rowcount == 1
        after = standing(ranked(filled))
        assert {name: how for name, how in after.items() if name in before} == before

    @given(
        weeks=st.lists(st.integers(2700, 2760), min_size=1, max_size=12),
        false=st.lists(
            st.one_of(st.integers(2761, 500_000), st.integers(-5, 2000)), min_size=1, max_size=3
        ),
    )
    def test_weeks_that_cannot_be_change_no_state(self, weeks: list[int], false: list[int]) -> None:
        weeks.sort()
        together = sorted([*weeks, *false])
        assert state_of(together, max(weeks[-1], *false), 2760) == state_of(weeks, weeks[-1], 2760)
        assert trend_of(together, 2760) == trend_of(weeks, 2760)
        assert week_of(EARLIEST) > 2000


class TestSession:
    """Such a time is in no calendar, and is told with its place."""

    def test_it_is_told_with_what_to_do(self, bench: Workbench) -> None:
        for number, minute in enumerate(FALSE):
            dated(alone(number), minute).write(bench.home)
        report = bench.sweep()
        reasons = sorted(problem.reason for problem in report.listed_problems)
        assert [reason[:16] for reason in reasons] == [
            "dated 1970-01-01",
            "dated 2099-01-01",
            "dated 9999-12-31",
        ]
        assert all("Set the clock" in reason for reason in reasons)
        assert all(problem.offset == 0 for problem in report.listed_problems)
        assert bench.sweep().known_problems == 3
        spans = sorted(str((one.first_ts, one.last_ts)) for one in bench.sessions().values())
        # A log of nothing but a clock that was never set keeps its own durations.
        assert spans == ["(0, 13000)", "(None, None)", "(None, None)"]
        assert all(session.repo for session in bench.sessions().values())
        assert all(len(bench.events(name)) == 14 for name in bench.sessions())

    def test_one_record_does_not_move_its_session(self, bench: Workbench, tmp_path: Path) -> None:
        log = alone(1)
        log.write(bench.home)
        bench.sweep()
        before = bench.session()
        for number in (2, 5):
            log.records[number]["timestamp"] = f"{FALSE[number % 2]}:00.000Z"
        log.write(bench.home)
        other = tmp_path / "other"
        bench.sweep(other)
        (after,) = bench.sessions(other).values()
        assert (after.first_ts, after.last_ts, after.model, after.cwd, after.branch) == (
            before.first_ts,
            before.last_ts,
            before.model,
            before.cwd,
            before.branch,
        )
        assert after.events == before.events

    def test_it_has_no_day_and_is_not_recent(self, bench: Workbench) -> None:
        alone(8).write(bench.home)
        dated(alone(1), FALSE[0]).write(bench.home)
        bench.sweep()
        rows, _ = bench.engine().usage("day")
        days = {row.key for row in rows}
        assert not any(day.startswith(("2099", "1970")) for day in days)
        since = bench.helix("sessions", "--since", "2020-01-01", "--json").json["sessions"]
        assert [one["id"] for one in since] == [f"claude:{alone(8).session}"]

    def test_what_is_read_later_says_the_same(self, bench: Workbench, tmp_path: Path) -> None:
        log = dated(alone(1), FALSE[0])
        path = log.write(bench.home)
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:5]))
        bench.sweep()
        with path.open("ab") as file:
            file.write(b"".join(lines[5:]))
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        assert bench.sessions() == bench.sessions(at_once)

    def test_a_clock_that_was_never_set_judges_nobody(self) -> None:
        assert latest_believed(0) > 250_000_000_000_000
        assert latest_believed(EARLIEST) == EARLIEST + 1000 * _DAY


class TestRetention:
    """A false time makes nothing old, and nothing stay for ever."""

    NOW = 1_790_000_000_000

    def gone(self, last_ts: int | None, caps: Caps) -> list[tuple[str, str]]:
        held = [
            Evictable(1, "odd", last_ts, 100, True, False, True),
            Evictable(2, "fine", self.NOW - 3_000 * _DAY, 100, True, False, True),
        ]
        found = plan(held, DiskUsage(200, 0), caps, self.NOW).evictions
        return [(one.id, one.in_pass) for one in found]

    @pytest.mark.parametrize("last_ts", [None, 0, 4_070_908_800_000, 253_402_297_200_000])
    def test_it_is_not_aged_and_goes_first_above_a_cap(self, last_ts: int | None) -> None:
        assert self.gone(last_ts, Caps(1000, 1000, 1, 1000)) == [("fine", "age")]
        assert self.gone(last_ts, Caps(100, 100, 0, 1000)) == [("odd", "soft")]
