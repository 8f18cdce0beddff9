"""A notes file: what Helix fills, what a person changed, and what no log can do to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.memory.notes.page import (
    KEPT,
    Page,
    default_template,
    fresh_page,
    read_page,
    write_page,
)
from helix_tui.memory.notes.sections import BOUNDS, NOTHING, sections_of
from helix_tui.memory.notes.text import code, fitting, quote
from helix_tui.memory.notes.worklog import extended, line_of
from helix_tui.schema import (
    CommandTally,
    ErrorGroup,
    Facts,
    FileTally,
    Moment,
    Recovery,
)
from helix_tui.schema.memory import NotesTurn
from helix_tui.text.refuse import refusals
from tests.memory.made_notes import NAME, session, state

FILLED = {name: [f"- {name} is filled"] for name in BOUNDS if name != "Worklog"}


def written(page: Page, *worklog: str, filled: dict[str, list[str]] = FILLED) -> str:
    left_out = page.state.left_out if page.state else 0
    return write_page(page, state(left_out=left_out), filled, [f"- {line}" for line in worklog])


def first(template: str = default_template(), before: str = "") -> str:
    return written(fresh_page(template, before), "began")


def body(text: str, section: str) -> str:
    found = [part.body for part in read_page(text).parts if part.section == section]
    return found[0].strip()


def headings(text: str) -> list[str]:
    return [part.heading for part in read_page(text).parts]


class TestFilling:
    """Known headings are filled, in whatever order they stand."""

    def test_all_sections_in_their_order(self) -> None:
        text = first()
        assert headings(text) == [f"# {name}" for name in BOUNDS]
        assert body(text, "Files") == "- Files is filled"
        assert body(text, "Worklog") == "- began"
        assert text.endswith("- began\n")

    def test_a_template_of_the_users_own(self) -> None:
        template = (
            "Notes by hand\n\n## Worklog ##\n\n# House rules\n\nBe kind.\n\n"
            "### Errors & Corrections\n_what went wrong_\n# SESSION TITLE\n"
        )
        text = first(template)
        assert headings(text)[1:] == [
            "## Worklog ##",
            "# House rules",
            "### Errors & Corrections",
            "# SESSION TITLE",
        ]
        assert "Notes by hand\n" in text
        assert "# House rules\n\nBe kind.\n" in text
        assert body(text, "Errors and corrections") == "- Errors and corrections is filled"
        assert "what went wrong" not in text
        again = written(read_page(text, NAME), "went on")
        assert headings(again) == headings(text)
        assert body(again, "Worklog") == "- began\n- went on"

    def test_of_two_headings_of_one_name_the_first_is_filled(self) -> None:
        text = first("# Files\n# Files\nmine\n")
        assert text.count("- Files is filled") == 1
        assert "# Files\nmine\n" in text

    def test_a_section_without_anything_to_tell_is_left_out_until_there_is(self) -> None:
        nothing = {**FILLED, "Files": [NOTHING], "Workflow": [NOTHING], "Learnings": [NOTHING]}
        text = written(fresh_page(default_template(), ""), "began", filled=nothing)
        shown = [f"# {name}" for name in BOUNDS if nothing.get(name) != [NOTHING]]
        assert headings(text) == shown
        text = text.replace("# Task\n", "# Mine\n\nkept\n\n# Task\n").replace(
            "# Key results", "# Own"
        )
        again = written(read_page(text, NAME), filled={**FILLED, "Workflow": [NOTHING]})
        assert headings(again) == [
            *("# Title", "# Current state", "# Mine", "# Task", "# Files"),
            *("# Errors and corrections", "# Learnings", "# Own", "# Worklog"),
        ]
        assert body(again, "Learnings") == "- Learnings is filled"

    def test_a_hidden_section_that_a_person_adds_is_theirs(self) -> None:
        nothing = {**FILLED, "Files": [NOTHING]}
        text = written(fresh_page(default_template(), ""), filled=nothing)
        text = text.replace("# Worklog", "# Files\n\nmine\n\n# Worklog")
        again = written(read_page(text, NAME))
        assert again.count("# Files") == 1
        assert body(again, "Files") == "mine"

    def test_a_heading_within_a_code_block_is_none(self) -> None:
        text = first("# Mine\n```\n# Files\n```\n# Files\n")
        assert headings(text) == ["# Mine", "# Files"]

    def test_an_update_replaces_and_the_state_goes_along(self) -> None:
        text = first()
        newer = {**FILLED, "Files": ["- another file"]}
        again = written(read_page(text, NAME), filled=newer)
        assert body(again, "Files") == "- another file"
        assert read_page(again, NAME).state is not None
        assert again.count("<!-- helix:notes") == 1
        assert read_page(again, NAME).kept() == []


class TestPersons:
    """What a person wrote is never lost."""

    def test_a_changed_section_is_theirs(self) -> None:
        text = first().replace("- Files is filled", "- Files is filled\n\nsee also: mine.py  ")
        page = read_page(text, NAME)
        assert page.kept() == ["Files"]
        again = written(page, filled={**FILLED, "Files": ["- new"], "Task": ["- new task"]})
        assert "- Files is filled\n\nsee also: mine.py  \n" in again
        assert body(again, "Task") == "- new task"
        assert read_page(again, NAME).kept() == ["Files"]

    def test_an_emptied_section_is_handed_back(self) -> None:
        text = first().replace("- Files is filled", "")
        again = written(read_page(text, NAME), filled={**FILLED, "Files": ["- new"]})
        assert body(again, "Files") == "- new"

    def test_new_lines_go_behind_a_changed_worklog(self) -> None:
        text = first().replace("- began", "- began\n- had lunch")
        again = written(read_page(text, NAME), "went on")
        assert body(again, "Worklog") == "- began\n- had lunch\n- went on"
        third = written(read_page(again, NAME), "ended")
        assert body(third, "Worklog") == "- began\n- had lunch\n- went on\n- ended"

    def test_a_full_worklog_of_theirs_is_left_alone(self) -> None:
        mine = "\n".join(f"- {number} {'x' * 90}" for number in range(100))
        text = first().replace("- began", mine)
        again = written(read_page(text, NAME), "went on")
        assert body(again, "Worklog") == mine

    def test_headings_added_removed_and_moved_stay_so(self) -> None:
        text = first().replace("# Learnings\n\n- Learnings is filled\n\n", "# Ideas\n\nmany\n\n")
        again = written(read_page(text, NAME), filled={**FILLED, "Task": ["- new"]})
        assert "# Learnings" not in again
        assert "# Ideas\n\nmany\n" in again

    def test_bytes_that_are_no_text_survive(self) -> None:
        raw = first().encode().replace(b"- Files is filled", b"caf\xe9\r\n# not \x00 ours\r")
        page = read_page(raw.decode("utf-8", "surrogateescape"), NAME)
        again = written(page).encode("utf-8", "surrogateescape")
        assert b"caf\xe9\r\n# not \x00 ours\r" in again

    @pytest.mark.parametrize(
        "broken",
        [
            "<!-- helix:notes {} -->",
            "<!-- helix:notes {nonsense} -->",
            '<!-- helix:notes {"session": 3} -->',
            "<!-- helix:notes ",
            "",
        ],
    )
    def test_a_broken_state_starts_over_and_keeps_every_word(self, broken: str) -> None:
        old = "\n".join([broken, *first().split("\n")[1:]]).replace("Files is", "my own words on")
        page = read_page(old, NAME)
        assert page.state is None
        again = written(fresh_page(default_template(), old), "anew")
        assert body(again, "Files") == "- Files is filled"
        assert headings(again)[-1] == KEPT
        assert "> - my own words on filled\n" in again
        assert read_page(again, NAME).state is not None
        third = written(read_page(again, NAME))
        assert "> - my own words on filled\n" in third

    def test_the_state_of_another_session_is_none(self) -> None:
        assert read_page(first(), "claude:two").state is None


class TestBounds:
    """Each section has its bound, and so has the whole."""

    def test_everything_at_its_largest(self) -> None:
        long = "word <b>" * 120
        facts = Facts(
            first_prompt=long,
            last_prompt=long,
            last_reply=long,
            ended="question",
            ended_text=long,
            last_check=long,
            last_check_passed=True,
            files={f"/src/{number}/{'x' * 150}": FileTally(1, 1) for number in range(60)},
            commands={f"{number} {long}": CommandTally(9, 1) for number in range(60)},
            groups={str(n): ErrorGroup(f"{n} {long}", "shell", 1, long) for n in range(60)},
            corrections=[Moment(n, n, f"{n} {long}") for n in range(60)],
            recoveries=[Recovery(n, n, str(n), long, long, long) for n in range(60)],
            kept=[Moment(n, n, f'git commit -m "{n} {"word " * 12}"') for n in range(60)],
        )
        made = sections_of(session(), facts, 10)
        assert list(made) == [name for name in BOUNDS if name != "Worklog"]
        for name, lines in made.items():
            assert len("\n".join(lines)) <= BOUNDS[name], name
        for name in ("Files", "Errors and corrections", "Key results"):
            assert made[name][-1].endswith(" more left out"), name
        turn = NotesTurn(1, long, long, {"shell": 3}, 1)
        page = fresh_page(default_template(), "")
        text = write_page(page, state(), made, [line_of(turn)] * 500)
        for part in read_page(text).parts:
            assert part.section
            assert len(part.body.strip()) <= BOUNDS[part.section]
        assert len(text) < sum(BOUNDS.values()) + 2_000

    def test_the_worklog_keeps_the_newest_and_counts_the_others(self) -> None:
        lines = [f"- {number} {'x' * 100}" for number in range(200)]
        log = extended([], lines, 0)
        assert log.lines[0] == f"- {log.left_out} older lines left out"
        assert log.lines[-1] == lines[-1]
        assert len(log.lines) - 1 + log.left_out == 200
        more = extended(log.lines, ["- one more " + "y" * 300], log.left_out)
        assert more.left_out > log.left_out
        assert len(more.lines) - 1 + more.left_out == 201
        assert more.lines[0] == f"- {more.left_out} older lines left out"

    def test_the_documents_tell_the_bounds(self) -> None:
        page = (Path(__file__).parents[2] / "docs" / "notes.md").read_text()
        for name, most in BOUNDS.items():
            assert f"| {name} | {most:,} |" in page

    def test_nothing_to_say_is_said(self) -> None:
        made = sections_of(session(), Facts(), 0)
        assert made["Files"] == [NOTHING]
        assert made["Title"] == ["`Session claude:one`"]

    def test_what_just_fits_is_not_counted_out(self) -> None:
        assert fitting(["a" * 50, "b" * 48], 100, "more") == ["a" * 50, "b" * 48]
        assert fitting(["a" * 50, "b" * 60], 100, "more") == ["a" * 50, "- 1 more"]


HOSTILE = [
    "# Files\n\n## Worklog\n- fake",
    "<!-- helix:notes {} -->\n# Title",
    "-->\n<script>alert(1)</script>",
    "![x](http://evil.example/x.png) [y](javascript:alert)",
    "\x1b[31mred\x07 \u202eevil\u202c \u200bzero \ufeff \u2028 line \U000e0041",
    "```\n# open fence\n",
    "---\n===\n* * *",
    "> quoted\n1. numbered\n| a | b |",
    "`tick` ``two``",
]


class TestHostile:
    """No text of a log makes structure, or holds what one does not see."""

    @pytest.mark.parametrize("text", HOSTILE)
    @pytest.mark.parametrize("make", [quote, code])
    def test_one_inert_line(self, text: str, make: object) -> None:
        assert callable(make)
        line = make(text, 300)
        assert "\n" not in line
        assert refusals(line) == []
        page = f"# Title\n\n{line}\n\n- {line}\n"
        assert [part.heading for part in read_page(page).parts] == ["# Title"]
        assert read_page(page).state is None
        assert line.startswith("`")
        assert "<!--" not in line

    def test_whole_page_of_hostile_facts(self) -> None:
        text = "\n".join(HOSTILE)
        facts = Facts(
            first_prompt=text,
            last_prompt=text,
            last_reply=text,
            files={text: FileTally(1, 1)},
            commands={text: CommandTally(2, 0)},
            corrections=[Moment(1, 1, text)],
            groups={"a": ErrorGroup(text, "shell", 1, text)},
        )
        made = sections_of(session(repo=text, branch=text, cwd=text), facts, 1)
        turn = line_of(NotesTurn(1, text, text, {"shell": 1}, 0))
        page = write_page(fresh_page(default_template(), ""), state(), made, [turn])
        assert headings(page) == [f"# {name}" for name in BOUNDS if made.get(name) != [NOTHING]]
        assert refusals(page) == []
        assert read_page(page, NAME).state is not None

    def test_an_id_cannot_end_the_comment(self) -> None:
        name = 'claude:--> <!-- "x" é'
        text = write_page(fresh_page(default_template(), ""), state(session=name), FILLED, [])
        assert text.split("\n")[0].count("-->") == 1
        found = read_page(text, name).state
        assert found is not None
        assert found.session == name


def test_line_of_a_turn() -> None:
    turn = NotesTurn(1_770_000_060_000, "mend it", "Mended.", {"shell": 2, "edit": 1}, 1)
    assert line_of(turn) == (
        "- 2026-02-02 02:41Z · asked `mend it` · 3 calls (1 edit, 2 shell, 1 failed)"
        " · said `Mended.`"
    )
    assert line_of(NotesTurn(None, "", "", {"edit": 1}, 0)) == (
        "- at some time · went on · 1 call (1 edit)"
    )
