"""The review screen at both sizes: keys, what they write, and what is on the screen."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from textual import events
from textual.app import ComposeResult
from textual.widgets import TextArea

from helix_tui.schema.candidate import Candidate
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.kit.lines import Span, named
from tests.tui.made import MadeSource, made_app, made_reviewed
from tests.tui.sitting import Sitting, both_sizes, screen_text, sitting

KEYS: dict[str, tuple[str, str | None]] = {
    "enter": ("enter", "\r"),
    "slash": ("slash", "/"),
    " ": ("space", " "),
}


@both_sizes
async def test_panes_have_their_titles_before_any_data(size: tuple[int, int]) -> None:
    source = MadeSource([])
    app = made_app(source)
    async with app.run_test(size=size):
        text = screen_text(app)
        for title in ("1 Ingest", "2 Budget", "3 Candidates  0 of 0", "4 Evidence"):
            assert title in text


@both_sizes
async def test_four_panes_show_what_there_is(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.until(lambda: "command not found" in found.text)
        await found.until(lambda: "Use grep instead of tool 0" in found.text)
        text = found.text
        assert "3 Candidates  8 of 8" in text
        assert "8,104" in text
        assert "+12" in text
        assert "4 Evidence  1 of 3 · claude · repo api" in text
        assert "✗ bash: rg: command not found" in text
        assert "why here: 3 sessions, 1 agent, 1 repo, 41k tokens" in text
        assert "spent, score 94" in text
        assert "5 Draft  a writes a new page" in text
        assert "Use grep instead of tool 0" in text
        lines = text.split("\n")
        assert len(lines) == size[1]
        assert all(len(line) == size[0] for line in lines)


async def test_what_is_taken_back_has_the_rank_of_the_board_that_came_since() -> None:
    async with sitting() as found:
        first = found.current
        await found.press("r")
        await found.until(lambda: "Rejected" in found.text)
        found.source._by_id = dict(reversed(found.source._by_id.items()))
        found.review.load_board()
        await found.until(lambda: (row := found.review.table.row(first)) and row.rank == 8)
        await found.press("u")
        assert found.current == first
        assert found.review.candidates.cursor == 7
        current = found.review.candidates.current
        assert current is not None
        assert current.rank == 8


async def test_a_verdict_that_was_undone_before_it_was_written_does_not_show_again() -> None:
    async with sitting() as found:
        verdicts = found.source.verdicts
        verdicts.gate.clear()
        verdicts.undo_gate.clear()
        first = found.current
        await found.press("r", "u")
        assert (found.current, "8 of 8" in found.text) == (first, True)
        verdicts.gate.set()
        await found.until(lambda: "Rejected" in found.text)
        assert (found.current, "8 of 8" in found.text) == (first, True)
        verdicts.undo_gate.set()
        await found.until(lambda: "Taken back" in found.text)
        assert (found.current, "8 of 8" in found.text) == (first, True)


@both_sizes
@pytest.mark.parametrize(("key", "action"), [("a", "approve"), ("r", "reject"), ("x", "reject")])
async def test_a_verdict_shows_that_it_is_written_then_what_it_is_and_is_taken_back(
    size: tuple[int, int], key: str, action: str
) -> None:
    async with sitting(size) as found:
        found.source.verdicts.gate.clear()
        await found.press("j", key)
        assert "8 of 8" in found.text, "nothing is shown as decided that is not written"
        assert sign_of(found, "tool 1 ") == "…"
        assert found.current == "problem-000002"
        assert found.verdicts == []
        found.source.verdicts.gate.set()
        await found.until(lambda: found.verdicts == [(action, "problem-000001")])
        await found.until(lambda: "u takes it" in found.text)
        assert "7 of 8" in found.text
        assert found.current == "problem-000002"
        found.source.verdicts.undo_gate.clear()
        await found.press("u")
        assert "8 of 8" in found.text
        assert found.current == "problem-000001"
        assert sign_of(found, "tool 1 ") == "…"
        found.source.verdicts.undo_gate.set()
        await found.until(lambda: found.verdicts[-1] == ("undo", "problem-000001"))


def sign_of(found: Sitting, title: str) -> str:
    """What stands at the end of a candidate's line."""
    line = next(line for line in found.text.split("\n") if title in line and " s " in f"{line} s ")
    return line.rstrip("│").rstrip()[-1]


