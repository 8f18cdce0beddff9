"""What stood wrong on screens when all of them were looked at as pictures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from helix_tui.schema import Cost
from helix_tui.tui.app import _ended
from helix_tui.tui.base.dialogs import _head
from helix_tui.tui.base.picker import Choice, _Rows
from helix_tui.tui.budget.rows import Holding
from helix_tui.tui.budget.widget import HoldingList
from helix_tui.tui.catalog.rows import PatternRow
from helix_tui.tui.catalog.widget import PatternList
from helix_tui.tui.editor.beside import _origins
from helix_tui.tui.help.screen import help_lines
from helix_tui.tui.insight.rows import fitted
from helix_tui.tui.kit.excerpt import excerpt_lines
from helix_tui.tui.kit.page_text import text_lines
from helix_tui.tui.kit.row_list import RowList
from helix_tui.tui.kit.session_text import ended_words
from helix_tui.tui.messages import SweepEnded, SweepProgressed, SweepState
from helix_tui.tui.problems.rows import ProblemLine
from helix_tui.tui.problems.widget import ProblemList
from helix_tui.tui.review.budget_pane import next_sweep_frees
from helix_tui.tui.review.ingest_pane import ingest_line
from helix_tui.tui.sessions.rows import short_name
from helix_tui.tui.sessions.session_filter import parse_session_filter
from helix_tui.tui.sessions.widget import SessionList
from helix_tui.tui.undo.rows import verdict_line
from tests.conftest import Workbench
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.made_sessions import made_session
from tests.tui.real import RealSource, opened
from tests.tui.sitting import both_sizes, sitting


def text_of(pieces: Any) -> str:
    return "".join(piece[0] for piece in pieces)


def line_of(rows: RowList[Any], index: int, width: int) -> str:
    return text_of(rows.cells(index, width))


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_problems_are_counted_however_many_agents_there_are(width: int) -> None:
    names = ("claude", "codex", "grok", "gemini", "opencode", "copilot")
    agents = [
        SimpleNamespace(flavor=name, sessions=40 - at, uncaptured=7, clock=None)
        for at, name in enumerate(names)
    ]
    status: Any = SimpleNamespace(shown=agents, flavors=agents, problems=28, last_sweep=None)
    line = text_of(ingest_line(status, 0, None, lambda _: "1", width))
    assert "28 problems" in line
    assert cell_len(line) <= width
    assert "claude 40 +7" in line


async def test_why_a_candidate_is_here_is_said_to_its_end() -> None:
    source = MadeSource([made_reviewed(0)])
    async with sitting((120, 40), source=source) as found:
        await found.until(lambda: "why here" in found.text)
        pane = found.review.query_one("#evidence")
        row = found.review.candidates.current
        pane._why = "why here: " + "taught, and more frequent since; " * 4 + "score 1.1"  # type: ignore[attr-defined]
        pane._shown = (0, "", [])  # type: ignore[attr-defined]
        pane._wrap()  # type: ignore[attr-defined]
        assert row is not None
        await found.until(lambda: "score 1.1" in found.text)


def test_an_excerpt_wastes_no_lines_on_blanks() -> None:
    shown = excerpt_lines("$ npm run check\n…\n\n\nsrc/a.ts:2 error\n\n\nrest", "problem")
    assert [text for _, text in shown] == [
        *("$ npm run check", "…", "src/a.ts:2 error", "", "rest")
    ]  # fmt: skip


@both_sizes
async def test_where_nothing_is_selected_no_key_for_it_is_named(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.until(lambda: "a writes the draft" in found.text)
        await found.press("slash", *"zzzz", "enter")
        await found.until(lambda: "Nothing fits" in found.text)
        assert "a writes the draft" not in found.text
        await found.press("escape")
        await found.until(lambda: "a writes the draft" in found.text)


async def test_a_filter_that_is_none_is_named_in_the_list_of_candidates() -> None:
    async with sitting((80, 24)) as found:
        await found.press("slash", *"colour:red".replace(":", ""))
        assert "is no filter" not in found.text
        await found.press(*["backspace"] * 3, "colon", *"red")
        await found.until(lambda: "colour: is no filter" in found.text)
        assert "Filters: flavor: repo: kind:" in found.text


@pytest.mark.parametrize(("key", "title"), [("1", "1 Ingest"), ("2", "2 Budget")])
async def test_a_pane_that_has_the_whole_screen_has_its_frame(key: str, title: str) -> None:
    async with sitting((120, 40)) as found:
        await found.press(key, "z")
        await found.until(lambda: "3 Candidates" not in found.text)
        assert f"┌ {title} ─" in found.text
        await found.press("z", "3", "z")
        await found.until(lambda: "4 Evidence" not in found.text)
        lines = found.text.split("\n")
        assert lines[-2].startswith("└─")
        await found.press("z")
        await found.until(lambda: "4 Evidence" in found.text)
        assert not any(line.startswith("└──") for line in found.text.split("\n")[3:20])


def test_a_sentence_that_was_cut_has_no_full_stop() -> None:
    assert _ended("Taken back: `npm run check` is red in gatomia-vscode: formatt…").endswith("tt…")
    assert _ended("Taken back: 3 verdicts") == "Taken back: 3 verdicts."


def test_a_long_title_leaves_the_keys_of_a_box_in_sight() -> None:
    title = "Why here  user corrects: “when I rerun `entire enable` and there is already a " * 2
    low = _head(title, 80, 24)
    assert len(low.split("\n")) == 2
    assert low.endswith("…")
    assert _head(title, 80, 40) == title


def test_what_is_said_of_a_choice_is_cut_behind_a_word_and_only_where_it_must_be() -> None:
    rows = _Rows()
    long = "Begin every line of a patch with its sign when a patch tool says that a patch or a hunk"
    rows.shown = [
        Choice("a", long, "provisional, invalid-patch-3da62a7e"),
        Choice("b", "Read a file before you change it", "approved, file-not-read-12869267"),
    ]
    first, second = (text_of(line) for line in rows.lines(100, 14)[1:])
    assert first.rstrip().endswith("provisional…")
    assert second.rstrip().endswith("approved, file-not-read-12869267")


def test_help_tells_the_order_that_the_list_has() -> None:
    said = " ".join(text_of(line) for line in help_lines("review", {}, "", 200))
    assert "(again), what can be fixed (fix)" in said
    assert "(XX) before" in said


def test_all_fields_with_words_of_a_log_are_named() -> None:
    fields = ["title", "problem", "applies", "guidance", "subject"]
    preview: Any = SimpleNamespace(program="", words_of_log=fields, origins=[])
    lines = [text_of(line) for line in _origins(preview, 44)]
    assert "subject" in " ".join(lines)
    assert max(map(cell_len, lines)) <= 44


def test_texts_are_searched_while_they_are_typed() -> None:
    assert parse_session_filter("?permission denied").searched == "permission denied"
    assert parse_session_filter("flaky").searched == "flaky*"
    assert parse_session_filter("?fl").searched == ""


def test_a_cost_that_nobody_knows_is_not_told() -> None:
    session: Any = SimpleNamespace(outcome="failed", cost=Cost(), is_pinned=False)
    assert ended_words(session) == "failed"


def _held(title: str, *, is_going: bool) -> Holding:
    why = "the oldest above the soft cap" if is_going else "kept for now"
    name, ended = "claude:a", 1_790_000_000_000
    return Holding(name, name, ended, 5_000, why, is_going, False, False, title)


def test_a_reason_gives_way_to_titles() -> None:
    rows = HoldingList()
    title = "Rounding of split payments loses a cent now and then, put the rest on the last"
    rows.rows = [_held(title, is_going=True), _held("short", is_going=False)]
    rows._why, rows._titles, rows._widest = 38, cell_len(title) + 1, cell_len(title) + 3
    assert title in line_of(rows, 0, 117)
    assert line_of(rows, 0, 117).rstrip().endswith("goes")
    assert line_of(rows, 1, 117).rstrip().endswith("kept")
    assert "goes: the oldest above the soft cap" in line_of(rows, 0, 190)


def test_titles_of_a_report_go_before_its_last_columns() -> None:
    natural, forms = (84, 7, 24, 10, 9, 8), ("flex", "right", "flex", "left", "left", "left")
    widths, _ = fitted(natural, forms, 117, 80)
    assert widths[0] >= 80
    assert len(widths) == 4
    assert sum(widths) + 2 * len(widths) <= 117
    # Where no title would fit, nothing is given up for it.
    widths, _ = fitted((150, 7, 24, 10, 9, 8), forms, 117, 150)
    assert len(widths) == 6


def test_titles_of_the_catalog_have_room_on_a_narrow_screen() -> None:
    rows = PatternList()
    title, flavors = "Start the database before migrations run", ("claude", "codex")
    row = PatternRow("a", title, "approved", "1.0.0", "problem", flavors, 18, 1, True)
    rows.rows = [row]
    rows._wanted, rows._has_effects = cell_len(row.title), True
    assert row.title in line_of(rows, 0, 77)
    assert "1.0.0" in line_of(rows, 0, 117)


def test_running_text_is_broken_by_the_width_alone() -> None:
    page = (
        "# Title\nCompiled from the daily logs. What stands as\n`code` are words.\n\n- one\n- two\n"
    )
    lines = [text_of(line).strip() for line in text_lines(page, 80)]
    assert "Compiled from the daily logs. What stands as `code` are words." in lines
    assert lines[-3:-1] == ["- one", "- two"]
    code = [text_of(line) for line in text_lines("```\na = 1\nb = 2\n```\n", 80)]
    assert code[:2] == [" │ a = 1", " │ b = 2"]


def test_a_reason_is_not_cut_beside_room_for_paths() -> None:
    rows = ProblemList()
    reason = "dated 1970-01-01T00:16:40.000Z, which cannot be: such times are not counted (8 here)"
    rows.rows = [ProblemLine("/home/dev/a.jsonl", "", reason, "", False)]
    rows._longest, rows._widest = cell_len(reason), 19
    assert reason in line_of(rows, 0, 197)


def test_who_decided_stays_near_the_title() -> None:
    line: Any = SimpleNamespace(at="2026-11-19T22:33:00", action="approve", author="root")
    text = text_of(verdict_line(line, "Read a file before you change it", 197, "", 4, 32))
    assert "change it  root" in text.replace("   ", "  ")
    narrow = text_of(verdict_line(line, "Read a file before you change it", 77, "", 4, 32))
    assert "Read a file before you change it" in narrow


async def test_without_colours_one_sees_where_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    source = MadeSource([made_reviewed(number) for number in range(4)])
    source.made_sessions = [made_session(number) for number in range(4)]
    async with sitting((120, 40), source=source) as found:

        def style_of(text: str) -> Any:
            found.text  # noqa: B018 - lays the screen out as it is now
            for strip in found.app.screen._compositor.render_strips():
                for segment in strip:
                    if text in segment.text:
                        return segment.style
            raise AssertionError(text)

        def cursor_line() -> Any:
            lines = found.app.screen._compositor.render_strips()
            return next(line for line in lines if "│>" in line.text)

        assert style_of("review").underline
        assert style_of("3 Candidates").underline
        assert not style_of("4 Evidence").underline
        await found.press("4")
        await found.until(lambda: style_of("4 Evidence").underline)
        await found.press("f3")
        await found.until(lambda: "4 of 4" in found.text)
        rows = [short_name(row.session) for row in found.app.screen.query_one(SessionList).rows]
        assert style_of(rows[0]).reverse
        assert not any(one.style.dim for one in cursor_line() if one.style)
        assert not style_of(rows[1]).reverse


async def test_a_session_is_pinned_by_its_title() -> None:
    async with sitting((120, 40)) as found:
        await found.until(lambda: "1 of 3" in found.text)
        await found.press("t")
        await found.until(lambda: "Pinned: “Mend the retry loop”. t changes it." in found.text)


async def test_the_key_for_the_next_place_says_what_it_leads_to(sampled: Workbench) -> None:
    async with opened(RealSource(sampled.engine(), [], ""), "f3", (120, 40)) as found:
        await found.until(lambda: " of " in found.text.split("\n")[1])
        await found.press("enter")
        await found.until(lambda: "n next error" in found.text)
        await found.press("slash", *"the", "enter")
        await found.until(lambda: "n next place" in found.text)


async def test_a_first_sweep_that_failed_is_no_longer_said_to_run() -> None:
    async with sitting((80, 24), count=0) as found:
        found.review.post_message(SweepProgressed(SweepState()))
        await found.until(lambda: "while the sweep runs" in found.text)
        found.review.post_message(SweepEnded(None, "The sweep ended with code 3.", False))
        await found.until(lambda: "takes in what is new" in found.text)


async def test_where_a_session_was_is_told_by_the_end_of_a_long_path() -> None:
    source = MadeSource([made_reviewed(0)])
    source.made_sessions = [made_session(0, cwd=f"/private/tmp/{'deep/' * 20}scratchpad")]
    async with opened(source, "f3", (120, 40)) as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("y")
        await found.until(lambda: "scratchpad." in found.text)
        assert "…." not in found.text


def test_before_the_first_sweep_nothing_is_waited_for() -> None:
    assert next_sweep_frees(None)[0] == "next sweep frees …"
    assert next_sweep_frees(None, is_first=True)[0] == "nothing is kept yet"
