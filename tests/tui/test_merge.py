"""Merging marked candidates, splitting them again, and verdicts on ranges."""

from __future__ import annotations

from helix_tui.tui.base.dialogs import QuestionScreen
from tests.conftest import Workbench
from tests.tui.at_work import at_work
from tests.tui.sitting import both_sizes


@both_sizes
async def test_marked_candidates_count_as_the_first_of_them(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        names = found.review.table.shown[:3]
        all_count = len(found.review.table.shown)
        row = found.review.table.row(names[0])
        assert row is not None
        await found.press("v", "j", "j", "V", "m")
        await found.until(lambda: isinstance(found.app.screen, QuestionScreen))
        await found.sees("Merge 2 others into this one?", "Kept: 1 ", row.title[:40])
        await found.press("n")
        assert found.lines == []
        assert "3 marked" in found.text
        await found.press("m")
        await found.until(lambda: isinstance(found.app.screen, QuestionScreen))
        await found.press("y")
        assert len(found.review.table.shown) == all_count - 2
        await found.until(lambda: found.verdicts == [("merge", names[0])])
        assert found.lines[0].others == names[1:]
        assert found.current == names[0]
        await found.until(lambda: _sessions(found, names[0]) > row.sessions)
        await found.sees("Merged 3 into one")
        await found.press("M")
        await found.until(lambda: found.verdicts[-1] == ("split", names[0]))
        await found.until(lambda: len(found.review.table.shown) == all_count)
        assert _sessions(found, names[0]) == row.sessions
        await found.press("u")
        await found.until(lambda: len(found.review.table.shown) == all_count - 2)
        await found.press("u")
        await found.until(lambda: len(found.review.table.shown) == all_count)
        await found.until(lambda: len(found.lines) == 4)


def _sessions(found: object, name: str) -> int:
    row = found.review.table.row(name)  # type: ignore[attr-defined]
    return row.sessions if row else 0


async def test_one_mark_goes_into_the_one_under_the_cursor(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        first, second = found.review.table.shown[:2]
        await found.press("v", "j", "m")
        await found.until(lambda: isinstance(found.app.screen, QuestionScreen))
        await found.sees("Kept: 2 ")
        await found.press("y")
        await found.until(lambda: found.verdicts == [("merge", second)])
        assert found.lines[0].others == [first]


async def test_without_marks_there_is_nothing_to_merge_or_split(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        await found.press("m")
        await found.sees("Mark the candidates to merge with v")
        await found.press("M")
        await found.sees("Not done (split)")
        assert found.lines == []
        assert found.app.deciding.steps == []


@both_sizes
async def test_a_verdict_on_a_range_is_a_line_each_and_one_key_takes_all_back(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        names = found.review.table.shown[1:4]
        await found.press("j", "v", "j", "j", "V", "r")
        await found.until(lambda: found.verdicts == [("reject", name) for name in names])
        await found.sees("Rejected: 3 candidates. u takes all 3")
        await found.press("u")
        undone = [("undo", name) for name in reversed(names)]
        await found.until(lambda: found.verdicts[3:] == undone)
        assert set(names) <= set(found.review.table.shown)
