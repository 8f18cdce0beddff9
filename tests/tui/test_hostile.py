"""Text of a log on the screen: it steers nothing, and shows as it stands."""

from __future__ import annotations

import pytest

from helix_tui.tui.kit.excerpt import excerpt_lines
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.sitting import sitting

HOSTILE = {
    "escape": "\x1b[2J\x1b]0;title\x07 end",
    "markup": "[bold red]x[/] [@click=app.quit]y[/] [/nope",
    "bidi": "a\u202eb\u2066c\u200bd",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 漢字漢字 e\u0301",
    "lone": "\udcff\x00\x9b31m",
    "long": "x" * 1_000_000,
    "lines": "a\rb\nc\u2028d\x0b",
}
each = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
FORBIDDEN = {*map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0))}
FORBIDDEN |= {"\u202e", "\u2066", "\u200b", "\u2028"}


@each
@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])
async def test_nothing_of_a_log_steers_the_screen(text: str, size: tuple[int, int]) -> None:
    board = [made_reviewed(0, text, ("claude", "codex")), made_reviewed(1, "plain")]
    source = MadeSource(board)
    source.texts = f"$ {text}\n{text}\nthen {text}"
    async with sitting(size, source=source) as found:
        await found.until(lambda: "1 of 3" in found.text)
        shown = found.text
        lines = shown.split("\n")
        assert len(lines) == size[1]
        assert not FORBIDDEN & set("".join(lines))
        await found.press("n", "y", "Y", "4", "G", "g")
        assert not FORBIDDEN & set(found.app.clipboard.replace("\n", ""))
        await found.press("3", "r")
        await found.until(lambda: found.verdicts)
        assert not FORBIDDEN & set(found.text.replace("\n", ""))


async def test_markup_stands_as_it_is_and_control_characters_are_seen() -> None:
    board = [made_reviewed(0, "[bold]x[/] \x1b[2J")]
    async with sitting(source=MadeSource(board)) as found:
        assert "[bold]x[/] ␛[2J" in found.text


async def test_what_a_person_types_is_no_markup_either() -> None:
    async with sitting() as found:
        await found.press("slash", *"[b]", "enter")
        assert "/[b]" in found.text
        await found.press("escape", "d", *"[/]", "enter")
        await found.until(lambda: found.source.verdicts.lines)
        assert found.source.verdicts.lines[0].note == "[/]"


def test_a_long_line_is_cut_and_the_decisive_one_is_still_marked() -> None:
    lines = excerpt_lines(f"$ {'y' * 1_000_000}\nbash: rg: command not found", "problem")
    assert [mark for mark, _ in lines] == ["call", "wrong"]
    assert len(lines[0][1]) < 3_000


def test_what_is_decisive_depends_on_the_kind() -> None:
    said = "$ git commit\nuser: never commit\nthen $ git reset"
    assert excerpt_lines(said, "problem")[1] == ("wrong", "user: never commit")
    passed = "$ rg x\ncommand not found\nthen $ grep x\npassed"
    assert excerpt_lines(passed, "success")[-1] == ("right", "passed")