async def test_the_cursor_leaves_what_is_written_and_behind_the_last_row_goes_up() -> None:
    async with sitting(count=4) as found:
        found.source.verdicts.gate.clear()
        await found.press("G", "r", "r", "r")
        assert found.current == "problem-000000"
        found.source.verdicts.gate.set()
        await found.until(lambda: "1 of 4" in found.text)
        assert [name for _, name in found.verdicts] == [
            "problem-000003",
            "problem-000002",
            "problem-000001",
        ]


async def test_keys_typed_quickly_hit_the_rows_they_were_typed_on() -> None:
    async with sitting() as found:
        found.source.verdicts.gate.clear()
        await found.press("r", "j", "a", "r", "u", "x")
        found.source.verdicts.gate.set()
        await found.until(lambda: len(found.verdicts) == 5)
        assert found.verdicts == [
            ("reject", "problem-000000"),
            ("approve", "problem-000002"),
            ("reject", "problem-000003"),
            ("undo", "problem-000003"),
            ("reject", "problem-000003"),
        ]


async def test_undo_goes_on_behind_this_sitting() -> None:
    source = MadeSource([made_reviewed(number) for number in range(3)])
    source.verdicts.reject("problem-000001")
    async with sitting(source=source) as found:
        assert "2 of 3" in found.text
        await found.press("backspace")
        await found.until(lambda: "3 of 3" in found.text)
        assert found.current == "problem-000001"
        await found.press("u")
        await found.until(lambda: "no verdict to take back" in found.text)


async def test_a_refused_verdict_puts_the_row_back_and_says_why() -> None:
    async with sitting() as found:
        found.source.verdicts.refuses.add("problem-000000")
        await found.press("a")
        await found.until(lambda: "problem-000000 is gone" in found.text)
        assert "8 of 8" in found.text
        assert found.app.deciding.steps == []


@both_sizes
async def test_a_note_is_typed_on_one_line_and_keeps_the_candidate_open(
    size: tuple[int, int],
) -> None:
    async with sitting(size) as found:
        await found.press("d", *"ask", "escape")
        assert found.verdicts == []
        await found.press("d", *"why", "enter")
        await found.until(lambda: found.verdicts == [("discuss", "problem-000000")])
        assert found.source.verdicts.lines[0].note == "why"
        assert "8 of 8" in found.text
        assert found.current == "problem-000000", "it is still open, and still looked at"
        assert found.app.focused is found.review.candidates
        await found.press("r")
        await found.until(lambda: found.verdicts[1:] == [("reject", "problem-000000")])


async def test_snooze_asks_until_when() -> None:
    async with sitting() as found:
        await found.press("w", *"2w", "enter")
        await found.until(lambda: found.verdicts == [("snooze", "problem-000000")])
        assert found.source.verdicts.lines[0].note == "2w"
        await found.until(lambda: "7 of 8" in found.text)
        assert found.current == "problem-000001"


async def test_a_range_is_marked_decided_and_taken_back_together() -> None:
    async with sitting() as found:
        await found.press("j", "v", "j", "j", "V")
        assert "3 marked" in found.text
        await found.press("r")
        await found.until(lambda: "5 of 8" in found.text)
        assert len(found.verdicts) == 3
        await found.press("u")
        assert "8 of 8" in found.text
        await found.until(lambda: len(found.verdicts) == 6)


async def test_skip_puts_a_row_last_and_writes_nothing() -> None:
    async with sitting() as found:
        await found.press("space")
        assert found.current == "problem-000001"
        assert found.review.table.shown[-1] == "problem-000000"
        await found.press("u")
        assert found.current == "problem-000000"
        assert found.verdicts == []


async def test_marks_that_a_filter_hides_are_taken_along_when_somebody_says_so() -> None:
    async with sitting(count=12) as found:
        await found.press("j", "v", "j", "v", "slash", *"tool 2", "enter", "r", "y")
        await found.until(lambda: len(found.verdicts) == 2)
        assert found.verdicts == [("reject", "problem-000002"), ("reject", "problem-000001")]


async def test_what_a_filter_hides_of_the_marks_is_told_and_left_out_on_a_word() -> None:
    async with sitting(count=12) as found:
        await found.press("j", "v", "j", "v", "slash", *"tool 2", "enter")
        assert "1 marked, 1 more hidden by the filter" in found.text
        await found.press("r")
        await found.until(lambda: "1 marked candidate is hidden by the filter" in found.text)
        await found.press("escape")
        await found.until(lambda: found.place == "review")
        assert found.verdicts == []
        await found.press("r", "n")
        await found.until(lambda: found.verdicts == [("reject", "problem-000002")])
        await found.until(lambda: "0 marked, 1 more hidden by the filter" in found.text)
        await found.press("escape", "escape")
        await found.until(lambda: "11 of 12" in found.text)
        assert "marked" not in found.text, "esc clears marks before the filter"


