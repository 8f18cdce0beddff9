"""Verdicts on several marked candidates: where the cursor is behind them, and behind an undo."""

from __future__ import annotations

import pytest

from helix_tui.errors import OutOfSpaceError
from helix_tui.schema.board import Outcome
from helix_tui.schema.review import Seen
from helix_tui.tui.messages import CandidatesFound
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.sitting import both_sizes, sitting


@both_sizes
@pytest.mark.parametrize("key", ["a", "r", "space"])
async def test_the_cursor_goes_to_the_candidate_behind_the_range(
    size: tuple[int, int], key: str
) -> None:
    async with sitting(size) as found:
        await found.press("j", "v", "j", "j", "V", key)
        assert found.current == "problem-000004"


@both_sizes
async def test_a_range_from_below_ends_behind_it_too(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.press("j", "j", "j", "v", "k", "k", "V")
        assert "3 marked" in found.text
        await found.press("r")
        assert found.current == "problem-000004"
        await found.press("u")
        assert found.current == "problem-000001", "an undo goes to the first of them"
        await found.until(lambda: "3 verdicts" in found.text)
        assert found.current == "problem-000001"
        assert found.verdicts[-1] == ("undo", "problem-000001")


async def test_a_range_keeps_its_beginning_while_the_list_fills() -> None:
    source = MadeSource([made_reviewed(number) for number in range(3, 8)])
    async with sitting(source=source) as found:
        await found.press("v", "j")
        source.add(made_reviewed(0), made_reviewed(1))
        found.app.jobs.tell(CandidatesFound)
        await found.until(lambda: "7 of 7" in found.text)
        assert found.current == "problem-000004"
        await found.press("V")
        assert found.review.table.marked == {"problem-000003", "problem-000004"}


async def test_the_list_fills_while_a_sweep_runs_and_keeps_what_is_decided() -> None:
    async with sitting() as found:
        found.source.verdicts.gate.clear()
        await found.press("r")
        found.source.add(made_reviewed(8))
        found.app.jobs.tell(CandidatesFound)
        await found.until(lambda: "9 of 9" in found.text)
        assert found.current == "problem-000001"
        found.source.verdicts.gate.set()
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])
        await found.until(lambda: "u takes it" in found.text)
        assert "8 of 9" in found.text


async def test_an_undo_that_fails_says_so_and_is_what_u_does_next() -> None:
    async with sitting() as found:
        await found.press("r", "r")
        await found.until(lambda: len(found.verdicts) == 2)
        undo = found.source.verdicts.undo
        found.source.verdicts.undo = _no_room  # type: ignore[method-assign]
        await found.press("u")
        await found.until(lambda: "the disk is full" in found.text)
        await found.until(lambda: "6 of 8" in found.text)
        found.source.verdicts.undo = undo  # type: ignore[method-assign]
        await found.press("u")
        await found.until(lambda: found.verdicts[2:] == [("undo", "problem-000001")])
        await found.until(lambda: "7 of 8" in found.text)


def _no_room(line_id: str = "", *, seen: Seen | None = None) -> Outcome | None:
    raise OutOfSpaceError("the disk is full.", "Make room.")
