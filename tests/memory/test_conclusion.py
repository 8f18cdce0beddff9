"""What a reply comes to, what a person chose, and which files a shell writes."""

from __future__ import annotations

import json

import pytest

from helix_tui.digest.shell_writes import files_written
from helix_tui.engine.memory.questions import Questions
from helix_tui.memory.distill.answered import choices
from helix_tui.memory.distill.conclusion import conclusion
from helix_tui.schema import TOOL_CALL, TOOL_RESULT, Facts, StoredEvent
from helix_tui.schema.memory import Choice, Exchange, Piece

LONG = """\
Done! The importer now reads both formats.

## What changed

- `src/read.py`: the header is parsed before the rows, so a missing one is told at once
- `src/rows.py`: rows without an id are kept, under the number of their line in the file
- `docs/import.md`

## How to use it

- run `import --help` for the options that the importer has got by this change

All tests pass.

The rows were lost because the reader stopped at the first blank line. Want me to push?"""


def piece(*turns: Exchange) -> Piece:
    return Piece(
        *("s", "claude", "s", "app", "main", "/work", 1, 2, True, list(turns), Facts(), [])
    )


class TestConclusion:
    """The sentences and items of a reply that tell most."""

    def test_head_cause_and_changes_are_told_and_neither_usage_nor_offers(self) -> None:
        told = conclusion(LONG, "mend the import of rows", 900, 6)
        assert told[0] == "The importer now reads both formats."
        assert "The rows were lost because the reader stopped at the first blank line." in told
        text = " ".join(told)
        assert "the header is parsed before the rows" in text
        assert not any(
            word in text for word in ("--help", "Want me", "All tests", "docs/import.md")
        )

    def test_of_a_small_room_the_tail_is_not_what_is_cut(self) -> None:
        told = conclusion(LONG, "mend the import of rows", 120, 2)
        assert told[-1].startswith("The rows were lost because")

    def test_what_only_repeats_the_request_is_left_out(self) -> None:
        asked = "move the parser and then exit immediately as per the protocol of this file"
        reply = (
            "The parser stands in `src/parse.py` now.\n\nExiting immediately as per the protocol."
        )
        assert conclusion(reply, asked, 500, 4) == ["The parser stands in `src/parse.py` now."]

    def test_short_items_stand_behind_what_leads_to_them(self) -> None:
        reply = "The roles that the loader finds are:\n\n- `explore`\n- `prime`\n- `worker`"
        assert conclusion(reply, "", 500, 4) == [
            "The roles that the loader finds are: `explore`; `prime`; `worker`"
        ]

    def test_another_language_is_told_by_its_place(self) -> None:
        reply = (
            "Der Import liest jetzt beide Formate.\n\nDie Zeilen gingen am ersten Absatz verloren."
        )
        assert conclusion(reply, "", 500, 4) == [
            "Der Import liest jetzt beide Formate.",
            "Die Zeilen gingen am ersten Absatz verloren.",
        ]


class TestChoices:
    """Short answers stand with what they answer."""

    ASKED = "Two ways:\n\nA. keep the cache in memory\nB. write the cache to disk\n\nWhich one?"

    @pytest.mark.parametrize("answer", ["b", "B.", "option b", "let's go with B"])
    def test_a_letter_names_its_option(self, answer: str) -> None:
        turns = [Exchange(1, "how to cache?", self.ASKED), Exchange(2, answer, "Done.")]
        (line,) = choices(piece(*turns), turns, [])
        assert line.startswith("Asked `Which one?`, the user chose `")
        assert line.endswith("`: `write the cache to disk`")

    def test_a_tool_in_the_place_of_another_is_a_choice(self) -> None:
        turns = [Exchange(1, "add it", "Installed.", 3), Exchange(2, "use bun not npm", "Done.", 2)]
        assert list(choices(piece(*turns), turns, [])) == ["The user: `use bun not npm`"]

    @pytest.mark.parametrize("answer", ["thanks", "a bit more, please", "8 of these fail"])
    def test_other_short_words_choose_nothing(self, answer: str) -> None:
        turns = [Exchange(1, "how to cache?", self.ASKED), Exchange(2, answer, "Done.")]
        lines = list(choices(piece(*turns), turns, []))
        assert not any("chose" in line for line in lines) or answer.startswith("a ")

    def test_a_question_by_a_tool_is_joined_to_its_answer(self) -> None:
        given = {"questions": [{"question": "Which format?", "options": [{"label": "tar"}]}]}
        questions = Questions()
        assert questions.take(event(TOOL_CALL, json.dumps(given))) == []
        result = 'User has answered your questions: "Which format?"="tar (Recommended)". Go on.'
        assert questions.take(event(TOOL_RESULT, result)) == [Choice("Which format?", "tar", 7)]
        assert questions.take(event(TOOL_RESULT, result)) == []


def event(kind: int, text: str) -> StoredEvent:
    return StoredEvent(7, 1, 1, kind, False, None, "ask", "call-1", None, None, text)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("cat > src/a.py <<'EOF'\nx > 1 > y.txt\nEOF\n", ["src/a.py"]),
        ("echo a >> docs/notes.md 2>&1", ["docs/notes.md"]),
        ("sed -i 's/a > b/c/' src/x.py", ["src/x.py"]),
        ("git mv src/old.py src/new.py && ls", ["src/new.py"]),
        ("bash -lc 'tee config/app.toml'", ["config/app.toml"]),
        ("python - <<'P'\nopen('out/x.json', 'w').write('')\nP", ["out/x.json"]),
        ("pytest -q 2>&1 | tail -5 > /dev/null", []),
        ("grep -c '=>' src/a.ts; ls > /tmp/list.txt", []),
        ('git commit -m "a > b.txt"', []),
    ],
)
def test_files_that_a_shell_writes(command: str, files: list[str]) -> None:
    assert files_written(command) == files


class TestNoPraise:
    def test_what_only_assures_or_praises_gives_way_to_what_was_done(self) -> None:
        reply = (
            "The importer is working.\n\n"
            "- `load.py` now reads dates with a zone, since exports carry one\n\n"
            "All 27 tests pass. The code is much cleaner and more maintainable now!\n"
            "You can now run `make load`."
        )
        told = conclusion(reply, "please mend the importer", 700, 4)
        assert told == ["`load.py` now reads dates with a zone, since exports carry one"]

    def test_that_checks_pass_is_left_to_their_runs_but_not_that_some_fail(self) -> None:
        reply = "The dates are read with their zone.\n\nAll tests pass except `test_leap_year`."
        assert conclusion(reply, "mend it", 700, 4) == [
            "The dates are read with their zone.",
            "All tests pass except `test_leap_year`.",
        ]

    def test_what_leads_to_items_stands_with_the_first_of_them(self) -> None:
        item = "reads a session from the cache, where every page was rendered anew before each time"
        other = (
            "opens the file of the session itself, without a look at whether there is one at all"
        )
        reply = f"The viewer was changed so that it now:\n\n- {item}, and so\n- {other}, too"
        first, *_ = conclusion(reply, "", 700, 4)
        assert first.startswith(f"The viewer was changed so that it now: {item}")
