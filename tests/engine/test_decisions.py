"""Decisions as the engine tells them: from journal and queue, whichever of them is left."""

from __future__ import annotations

from helix_tui.engine.hub.decisions import audit, sync_all
from helix_tui.engine.sweep.settled_marker import queued_decisions
from tests.conftest import Workbench
from tests.curate.decision_lines import approve, name, reject
from tests.decided import decide


def never() -> bool:
    return False


def test_lost_queue_is_told_from_the_journal(bench: Workbench) -> None:
    decide(bench, approve(1, "a"), reject(2, "b"))
    config = bench.engine().config
    assert queued_decisions(config) == 2
    assert [row.id for row in audit(config).rows] == [name(1), name(2)]
    assert not config.curate.decision_queue.exists()


def test_lost_journal_is_told_from_the_queue(bench: Workbench) -> None:
    decide(bench, approve(1, "a"))
    config = bench.engine().config
    assert sync_all(config, never).audit.count("queued") == 1
    config.curate.review_log.unlink()
    assert queued_decisions(config) == 1
    assert [row.candidate for row in audit(config).rows] == ["a"]


def test_lines_that_cannot_be_read_are_named_and_cost_themselves(bench: Workbench) -> None:
    decide(bench, approve(1, "a"), reject(2, "b"))
    config = bench.engine().config
    lines = config.curate.review_log.read_bytes().splitlines(keepends=True)
    config.curate.review_log.write_bytes(lines[0].replace(b'"a"', b'"z"') + lines[1])
    found = audit(config)
    assert [row.candidate for row in found.rows] == ["b"]
    assert found.notices == [f"{config.curate.review_log}, line 1: its checksum does not fit"]


def test_queue_that_cannot_be_read_has_no_count(bench: Workbench) -> None:
    decide(bench, approve(1, "a"))
    config = bench.engine().config
    config.curate.decision_queue.mkdir()
    assert queued_decisions(config) is None
    assert bench.sweep().queued_decisions is None  # which is no reason not to sweep
