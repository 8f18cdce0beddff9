"""Jump mode: a letter over every pane, which goes there."""

from __future__ import annotations

from helix_tui.tui.jump.screen import JumpScreen, targets_of
from helix_tui.tui.review.screen import ReviewScreen
from tests.tui.sitting import both_sizes, sitting


@both_sizes
async def test_letters_stand_on_panes_and_go_there(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        panes = {widget.id: widget.region for widget in targets_of(found.review)}
        assert set(panes) == {"ingest", "budget", "candidates", "evidence", "draft"}
        for number, letter in enumerate("asdf"):
            await found.press("f2")
            await found.until(lambda: isinstance(found.app.screen, JumpScreen))
            assert "esc closes" in found.text
            lines = found.text.split("\n")
            wanted = targets_of(found.review)[number]
            at = wanted.region.x + 1
            assert lines[wanted.region.y][at : at + 3] == f" {letter} "
            await found.press(letter)
            await found.until(lambda: isinstance(found.app.screen, ReviewScreen))
            assert found.review.focused is wanted


async def test_other_keys_close_it_and_do_nothing_else() -> None:
    async with sitting() as found:
        for key in ("escape", "f2", "z", "Q"):
            await found.press("f2")
            await found.until(lambda: isinstance(found.app.screen, JumpScreen))
            await found.press(key)
            await found.until(lambda: isinstance(found.app.screen, ReviewScreen))
            assert found.review.focused is found.review.candidates
        assert found.verdicts == []
        assert not found.review.has_class("-zoomed")


async def test_it_works_on_other_screens_and_labels_follow_a_resize() -> None:
    async with sitting() as found:
        await found.press("f1", "f2")
        await found.until(lambda: " a " in found.text.split("\n")[2])
        await found.pilot.resize_terminal(80, 24)
        await found.press("a")
        await found.until(lambda: not isinstance(found.app.screen, JumpScreen))
