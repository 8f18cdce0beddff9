"""What of a reply answers its prompt: its lead, its lists as wholes, its conclusion."""

from __future__ import annotations

import msgspec

from helix_tui.engine.memory.turns import Turns
from helix_tui.memory.distill.conclusion import conclusion, is_said, said_on_the_way
from helix_tui.memory.distill.listed import joined_items
from helix_tui.memory.distill.prose import ProseLine, lines_of
from helix_tui.memory.distill.reply_parts import parts_of
from helix_tui.memory.distill.turns_told import is_on_the_way
from helix_tui.schema import PROMPT, REPLY, TOOL_CALL, StoredEvent
from helix_tui.schema.memory import Aside, Exchange


def items(*texts: str) -> list[ProseLine]:
    return [ProseLine(text, is_item=True) for text in texts]


def test_a_reply_is_told_by_what_it_begins_with() -> None:
    reply = (
        "Done. Added a cache of rows to the importer.\n\n"
        "The reader in `src/read.py` is untouched, since it never sees old files."
    )
    told = conclusion(reply, "please make it fast", 700, 2, has_edits=True)
    assert told[0] == "Added a cache of rows to the importer."


def test_a_question_is_answered_by_the_first_sentence_though_it_has_its_words() -> None:
    reply = (
        "No work has been done on the cache of rows.\n\n"
        "- `docs/plan.md:4` speaks of the cache of rows as a thing for later\n"
        "- `docs/rows.md:9` says that rows are read anew each time somebody asks"
    )
    told = conclusion(reply, "was any work done on the cache of rows?", 700, 2)
    assert told[0] == "No work has been done on the cache of rows."


def test_what_only_judges_the_question_gives_way_to_the_answer() -> None:
    reply = "This is a real gap.\n\nThe importer never looks at the second header of old files."
    told = conclusion(reply, "how does it work with old files?", 700, 1)
    assert told == ["The importer never looks at the second header of old files."]


def test_a_sentence_in_bold_and_one_below_a_heading_of_results_lead() -> None:
    reply = (
        "The importer reads rows one by one, and keeps a count of them.\n\n"
        "## Root cause\n\n"
        "**The second header is taken for a row of the file.**\n\n"
        "It was like this from the first version on."
    )
    told = conclusion(reply, "find out what is wrong with the import", 700, 2)
    assert "The second header is taken for a row of the file." in told


def test_a_list_is_told_whole_and_long_items_by_their_bold_beginnings() -> None:
    long = "which the importer had done anew for each of the files that it was given before, "
    reply = (
        "Four points need your look:\n\n"
        f"1. **Names of old files** - {long * 2}\n"
        f"2. **Order of the rows** - {long * 2}\n"
        f"3. **Limit for large files** - {long * 2}\n"
        f"4. **Address of the server** - {long * 2}"
    )
    told = conclusion(reply, "", 700, 4)
    for head in ("Names of old files", "Order of the rows", "Address of the server"):
        assert head in told[0]


def test_a_list_that_begins_a_reply_leads_it_and_one_of_files_does_not() -> None:
    aside = "The wrong header in `docs/a.md` stays as it is, since nobody reads it any more."
    done = "Done:\n\n- The rows of `src/rows.py` are counted anew\n- The cache is emptied"
    (told,) = conclusion(f"{done}\n\n{aside}", "clear it up", 700, 1)
    assert "The cache is emptied" in told
    files = done.replace("Done:", "## Configuration files")
    (told,) = conclusion(f"{files}\n\n{aside}", "what is wrong here", 700, 1)
    assert told == aside


def test_of_a_long_list_as_many_items_as_fit_are_told_and_how_many_more_there_are() -> None:
    many = items(*(f"the {n}th of the points that the report has on the rows" for n in range(30)))
    told = joined_items(many, 200)
    assert told.endswith("; and 27 more")
    assert len(told) <= 215
    few = items("reads rows", "keeps names")
    assert joined_items(few, 200) == "reads rows; keeps names"


def test_items_of_numbers_and_signs_are_items_and_a_hole_is_told() -> None:
    rows = "\n".join(f"- `rows{n}`: ^1.{n}.0 → ^1.{n}.2" for n in range(4))
    text = f"Updated packages:\n\n{rows}\n"
    (part,) = [one for one in parts_of(text, "update") if one.is_list]
    assert "`rows0`: ^1.0.0 → ^1.0.2; `rows1`" in part.text
    assert "`rows3`" in part.text
    points = "- the reader keeps names\n- see the points above\n- the writer drops empty rows\n"
    (part,) = [one for one in parts_of(f"What it does:\n\n{points}", "mend") if one.is_list]
    assert part.text.endswith("; and 1 more")


