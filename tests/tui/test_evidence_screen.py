"""The evidence of a candidate: each occurrence in its session, from wherever it still is."""

from __future__ import annotations

import shutil
import threading
import time

import pytest

from helix_tui.engine.transcripts.transcript import Reading
from helix_tui.tui.evidence.screen import EvidenceScreen
from helix_tui.tui.kit.transcript_list import SLICE
from helix_tui.tui.review.screen import ReviewScreen
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.real import STEERING, edit_log, evidence, source_on, transcript_of
from tests.tui.sitting import both_sizes

HOSTILE = {
    "escape": "\x1b[2J\x1b]0;title\x07 end",
    "markup": "[/nope] [bold]x[/] [@click=app.quit]y[/]",
    "bidi": "a\u202eb\u2066c\u200bd 漢字 é",
    "long": "word " * 200_000,
}


@pytest.fixture
def edited(bench: Workbench) -> Workbench:
    edit_log().write(bench.home)
    bench.sweep()
    return bench


@both_sizes
async def test_an_occurrence_stands_in_its_session_and_is_marked(
    edited: Workbench, size: tuple[int, int]
) -> None:
    async with evidence(source_on(edited), size) as found:
        await found.until(lambda: "◆" in found.text)
        text = found.text
        assert "Evidence  1 of 1 · claude" in text
        assert "from the store" in text
        assert "event 5 of 8" in text
        marked = next(line for line in text.split("\n") if "◆" in line)
        assert "✗" in marked
        assert ">" in marked
        assert "rename the retry loop" in text
        assert "▸ make lint" in text
        assert "tokens" in text
        assert all(len(line) == size[0] for line in text.split("\n"))


