"""Lines that are always there: nothing in them is cut in two, and keys are those in force."""

from __future__ import annotations

import msgspec
import pytest
from rich.cells import cell_len
from textual import events
from textual._compositor import LayoutUpdate
from textual.screen import Screen

from helix_tui.schema import DiskUsage
from helix_tui.tui.actions import ACTIONS, with_keys
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.lines import cut_behind_word, strip_of
from helix_tui.tui.messages import SweepState
from helix_tui.tui.review.budget_pane import budget_line
from helix_tui.tui.review.columns import fit_columns, header_text
from helix_tui.tui.review.draft_text import cut_path
from helix_tui.tui.review.ingest_pane import ingest_line, ingest_lines
from tests.tui.made import NOW, MadeSource, made_app, made_reviewed
from tests.tui.sitting import Sitting, both_sizes, screen_text, sitting

_MIB = 1 << 20


def default_key(action_id: str) -> str:
    return with_keys(f"{{{action_id}}}", {})


@pytest.mark.parametrize("used", [0, 653 << 10, 312 * _MIB, 1999 * _MIB])
def test_the_budget_on_one_line_says_what_fits_and_cuts_nothing(used: int) -> None:
    status = msgspec.structs.replace(MadeSource([]).status(), usage=DiskUsage(used, 9 * _MIB))
    plan = MadeSource([]).retain(is_dry_run=True)
    for width in range(60, 121):
        text = "".join(span for span, _ in budget_line(status, plan, default_key, width))
        assert cell_len(text) <= width
        assert "frees nothing" in text
        assert ("distilled 9.0 MiB" in text) or width < 80


def test_ingest_on_one_line_keeps_counts_apart_and_leaves_out_what_does_not_fit() -> None:
    status = MadeSource([]).status()
    wide = "".join(span for span, _ in ingest_line(status, NOW, None, default_key, 120))
    assert "claude 8,104 +12 codex 1,377 +3 grok 319" in wide
    assert wide.endswith("no sweep yet  s starts")
    narrow = "".join(span for span, _ in ingest_line(status, NOW, None, default_key, 80))
    assert narrow.endswith("41 vanish in 3 d")
    assert cell_len(narrow) <= 80


def test_a_running_sweep_says_how_fast_it_reads() -> None:
    status = MadeSource([]).status()
    state = SweepState(10, 20, 180 * _MIB, 400 * _MIB, seconds=10.0)
    for sweep, said in ((state, "sweep 18 MiB/s  S stops"), (SweepState(), "sweeping  S stops")):
        *_, last = ingest_lines(status, NOW, sweep, default_key)
        assert "".join(text for text, _ in last) == said


def test_a_sentence_names_the_keys_in_force() -> None:
    text = "{sweep.start} sweeps, {app.theme} is in the palette, {not this} and {} stay."
    assert with_keys(text, {"sweep.start": ("ctrl+w", "f9")}) == (
        "^w sweeps, app: Theme is in the palette, {not this} and {} stay."
    )
    assert all(with_keys(f"{{{one.id}}}", {}) for one in ACTIONS)


@both_sizes
async def test_what_is_said_follows_remapped_keys(size: tuple[int, int]) -> None:
    keymap = {"sweep.start": ("f7",), "list.filter": ("f8",), "session.pin": ("f9",)}
    app = made_app(MadeSource([made_reviewed(0)]), keymap=keymap)
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: "command not found" in found.text)
        await found.press("f9")
        await found.until(lambda: "f9 changes it" in found.text)
        await found.press("f8", *"zzz")
        await found.until(lambda: "Nothing fits the filter. f8 changes it" in found.text)
        await found.press("escape", "r")
        await found.until(lambda: "f8verdict:all lists all" in found.text)


