"""A transaction goes on where the one before ended, or from the start where nobody can tell."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.review import journal_state
from helix_tui.engine.review.journal_state import JournalState, KeptJournal
from helix_tui.schema.review import Action, JournalLine, Write


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.jsonl")


def line(candidate: str = "a", action: Action = "approve", **fields: object) -> JournalLine:
    written = {"id": "", "seq": 0, "at": "", "author": "ann", "action": action, **fields}
    return msgspec.convert({"candidate": candidate, **written}, JournalLine)


def page(candidate: str, text: str) -> JournalLine:
    return line(candidate, writes=[Write(candidate, text)])


def give(journal: Journal, kept: KeptJournal, *lines: JournalLine) -> JournalState:
    """One transaction, from the lock to its end."""
    with journal.locked():
        state = kept.take(journal)
        if lines:
            state.take_in(journal.append(*lines))
        kept.leave(state)
    return state


def write_elsewhere(journal: Journal, *lines: JournalLine) -> list[JournalLine]:
    with journal.locked():
        return journal.append(*lines)


def assert_is_as_read_anew(state: JournalState, journal: Journal) -> None:
    anew = JournalState(journal.lines())
    assert state.lines == anew.lines
    assert state.projection.files == anew.projection.files
    assert state.projection.names() == anew.projection.names()
    names = sorted(anew.state.names())
    assert sorted(state.state.names()) == names
    for name in names:
        assert state.state.review_of_id(name) == anew.state.review_of_id(name)


def test_lines_of_others_are_taken_in_behind_ones_own(journal: Journal) -> None:
    kept = KeptJournal()
    first = give(journal, kept, page("a", "one"))
    write_elsewhere(journal, page("b", "two"))
    again = give(journal, kept, page("a", "three"))
    assert again is first
    assert [one.candidate for one in again.lines] == ["a", "b", "a"]
    assert_is_as_read_anew(again, journal)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.booleans()), max_size=12))
def test_any_lines_of_anybody_give_what_reading_all_of_them_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, str, bool]]
) -> None:
    journal, kept = Journal(tmp_path_factory.mktemp("j") / "journal.jsonl"), KeptJournal()
    for number, (is_own, name, is_undo) in enumerate(steps):
        known = journal.lines().lines
        new = line(action="undo", undoes=known[-1].id) if known and is_undo else None
        new = new or page(name, f"{number}")
        if is_own:
            give(journal, kept, new)
        else:
            write_elsewhere(journal, new)
    assert_is_as_read_anew(give(journal, kept), journal)


def test_a_file_that_was_put_in_its_place_is_read_from_the_start(journal: Journal) -> None:
    kept = KeptJournal()
    give(journal, kept, page("a", "one"), page("b", "two"))
    before = give(journal, kept)
    journal.path.unlink()
    write_elsewhere(journal, page("c", "three"), page("b", "four"), page("a", "five"))
    after = give(journal, kept)
    assert after is not before
    assert_is_as_read_anew(after, journal)


def test_one_changed_byte_is_seen(journal: Journal) -> None:
    kept = KeptJournal()
    give(journal, kept, page("a", "one"), page("b", "two"))
    give(journal, kept)
    data = journal.path.read_bytes()
    journal.path.write_bytes(data.replace(b'"ann"', b'"bob"', 1))
    after = give(journal, kept)
    assert [one.number for one in after.damaged] == [1]
    assert_is_as_read_anew(after, journal)
    assert_is_as_read_anew(give(journal, kept, page("d", "x")), journal)


def test_a_line_that_counts_before_another_is_put_there(journal: Journal) -> None:
    kept = KeptJournal()
    own = give(journal, kept, page("a", "one")).lines[0]
    give(journal, kept)
    write_elsewhere(journal, line("b", before=own.id))
    after = give(journal, kept, page("c", "two"))
    assert [one.candidate for one in after.lines] == ["b", "a", "c"]
    assert_is_as_read_anew(after, journal)
    assert_is_as_read_anew(give(journal, kept), journal)


def test_a_torn_line_is_neither_counted_nor_in_the_way(journal: Journal) -> None:
    kept = KeptJournal()
    give(journal, kept, page("a", "one"))
    with journal.path.open("ab") as file:
        file.write(b'{"id": "half of a li')
    assert len(give(journal, kept).lines) == 1
    assert_is_as_read_anew(give(journal, kept, page("b", "two")), journal)
    assert_is_as_read_anew(give(journal, kept), journal)


def test_a_transaction_that_failed_leaves_nothing(journal: Journal) -> None:
    kept = KeptJournal()
    first = give(journal, kept, page("a", "one"))
    with journal.locked():
        kept.take(journal).take_in([page("b", "never written")])
    after = give(journal, kept)
    assert after is not first
    assert [one.candidate for one in after.lines] == ["a"]


def test_a_large_journal_is_not_kept(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_state, "_LARGEST_KEPT", 10)
    kept = KeptJournal()
    give(journal, kept, page("a", "one"))
    first = give(journal, kept)
    assert give(journal, kept) is not first