async def test_an_edit_shows_what_it_takes_away_and_what_it_adds(edited: Workbench) -> None:
    async with evidence(source_on(edited), (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        assert "- tries = 3" in found.text
        assert "+ tries = 5" in found.text


@both_sizes
async def test_long_texts_fold_and_unfold(edited: Workbench, size: tuple[int, int]) -> None:
    async with evidence(source_on(edited), size) as found:
        await found.until(lambda: "◆" in found.text)
        events = transcript_of(found).events
        await found.press("G", "k")
        await found.until(lambda: events.current == 6)
        assert "+40 lines" in found.text
        rows = events.count
        for key in ("enter", "z"):
            await found.press(key)
            assert abs(events.count - rows) == (40 if key == "enter" else 0)
            assert events.current == 6
        await found.press("l")
        assert found.text.count("TRIES = 3") > 5, "what was unfolded is seen"
        await found.press("G")
        assert events.count == rows + 40
        assert events.current == 7


async def test_n_and_p_go_through_occurrences(bench: Workbench) -> None:
    for number in range(3):
        log = edit_log(f"problem number {number}")
        log.session = f"{number:08d}-0000-4000-8000-000000000000"
        for record in log.records:
            record["sessionId"] = log.session
            record["uuid"] = f"{number}{record['uuid'][1:]}"
        log.write(bench.home)
    bench.sweep()

    async with evidence(source_on(bench), (120, 40)) as found:
        await found.until(lambda: "problem number 0" in found.text)
        assert "1 of 3" in found.text
        await found.press("n")
        await found.until(lambda: "problem number 1" in found.text)
        assert "2 of 3" in found.text
        await found.press("p", "p")
        await found.until(lambda: "problem number 2" in found.text)
        assert "3 of 3" in found.text
        await found.press("n", "n", "n", "n")
        await found.until(lambda: "problem number 0" in found.text)


async def test_keys_that_are_pressed_before_anything_is_read_are_not_lost() -> None:
    source = MadeSource([made_reviewed(0)])
    gate = threading.Event()
    read = source.open_transcript

    def late(name: str) -> Reading:
        assert gate.wait(10)
        return read(name)

    source.open_transcript = late  # type: ignore[method-assign]
    async with evidence(source, (80, 24)) as found:
        await found.press("n", "n", "j", "z", "g")
        assert "3 of 3" in found.text
        gate.set()
        await found.until(lambda: "from the excerpt" in found.text)
        assert "3 of 3" in found.text


@both_sizes
async def test_what_is_evicted_is_read_from_the_log_and_says_so(
    edited: Workbench, size: tuple[int, int]
) -> None:
    source = source_on(edited)
    _evict(edited)

    async with evidence(source, size) as found:
        await found.until(lambda: "◆" in found.text)
        assert "from the agent's own log" in found.text
        assert "rename the retry loop" in found.text


@both_sizes
async def test_without_raw_and_log_the_excerpt_is_shown_and_says_so(
    edited: Workbench, size: tuple[int, int]
) -> None:
    source = source_on(edited)
    _evict(edited)
    shutil.rmtree(edited.home / ".claude")

    async with evidence(source, size) as found:
        await found.until(lambda: "from the excerpt" in found.text)
        assert "the raw is gone" in found.text
        assert "String to replace not found" in found.text
        await found.press("Y")
        assert "String to replace not found" in found.app.clipboard


async def test_a_session_that_is_gone_leaves_its_excerpt() -> None:
    async with evidence(MadeSource([made_reviewed(0)]), (80, 24)) as found:
        await found.until(lambda: "from the excerpt: There is no session" in found.text)
        assert "rg: command not found" in found.text


async def test_where_nothing_is_kept_it_says_what_to_press() -> None:
    source = MadeSource([made_reviewed(0)])
    source.texts = ""
    async with evidence(source, (80, 24)) as found:
        await found.until(lambda: "no excerpt was kept" in found.text)
        assert "n shows the next" in found.text
        await found.press("n", "j", "k", "g", "G", "z", "enter", "y")
        await found.press("h")
        assert isinstance(found.app.screen, ReviewScreen)


@pytest.mark.parametrize("key", ["h", "escape"])
async def test_h_and_escape_go_back(edited: Workbench, key: str) -> None:
    async with evidence(source_on(edited), (80, 24)) as found:
        await found.until(lambda: "◆" in found.text)
        await found.press(key)
        assert isinstance(found.app.screen, ReviewScreen)
        assert found.current == "problem-000000"


async def test_a_verdict_returns_to_the_list_at_the_next_candidate(edited: Workbench) -> None:
    source = source_on(edited)
    source.verdicts.gate.clear()
    async with evidence(source, (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        await found.press("r")
        assert isinstance(found.app.screen, ReviewScreen)
        assert found.current == "problem-000001", "before anything is written"
        source.verdicts.gate.set()
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])


async def test_a_note_leaves_the_evidence_where_it_is(edited: Workbench) -> None:
    async with evidence(source_on(edited), (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        await found.press("d", *"why", "enter")
        await found.until(lambda: found.verdicts == [("discuss", "problem-000000")])
        assert isinstance(found.app.screen, EvidenceScreen)
        await found.press("j", "k")
        assert found.app.focused is transcript_of(found).events


async def test_t_pins_the_session_and_y_copies_the_event(edited: Workbench) -> None:
    async with evidence(source_on(edited), (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        await found.press("t")
        await found.until(lambda: "Pinned" in found.text)
        assert edited.session().is_pinned
        await found.press("y")
        assert "String to replace not found" in found.app.clipboard


@both_sizes
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_nothing_of_a_log_steers_the_screen(
    bench: Workbench, text: str, size: tuple[int, int]
) -> None:
    log = ClaudeLog()
    log.prompt(text)
    log.step(f"echo {text}", f"{text}\n{text[:100]}", is_error=True)
    call = log.call("Edit", given={"file_path": text[:200], "old_string": text, "new_string": "x"})
    log.result(call["message"]["content"][0]["id"], text)
    log.call(text[:60], given={text[:50]: text, "other": [text[:90]]})
    log.reply(text)
    log.write(bench.home)
    bench.sweep()

    async with evidence(source_on(bench, text), size) as found:
        await found.until(lambda: "◆" in found.text)
        events = transcript_of(found).events
        for number in range(events_in := 7):
            events.go_to(number)
            if events.is_folded(number):
                began = time.perf_counter()
                events.toggle()
                assert time.perf_counter() - began < 1, "a long line must not block"
        assert events.count > events_in
        await found.press("g", "pagedown")
        assert not STEERING & set(found.text.replace("\n", ""))
        assert len(found.text.split("\n")) == size[1]
        await found.press("y")
        assert not STEERING & set(found.app.clipboard.replace("\n", ""))
        await found.press("g", "Y")
        assert not STEERING & set(found.app.clipboard.replace("\n", ""))
        if "[/nope]" in text:
            assert "[/nope] [bold]x[/]" in found.text


async def test_a_long_transcript_opens_at_once_at_the_event_and_is_read_in_slices(
    bench: Workbench,
) -> None:
    log = ClaudeLog()
    log.prompt("go on")
    for number in range(1_500):
        log.step(f"step {number}", f"said {number}", is_error=number == 1_200)
    log.write(bench.home)
    bench.sweep()

    async with evidence(source_on(bench), (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        events = transcript_of(found).events
        assert events.count >= 3_001
        assert "event 2,403 of 3,001" in found.text
        assert events.piece(0) is None, "nobody looked there yet"
        await found.press("g")
        await found.until(lambda: "go on" in found.text)
        assert events.piece(SLICE * 10) is None
        await found.press("G")
        await found.until(lambda: "said 1499" in found.text)


async def test_resizing_keeps_the_cursor_on_its_event(edited: Workbench) -> None:
    async with evidence(source_on(edited), (120, 40)) as found:
        await found.until(lambda: "◆" in found.text)
        events = transcript_of(found).events
        await found.press("G", "k", "z")
        before = events.current
        for size in ((80, 24), (60, 15), (120, 40)):
            await found.pilot.resize_terminal(*size)
            await found.pilot.pause()
            assert events.current == before


def _evict(bench: Workbench) -> None:
    bench.config = bench.home / "helix.toml"
    bench.config.write_text("[retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 0\n")
    bench.sweep()
    assert bench.session().raw == "evicted"
