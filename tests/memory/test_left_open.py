"""What an entry says is open: what is left to the person, and nothing that waits for nobody."""

from __future__ import annotations

import msgspec

from helix_tui.memory.distill.handed_over import handed_over
from helix_tui.memory.distill.open_ends import open_ends
from helix_tui.schema import CommandTally, Facts
from helix_tui.schema.memory import Exchange, Piece


def piece(*turns: Exchange, ended: str = "reply", **more: object) -> Piece:
    facts = Facts()
    facts.ended = ended  # type: ignore[assignment]
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, list(turns), facts, []))
    return msgspec.structs.replace(made, **more)


def test_points_of_the_last_report_that_are_the_persons_are_told_together() -> None:
    reply = (
        "The pages are written.\n\n**Two things need your eyes:**\n"
        "1. **Invented words** - the second page has none of yours\n"
        "2. **Address** - the link goes to the front page"
    )
    (line,) = handed_over(piece(Exchange(1, "write the pages", reply, 9, 3)))
    assert line.startswith("Left to the user: `Two things need your eyes: Invented words")
    assert "Address" in line


def test_a_setting_elsewhere_is_told_and_a_condition_is_not() -> None:
    reply = (
        "The route is added. (Note: ensure your mail template points to the new route.) "
        "If the route is missing, make sure your server was started again."
    )
    (line,) = handed_over(piece(Exchange(1, "add the route", reply, 9, 3)))
    assert "your mail template points" in line
    assert list(handed_over(piece(Exchange(1, "what is a route?", reply, 1, 0)))) == []


def test_what_a_summary_lists_is_open_where_the_work_broke_off() -> None:
    summary = "## Pending Tasks\n\n- merge the branch into main\n- write down the two faults\n"
    turn = Exchange(1, "go on", "", 9, 3)
    broken = piece(turn, ended="tool_call", summaries=[summary])
    (line,) = handed_over(broken)
    assert "merge the branch into main; write down the two faults" in line
    assert list(handed_over(piece(turn, summaries=[summary]))) == []


def test_a_branch_that_was_merged_since_is_not_yet_to_be_merged() -> None:
    summary = "## Pending Tasks\n\n- Merge `rows/7-names` into dev\n- write down the two faults\n"
    broken = piece(Exchange(1, "go on", "", 9, 3), ended="tool_call", summaries=[summary])
    broken.facts.commands["git merge --no-ff rows/7-names"] = CommandTally(1, 0)
    (line,) = handed_over(broken)
    assert line.endswith("`write down the two faults`")


def test_a_refused_tool_and_a_picture_wait_for_nobody() -> None:
    turn = Exchange(1, "look it up", "It is in the second file.", 3)
    assert list(open_ends(piece(turn, unfinished=["not permitted: WebSearch rows"]))) == []
    shown = ["not answered: [image] Here is how it looks."]
    assert list(open_ends(piece(turn, ended="prompt", unfinished=shown))) == []
    asked = ["not answered: why is the header red?"]
    assert len(list(open_ends(piece(turn, ended="prompt", unfinished=asked)))) == 1


def test_what_is_put_off_by_pointing_at_it_is_named() -> None:
    said = "Rows of two files may be written in one another's place by the importer."
    asked = "let's leave it for later, and answer the others"
    turns = Exchange(1, "look at the review", said, 3), Exchange(2, asked, "They are answered.", 3)
    (line,) = open_ends(piece(*turns, unfinished=[f"put off: {asked}"]))
    assert "the agent had said: `Rows of two files" in line
