"""Which files an entry says were changed: those that stay, wherever that is known from."""

from __future__ import annotations

import msgspec

from helix_tui.memory.distill.committed import commits_by_turn, committed_in, title_of_kept
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.files_changed import files_changed
from helix_tui.schema import CommandTally, Facts, FileTally, Moment
from helix_tui.schema.memory import Aside, Exchange, Piece


def piece(*edited: str, turns: list[Exchange] | None = None, **more: object) -> Piece:
    facts = Facts()
    for name in edited:
        facts.files[name] = FileTally(0, 1)
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, turns or [], facts, []))
    return msgspec.structs.replace(made, **more)


def test_what_is_made_for_the_moment_gives_way_to_what_stays() -> None:
    told = files_changed(piece("/var/folders/q8/T/list/01.md", "/work/docs/rows.md"))
    assert told == "`rows.md` in `docs/`"
    assert "01.md" in files_changed(piece("/var/folders/q8/T/list/01.md"))
    inside = piece("/tmp/app/rows.md", cwd="/tmp/app")
    assert files_changed(inside) == "`rows.md`"


def test_a_file_that_was_put_back_and_a_hidden_name_are_left_out() -> None:
    turn = Exchange(1, "why?", "FirstRows is back to its original state, Rows was mended.", 2, 1)
    made = piece("/work/FirstRows.py", "/work/Rows.py", "REDACTED.md", turns=[turn])
    assert files_changed(made) == "`Rows.py`"


def test_files_that_commits_name_are_told_beside_those_that_were_edited() -> None:
    made = piece("/work/src/rows.py")
    command = '$ git add src/rows.py "docs/all rows.md" && git commit -m "rows: keep the last"'
    made.facts.kept = [Moment(1, 1, command)]
    assert files_changed(made) == "`rows.py` in `src/`; committed with it: `all rows.md` in `docs/`"


def test_where_no_call_names_a_file_what_was_said_before_edits_does() -> None:
    turn = Exchange(1, "mend it", "Mended.", 3, 1, [Aside("so:", edited="/work/test/rows.py")])
    assert files_changed(piece(turns=[turn])) == "`rows.py` in `test/`"


def test_a_pull_request_is_called_by_its_last_name() -> None:
    made = piece("/work/a.py")
    made.facts.kept = [Moment(1, 1, '$ gh pr create --title "rows: show them all"')]
    made.facts.commands['gh pr edit 7 --title "rows: find them sooner"'] = CommandTally(1, 0)
    (kept,) = commits_by_turn(made).values()
    assert committed_in(made, kept) == "opened: `rows: find them sooner`"


def test_a_message_is_cut_between_words() -> None:
    line = title_of_kept("$ git commit -m 'rows: keep the last of th…'")
    assert line == "Committed: `rows: keep the last of…`"


def test_a_state_that_says_nothing_is_not_told() -> None:
    made = piece("/work/a.py", state="work was committed before", outcome="partial")
    assert not any(line.startswith("How it stands") for line in context(made, ""))
    more = "the work was committed; no check after the last edit tells more"
    made = piece("/work/a.py", state=more, passed=["npm test"])
    made.facts.commits = 1
    assert "How it stands: committed, not pushed in this session" in list(context(made, ""))