@both_sizes
async def test_the_bottom_line_says_what_enter_opens(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        for key, word in (("1", "sessions"), ("2", "budget"), ("3", "evidence")):
            await found.press(key)
            assert f"enter {word}" in found.text.split("\n")[-1]


async def test_a_toast_hides_nothing_of_the_evidence_on_a_small_screen() -> None:
    async with sitting((80, 24)) as found:
        await found.until(lambda: "command not found" in found.text)
        await found.press("r")
        await found.until(lambda: "u takes it back" in found.text)
        await found.until(lambda: "command not found" in found.text)
        *_, edge, _ = [line for line in found.text.split("\n") if line.strip()]
        assert "Rejected: " in edge
        for told in ("$ rg retry src", "$ grep -r retry src", "tokens spent, score"):
            assert told in found.text


_LONG = "shell: a command of many words that nobody would ever cut in two on a small screen"


def long_titled() -> MadeSource:
    return MadeSource([made_reviewed(number, _LONG) for number in range(4)])


@both_sizes
async def test_a_toast_says_to_its_end_what_takes_a_verdict_back(size: tuple[int, int]) -> None:
    async with sitting(size, source=long_titled()) as found:
        await found.press("r")
        await found.until(lambda: "Rejected: " in found.text)
        await found.until(lambda: "u takes it" in found.text)
        await found.press("v", "j", "v", "r")
        await found.until(lambda: "u takes both" in found.text)


@both_sizes
async def test_a_question_has_no_toast_beside_it(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.press("r")
        await found.until(lambda: "Rejected: " in found.text)
        await found.press("v", "j", "v", "m")
        await found.until(lambda: "y yes   n no" in found.text)
        await found.until(lambda: "Rejected: " not in found.text, 2)


async def test_what_is_put_off_is_named_as_far_as_there_is_room() -> None:
    async with sitting((120, 40), source=long_titled()) as found:
        await found.press("w")
        await found.until(lambda: f"Snooze  {_LONG}" in found.text)


@both_sizes
async def test_keys_that_are_text_now_are_dimmed(size: tuple[int, int]) -> None:
    def tones(found: Sitting) -> dict[str, str]:
        (line,) = found.review.query_one(KeyFooter).lines(200, 1)
        return {text.strip(): tone for text, tone in line}

    async with sitting(size) as found:
        assert tones(found)["approve"] == "plain"
        for key in ("d", "slash"):
            await found.press(key)
            assert tones(found)["approve"] == tones(found)["a"] == "dim"
            assert tones(found)["commands"] == "plain"
            await found.press("escape")
            assert tones(found)["approve"] == "plain"


@both_sizes
async def test_what_cannot_be_told_whole_in_the_top_line_is_shortened(
    size: tuple[int, int],
) -> None:
    app = made_app(MadeSource([made_reviewed(0)]))
    async with app.run_test(size=size) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.current)
        assert app.jobs.connection is not None
        app.jobs.connection.is_sample = True
        await found.press("enter")
        await found.until(lambda: "sample" in found.text.split("\n")[0])
        top = screen_text(app).split("\n")[0].rstrip()
        assert top.endswith(("bundled sample, not your logs", "bundled sample"))


@both_sizes
@pytest.mark.parametrize(("key", "said"), [("w", "Say until when"), ("d", "Write a note")])
async def test_enter_on_nothing_says_what_is_missing_and_stays(
    size: tuple[int, int], key: str, said: str
) -> None:
    async with sitting(size) as found:
        await found.press(key, "enter")
        await found.until(lambda: said in found.text)
        await found.press(*"7d", "enter")
        await found.until(lambda: len(found.verdicts) == 1)
        await found.press("w", "escape", "j")
        assert found.app.screen is found.review


async def test_what_is_too_long_for_a_line_ends_in_an_ellipsis() -> None:
    async with sitting((80, 24)) as found:
        title = found.review.query_one("#evidence-title")
        for text in ("x" * 200, "字" * 100):
            strip = strip_of(title, [(text, "plain")], 40)
            assert strip.cell_length == 40
            assert strip.text.rstrip().endswith("…")
        assert strip_of(title, [("x" * 40, "plain")], 40).text == "x" * 40


@pytest.mark.drawn
async def test_a_terminal_that_was_smaller_for_a_moment_is_drawn_whole_again() -> None:
    async with sitting() as found:
        drawn: list[object] = []
        display = found.app._display

        def noting(screen: Screen[object], renderable: object) -> None:
            drawn.append(renderable)
            display(screen, renderable)  # type: ignore[arg-type]

        found.app._display = noting  # type: ignore[method-assign]
        await found.pilot.pause(0.2)
        drawn.clear()
        size = found.app.size
        found.app.post_message(events.Resize(size, size))
        await found.until(lambda: any(isinstance(one, LayoutUpdate) for one in drawn))


def test_a_title_is_cut_behind_a_word_and_within_a_long_one() -> None:
    said = " 4 Evidence  1 of 5 · claude · repo orchard-shop · 2026-10-14 12:35 "
    assert cut_behind_word(said, 80) == said
    assert cut_behind_word(said, 66).endswith("2026-10-14… ")
    exactly = len(said) - len(" 12:35 ") + len("… ")
    assert cut_behind_word(said, exactly).endswith("2026-10-14… ")
    assert cut_behind_word(said, 58).endswith("repo orchard-shop… ")
    path = " Loaded · claude in /home/dev/code/orchard-shop/packages/checkout "
    assert "/home/dev/code/orchard" in cut_behind_word(path, 50)
    for width in range(2, 80):
        assert cell_len(cut_behind_word(said, width)) <= width


def test_columns_without_rows_have_room_for_their_names() -> None:
    assert "candidate" in header_text(fit_columns(78, 0), "tier")


def test_a_path_is_cut_at_a_folder() -> None:
    path = "/home/dev/.local/share/helix/catalog/module-not-found-435f37ea.md"
    assert cut_path(path, 70) == path
    assert cut_path(path, 48) == "…/catalog/module-not-found-435f37ea.md"
    assert cut_path(path, 35) == "…/module-not-found-435f37ea.md"