@pytest.mark.parametrize("key", ["r", "a", "space", "m"])
async def test_where_all_marks_are_hidden_keys_are_on_the_row_under_the_cursor(key: str) -> None:
    async with sitting(count=12) as found:
        await found.press("v", "j", "v", "slash", *"tool 5", "enter")
        assert "0 marked, 2 more hidden by the filter" in found.text
        await found.press(key)
        await found.until(lambda: "2 marked candidates are hidden by the filter" in found.text)
        await found.press("n")
        await found.until(lambda: found.place == "review")
        if key == "space":
            assert found.review.table.skipped.keys() == {"problem-000005"}
        elif key == "m":
            await found.until(lambda: "Mark the candidates to merge" in found.text)
            assert found.verdicts == []
        else:
            await found.until(lambda: len(found.verdicts) == 1)
            assert found.verdicts[0][1] == "problem-000005"


@both_sizes
async def test_the_filter_works_as_it_is_typed(size: tuple[int, int]) -> None:
    async with sitting(size, count=12) as found:
        await found.press("slash", *"tool 1")
        assert "3 of 12" in found.text
        await found.press("enter")
        assert "/tool 1" in found.text
        assert found.app.focused is found.review.candidates
        await found.press("slash", "space", *"!11", "enter")
        assert "2 of 12" in found.text
        await found.press("escape")
        assert "12 of 12" in found.text
        await found.press("slash", *"nothing like it")
        assert "Nothing fits the filter" in found.text
        await found.press("escape")
        assert "12 of 12" in found.text


async def test_orders_keep_the_cursor_on_its_candidate() -> None:
    async with sitting() as found:
        await found.press("j", "j", "o", "o", "o")
        assert found.review.table.sort == "latest"
        assert found.current == "problem-000002"
        assert found.review.table.shown[0] == "problem-000007"


async def test_moving_about() -> None:
    async with sitting(count=100) as found:
        await found.press("G")
        assert found.current == "problem-000099"
        await found.press("g", "j", "down", "k", "pagedown")
        assert found.review.candidates.cursor > 10
        await found.press("pageup", "up")
        assert found.current == "problem-000000"


async def test_occurrences_and_copies() -> None:
    async with sitting() as found:
        await found.until(lambda: "1 of 3" in found.text)
        await found.press("n")
        assert "2 of 3" in found.text
        await found.press("p", "p")
        assert "3 of 3" in found.text
        await found.press("y")
        assert found.app.clipboard.startswith("problem-000000")
        await found.press("Y")
        assert "command not found" in found.app.clipboard
        await found.press("t")
        await found.until(lambda: found.source.pinned)


async def test_panes_take_the_focus_and_the_whole_screen() -> None:
    async with sitting() as found:
        for number, name in enumerate(("ingest", "budget", "candidates", "evidence"), 1):
            await found.press(str(number))
            assert found.app.focused is not None
            assert found.app.focused.id == name
        await found.press("z")
        assert "3 Candidates" not in found.text
        assert "4 Evidence" in found.text
        await found.press("escape", "escape", "tab")
        assert "3 Candidates" in found.text
        assert found.app.focused is not None
        assert found.app.focused.id == "evidence"


async def test_resizing_keeps_cursor_and_focus() -> None:
    async with sitting(count=60) as found:
        await found.press(*"jjjjj", "4")
        for size in [(80, 24), (120, 40), (40, 10), (200, 60), (80, 24), (120, 40)]:
            await found.pilot.resize_terminal(*size)
            assert found.current == "problem-000005"
            assert found.app.focused is not None
            assert found.app.focused.id == "evidence"
        assert "1 Ingest" in found.text


async def test_a_key_that_does_nothing_now_says_why() -> None:
    async with sitting(count=0) as found:
        await found.press("a")
        await found.until(lambda: "No candidate is selected" in found.text)
        await found.press("S")
        await found.until(lambda: "No sweep is running" in found.text)
        assert "No candidates yet. s takes in" in found.text


