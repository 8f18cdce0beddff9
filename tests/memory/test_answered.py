"""What a person decided in words of their own: with the question or the point that they answer."""

from __future__ import annotations

from helix_tui.memory.distill.answered import choices
from helix_tui.schema import Facts
from helix_tui.schema.memory import Exchange, Piece

POINTS = """\
Before I begin, some points are open:

1. Should old rows be kept when the format changes?
2. Where should the cache of the reader live?
3. May the importer delete a file that it cannot read?"""


def told(reply: str, asked: str) -> list[str]:
    turns = [Exchange(1, "mend the importer", reply, 3), Exchange(2, asked, "", 3)]
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, turns, Facts(), []))
    return list(choices(made, turns, []))


def test_answers_point_by_point_stand_with_their_points() -> None:
    lines = told(POINTS, "1 - yes, keep them, 2 - in memory only, 3 - never")
    assert len(lines) == 3
    assert "old rows be kept" in lines[0]
    assert "yes, keep them" in lines[0]
    assert "delete a file" in lines[2]
    assert "never" in lines[2]


def test_numbers_of_other_things_answer_nothing() -> None:
    assert told("The rows are read.", "1. add a test 2. run it and tell me") == []


def test_agreement_to_a_proposal_stands_with_it_and_to_going_on_does_not() -> None:
    ask = "It can be done. Shall the reader take the second header as the default for old files?"
    lines = told(ask, "nah, let's give it a try")
    assert len(lines) == 1
    assert "second header" in lines[0]
    assert told("Done. Do you want me to commit this and go on with the next part?", "yes") == []


def test_what_a_person_orders_instead_is_a_decision() -> None:
    lines = told("The script wants a branch, so the flow stops.", "just ignore the branch of it")
    assert lines == [
        "The user: `just ignore the branch of it`"
        " (the agent had said: `The script wants a branch, so the flow stops.`)"
    ]


def test_a_menu_of_what_to_run_next_is_no_choice() -> None:
    menu = "Next steps, which do you want?\n\n1. Run the build once more\n2. Commit what stands"
    assert told(menu, "1") == []


def test_questions_that_are_marked_by_a_letter_and_a_number_are_points_too() -> None:
    reply = "Two questions are left.\n\n**Q8.** Keep the old names?\n\n**Q9.** One file or many?"
    lines = told(reply, "q8) yes q9) one file, as the reader wants it so")
    assert [("old names" in line, "one file, as" in line) for line in lines] == [
        (True, False),
        (False, True),
    ]
