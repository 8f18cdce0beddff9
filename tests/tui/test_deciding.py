"""Deciding in few keys: a reason, a pattern that is there, why, what a verdict wrote, the end."""

from __future__ import annotations

from helix_tui.tui.base.dialogs import TextScreen
from helix_tui.tui.base.picker import Choice, PickerScreen, fitting
from tests.conftest import Workbench
from tests.tui.at_work import at_work
from tests.tui.sitting import both_sizes, sitting


@both_sizes
async def test_a_digit_rejects_for_a_reason(size: tuple[int, int]) -> None:
    async with sitting(size) as found:
        await found.press("R")
        await found.until(lambda: "1 too generic   2 wrong guidance   3 one-off" in found.text)
        await found.press("2")
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])
        assert found.source.verdicts.lines[0].reason == "wrong_guidance"
        assert found.app.focused is found.review.candidates
        await found.press("u")
        await found.until(lambda: found.verdicts[-1] == ("undo", "problem-000000"))


async def test_words_are_a_reason_too_and_esc_leaves_it() -> None:
    async with sitting() as found:
        await found.press("R", "escape")
        await found.press("R", *"it is old", "enter")
        await found.until(lambda: found.verdicts == [("reject", "problem-000000")])
        line = found.source.verdicts.lines[0]
        assert (line.reason, line.note) == ("other", "it is old")


async def test_a_candidate_goes_into_a_pattern_that_a_few_letters_find(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        first, second = found.without_words_of_log(2)
        await found.go_to(first)
        await found.press("a")
        await found.until(lambda: found.verdicts == [("approve", first)])
        await found.until(lambda: found.page(first).exists())
        title = found.engine.verdicts.preview(first).title
        await found.go_to(second)
        await found.press("A")
        await found.until(lambda: isinstance(found.app.screen, PickerScreen))
        await found.sees(title[:20], "Approve into a pattern")
        await found.press(*title[:3].lower(), "enter")
        await found.until(lambda: found.verdicts == [("approve", first), ("approve", second)])
        assert found.lines[1].pattern is not None
        assert found.lines[1].pattern.id == first
        assert not found.page(second).exists()


def test_letters_find_the_best_first() -> None:
    choices = [Choice("a", "Run the linter"), Choice("b", "Look at the log"), Choice("c", "x")]
    assert fitting(choices, "log")[0].id == "b"
    assert fitting(choices, "") == choices
    assert fitting(choices, "zzz") == []


async def test_i_says_why_with_rates_parts_and_weeks() -> None:
    async with sitting() as found:
        await found.until(lambda: "problem-000000" in found.review._drafts)
        await found.press("i")
        await found.until(lambda: isinstance(found.app.screen, TextScreen))
        await found.until(lambda: "score    94.00 = 100 x 0.100 x 1.00" in found.text)
        for told in ("weeks", "agents   claude", "3 of 10 sessions (30%)", "repos    api"):
            assert told in found.text
        await found.press("escape")
        await found.until(lambda: found.place == "review")


async def test_a_toast_names_the_file_the_status_and_the_next_key(sampled: Workbench) -> None:
    async with at_work(sampled, (200, 60)) as found:
        (name,) = found.without_words_of_log()
        await found.go_to(name)
        await found.press("a")
        await found.until(lambda: found.verdicts == [("approve", name)])
        await found.until(lambda: list(found.app._notifications))
        (toast,) = (one.message for one in found.app._notifications)
        assert f"catalog/{name}.md is " in toast
        assert toast.endswith("f4 shows it, f7 brings it to agents. u takes it back.")


@both_sizes
async def test_when_all_is_decided_a_card_says_what_came_of_it(size: tuple[int, int]) -> None:
    async with sitting(size, count=3) as found:
        await found.press("r", "a", "w", *"2w", "enter")
        await found.until(lambda: "All 3 candidates are decided" in found.text)
        assert "1 approved, 1 rejected, 1 snoozed" in found.text
        assert "Pages are in /nowhere/catalog" in found.text


async def test_v_marks_one_and_again_none() -> None:
    async with sitting() as found:
        await found.press("v", "j", "j", "v")
        assert found.review.table.marked == {"problem-000000", "problem-000002"}
        await found.press("v")
        assert found.review.table.marked == {"problem-000000"}


async def test_the_keys_of_a_box_are_in_sight_on_a_small_screen() -> None:
    async with sitting((80, 24)) as found:
        await found.until(lambda: "problem-000000" in found.review._drafts)
        await found.press("i")
        await found.until(lambda: isinstance(found.app.screen, TextScreen))
        await found.until(lambda: "esc closes" in found.text)


async def test_an_empty_catalog_is_said_to_be_empty(sampled: Workbench) -> None:
    async with at_work(sampled) as found:
        await found.press("A")
        await found.sees("The catalog is empty: a makes a pattern of it.")
