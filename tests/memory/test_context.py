"""What an entry says of the work: how many commits stand, and what was left in the tree."""

from __future__ import annotations

import msgspec

from helix_tui.memory.distill.committed import commits_made
from helix_tui.memory.distill.extract import extract
from helix_tui.schema import Facts, FileTally, Moment, ToolTally
from helix_tui.schema.memory import Exchange, Piece


def facts_of(*commands: str) -> Facts:
    facts = Facts()
    facts.commits = len(commands)
    facts.kept = [Moment(at, at, command) for at, command in enumerate(commands, 1)]
    return facts


def test_a_pull_request_a_merge_and_an_amended_commit_are_no_further_commits() -> None:
    facts = facts_of(
        '$ git add -A && git commit -m "rows: keep the last"',
        '$ gh pr create --title "rows: keep the last"',
        "$ git merge main",
        "$ git commit --amend --no-edit",
    )
    assert commits_made(facts) == 1
    both = facts_of('$ git commit -m "one more" && gh pr create --title "one more"')
    assert commits_made(both) == 1


def piece(facts: Facts, *turns: Exchange, **more: object) -> Piece:
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, list(turns), facts, []))
    return msgspec.structs.replace(made, **more)


def test_what_was_edited_and_not_committed_is_said() -> None:
    facts = Facts()
    facts.files["/work/a.py"] = FileTally(0, 1)
    facts.ending.edits_since_commit = 1
    turn = Exchange(1, "mend the reader", "The reader keeps the last row now.", 3, 1)
    found = extract(piece(facts, turn))
    assert found is not None
    assert "How it stands: not committed in this session" in found.context


def test_what_was_to_be_noted_for_later_and_was_noted_is_not_put_off() -> None:
    asked = "yes, add a todo for the keys, and name the file in it"
    turn = Exchange(1, asked, "The todo names the file.", 3, 1)
    open_end = f"put off: {asked}"
    facts = Facts()
    facts.files["/work/todo.md"] = FileTally(0, 1)
    found = extract(piece(facts, turn, unfinished=[open_end]))
    assert found is not None
    assert found.actions == []
    other = "do the keys later, mend the reader first"
    turn = Exchange(1, other, "The reader is mended.", 3, 1)
    found = extract(piece(facts, turn, unfinished=[f"put off: {other}"]))
    assert found is not None
    assert found.actions == [f"Put off: `{other}`"]


def test_a_session_of_questions_by_which_nothing_came_has_no_entry() -> None:
    facts = Facts()
    facts.tools["read"] = ToolTally(3)
    facts.useful_calls = 3
    said = "It reads the rows of a file and prints how many there are of each kind."
    turns = [Exchange(1, "what is this folder for?", said, 2), Exchange(2, "explain it", said, 1)]
    assert extract(piece(facts, *turns)) is None
    why = "The reader fails because the header is read twice, so the first row is lost."
    turns = [Exchange(1, "why does the reader fail on this file?", why, 2)]
    assert extract(piece(facts, *turns)) is not None