async def test_remapped_keys_take_the_place_of_the_old_ones() -> None:
    source = MadeSource([made_reviewed(number) for number in range(3)])
    app = made_app(source, keymap={"candidate.reject": ("f7",), "pane.focus_1": ("f8",)})
    async with app.run_test(size=(120, 40)) as pilot:
        found = Sitting(app, source, pilot)
        await found.until(lambda: found.current)
        assert "f7 reject" in found.text
        assert "f8 Ingest" in found.text
        await found.press("r")
        assert "3 of 3" in found.text
        await found.press("f7")
        await found.until(lambda: "2 of 3" in found.text)


async def test_the_palette_finds_every_action_by_its_name() -> None:
    async with sitting() as found:
        await found.press("ctrl+p")
        await found.until(lambda: "candidate: Approve" in found.text)
        await found.press(*"candidate: rej")
        await found.until(lambda: "candidate: Approve" not in found.text)
        await found.press("enter")
        await found.press("enter")
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])


async def test_what_is_typed_at_once_reaches_the_line_it_was_typed_for() -> None:
    async with sitting(count=12) as found:
        for key in ("d", *"near", "enter", "slash", *"tool 11", "enter", "r"):
            found.app.post_message(events.Key(*KEYS.get(key, (key, key))))
        await found.until(lambda: len(found.verdicts) == 2)
        assert found.verdicts == [("discuss", "problem-000000"), ("reject", "problem-000011")]
        assert found.source.verdicts.lines[0].note == "near"
        assert found.review.table.wanted.text == "tool 11"


@pytest.mark.parametrize("theme", ["helix-light", "helix-contrast", "ansi-dark"])
async def test_themes_draw(theme: str) -> None:
    async with sitting() as found:
        found.app.theme = theme
        await found.press("j", "v", "z")
        assert ">*" in found.text


class TypingScreen(HelixScreen):
    """A screen with a text, as an editor has one."""

    SCOPE = "editor"
    left = 0

    def compose_body(self) -> ComposeResult:
        yield TextArea()

    def action_leave(self) -> None:
        self.left += 1


async def test_letters_are_a_text_s_while_it_has_the_focus_and_other_keys_stay_commands() -> None:
    async with sitting() as found:
        screen = TypingScreen()
        await found.app.push_screen(screen)
        screen.query_one(TextArea).focus()
        await found.pilot.pause()
        await found.press(*"shq", "space", "enter", "j", "escape")
        assert screen.query_one(TextArea).text == "shq \nj"
        assert screen.left == 1
        assert not found.app.jobs.is_sweeping


async def test_evidence_that_is_being_read_is_not_asked_for_again() -> None:
    async with sitting(count=30) as found:
        await found.until(lambda: found.current in found.app.evidence)
        asked: list[str] = []
        is_read = threading.Event()
        whole = found.source.whole

        def slowly(name: str, merged: Sequence[str]) -> Candidate:
            asked.append(name)
            is_read.wait(10)
            return whole(name, merged)

        with patch.object(found.source, "whole", slowly):
            await found.press("G")
            await found.until(lambda: asked)
            found.review.show_evidence()
            found.review.refill(found.current)
            await found.pilot.pause()
            is_read.set()
            await found.until(lambda: found.current in found.app.evidence)
            await found.press("k", "j")
        assert asked.count(found.current) == 1


def test_a_pane_on_one_line_shows_by_its_name_that_it_has_the_focus() -> None:
    line: list[Span] = [("1 Ingest", "dim"), (" claude", "plain")]
    assert named(line, has_focus=True) == [("1 Ingest", "here"), (" claude", "plain")]
    assert named(line, has_focus=False) == line


async def test_a_zoomed_list_has_the_whole_screen() -> None:
    async with sitting((80, 24), count=30) as found:
        rows = found.review.candidates
        await found.until(lambda: rows.size.height == 6)
        await found.press("z")
        await found.until(lambda: rows.size.height > 18)
        await found.press("z")
        await found.until(lambda: rows.size.height == 6)


async def test_zooming_another_pane_leaves_the_list_as_high_as_it_was() -> None:
    async with sitting((120, 40), count=5) as found:
        rows = found.review.candidates
        await found.until(lambda: rows.size.height == 5)
        await found.press("4", "z")
        await found.until(lambda: "1 Ingest" not in found.text)
        await found.press("z")
        await found.until(lambda: "1 Ingest" in found.text)
        await found.pilot.pause(0.1)
        assert rows.size.height == 5
