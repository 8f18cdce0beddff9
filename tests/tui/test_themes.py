"""Themes: four, remembered, readable, and none where no colour is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color

from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.preferences import Preferences
from helix_tui.tui.themes import ANSI, CONTRAST, DARK, LIGHT, THEMES, TITLES, VARIABLES
from tests.tui.made import NOW, MadeSource, made_reviewed
from tests.tui.sitting import sitting

_RGB = (DARK, LIGHT, CONTRAST)


def app_with(preferences: Preferences | None = None) -> HelixApp:
    connection = Connection(MadeSource([made_reviewed(0)]), ["true"])
    return HelixApp(lambda: connection, clock=lambda: NOW, preferences=preferences)


@pytest.mark.parametrize("theme", _RGB, ids=lambda theme: theme.name)
def test_every_tone_can_be_read(theme: object) -> None:
    assert theme in THEMES
    found = next(one for one in _RGB if one is theme)
    least = 7.0 if found is CONTRAST else 4.5
    grounds = [Color.parse(str(found.background)), Color.parse(found.variables["cursor"])]
    colours = {
        name: Color.parse(str(getattr(found, name)))
        for name in ("foreground", "accent", "warning", "error", "success")
    }
    colours["dim"] = Color.parse(found.variables["dim"])
    for name, colour in colours.items():
        assert contrast(colour, grounds[0]) >= least, name
    for name, colour in colours.items():  # under the cursor, too
        assert contrast(colour, grounds[1]) >= 4.5, name


def contrast(one: Color, other: Color) -> float:
    """The ratio of the web guidelines."""

    def light(colour: Color) -> float:
        parts = [value / 255 for value in (colour.r, colour.g, colour.b)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_theme_has_what_the_styles_name() -> None:
    assert {theme.name for theme in THEMES} == set(TITLES)
    for theme in THEMES:
        assert VARIABLES.keys() <= theme.variables.keys()


async def test_a_theme_is_remembered_for_the_next_sitting(tmp_path: Path) -> None:
    file = tmp_path / "state" / "workstation.json"

    app = app_with(Preferences(file))
    assert app.theme == DARK.name
    async with app.run_test():
        app.theme = LIGHT.name
    assert app_with(Preferences(file)).theme == LIGHT.name


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"theme": 7}', b'{"theme": "gone"}'])
def test_a_memory_that_cannot_be_read_is_no_trouble(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "workstation.json"
    file.write_bytes(damage)
    assert app_with(Preferences(file)).theme == DARK.name


def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, no folder")
    kept = Preferences(tmp_path / "state" / "workstation.json")
    kept.keep_theme(LIGHT.name)
    assert kept.theme == LIGHT.name


async def test_the_action_goes_through_all_of_them_and_each_draws() -> None:
    async with sitting() as found:
        seen = []
        for _ in THEMES:
            await found.review.action_do("app.theme")
            await found.pilot.pause()
            seen.append(found.app.theme)
            assert "3 Candidates" in found.text
        assert sorted(seen) == sorted(TITLES)


async def test_no_color_sends_no_colour_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    app = app_with()
    assert app.theme == ANSI.name
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.2)
        for strip in app.screen._compositor.render_strips():
            for segment in strip.apply_filter(app._filters[-1], Color(0, 0, 0)):
                style = segment.style
                colours = [style.color, style.bgcolor] if style else []
                assert all(colour is None or colour.is_default for colour in colours)


async def test_the_cursor_is_seen_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async with sitting((80, 24)) as found:
        lines = [line for line in found.text.split("\n") if "tool 0 is not" in line]
        assert any(">" in line for line in lines)
