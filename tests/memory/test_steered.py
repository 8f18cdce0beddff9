"""Short turns by which a person steers: refusals, other ways, rules; and what they take back."""

from __future__ import annotations

import msgspec
import pytest

from helix_tui.memory.distill.answered import choices
from helix_tui.memory.distill.exchanges import key_exchanges
from helix_tui.memory.distill.learned import decisions
from helix_tui.memory.distill.turns_told import overturned, reactions
from helix_tui.schema import Facts
from helix_tui.schema.memory import Exchange, Piece, Told

PROPOSAL = "The reader could be split in two. If you confirm, I will create reader.py and rows.py."


def piece(*turns: Exchange, told: list[Told] | None = None) -> Piece:
    turns_of = [*turns]
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, turns_of, Facts(), []))
    return msgspec.structs.replace(made, told=told or [])


def turn(event: int, asked: str, answered: str, *files: str, calls: int = 4) -> Exchange:
    edits = len(files)
    return Exchange(
        event, asked, answered, calls, edits, asked_event=event, files=[f"/work/{f}" for f in files]
    )


@pytest.mark.parametrize("refusal", ["nahhh", "never mind", "no", "Scratch that. Read the log."])
def test_a_refused_proposal_is_told_as_refused_and_not_as_proposed(refusal: str) -> None:
    made = piece(
        turn(1, "how would you read the rows of both files?", PROPOSAL),
        turn(2, refusal, "Nothing was changed then, and the reader stays as one."),
    )
    (line,) = decisions(made)
    assert line.startswith("The user refused with `")
    assert "`If you confirm, I will create reader.py and rows.py.`" in line
    assert not any("If you confirm" in one for one in key_exchanges(made, "", [line]))


def test_a_question_that_is_dropped_before_its_answer_is_told_as_dropped() -> None:
    begun = Exchange(
        1, "could it run in a worker?", "Looking at it:", 2, asked_event=1, is_cut=True
    )
    made = piece(begun, turn(2, "Never mind! Add a note on it.", "Added it.", "a.md"))
    line = next(decisions(made))
    assert (
        line
        == "The user dropped with `Never mind!` what had been asked: `could it run in a worker?`"
    )


@pytest.mark.parametrize("answer", ["no, the second file", "no problem", "is there no other way?"])
def test_an_answer_that_begins_with_no_refuses_no_proposal(answer: str) -> None:
    made = piece(turn(1, "how would you read the rows?", PROPOSAL), turn(2, answer, "Done."))
    assert not any("refused" in line for line in decisions(made))


def test_another_way_stands_with_what_it_answers() -> None:
    made = piece(
        turn(1, "show the badge beside the title", "Drew the badge as a vector.", "badge.svg"),
        turn(2, "The badges must be bitmaps", "They are bitmaps now.", "badge.png"),
        turn(3, "broken, maybe try https://example.org/badges", "Took the badges of it.", "a.py"),
    )
    first, second = decisions(made)
    assert first == (
        "The user: `The badges must be bitmaps` (the agent had said: `Drew the badge as a vector.`)"
    )
    assert "maybe try https://example.org/badges" in second


def test_one_tool_instead_of_another_is_a_rule() -> None:
    asked = "use uv not pip"
    told = [Told("correction", asked, 4.0, 2)]
    made = piece(turn(1, "add the reader", "Added it.", "a.py"), turn(2, asked, "Ok."), told=told)
    assert list(decisions(made)) == ["Laid down by the user: `use uv not pip`"]
    other = piece(turn(1, "add it", "Added.", "a.py"), turn(2, "use the first, not yet", "Ok."))
    assert not any("Laid down" in line for line in decisions(other))


def test_an_option_that_somebody_likes_is_chosen() -> None:
    reply = "**Option A** - a table\n\n**Option B** - a list\n\nWhich one would you like?"
    turns = [turn(1, "how shall rows be shown?", reply), turn(2, "I like Option B", "Ok.")]
    (line,) = choices(piece(*turns), turns, [])
    assert line.endswith("the user chose `I like Option B`: `a list`")


def test_what_was_objected_to_and_done_anew_is_no_result() -> None:
    told = [Told("report", "still empty", 5.0, 2)]
    first = turn(1, "show the rows", "Added the table of rows to the page.", "page.py")
    again = turn(2, "still empty", "Took a list in the place of the table.", "page.py")
    lines = " ".join(key_exchanges(piece(first, again, told=told), "", []))
    assert "list in the place" in lines
    assert "Added the table" not in lines
    other = turn(2, "still empty", "Filled the table from the reader.", "reader.py")
    assert "Added the table" in " ".join(key_exchanges(piece(first, other, told=told), "", []))


