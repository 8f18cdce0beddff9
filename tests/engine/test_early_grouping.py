"""Candidates before the end of the first sweep, for who watches it."""

from __future__ import annotations

import pytest

from helix_tui.engine.candidates import grouping
from helix_tui.events import CandidatesGrouped, SweepEvent, SweepFinished
from helix_tui.store.ingest import writer
from tests.conftest import Workbench
from tests.engine.trouble_log import detected, troubled, write_troubled


@pytest.fixture(autouse=True)
def _commits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "FLUSH_BATCHES", 2)
    monkeypatch.setattr(grouping, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr(grouping, "_TIMES_AS_LONG", 0)


def watched(bench: Workbench) -> list[SweepEvent]:
    return list(bench.engine().sweep(groups_early=True))


def totals(events: list[SweepEvent]) -> list[int]:
    return [event.total for event in events if isinstance(event, CandidatesGrouped)]


def test_the_list_fills_while_the_first_sweep_runs(bench: Workbench) -> None:
    write_troubled(bench)
    events = watched(bench)
    found = totals(events)
    assert len(found) > 1
    assert found[-1] > 0
    (report,) = [event.report for event in events if isinstance(event, SweepFinished)]
    # What few sessions have in common, more of them may not.
    assert report.candidates.new == report.candidates.total > 0
    assert report.candidates.changed == 0


def test_it_comes_to_the_same_as_grouping_at_the_end(bench: Workbench) -> None:
    write_troubled(bench)
    watched(bench)
    other = bench.store.with_name("other")
    bench.sweep(other)
    assert detected(bench) == detected(bench, other)


def test_later_sweeps_and_those_that_nobody_watches_group_at_their_end(bench: Workbench) -> None:
    write_troubled(bench)
    assert totals(list(bench.engine().sweep())) == []
    troubled(99).write(bench.home)
    assert totals(watched(bench)) == []


def test_no_more_than_a_tenth_of_the_time_goes_into_it(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "_LEAST_SECONDS", 3600.0)
    write_troubled(bench)
    assert len(totals(watched(bench))) == 1
