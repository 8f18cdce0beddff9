"""Every screen on the bundled sample, sign by sign, at both sizes.

Where a screen is meant to look otherwise, this file run under `HELIX_SNAPSHOTS=write` writes them
anew; the difference is then read like any other.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input

from bench.screenshots import NOW, SHOTS, SIZE, FrozenEngine, Shot, make_sample
from helix_tui.config import Config
from helix_tui.tui.app import HelixApp
from helix_tui.tui.bridge import Connection
from tests.tui.sitting import Sitting, both_sizes, run

FOLDER = Path(__file__).parent / "snapshots"
_SCREENS = [shot for shot in SHOTS if not shot.theme]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return make_sample(tmp_path_factory.mktemp("sample") / "store")


async def seen(config: Config, shot: Shot, size: tuple[int, int]) -> str:
    """The screen of a picture, once it stays as it is."""
    connection = Connection(FrozenEngine(config), ["true"], is_sample=True)
    app = HelixApp(lambda: connection, clock=lambda: NOW)
    async with app.run_test(size=size) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: "why here" in found.text and "frees nothing" not in found.text)
        await found.until(lambda: "sweep frees" in found.text)
        await found.press(*shot.keys)
        if size == SIZE:  # what pictures wait for may be below the edge of a smaller screen
            await found.until(lambda: shot.wanted in found.text)
        for line in app.screen.query(Input):
            line.cursor_blink = False
        app.clear_notifications()
        text, before = found.text, ""
        while text != before or "reading…" in text:
            await pilot.pause(0.15)
            text, before = found.text, text
        return "\n".join(line.rstrip() for line in text.split("\n")) + "\n"


@both_sizes
def test_every_screen_looks_as_it_is_meant_to(sample: Config, size: tuple[int, int]) -> None:
    async def go() -> None:
        differing = []
        for shot in _SCREENS:
            text = await seen(sample, shot, size)
            path = FOLDER / f"{shot.name}-{size[0]}x{size[1]}.txt"
            if os.environ.get("HELIX_SNAPSHOTS") == "write":
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            wanted = path.read_text() if path.exists() else ""
            if text != wanted:
                differing.append(f"{path.name}, wanted:\n{wanted}\nis:\n{text}")
        assert not differing, "\n".join(differing)

    run(go)