def test_who_wants_more_lets_stand_what_was_done() -> None:
    asked = "how about naming each row instead of counting them?"
    told = [Told("correction", asked, 2.25, 2)]
    first = turn(1, "show the rows", "Added the table of rows to the page.", "page.py")
    made = piece(first, turn(2, asked, "Each row is named in the table now.", "page.py"), told=told)
    assert not overturned(made)
    assert "Added the table" in " ".join(key_exchanges(made, "", []))


def test_why_it_is_not_otherwise_objects_where_it_is_done_anew() -> None:
    first = turn(1, "add a button to the foot", "Added the button at the head.", "page.py")
    why = "why is it at the head and not in the foot"
    assert overturned(piece(first, turn(2, why, "Moved it.", "page.py"))) == {1}
    assert not overturned(piece(first, turn(2, why, "As the foot is full.")))


def test_a_question_or_a_point_on_another_file_is_no_objection() -> None:
    first = turn(1, "mend the rows", "Mended the rows of the reader.", "rows.py")
    question = "do we run them in parallel where we could?"
    told = [Told("correction", question, 4.0, 2)]
    assert reactions(piece(first, turn(2, question, "Yes."), told=told)) == {}
    asked = "and this is for names.py:37. The name is empty and wrong there"
    told = [Told("report", asked, 4.0, 2)]
    assert reactions(piece(first, turn(2, asked, "Mended."), told=told)) == {}
    asked = "it is still wrong"
    told = [Told("report", asked, 4.0, 2)]
    assert reactions(piece(first, turn(2, asked, "Mended."), told=told)) == {
        1: "the user reported trouble next"
    }


def test_that_points_at_a_request_only_right_below_it() -> None:
    ask = "let the reader keep the names of all rows that it has seen"
    one = turn(1, "which rows does the reader drop at the moment?", "It drops all short rows.")
    made = piece(one, turn(2, ask, "The reader keeps names in a table since rows need them.", "a"))
    lines = list(key_exchanges(made, ask, []))
    assert not any(line.startswith("On that") for line in lines[1:])
    assert any(line.startswith(f"The user: `{ask}`") for line in lines)


def test_a_command_of_the_client_stands_between_nothing() -> None:
    told = [Told("report", "it is still red", 5.0, 3)]
    first = turn(1, "mend the rows", "Mended the rows of the reader.", "rows.py")
    gone = Exchange(2, "/exit", "", asked_event=2)
    again = turn(3, "it is still red", "The rows are read anew.", "rows.py")
    assert overturned(piece(first, gone, again, told=told)) == {1}


def test_what_was_planned_and_then_done_is_told_by_what_was_done() -> None:
    plan = (
        "The reader should take `rows.py`, `names.py` and `header.py` from the `importer` folder."
    )
    done = "Moved `rows.py`, `names.py` and `header.py` from the `importer` folder to the reader."
    made = piece(
        turn(1, "how would you split the importer in two?", plan),
        turn(2, "do it then, in one commit", done, "rows.py"),
    )
    lines = " ".join(key_exchanges(made, "", []))
    assert "should take" not in lines
    assert "Moved `rows.py`" in lines


def test_answers_to_points_are_no_rule() -> None:
    asked = "q1) always hosted, as they are now q2) yes, each of them q3) never mind that one"
    told = [Told("instruction", asked, 4.0, 2)]
    made = piece(turn(1, "ask me", "Which ones?"), turn(2, asked, "Ok."), told=told)
    assert not any(line.startswith("Laid down") for line in decisions(made))


def test_what_was_agreed_to_and_did_not_hold_was_wrong_before() -> None:
    checked = "hmm, I looked at the others and none of them has a date"
    told = [Told("correction", checked, 2.25, 3)]
    made = piece(
        turn(1, "why does it crash?", "Names have to begin with a date. Shall I mend the script?"),
        turn(2, "yes", "The script begins each name with a date.", "make.sh"),
        turn(3, checked, "The script writes ids and times now.", "make.sh"),
        told=told,
    )
    assert overturned(made) == {1, 2}
    assert "begin" not in " ".join(key_exchanges(made, "", []))
