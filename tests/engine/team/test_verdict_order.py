"""Where another member's verdict stands among one's own, and what of it counts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from helix_tui.curate.hub.decisions import decisions_of
from helix_tui.curate.journal.journal import Journal, in_order
from helix_tui.curate.journal.standings import ReviewState, last_undoable
from helix_tui.engine.team.grouping import put_off
from helix_tui.engine.team.verdicts import (
    Arrived,
    Told,
    before_of,
    outgoing,
    taken,
    waiting_lines,
)
from helix_tui.schema.review import JournalLine, Write


def own(name: str, action: str = "approve", **fields: object) -> JournalLine:
    line = JournalLine(
        id=name, seq=0, at="2026-03-01T12:00:00.000Z", author="ann", action="discuss", shared=True
    )
    return msgspec.structs.replace(line, action=action, candidate="c", **fields)


def theirs(name: str, order: int, before: str = "", action: str = "reject") -> JournalLine:
    return own(name, action, author="bob", order=order, before=before)


def test_lines_stand_in_the_order_of_the_team() -> None:
    lines = [own("x1"), own("x2"), theirs("y1", 1, "x1"), theirs("y2", 3, "x2")]
    assert [line.id for line in in_order(lines)] == ["y1", "x1", "y2", "x2"]
    assert in_order(lines[:2]) == lines[:2]
    lost = [own("x1"), theirs("y1", 1, "gone")]
    assert in_order(lost) == lost


def test_what_was_told_later_stands(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    with journal.locked():
        journal.append(own("x1"))
        journal.append(theirs("y1", 1, "x1"))
    read = journal.lines().lines
    assert [line.id for line in read] == ["y1", "x1"]
    review = ReviewState(read).review_of_id("c")
    assert (review.verdict, review.author) == ("approved", "ann")
    assert [(one.author, one.verdict) for one in review.against] == [("bob", "rejected")]


@pytest.mark.parametrize(
    ("number", "numbers", "before"),
    [(5, {"x1": 6, "x2": 7}, "x1"), (5, {"x1": 4, "x2": 7}, "x2"), (5, {"x1": 4}, "x2"),
     (9, {"x1": 4, "x2": 7}, "")],
)  # fmt: skip
def test_a_line_stands_before_what_came_later(
    number: int, numbers: dict[str, int], before: str
) -> None:
    assert before_of(number, [own("x1"), own("x2")], numbers) == before


def test_only_what_was_given_for_the_team_waits() -> None:
    lines = [own("x1"), own("x2", shared=False), own("x3"), theirs("y1", 2)]
    assert [line.id for line in waiting_lines(lines, Told(0, {"x1": 4}))] == ["x3"]


def test_who_wrote_a_line_is_said_by_the_store() -> None:
    line = own("x1", note="because")
    arrived = taken(Arrived(7, "x1", "wren", outgoing(line).decode()), "x9")
    assert arrived is not None
    assert (arrived.author, arrived.order, arrived.before) == ("wren", 7, "x9")
    assert arrived.note == "because"
    assert b"ann" not in outgoing(line)


@pytest.mark.parametrize(
    "line",
    [
        "no line",
        '{"id":"a","seq":1,"at":"","author":"","action":"conquer"}',
        msgspec.json.encode(own("a", "edit")).decode(),
        msgspec.json.encode(own("a", writes=[Write("../../.bashrc", "text")])).decode(),
    ],
)
def test_what_makes_no_sense_is_no_verdict(line: str) -> None:
    assert taken(Arrived(1, "a", "wren", line), "") is None


def test_another_members_verdict_is_neither_told_to_the_hub_nor_undone_by_chance() -> None:
    lines = [own("x1"), theirs("y1", 2)]
    assert [one.id for one in decisions_of(lines)] == ["x1"]
    last = last_undoable(lines)
    assert last is not None
    assert last.id == "x1"


def test_who_is_to_look_is_no_verdict() -> None:
    lines = [own("x1", "assign", others=["wren"]), own("x2", "reject")]
    review = ReviewState(lines).review_of_id("c")
    assert (review.verdict, review.assigned) == ("rejected", "wren")
    again = ReviewState([*lines, own("x3", "assign")]).review_of_id("c")
    assert again.assigned == ""


def test_the_biggest_buckets_wait() -> None:
    assert put_off([1, 2, 3, 4], {3: 5_001, 4: 1_000}) == {3}
    many = dict.fromkeys(range(20), 1_000)
    assert put_off(list(many), many) == set(range(8, 20))
