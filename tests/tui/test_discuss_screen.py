"""Threads of notes and putting off: what is sent, what is refused, and what stays typed."""

from __future__ import annotations

import pytest

from helix_tui.tui.kit.prompt import Prompt
from tests.conftest import Workbench
from tests.tui.at_work import AtWork, at_work
from tests.tui.sitting import both_sizes


def typed(found: AtWork) -> str:
    return found.review.query_one(Prompt).value


@both_sizes
async def test_the_thread_stands_above_the_line(sampled: Workbench, size: tuple[int, int]) -> None:
    async with at_work(sampled, size) as found:
        name = found.current
        found.engine.verdicts.discuss(name, note="is [bold]it\x07 so?".replace("\x07", ""))
        found.review.load_board()
        await found.until(lambda: "d " in found.text and found.review.table.row(name))
        await found.until(
            lambda: (row := found.review.table.row(name)) and row.verdict == "discussed"
        )
        await found.press("d")
        await found.sees("Discuss  ", "is [bold]it so?", "note: ")
        await found.press(*"yes, twice", "enter")
        await found.sees("Discussed: ")
        assert [line.note for line in found.lines][1:] == ["yes, twice"]
        assert found.app.focused is found.review.candidates
        assert "Discuss  " not in found.text
        await found.go_to(name)
        await found.press("d")
        await found.sees("is [bold]it so?", "yes, twice")
        await found.press(*"nevermore", "escape")
        assert "nevermore" not in found.text
        assert len(found.lines) == 2


@both_sizes
@pytest.mark.parametrize(
    ("note", "told"),
    [("password=hunter2-very-secret-94", "a password, key or token"), ("a\u202eb", "U+202E")],
    ids=["secret", "bidi"],
)
async def test_a_note_that_may_not_be_written_stays_typed(
    sampled: Workbench, size: tuple[int, int], note: str, told: str
) -> None:
    async with at_work(sampled, size) as found:
        await found.press("d")
        found.review.query_one(Prompt).insert(note)
        await found.press("enter")
        await found.sees("Not sent", told)
        assert typed(found) == note
        assert found.review.query_one(Prompt).is_open
        assert found.lines == []
        assert "\u202e" not in found.text
        await found.press("ctrl+u", *"fine", "enter")
        await found.until(lambda: [line.note for line in found.lines] == ["fine"])


@both_sizes
async def test_snooze_says_its_forms_and_keeps_what_is_no_such(
    sampled: Workbench, size: tuple[int, int]
) -> None:
    async with at_work(sampled, size) as found:
        name = found.current
        await found.press("w")
        await found.sees("Snooze  ", "until: ", "7d, 2w", "+3 (more)")
        await found.press(*"soon", "enter")
        await found.sees("not clear until when")
        assert typed(found) == "soon"
        await found.press("ctrl+u", *"+3", "enter")
        await found.until(lambda: found.verdicts == [("snooze", name)])
        until = found.lines[0].until
        assert until is not None
        assert until.sessions > 3
        await found.press("u")
        await found.until(lambda: found.verdicts[-1] == ("undo", name))
        assert found.current == name


async def test_a_note_on_a_range_goes_to_each(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        names = found.review.table.shown[:3]
        await found.press("v", "j", "j", "V", "d")
        await found.sees("Discuss  3 candidates", "each of these 3")
        await found.press(*"same", "enter")
        await found.until(lambda: found.verdicts == [("discuss", name) for name in names])
        await found.sees("u takes all 3")
        await found.press("u")
        await found.until(lambda: len(found.lines) == 6)


async def test_a_note_that_could_not_be_sent_is_there_again(
    sampled: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_work(sampled) as found:
        from helix_tui.engine.review.verdicts import Verdicts
        from helix_tui.errors import StoreError

        def busy(*_: object, **__: object) -> None:
            raise StoreError("The journal is held by another.", "Try again.")

        with monkeypatch.context() as patch:
            patch.setattr(Verdicts, "discuss", busy)
            await found.press("d", *"later", "enter")
            await found.sees("is held by another")
        await found.press("d")
        assert typed(found) == "later"