def test_what_a_label_in_bold_says_is_no_progress() -> None:
    points = "- **Reader**: keeps all names\n- **Preserved order**: sorts by time, latest first\n"
    (part,) = [one for one in parts_of(f"What it does:\n\n{points}", "mend") if one.is_list]
    assert "latest first" in part.text


def test_a_heading_without_its_mark_is_no_sentence() -> None:
    texts = [one.text for one in parts_of("High-level architecture options\n\nRows wait.", "how")]
    assert "High-level architecture options" not in texts


def test_rows_of_a_table_are_told_without_numbers_and_places() -> None:
    row = "3 · `src/rows.py:17` · the count of rows is taken before the header is cut off"
    rows = [ProseLine(f"{row} · {'x ' * 90}", is_item=True, is_row=True) for _ in range(3)]
    told = joined_items(rows, 300)
    assert told.startswith("the count of rows is taken")


def test_numbered_paragraphs_that_begin_in_bold_are_items() -> None:
    lines = lines_of("**1. The cache** - it is never emptied\n\n**2. The log** - it grows")
    assert [line.is_item for line in lines] == [True, True]
    assert lines[0].head == "The cache"


def test_what_goes_on_from_a_sentence_that_is_left_out_is_left_out() -> None:
    reply = (
        "Rows without an id are kept by the importer now.\n\n"
        "Let me know if that fits. It also depends on the header of the file in `src/rows.py`."
    )
    told = conclusion(reply, "mend it", 700, 4)
    assert told == ["Rows without an id are kept by the importer now."]


def test_below_the_heading_that_names_it_a_sentence_stands_with_that() -> None:
    reply = "Two methods were looked at.\n\n## `read_rows`\n\nThis reads the rows of one file only."
    told = conclusion(reply, "what does read_rows do?", 700, 4)
    assert "`read_rows`: This reads the rows of one file only." in told


def test_what_is_only_hoped_for_and_what_is_asked_back_is_not_told() -> None:
    reply = (
        "The reader keeps names with blanks in `src/read.py`.\n\n"
        "The import should now work for all files.\n\n"
        "Two questions:\n\n- Should old names be kept?\n- Where does the cache live?"
    )
    assert conclusion(reply, "mend it", 700, 4) == [
        "The reader keeps names with blanks in `src/read.py`."
    ]


def test_nearly_the_same_words_are_said_already() -> None:
    known = ["the importer drops the second header of old files without any word"]
    assert is_said("The importer drops the second header of old files", known)
    assert is_said("importer drops second header from old files without words", known)
    assert not is_said("The reader counts rows of new files before the cache is filled", known)


class TestOnTheWay:
    """A turn that broke off has no report: only what speaks of the prompt is told."""

    def turn(self, answered: str, *asides: Aside) -> Exchange:
        asked = "leave out the tests of the templates, and use the colours of the web app"
        return Exchange(1, asked, answered, 9, 4, list(asides), is_cut=True)

    def test_what_was_decided_for_the_prompt_is_told_and_progress_is_not(self) -> None:
        aside = Aside(
            "The web app has its own colours:\n\n"
            "1. Drop `test/page.py` (no guidance, so no tests of templates)\n"
            "2. Take the colours of the web app for the frame",
            edited="src/page.py",
        )
        turn = self.turn("The checker found something nice. One more look is needed:", aside)
        told = said_on_the_way(turn)
        assert any("no tests of templates" in one for one in told)
        assert not any("checker" in one for one in told)

    def test_a_plan_and_what_is_about_to_be_done_are_not_told(self) -> None:
        plan = Aside("Plan:\n1. Look at the tests of the templates and the colours of the web app")
        assert said_on_the_way(self.turn("Now the tests of the templates:", plan)) == []

    def test_a_turn_is_cut_where_calls_follow_its_last_reply(self) -> None:
        turns = Turns("claude")
        for at, (kind, text) in enumerate(
            [(PROMPT, "mend it"), (REPLY, "One more look is needed:"), (TOOL_CALL, "{}")], 1
        ):
            turns.take(StoredEvent(at, at, at, kind, False, None, "Read", None, None, None, text))
        (turn,) = turns.told()
        assert turn.is_cut
        assert is_on_the_way(turn)
        report = msgspec.structs.replace(turn, answered="I've mended the reader of rows.")
        assert not is_on_the_way(report)
