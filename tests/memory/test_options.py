"""What a reply asks and offers, so that a short answer stands with its subject."""

from __future__ import annotations

from helix_tui.memory.distill.answered import choices
from helix_tui.memory.distill.options import option_of, question_of
from helix_tui.schema import Facts
from helix_tui.schema.memory import Choice, Exchange, Piece

TABLE = """\
**Next question:** Where should the cache of the reader live?

| Option | What it is |
|---|---|
| **A. In memory (Recommended)** | Gone when the reader ends. |
| **B. On disk** | Kept between runs. |

Which option do you prefer?"""


def told(reply: str, asked: str) -> list[str]:
    turns = [Exchange(1, "mend the importer", reply, 3), Exchange(2, asked, "", 3)]
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, turns, Facts(), []))
    return list(choices(made, turns, []))


def test_a_question_that_only_asks_which_gives_way_to_what_is_asked() -> None:
    assert question_of(TABLE) == "Where should the cache of the reader live?"
    assert question_of("Shall old rows be kept?") == "Shall old rows be kept?"


def test_an_option_is_found_by_the_mark_in_the_first_cell_of_its_row() -> None:
    assert option_of(TABLE, "b") == "On disk: Kept between runs."
    (line,) = told(TABLE, "I think B, it leaves room for more later")
    assert "Where should the cache of the reader live?" in line
    assert "`On disk: Kept between runs.`" in line


def test_a_yes_to_an_option_says_what_it_is() -> None:
    reply = TABLE.replace("Which option do you prefer?", "Want me to proceed with Option A?")
    (line,) = told(reply, "yes, go ahead with it")
    assert "In memory (Recommended)" in line


def test_yes_to_all_answers_all_that_was_asked() -> None:
    reply = (
        "Done.\n\n- Add a preview of the rows before they are written?\n"
        "- Tell in the docs which headers the reader knows of?"
    )
    (line,) = told(reply, "yes to both")
    assert "preview of the rows" in line
    assert "which headers" in line


def test_alternatives_of_a_review_are_no_choice() -> None:
    review = "The code should either keep the old name instead of an empty one, or pass a default"
    assert told("The names are read.", review) == []


def test_what_is_only_pointed_at_stands_with_what_the_agent_had_said() -> None:
    reply = "Old names and new names are written into one column by the importer."
    (line,) = told(reply, "I think we should keep them somewhat separate for now, by the file")
    assert "the agent had said: `Old names and new names" in line
    assert told("", "I think we should keep them somewhat separate for now") == []


def test_the_first_point_of_a_list_of_ones_own_picks_no_option() -> None:
    reply = "Ways out:\n\n1. empty the cache\n2. read the file anew\n\nWhich one?"
    assert told(reply, "1. this has now happened twice on my machine") == []


def test_to_take_up_what_was_shown_decides_nothing() -> None:
    taken = Choice("What would you like to do with this task?", "Work on it now", 1)
    named = Choice("Where does the cache live?", "On disk", 2)
    turns = [Exchange(1, "mend the importer", "Done.", 3, choices=[taken, named])]
    made = Piece(*("s", "claude", "s", "app", "main", "/work", 1, 2, True, turns, Facts(), []))
    (line,) = choices(made, turns, [])
    assert "On disk" in line
