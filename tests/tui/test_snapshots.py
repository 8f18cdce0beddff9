"""Every screen on the bundled sample, sign by sign, at both sizes.

Where a screen is meant to look otherwise, this file run under `HELIX_SNAPSHOTS=write` writes them
anew; the difference is then read like any other.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from textual.widgets import Input

from bench.screenshots import NOW, SHOTS, SIZE, FrozenEngine, Shot, make_sample, press_all
from helix_tui.config import Config
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.review.screen import ReviewScreen
from tests.tui.sitting import Sitting, both_sizes

FOLDER = Path(__file__).parent / "snapshots"
# For how long a screen must stay as it is, in seconds, to be taken for what it is.
_LONG, _SHORT = 20.0, 0.5
_SCREENS = [shot for shot in SHOTS if not shot.theme]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return make_sample(tmp_path_factory.mktemp("sample") / "store")


async def seen(config: Config, shot: Shot, size: tuple[int, int], wanted: str | None) -> str:
    """The screen of a picture, once it is as wanted or stays as it is for long."""
    connection = Connection(FrozenEngine(config), ["true"], is_sample=True)
    app = HelixApp(lambda: connection, clock=lambda: NOW)
    async with app.run_test(size=size) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: "why here" in found.text and "frees nothing" not in found.text)
        await found.until(lambda: "sweep frees" in found.text)
        # Some of what can be done needs the evidence, which is read behind the list.
        review = found.app.screen
        assert isinstance(review, ReviewScreen)
        await found.until(lambda: bool(review.station.evidence.get(review._shown_id)))
        await found.until(lambda: review._shown_id in review._drafts)
        await pilot.pause()
        await press_all(pilot, shot.keys)
        if size == SIZE:  # what pictures wait for may be below the edge of a smaller screen
            await found.until(lambda: shot.wanted in found.text)
        for line in app.screen.query(Input):
            line.cursor_blink = False
        app.clear_notifications()
        # A busy machine may stand still for a while in the middle of something.
        text, since = "", time.monotonic()
        most = _LONG if wanted else _SHORT
        while not text or (text != wanted and time.monotonic() - since < most):
            before = text
            await pilot.pause(0.05)
            text = "\n".join(line.rstrip() for line in found.text.split("\n")) + "\n"
            if text != before or "reading…" in text:
                since = time.monotonic()
        return text


@both_sizes
async def test_every_screen_looks_as_it_is_meant_to(sample: Config, size: tuple[int, int]) -> None:
    differing = []
    for shot in _SCREENS:
        path = FOLDER / f"{shot.name}-{size[0]}x{size[1]}.txt"
        is_written = os.environ.get("HELIX_SNAPSHOTS") == "write"
        wanted = path.read_text() if path.exists() and not is_written else None
        text = await seen(sample, shot, size, wanted)
        if is_written:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            wanted = text
        if text != wanted:
            differing.append(f"{path.name}, wanted:\n{wanted}\nis:\n{text}")
    assert not differing, "\n".join(differing)
