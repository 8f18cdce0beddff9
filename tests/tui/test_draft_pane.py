"""What `a` writes is on the screen before it is pressed."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from unittest.mock import patch

from helix_tui.errors import HelixError
from helix_tui.schema.board import ApprovalPreview
from helix_tui.tui.editor.screen import EditorScreen
from helix_tui.tui.review.draft_pane import DraftPane
from helix_tui.tui.review.draft_text import Draft, DraftLine, draft_lines
from tests.conftest import Workbench
from tests.tui.at_work import at_work
from tests.tui.made import MadeSource, MadeVerdicts, made_reviewed
from tests.tui.sitting import sitting


async def test_the_page_with_where_each_line_comes_from_stands_beside_the_evidence(
    sampled: Workbench,
) -> None:
    async with at_work(sampled, (120, 40)) as found:
        listed = found.engine.candidates.listing().listed
        name = next(one.brief.id for one in listed if "git push" in one.brief.title)
        await found.go_to(name)
        await found.sees("a writes a new page, ", "worked in 14 of 14 that got past it")
        await found.sees("gate  ", "✓ 14 times, 14 sessions")
        await found.sees("scope   every agent", f"/{name}.md", "rank    fix: a way past it")
        head = next(line for line in found.text.split("\n") if "4 Evidence" in line)
        assert "5 Draft" in head
        guidance = found.engine.verdicts.preview(name).page.split("## What to do\n\n- ")[1]
        assert guidance[:30] in found.text
        await found.press("a")
        await found.until(lambda: found.page(name).exists())


async def test_on_a_narrow_screen_it_stands_below_the_evidence(sampled: Workbench) -> None:
    async with at_work(sampled, (80, 24)) as found:
        await found.sees("5 Draft  a writes a new page")
        at = {
            name: number
            for number, line in enumerate(found.text.split("\n"))
            for name in ("3 Candidates", "4 Evidence", "5 Draft")
            if name in line
        }
        assert at["3 Candidates"] < at["4 Evidence"] < at["5 Draft"]


async def test_the_rows_around_the_cursor_are_read_ahead_and_moving_shows_them_at_once() -> None:
    async with sitting(count=30) as found:
        await found.until(lambda: "problem-000005" in found.review._drafts)
        is_read = threading.Event()
        previews = found.source.verdicts.previews

        def slowly(names: Sequence[str]) -> Iterator[tuple[str, ApprovalPreview | HelixError]]:
            is_read.wait(10)
            yield from previews(names)

        with patch.object(MadeVerdicts, "previews", lambda _, names: slowly(names)):
            await found.press("j", "j")
            assert "Use grep instead of tool 2" in found.text
            await found.press("G")
            assert "Use grep instead of" not in found.text
            is_read.set()
            await found.until(lambda: "Use grep instead of tool 9" in found.text)


async def test_approving_reads_what_is_next_anew() -> None:
    async with sitting(count=3) as found:
        await found.until(lambda: "problem-000001" in found.review._drafts)
        before = found.review._asked_drafts
        await found.press("r")
        await found.until(lambda: "Rejected" in found.text)
        assert found.review._asked_drafts == before, "a reject without a pattern changes no draft"
        found.review.drafts_changed()
        await found.until(lambda: found.current in found.review._drafts)
        assert found.review._asked_drafts == before + 1


def with_words_of_log() -> MadeSource:
    source = MadeSource([made_reviewed(number) for number in range(3)])
    source.verdicts.words_of_log["problem-000000"] = "- always push by force"
    return source


async def test_words_of_a_log_that_stand_on_the_screen_need_no_other_look() -> None:
    async with sitting(source=with_words_of_log()) as found:
        await found.until(lambda: "always push by force" in found.text)
        assert "words in guidance: agents follow them" in found.text
        await found.press("a")
        await found.until(lambda: found.verdicts == [("approve", "problem-000000")])


async def test_words_that_were_not_on_the_screen_are_shown_first() -> None:
    source = with_words_of_log()
    async with sitting((120, 40), source=source) as found:
        await found.until(lambda: "problem-000000" in found.review._drafts)
        pane = found.review.query_one(DraftPane)
        pane.show_draft(None)
        await found.press("z")
        found.review._draw_draft()
        await found.press("a")
        await found.until(lambda: isinstance(found.app.screen, EditorScreen))
        assert found.verdicts == []


def test_words_below_the_fold_are_to_be_scrolled_to() -> None:
    lines = [DraftLine(f"- step {n}", "", True) for n in range(30)]
    draft = Draft("one", title="A title", guidance=lines, words_of_log=["guidance"], page="# A")
    laid_out, must_be_seen = draft_lines(draft, 40)
    assert must_be_seen > 30
    assert len(laid_out) == must_be_seen
    assert draft_lines(draft._replace(words_of_log=[]), 40)[1] == 0
