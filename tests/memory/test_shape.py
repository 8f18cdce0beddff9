"""The shape of an entry: how it stands, a line a request, and no more than the work is worth."""

from __future__ import annotations

import msgspec

from helix_tui.memory.distill.budget import room_of
from helix_tui.memory.distill.committed import commits_by_turn
from helix_tui.memory.distill.extract import extract
from helix_tui.memory.distill.headline import asked_in_short
from helix_tui.memory.flush.entry import read_entries, write_entry
from helix_tui.memory.knowledge.accounts import accounts_of
from helix_tui.memory.knowledge.session_facts import facts_of
from helix_tui.schema import Facts, FileTally, ToolTally
from helix_tui.schema.memory import Choice, CommitMade, Distilled, Exchange, Piece
from tests.memory.rendered import AT, MARK

SKIPPED = "Rows of `names.csv` are skipped unless the file begins with a header."
COLUMNS = {
    "weather": "its daily temperature in the harbour",
    "invoices": "their unpaid amount per customer",
    "birds": "the season in which they arrive",
    "trains": "minutes of delay at every station",
    "wheat": "prices of the northern markets",
    "letters": "the postal code of senders",
    "stars": "magnitude, brightest before others",
}
COMMIT = CommitMade("rows: keep the last", "4e4af59", 2)


def turn(at: int, asked: str, answered: str, **more: object) -> Exchange:
    made = Exchange(at, asked, answered, 4, 1, asked_event=at, answered_event=at + 50)
    return msgspec.structs.replace(made, **more)


def piece(*turns: Exchange, calls: int = 8, **more: object) -> Piece:
    facts = Facts(tools={"shell": ToolTally(calls)}, prompts=len(turns), useful_calls=calls)
    facts.files["/work/rows.py"] = FileTally(0, 1)
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, list(turns), facts, []))
    return msgspec.structs.replace(made, **more)


def told(made: Piece) -> Distilled:
    found = extract(made)
    assert found is not None
    return found


def test_a_request_stands_with_its_commit_and_with_the_reason_that_the_title_does_not_tell() -> (
    None
):
    asked = "please mend the reader, it loses the last row of each file"
    first = turn(1, asked, f"The reader is mended. {SKIPPED}", commits=[COMMIT.title])
    other = turn(2, "now show how many rows there are", "The number of rows is shown.")
    made = piece(first, other, commits=[COMMIT])
    made.facts.commits = 1
    lines = told(made).key_exchanges
    assert lines[0].endswith("; committed: `rows: keep the last` (4e4af59, 2 files)")
    assert lines[0].startswith(f"The user: `{asked}` → the agent: ``The reader is mended. Rows of")
    entry = write_entry(made, told(made), AT, MARK)
    (read,) = read_entries(entry)
    assert facts_of(read).kept == ("Committed: `rows: keep the last` (4e4af59, 2 files)",)
    assert facts_of(read).is_committed
    assert not any("rows: keep" in one.said for row in accounts_of(read) for one in row.reports)


def test_what_only_commits_belongs_to_the_work_before() -> None:
    first = turn(1, "mend the reader of rows for good", "The reader keeps the last row now.")
    second = turn(2, "commit it please", "Done.", edits=0, commits=[COMMIT.title])
    kept = commits_by_turn(piece(first, second, commits=[COMMIT]))
    assert list(kept) == [1]
    on_its_own = turn(2, "commit it, and do the same for names", "Done.", commits=[COMMIT.title])
    assert list(commits_by_turn(piece(first, on_its_own, commits=[COMMIT]))) == [2]


def test_the_sentence_that_asks_is_told_of_a_long_request() -> None:
    asked = (
        "I looked at the rows of all files of this year, and they are not what they were before. "
        "Can you please mend the reader? It is used by everybody."
    )
    assert asked_in_short(asked) == "Can you please mend the reader?"
    assert asked_in_short("die Zeilen fehlen") == "die Zeilen fehlen"
    pasted = "error: it does not compile\n" * 30
    assert asked_in_short(pasted) == ""


def test_the_room_grows_slowly_with_the_work() -> None:
    few = room_of(piece(turn(1, "mend it", "Mended."), calls=3))
    many = room_of(piece(*(turn(at, "go", "Done.") for at in range(1, 40)), calls=400))
    assert (few, many) == (4, 12)


def test_choices_and_open_ends_go_before_further_requests() -> None:
    turns = [
        turn(at, f"add the column of {name} to the page", f"`{name}.py` draws {name} by {way}.")
        for at, (name, way) in enumerate(COLUMNS.items(), 1)
    ]
    choice = Choice("Which dates are to be read by the reader?", "ISO only")
    turns[0] = msgspec.structs.replace(turns[0], choices=[choice])
    found = told(piece(*turns, unfinished=["remains: the names of the columns are not read"]))
    assert len(found.decisions) == len(found.actions) == 1
    assert 1 < len(found.key_exchanges) < len(turns)


def test_behind_a_word_of_thanks_nothing_is_said_again() -> None:
    first = turn(1, "mend the reader of rows for good", "The reader keeps the last row now.")
    again = "The reader keeps the last row of each file, and reads names, too."
    thanks = turn(2, "ok, works. great", again, edits=0)
    assert len(told(piece(first, thanks)).key_exchanges) == 1


def test_an_entry_begins_with_how_it_stands_and_earlier_headings_are_read() -> None:
    first = turn(1, "mend the reader of rows for good", "The reader keeps the last row now.")
    made = piece(first)
    text = write_entry(made, told(made), AT, MARK)
    assert text.index("- Changed: `rows.py`") < text.index("### What was done")
    old = text.replace("### What was done", "### Key exchanges")
    assert next(read_entries(old)).lines == next(read_entries(text)).lines
