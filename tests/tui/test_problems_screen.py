"""The problems screen: what could not be read, and what went wrong since Helix was opened."""

from __future__ import annotations

import re

from helix_tui.schema import Problem
from helix_tui.tui.problems.rows import ProblemLine, problem_lines
from helix_tui.tui.review.screen import ReviewScreen
from tests.conftest import Workbench
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.real import STEERING, RealSource, edit_log, narrow, opened
from tests.tui.sitting import both_sizes


def source_with(*problems: Problem) -> MadeSource:
    source = MadeSource([made_reviewed(0)])
    source.made_problems = list(problems)
    return source


@both_sizes
async def test_a_log_that_cannot_be_read_has_file_offset_and_reason(
    bench: Workbench, size: tuple[int, int]
) -> None:
    log = edit_log()
    path = log.write(bench.home)
    length = path.stat().st_size
    path.write_bytes(path.read_bytes() + b'{"broken": \n' + log.lines()[0])
    bench.sweep()

    async with opened(RealSource(bench.engine(), [], ""), "P", size) as found:
        await found.until(lambda: "1 in logs" in found.text)
        assert "1111.jsonl" in found.text
        assert f"{length:,}" in found.text
        assert "not JSON" in found.text
        await found.press("y")
        assert found.app.clipboard.startswith(f"{path} at byte {length:,}: not JSON")


@both_sizes
async def test_without_problems_it_says_what_to_press(size: tuple[int, int]) -> None:
    async with opened(source_with(), "P", size) as found:
        await found.until(lambda: "No problems" in found.text)
        assert "s sweeps for what is new, esc goes back" in found.text
        await found.press("j", "y", "enter", "P")
        await found.press("h")
        assert isinstance(found.app.screen, ReviewScreen)


async def test_errors_since_the_start_stand_above_also_when_they_come_late() -> None:
    source = source_with(Problem("/logs/a.jsonl", 7, "not JSON"))
    async with opened(source, "P", (120, 40)) as found:
        await found.until(lambda: "a.jsonl" in found.text)
        assert "0 since Helix was opened" in found.text
        found.app.jobs.fail("budget", "the disk is full \x1b[2J", "Free some space.")
        await found.until(lambda: "1 since Helix was opened" in found.text)
        lines = found.text.split("\n")
        assert "!budget" in lines[2]
        assert "the disk is full ␛[2J" in lines[2]
        assert "Free some space." in found.text


@both_sizes
async def test_the_list_filters_and_escape_clears_before_it_leaves(size: tuple[int, int]) -> None:
    problems = [Problem(f"/logs/{n}.jsonl", n, "torn" if n % 2 else "not JSON") for n in range(20)]

    async with opened(source_with(*problems), "P", size) as found:
        await found.until(lambda: "20 of 20" in found.text)
        await narrow(found, "!torn", "enter")
        assert "10 of 20" in found.text
        await narrow(found, " zzz", "enter")
        assert "No problem fits" in found.text
        await found.press("escape")
        assert "20 of 20" in found.text
        assert found.place == "problems"
        await found.press("escape")
        assert found.place == "review"


async def test_hostile_paths_and_reasons_show_as_they_stand() -> None:
    text = "[/nope] \x1b[2J \u202e " + "x" * 1_000_000

    source = source_with(Problem(f"/logs/{text}", 3, text))
    async with opened(source, "P", (80, 24)) as found:
        await found.until(lambda: "1 in logs" in found.text)
        assert not STEERING & set(found.text.replace("\n", ""))
        assert "[/nope] ␛[2J" in found.text
        await found.press("y")
        assert not STEERING & set(found.app.clipboard)


async def test_many_problems_open_as_fast_as_few() -> None:
    problems = [Problem(f"/logs/{n}.jsonl", n, "not JSON") for n in range(50_000)]

    async with opened(source_with(*problems), "P", (120, 40)) as found:
        await found.until(lambda: "50,000 of 50,000" in found.text)
        await found.press("G")
        assert "49,999" in found.text


async def test_problems_are_put_in_order_by_file_and_by_reason() -> None:
    problems = [Problem("/logs/b", 1, "torn"), Problem("/logs/a", 2, "torn"),
                Problem("/logs/c", 3, "not JSON")]  # fmt: skip

    async with opened(source_with(*problems), "P", (120, 40)) as found:
        await found.until(lambda: "3 of 3" in found.text)

        def files() -> str:
            return "".join(re.findall(r"/logs/(\w)\s+\d", found.text))

        assert files() == "bac"
        await found.press("o")
        await found.until(lambda: files() == "abc")
        await found.press("o")
        await found.until(lambda: files() == "cab")


@both_sizes
async def test_enter_shows_all_of_a_problem_and_escape_both_again(size: tuple[int, int]) -> None:
    reason = " ".join(f"word{number}" for number in range(150))

    async with opened(source_with(Problem("/logs/a", 7, reason)), "P", size) as found:
        await found.until(lambda: "1 of 1" in found.text)
        assert "word149" not in found.text
        await found.press("enter")
        await found.until(lambda: "word149" in found.text)
        assert "1 of 1" not in found.text
        await found.press("escape")
        await found.until(lambda: "1 of 1" in found.text)
        assert found.place == "problems"


def test_a_long_reason_is_broken_between_words() -> None:
    row = ProblemLine(
        "/log", "", "no clock of the machine that wrote it is right", "Set it.", False
    )
    lines = [text for line in problem_lines(row, 26) for text, _ in line if text.strip()]
    assert lines == ["/log", "no clock of the machine", "that wrote it is right", "Set it."]
