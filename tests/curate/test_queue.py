"""The queue: every decision is in it once, whatever is lost, full or locked."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.hub import queue as queue_module
from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.curate.hub.queue import Queue, QueueRow
from helix_tui.errors import StoreError
from helix_tui.schema.review import JournalLine
from tests.curate.decision_lines import approve, name, reject, undo

LINES = [approve(1), reject(2), undo(3, 1)]


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return Queue(tmp_path / "review" / "decisions.jsonl")


def ids(rows: list[QueueRow]) -> list[str]:
    return [row.id for row in rows]


def test_enters_what_the_journal_has_and_it_has_not(queue: Queue) -> None:
    assert queue.reconcile(decisions_of(LINES[:1])) == ""
    assert queue.reconcile(decisions_of(LINES)) == ""
    rows = queue.rows()
    assert ids(rows) == [name(1), name(2), name(3)]
    assert [row.body for row in rows] == [body_of(one) for one in decisions_of(LINES)]
    assert {row.state for row in rows} == {"queued"}


def test_what_it_has_is_not_written_again(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    before = queue.path.read_bytes()
    queue.reconcile(decisions_of(LINES))
    assert queue.path.read_bytes() == before


def test_nothing_to_enter_makes_no_file(queue: Queue) -> None:
    assert queue.reconcile([]) == ""
    assert queue.rows() == []
    assert not queue.path.parent.exists()


def test_is_private(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    assert queue.path.stat().st_mode & 0o777 == 0o600


def test_the_last_row_of_a_decision_counts(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    first = queue.rows()[0]
    queue.record([replace(first, attempts=1, error="away"), replace(first, state="sent", body="")])
    queue.reconcile(decisions_of(LINES))
    assert [row.state for row in queue.rows()] == ["sent", "queued", "queued"]


def test_a_decision_that_may_not_leave_is_dead_and_has_no_body(queue: Queue) -> None:
    queue.reconcile(decisions_of([approve(1, "sk-ant-api03-abcdefghij0123456789"), reject(2)]))
    dead, queued = queue.rows()
    assert (dead.state, dead.body, queued.state) == ("dead", "", "queued")
    assert "secret" in dead.error


def test_lost_it_is_filled_again_with_the_same_bytes_under_the_same_keys(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    before = queue.rows()
    queue.path.unlink()
    queue.reconcile(decisions_of(LINES))
    assert queue.rows() == before


def test_a_lost_journal_leaves_what_was_queued_ahead_of_what_is_new(queue: Queue) -> None:
    queue.reconcile(decisions_of([approve(8), reject(9)]))
    fresh = replace(approve(1), id="fresh")
    queue.reconcile(decisions_of([fresh]))
    assert ids(queue.rows()) == [name(8), name(9), "fresh"]


def test_a_row_that_came_late_stands_where_it_belongs(queue: Queue) -> None:
    first, late, last = decisions_of(LINES)
    queue.reconcile([first, last])
    queue.reconcile([first, late, last])
    assert ids(queue.rows()) == [name(1), name(2), name(3)]


def test_what_another_process_enters_is_in_order_at_once(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES[:2]))
    Queue(queue.path).reconcile(decisions_of(LINES))
    assert ids(queue.rows()) == [name(1), name(2), name(3)]


def test_a_torn_tail_is_entered_again(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    queue.path.write_bytes(queue.path.read_bytes()[:-9])
    assert ids(queue.rows()) == [name(1), name(2)]
    queue.reconcile(decisions_of(LINES))
    assert ids(queue.rows()) == [name(1), name(2), name(3)]


def test_a_damaged_row_is_entered_again(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    content = queue.path.read_bytes()
    queue.path.write_bytes(content.replace(b"rejected", b"approved"))
    assert ids(queue.rows()) == [name(1), name(3)]
    queue.reconcile(decisions_of(LINES))
    assert [row.verdict for row in queue.rows()] == ["approved", "rejected", "retracted"]


def test_a_list_shows_all_without_writing(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES[:1]))
    before = queue.path.read_bytes()
    assert ids(queue.overview(decisions_of(LINES))) == [name(1), name(2), name(3)]
    assert queue.path.read_bytes() == before


@pytest.fixture
def unwritable(unprivileged: Path) -> Queue:
    return Queue(unprivileged / "review" / "decisions.jsonl")


def test_a_verdict_outlives_a_queue_that_cannot_be_written(unwritable: Queue) -> None:
    unwritable.path.parent.mkdir()
    unwritable.path.parent.chmod(0o500)
    warning = unwritable.reconcile(decisions_of(LINES))
    assert str(unwritable.path) in warning
    assert "told of it later" in warning
    unwritable.path.parent.chmod(0o700)
    assert unwritable.reconcile(decisions_of(LINES)) == ""
    assert len(unwritable.rows()) == 3


def test_a_verdict_does_not_wait_for_who_holds_the_rows(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_module, "_SECONDS_TO_WAIT", 0.05)
    queue.path.parent.mkdir()
    with FileLock(f"{queue.path}.lock"):
        assert "told of it later" in queue.reconcile(decisions_of(LINES))


def test_how_far_a_decision_got_is_never_lost_in_silence(unwritable: Queue) -> None:
    unwritable.reconcile(decisions_of(LINES))
    unwritable.path.chmod(0o400)
    with pytest.raises(StoreError):
        unwritable.record([replace(unwritable.rows()[0], state="sent")])


def test_outdated_rows_go_once_they_are_most(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    first = queue.rows()[0]
    for attempts in range(1, 80):
        queue.record([replace(first, attempts=attempts)])
    before = queue.rows()
    queue.compact()
    assert queue.rows() == before
    assert len(queue.path.read_bytes().splitlines()) == 3


def test_rows_of_a_newer_version_stay(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    first = queue.rows()[0]
    newer = json.dumps({"id": "x", "verdict": "split"}, separators=(",", ":")).encode()
    with queue._ledger.locked():
        queue._ledger.append([newer, msgspec.json.encode(first)[:-1] + b',"more":1}'])
        queue._ledger.append(msgspec.json.encode(row) for row in queue.rows()[1:] * 40)
    queue.compact()
    content = queue.path.read_bytes()
    assert newer[:-1] in content
    assert b'"more":1' in content
    assert len(content.splitlines()) == 4


def test_few_rows_are_left_as_they_are(queue: Queue) -> None:
    queue.reconcile(decisions_of(LINES))
    queue.record(queue.rows())
    before = queue.path.read_bytes()
    queue.compact()
    assert queue.path.read_bytes() == before


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_history_leaves_each_decision_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    queue = Queue(tmp_path_factory.mktemp("queue") / "decisions.jsonl")
    lines: list[JournalLine] = []
    known: dict[str, str] = {}
    for step in data.draw(
        st.lists(st.sampled_from(["approve", "reject", "undo", "send", "tear", "lose", "compact"]))
    ):
        seq = len(lines) + 1
        rows = queue.rows()
        if step == "approve":
            lines.append(approve(seq, f"candidate-{seq % 3}"))
        elif step == "reject":
            lines.append(reject(seq, f"candidate-{seq % 3}"))
        elif step == "undo" and lines:
            lines.append(undo(seq, data.draw(st.integers(1, len(lines)))))
        elif step == "send" and rows:
            row = data.draw(st.sampled_from(rows))
            queue.record([replace(row, state="sent", body="")])
        elif step == "tear" and queue.path.exists():
            content = queue.path.read_bytes()
            queue.path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
        elif step == "lose":
            queue.path.unlink(missing_ok=True)
        elif step == "compact":
            queue.compact()
        decisions = decisions_of(lines)
        assert queue.reconcile(decisions) == ""
        assert ids(queue.rows()) == [one.id for one in decisions]
        for row in queue.rows():
            if row.state == "queued":
                assert known.setdefault(row.id, row.body) == row.body
                assert json.loads(row.body)["id"] == row.id
