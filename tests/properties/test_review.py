"""Verdicts in any order, taken back in any order, leave state and catalog in agreement."""

from __future__ import annotations

import os
from datetime import date
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.journal.projection import Projection, compare, project
from helix_tui.curate.journal.standings import (
    ReviewState,
    is_asked,
    last_undoable,
    owners_of,
    standing,
    undone_ids,
)
from helix_tui.schema.candidate import VerdictName
from helix_tui.schema.review import Action, JournalLine, PatternFiles, Review, Until, Write
from tests.curate.lines import Script, candidate, snapshot

NAMES = ("a", "b", "c", "d")
# One has an alias that lines may name as well.
CANDIDATES = [candidate("a"), candidate("b", "old"), candidate("c"), candidate("d")]
OWNERS = owners_of(CANDIDATES)
VERDICTS: list[Action] = ["approve", "reject", "discuss", "snooze", "merge", "split"]
MANY = settings(max_examples=int(os.environ.get("HELIX_EXAMPLES", "40")), deadline=None)

names = st.sampled_from([*NAMES, "old"])
steps = st.lists(
    st.tuples(
        st.sampled_from([*VERDICTS, "edit", "adopt", "rename", "undo", "undo"]),
        names,
        st.lists(names, max_size=3, unique=True),
        st.integers(0, 4),
    ),
    max_size=25,
)


def page(version: int, words: int) -> str:
    return f"---\nversion: 1.0.{version}\n---\n# Words {words}\n"


def played(drawn: list[tuple[str, str, list[str], int]]) -> list[JournalLine]:
    """A journal of such steps, whatever sense they make."""
    script = Script()
    for action, name, others, number in drawn:
        write = Write(name, page(number, len(script.lines)))
        if action == "undo":
            taken_back = script.lines[-1 - number :][:1]
            script.say("undo", undoes=taken_back[0].id if taken_back else "nothing")
        elif action == "approve":
            writes = [write, *(Write(other, page(number, 0)) for other in others[:1])]
            script.say("approve", name, pattern=name, seen=snapshot(number + 1), writes=writes)
        elif action == "reject":
            writes = [Write(name, None)] if number % 2 else []
            script.say("reject", name, seen=snapshot(number + 1), writes=writes)
        elif action == "discuss":
            script.say("discuss", name, note=f"note {number}")
        elif action == "snooze":
            script.say("snooze", name, until=Until(sessions=number + 2), seen=snapshot(2))
        elif action == "merge":
            script.say("merge", name, *others, writes=[write] if number % 2 else [])
        elif action == "split":
            script.say("split", name, *(others if number % 2 else []))
        elif action == "rename":
            script.say("rename", name, *others[:1])
        elif action == "adopt":
            script.say("edit", name, name, *others, pattern=name, writes=[write])
        else:
            history = f"found {number}\n" if number % 2 else None
            script.say("edit", name, writes=[Write(name, write.text, history)])
    return script.lines


def all_of(lines: list[JournalLine]) -> dict[str, Review]:
    return ReviewState(lines).reviews(CANDIDATES)


@MANY
@given(steps)
def test_line_by_line_comes_to_the_same_as_all_at_once(
    drawn: list[tuple[str, str, list[str], int]],
) -> None:
    lines = played(drawn)
    state, projection = ReviewState(), Projection()
    for passed, line in enumerate(lines, start=1):
        state.apply(line)
        projection.add([line])
        assert state.reviews(CANDIDATES) == all_of(lines[:passed])
        assert projection.files == project(lines[:passed])
    assert all_of(lines) == all_of(lines)
    assert project(lines) == project(list(lines))


