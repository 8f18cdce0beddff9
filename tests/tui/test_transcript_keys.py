"""Keys in a transcript: find words, go from prompt to prompt, see only what failed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from helix_tui.tui.kit.transcript_list import SLICE
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.tui.real import RealSource, narrow, opened, transcript_of
from tests.tui.sitting import Sitting, both_sizes


@pytest.fixture
def talked(bench: Workbench) -> Workbench:
    """A session with two prompts, a failure, and records of the client's own between them."""
    log = ClaudeLog()
    log.prompt("mend the parser")
    log.add("system", subtype="informational", content="hook ran")
    call = log.call("Bash", given={"command": "make check"})["message"]["content"][0]["id"]
    log.result(call, "Exit code 2\nmarmalade is missing", is_error=True)
    log.add("system", subtype="informational", content="another hook ran")
    for number in range(2 * SLICE):
        log.reply(f"step {number}")
    log.prompt("now the lexer")
    log.reply("The MARMALADE is back.")
    log.write(bench.home)
    bench.sweep()
    return bench


@asynccontextmanager
async def reading(bench: Workbench, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Sitting]:
    async with opened(RealSource(bench.engine(), [], ""), "f3", size) as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("enter")
        await found.until(lambda: "mend the parser" in found.text and found.place == "transcript")
        await found.until(lambda: "event 1 of" in found.text)
        yield found


def line_of_cursor(found: Sitting) -> str:
    return next(line for line in found.text.split("\n") if line[1:2] == ">")


@both_sizes
async def test_words_are_found_however_far_they_are(
    talked: Workbench, size: tuple[int, int]
) -> None:
    async with reading(talked, size) as found:
        await narrow(found, "marmalade", "enter")
        await found.until(lambda: "event 4 of 135" in found.text)
        assert "marmalade is missing" in found.text
        await found.press("n")
        await found.until(lambda: "event 135 of 135" in found.text)
        assert "MARMALADE is back" in found.text
        await found.press("n")
        await found.until(lambda: "event 4 of 135" in found.text)
        await found.press("p")
        await found.until(lambda: "event 135 of 135" in found.text)
        await found.press("escape")
        assert found.place == "transcript", "the words go first"
        await found.press("p")
        await found.until(lambda: "event 4 of 135" in found.text)
        await found.press("escape")
        assert found.place == "sessions"


async def test_what_is_found_stands_out_without_colour(talked: Workbench) -> None:
    async with reading(talked) as found:
        await narrow(found, "marmalade", "enter")
        await found.until(lambda: "event 4 of 135" in found.text)
        events = transcript_of(found).events
        strips = [events.render_line(y) for y in range(events.size.height)]
        reversed_texts = [
            part.text for strip in strips for part in strip if part.style and part.style.reverse
        ]
        assert "marmalade" in reversed_texts


async def test_words_that_are_nowhere_are_told(talked: Workbench) -> None:
    async with reading(talked) as found:
        await narrow(found, "cucumber", "enter")
        await found.until(lambda: "Not found: cucumber" in found.text)
        assert "event 1 of 135" in found.text


async def test_brackets_go_from_prompt_to_prompt(talked: Workbench) -> None:
    async with reading(talked) as found:
        await found.press("right_square_bracket")
        assert "now the lexer" in line_of_cursor(found) or "event 134" in found.text
        await found.press("right_square_bracket")
        await found.until(lambda: "No prompt below" in found.text)
        await found.press("left_square_bracket")
        assert "event 1 of 135" in found.text


async def test_the_clients_own_events_are_folded_away_until_they_are_asked_for(
    talked: Workbench,
) -> None:
    async with reading(talked) as found:
        assert "hook ran" not in found.text
        assert "2 events of the client's own folded away (v)" in found.text
        await found.press("v")
        await found.until(lambda: "Showing what failed" in found.text)
        await found.until(lambda: transcript_of(found).events.count == 1)
        assert "event 4 of 135" in found.text
        assert "marmalade is missing" in found.text
        await found.press("v")
        await found.until(lambda: "hook ran" in found.text)
        assert "folded away" not in found.text
        assert "event 4 of 135" in found.text, "the cursor stays where it was"
        await found.press("v")
        await found.until(lambda: "another hook ran" not in found.text)


async def test_a_session_without_a_failure_says_so(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("mend the parser")
    log.reply("Done.")
    log.write(bench.home)
    bench.sweep()
    async with reading(bench) as found:
        await found.press("v")
        await found.until(lambda: "Nothing failed in this session." in found.text)
        await found.press("n", "right_square_bracket", "z", "y", "v")
        await found.until(lambda: "mend the parser" in found.text)
