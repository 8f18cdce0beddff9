"""What is drawn before anything is read: all panes in their places, with the first styles alone."""

from __future__ import annotations

from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from tests.tui.made import MadeSource
from tests.tui.sitting import both_sizes, screen_text


class Unopened(HelixApp):
    """A workstation that stays at its first frame."""

    def _begin(self) -> None:
        """Reads no other styles and opens no source."""


@both_sizes
async def test_it_has_every_pane_without_the_styles_of_other_screens(size: tuple[int, int]) -> None:
    app = Unopened(lambda: Connection(MadeSource([]), ["true"]))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        lines = screen_text(app).split("\n")
    shown = "\n".join(lines)
    for title in ("1 Ingest", "2 Budget", "3 Candidates", "4 Evidence", "5 Draft"):
        assert title in shown
    assert lines[0].split()[:2] == ["helix", "review"]
    assert "? help" in lines[-1]
    if size == (120, 40):
        assert lines[1].startswith("1 Ingest ")
        assert lines[3].startswith("┌ 3 Candidates ")
        assert lines[-2].startswith("└─")


@both_sizes
async def test_no_other_layout_is_drawn_first(size: tuple[int, int]) -> None:
    widths: set[int] = set()

    class Watched(Unopened):
        """A workstation that notes how wide the first pane is in every frame."""

        def post_display_hook(self) -> None:
            """Called behind each frame."""
            for pane in self.screen.query("#ingest"):
                if pane.size.width:
                    widths.add(pane.outer_size.width)

    async with Watched(lambda: Connection(MadeSource([]), ["true"])).run_test(size=size) as pilot:
        await pilot.pause()
    assert widths == {size[0]}