@MANY
@given(steps)
def test_taking_back_the_last_verdict_restores_all_that_was(
    drawn: list[tuple[str, str, list[str], int]],
) -> None:
    lines = played(drawn)
    last = last_undoable(lines)
    if last is None:
        return
    # Whatever came behind it and is no verdict would stand in the way of comparing.
    lines = lines[: lines.index(last) + 1]
    undo = JournalLine(id="u", seq=99, at="", author="bo", action="undo", undoes=last.id)
    assert all_of([*lines, undo]) == all_of(lines[:-1])
    assert project([*lines, undo]) == project(lines[:-1])


@MANY
@given(steps, st.data())
def test_a_line_that_was_taken_back_is_as_if_it_had_never_been(
    drawn: list[tuple[str, str, list[str], int]], data: st.DataObject
) -> None:
    lines = played(drawn)
    undone = undone_ids(lines)
    without = [line for line in lines if line.id not in undone and line.undoes not in undone]
    assert all_of(lines) == all_of(without)
    # A hand edit of a page that is gone is not what makes a pattern.
    made_by_edits = {
        write.pattern for line in lines if line.action == "edit" for write in line.writes
    }
    found, expected = project(lines), project(without)
    assert {name: files for name, files in found.items() if name not in made_by_edits} == {
        name: files for name, files in expected.items() if name not in made_by_edits
    }
    for name, files in found.items():
        assert files == expected[name]
    verdicts = [line for line in lines if line.action in VERDICTS and line.id not in undone]
    if verdicts:
        line = data.draw(st.sampled_from(verdicts))
        undo = JournalLine(id="u", seq=99, at="", author="bo", action="undo", undoes=line.id)
        rest = [one for one in lines if one.id != line.id and one.undoes != line.id]
        assert all_of([*lines, undo]) == all_of(rest)


@MANY
@given(steps)
def test_every_candidate_stands_in_one_place_and_no_merge_is_a_cycle(
    drawn: list[tuple[str, str, list[str], int]],
) -> None:
    lines = played(drawn)
    reviews = all_of(lines)
    for name, review in reviews.items():
        assert review.verdict in get_args(VerdictName)
        assert (review.verdict == "merged") == bool(review.merged_into)
        assert review.merged_into != name
        assert name not in review.merged
        verdict = standing(review, snapshot(3), date(2026, 3, 1))
        assert is_asked(review, snapshot(3), date(2026, 3, 1)) <= (
            verdict in ("open", "discussed", "approved")
        )
        if review.merged_into in reviews:
            # What it counts as counts as nobody else.
            assert reviews[review.merged_into].merged_into == ""


@MANY
@given(steps, st.data())
def test_a_merge_that_is_not_refused_takes_effect_and_one_that_is_changes_nothing(
    drawn: list[tuple[str, str, list[str], int]], data: st.DataObject
) -> None:
    lines = played(drawn)
    target, other = data.draw(st.permutations(CANDIDATES))[:2]
    state = ReviewState(lines)
    refusal = state.merge_refusal(target, [other], OWNERS)
    before = state.review_of(other, OWNERS)
    line = JournalLine(
        id="m", seq=99, at="", author="", action="merge", candidate=target.id, others=[other.id]
    )
    state.apply(line)
    after = state.review_of(other, OWNERS)
    if refusal is None:
        assert after.verdict == "merged"
        assert other.id in state.review_of(target, OWNERS).merged
    elif "already" not in refusal:
        assert after == before


@MANY
@given(steps, st.integers(0, 25))
def test_files_that_were_cut_off_anywhere_are_unfinished_and_never_edits(
    drawn: list[tuple[str, str, list[str], int]], written: int
) -> None:
    lines = played(drawn)
    lines = [line for line in lines if line.action != "edit"]
    applied = lines[:written]
    found = project(applied)
    differences = compare(Projection(lines), len(applied), found)
    assert differences.edited == {}
    assert differences.removed == set()
    now = project(lines)
    healed: dict[str, PatternFiles] = dict(found)
    for name in differences.unfinished:
        healed.pop(name, None)
        if name in now:
            healed[name] = now[name]
    assert compare(Projection(lines), len(lines) + 99, healed) == (set(), {}, set())
