"""What fits where there is little room, and what is near where there is much of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from helix_tui.schema import Cost
from helix_tui.schema.candidate import Rate
from helix_tui.tui.base.dialogs import TextScreen
from helix_tui.tui.base.picker import Choice, PickerScreen
from helix_tui.tui.base.transcript_view import _whole_parts
from helix_tui.tui.budget.rows import Holding
from helix_tui.tui.budget.widget import HoldingList
from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.catalog.widget import PatternList
from helix_tui.tui.editor.beside import _gate, _origins
from helix_tui.tui.kit.excerpt import Occurrence, excerpt_lines, shorter_titles
from helix_tui.tui.kit.frame import PaneTitle
from helix_tui.tui.kit.moment import day
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.session_text import fit_name
from helix_tui.tui.memory.rows import MemoryRow
from helix_tui.tui.memory.widget import MemoryList
from helix_tui.tui.problems.rows import ProblemLine
from helix_tui.tui.problems.widget import ProblemList
from helix_tui.tui.review.draft_text import _missed
from helix_tui.tui.review.why_text import _rates
from helix_tui.tui.sessions.rows import cost_text, span_text
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.real import opened
from tests.tui.sitting import sitting

_NOON = 1_790_000_000_000  # 2026-09-21 14:13


def line_of(rows: RowList[Any], index: int, width: int) -> str:
    return "".join(text for text, _ in rows.cells(index, width))


def test_a_title_takes_the_longest_detail_that_fits() -> None:
    title = PaneTitle("4 Evidence")
    title.set_reactive(PaneTitle.detail, "1 of 2 · claude · repo api · 2026-09-21 14:13")
    seen = Occurrence("claude:1", 0, "claude", "api", _NOON, "")
    title.set_reactive(PaneTitle.shorter, shorter_titles(0, [seen, seen]))
    texts = ["".join(text for text, _ in title.lines(width, 1)[0]) for width in (70, 55, 50, 44)]
    assert "repo api · 2026-09-21 14:13" in texts[0]
    assert " 1 of 2 · claude · repo api · 2026-09-21 " in texts[1]
    assert " 1 of 2 · claude · api · 2026-09-21 " in texts[2]
    assert " 1 of 2 · claude · 2026-09-21 " in texts[3]
    assert not any("…" in text for text in texts)


async def test_what_counts_stays_in_sight_when_the_screen_gets_small() -> None:
    source = MadeSource([made_reviewed(0)])
    output = "\n".join(f"line {number} of the build" for number in range(12))
    source.texts = f"$ make\n{output}\nbash: rg: command not found\nthen $ grep x"
    async with sitting((120, 60), source=source) as found:
        await found.until(lambda: "✗ bash: rg: command not found" in found.text)
        await found.pilot.resize_terminal(80, 24)
        await found.until(lambda: "line 11 of the build" in found.text)
        await found.until(lambda: "✗ bash: rg: command not found" in found.text)


def test_what_an_output_prints_twice_stands_once() -> None:
    text = "$ deploy\nno such host\nretry later\n\nno such host\nretry later\nthen $ ping host"
    shown = [line for _, line in excerpt_lines(text, "problem")]
    assert shown == ["$ deploy", "no such host", "retry later", "$ ping host"]
    other = "$ deploy\nno such host\n\nretry later"
    assert [line for _, line in excerpt_lines(other, "problem")] == other.split("\n")


async def test_a_box_breaks_its_lines_for_the_width_that_it_has_now() -> None:
    async with sitting((120, 40)) as found:
        words = " ".join(f"word{number:02}" for number in range(24))
        found.app.push_screen(TextScreen("Why", [f"tier     {words}"], label=9))
        await found.until(lambda: "tier     word00" in found.text)
        await found.pilot.resize_terminal(80, 24)
        await found.until(lambda: "         word" in found.text and "word23" in found.text)
        lines = [line for line in found.text.split("\n") if "word" in line]
        starts = {line.index("word") for line in lines}
        assert len(lines) > 2
        assert len(starts) == 1


async def test_the_choice_under_the_cursor_is_marked_in_all_its_width() -> None:
    async with sitting() as found:
        found.app.push_screen(PickerScreen("Which?", [Choice("a", "Alpha", "first of all")]))
        await found.until(lambda: "first of all" in found.text)
        rows = found.app.screen.query_one("#picker-rows")
        tones = {tone for _, tone in rows.lines(60, 4)[1]}  # type: ignore[attr-defined]
        assert tones == {"cursor"}


def test_how_many_tasks_more_there_were_is_never_cut_in_two() -> None:
    name = "Write the specification of one use case after the other (+12 more)"
    assert fit_name(name, 40) == "Write the specification of o… (+12 more)"
    for width in range(8, 80):
        assert cell_len(fit_name(name, width)) == width
        assert not fit_name(name, width).endswith(("mor…", "(+1…", "(+…"))


def test_a_session_says_nothing_of_its_time_and_cost_twice() -> None:
    minute = 60_000
    assert span_text(_NOON, _NOON + 1) == "2026-09-21 14:13"
    assert span_text(_NOON, _NOON + 5 * minute) == "2026-09-21 14:13 to 14:18"
    assert span_text(_NOON, _NOON + 1440 * minute) == "2026-09-21 14:13 to 2026-09-22 14:13"
    assert cost_text(Cost()) == "its log has no tokens"
    assert cost_text(Cost(10, 5)).startswith("no price · 15 tokens")


def test_of_what_is_known_whole_parts_are_shown() -> None:
    known = "  grok · api · 2026-09-21 14:13 · success"
    assert _whole_parts(known, 80) == known
    assert _whole_parts(known, 25) == "  grok · api"


def test_a_session_stands_once_above_the_words_that_are_its() -> None:
    name = "codex:019cd4ae-d53b-7632-be1c-624431e08b56"
    origins = [(name, "use the path"), ("claude:1", "never"), (name, "api")]
    preview: Any = SimpleNamespace(program="", words_of_log=["title"], origins=origins)
    text = ["".join(piece for piece, _ in line) for line in _origins(preview, 40)]
    assert [line for line in text if line.startswith("from ")] == [
        "from codex:019cd4ae",
        "from claude:1",
    ]
    assert text[text.index("  use the path") + 1] == "  api"


def test_the_gate_has_no_figure_where_there_is_none() -> None:
    preview: Any = SimpleNamespace(status="provisional", floors=[("words", 1, 1, True)])
    assert [piece for line in _gate(preview, 60) for piece, _ in line][-1] == "says what to do"


def test_what_is_missing_to_be_handed_out_is_said_once() -> None:
    floors = [
        ("min_sessions", 2, 3, False),
        ("dist_require_cross_flavor", 1, 2, False),
        ("dist_min_frequency", 2, 5, False),
    ]
    assert _missed(floors) == ["2 of 3 sessions", "to be handed out: 1 of 2 agents, 2 of 5 times"]


def test_figures_stand_below_one_another_whatever_the_names() -> None:
    rates: dict[str, Any] = {"a-repository-with-a-long-name": Rate(1, 1), "api": Rate(8, 23)}
    lines = list(_rates("repos", rates))
    assert lines[0].index(" of ") == lines[1].index(" of ")
    assert lines[1].endswith("1 of 1 session (100%)")


def test_a_time_of_a_wrong_clock_is_unknown() -> None:
    assert day(1_000_000) == "unknown"
    assert day(_NOON) == "2026-09-21"


def _holding(title: str) -> Holding:
    return Holding(f"claude:{title}", title, _NOON, 1, "kept", False, False, False, title)


@pytest.mark.parametrize(("length", "agent"), [(20, "claude "), (90, "cl ")])
def test_agents_are_short_where_titles_need_the_room(length: int, agent: str) -> None:
    rows = HoldingList()
    rows.rows = [_holding("t" * length)]
    rows.rows_changed = lambda *_: None  # type: ignore[method-assign]
    rows.show(
        [Holding("claude:1", "claude:1", _NOON, 1, "kept", False, False, False, "t" * length)]
    )
    line = line_of(rows, 0, 117)
    assert f" {agent}" in line
    assert line.index(agent) - line.rindex("t" * 20) <= 24


def test_what_is_said_of_a_pattern_stays_near_its_title_on_a_wide_screen() -> None:
    row = PatternRow("a", "A title", "approved", "1.0.0", "problem", ("claude",), 3, 1, True)
    many = row._replace(flavors=("claude", "codex", "gemini", "grok"))
    rows = PatternList()
    rows.rows_changed = lambda *_: None  # type: ignore[method-assign]
    rows.show([row])
    assert line_of(rows, 0, 197).index("approved") < 80
    assert "claude" in line_of(rows, 0, 197)
    rows.show([row, many])
    assert "cl " in line_of(rows, 0, 197)  # as in the other row
    assert "cl co ge gr" in line_of(rows, 1, 197)


def test_titles_of_what_is_remembered_have_the_room_that_figures_leave() -> None:
    rows = MemoryList()
    rows.rows_changed = lambda *_: None  # type: ignore[method-assign]
    title = "Sparse files grow to full size when they are restored"
    rows.show([MemoryRow("n", "notes", title, "2026-09-21 14:13 · 51k tokens")])
    assert title in line_of(rows, 0, 117)


def test_paths_of_problems_have_the_room_that_messages_leave() -> None:
    rows = ProblemList()
    rows.rows_changed = lambda *_: None  # type: ignore[method-assign]
    path = "/home/dev/.claude/projects/-api/326189cf-5676-4237-8cde-1ce80.jsonl"
    rows.show([ProblemLine(path, "1,204", "not JSON", "", False)])
    assert path in line_of(rows, 0, 117)
    assert "not JSON" in line_of(rows, 0, 117)


@pytest.mark.parametrize("key", ["f4", "f6", "f7", "f8", "U"])
async def test_a_pane_without_a_row_says_so(key: str) -> None:
    async with opened(MadeSource([]), key, (80, 24)) as found:
        await found.until(lambda: "Nothing is selected." in found.text)
