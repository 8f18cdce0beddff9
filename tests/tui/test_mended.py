"""What once was wrong on the review screen: marks, copies, ages, places and sentences."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from helix_tui.engine.sweep.sweep import _Tally
from helix_tui.events import CandidateCounts
from helix_tui.schema import SweepSummary
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.excerpt import excerpt_lines
from helix_tui.tui.messages import SweepReported
from tests.tui.made import NOW, MadeSource, made_reviewed
from tests.tui.sitting import Sitting, sitting


def marked(text: str, error_class: str = "") -> str:
    """The line of an excerpt that is marked."""
    lines = excerpt_lines(text, "problem", error_class)
    return next(line for mark, line in lines if mark == "wrong")


def test_the_first_of_two_lines_that_name_an_error_together_is_marked() -> None:
    text = (
        "$ cargo test\nrunning 68 tests\n"
        "thread 'restore::keeps_links' panicked at src/restore.rs:63:9:\n"
        "assertion `left == right` failed\n  left: 1\n right: 2"
    )
    assert marked(text).startswith("thread 'restore::keeps_links' panicked")


def test_a_line_that_was_taken_from_further_down_is_marked() -> None:
    printed = "\n".join(["> tsc -b", "src/a.ts:1:1", "src/b.ts:2:2", "src/c.ts:3:3", "Error: no"])
    shown = f"$ make\nwhat went wrong is this\n…\n{printed}\nwhat went wrong is this"
    assert marked(shown) == "what went wrong is this"


def test_words_of_a_user_in_the_output_of_a_command_are_not_what_an_error_is_about() -> None:
    text = "$ psql\nuser: postgres\nbash: psql: command not found"
    assert marked(text, "command_not_found") == "bash: psql: command not found"


async def test_what_counts_is_in_sight_on_a_small_screen() -> None:
    source = MadeSource([made_reviewed(0)])
    output = "\n".join(f"line {number} of the build" for number in range(12))
    source.texts = f"$ make\n{output}\nbash: rg: command not found\nthen $ grep x"
    async with sitting((80, 24), source=source) as found:
        await found.until(lambda: "✗ bash: rg: command not found" in found.text)


async def test_y_copies_the_id_alone() -> None:
    async with sitting() as found:
        await found.press("y")
        assert found.app.clipboard == "problem-000000"


async def test_a_sweep_is_longer_and_longer_ago() -> None:
    now = [NOW]
    source = MadeSource([made_reviewed(0)])
    swept = SweepSummary(int(NOW * 1000), 1.0, 0, 0, 0, 0, 0, True, 0, 0, 0, 0)
    status = replace(source.status(), last_sweep=swept)
    with patch.object(source, "status", lambda: status):
        app = HelixApp(lambda: Connection(source, ["true"]), clock=lambda: now[0])
        async with app.run_test(size=(120, 40)) as pilot:
            found = Sitting(app, source, pilot)
            await found.until(lambda: "swept just now" in found.text)
            now[0] += 23 * 60
            found.review.query_one("#ingest").refresh()
            await found.until(lambda: "swept 23 min ago" in found.text)


async def test_leaving_the_evidence_stays_at_the_occurrence() -> None:
    async with sitting() as found:
        await found.until(lambda: "4 Evidence  1 of 3" in found.text)
        await found.press("enter")
        await found.until(lambda: found.place == "evidence" and "1 of 3" in found.text)
        await found.press("n", "escape")
        await found.until(lambda: "4 Evidence  2 of 3" in found.text)
        await found.press("enter")
        await found.until(lambda: found.place == "evidence" and "2 of 3" in found.text)


async def test_a_toast_has_one_full_stop() -> None:
    source = MadeSource([made_reviewed(0, "user asks: keep the imports sorted.")])
    async with sitting(source=source) as found:
        await found.press("r")
        await found.until(lambda: "u takes it" in found.text)
        assert "sorted.." not in found.text
        assert "imports sorted" in found.text


async def test_one_candidate_is_no_candidates() -> None:
    async with sitting() as found:
        candidates = CandidateCounts(new=1, total=1)
        report = SimpleNamespace(ingested=1, discovered=1, candidates=candidates, new_problems=1)
        found.app.post_message(SweepReported(report))  # type: ignore[arg-type]
        await found.until(lambda: "1 new candidate, 1" in found.text)


def test_a_sweep_never_read_more_than_there_is() -> None:
    batch: Any = SimpleNamespace(is_last=True, bytes_read=30, read_seconds=0, digest_seconds=0)
    progress = _Tally().progress(batch, 1, 20)
    assert (progress.bytes_done, progress.bytes_total) == (30, 30)
