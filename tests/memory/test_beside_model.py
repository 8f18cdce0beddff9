"""What was measured stands beside a model's lines, and none of these stands against it."""

from __future__ import annotations

import msgspec
import pytest

from helix_tui.memory.distill.beside_model import beside_model
from helix_tui.schema import Facts
from helix_tui.schema.digest import FileTally
from helix_tui.schema.memory import Distilled, Exchange, Piece

PIECE = Piece(
    session="claude:one",
    flavor="claude",
    native_id="one",
    repo="shop",
    branch=None,
    cwd="/work/shop",
    first_ts=1_772_000_000_000,
    last_ts=1_772_000_900_000,
    is_first=True,
    exchanges=[Exchange(None, "sort the orders by number", "Sorted.", 5, 2)],
    facts=Facts(prompts=1, ended="reply", files={"/work/shop/src/io.py": FileTally(0, 2)}),
    fingerprints=[1],
)
RED = "pytest failed, and was not run again: 2 failed"


def made(*actions: str, lessons: tuple[str, ...] = ()) -> Distilled:
    return Distilled(["`Orders were in disorder` (no source)"], [], [], list(lessons), [*actions])


def beside(distilled: Distilled | None, **fields: object) -> Distilled | None:
    return beside_model(msgspec.structs.replace(PIECE, **fields), distilled)


def test_how_it_stands_and_what_was_changed_follow_its_lines() -> None:
    told = beside(made(), state="the person's last message is content with the work")
    assert told is not None
    assert told.context[0].startswith("`Orders were in disorder`")
    assert any(line.startswith("How it stands: ") for line in told.context)
    assert any("`io.py` in `src/`" in line for line in told.context)
    assert "How it stands: " not in told.context[0]


def test_where_it_broke_off_stands_also_where_the_model_says_other_things() -> None:
    broken = "broke off in the middle of: sort the orders by number"
    told = beside(made("`Sort the invoices` (no source)"), unfinished=[broken, RED])
    assert told is not None
    assert [line.partition(":")[0] for line in told.actions[:2]] == [
        "Broke off in the middle of",
        "Left open",
    ]
    assert told.actions[2] == "`Sort the invoices` (no source)"


@pytest.mark.parametrize(
    ("actions", "count"), [([], 1), (["`Ask which port to take` (no source)"], 1)]
)
def test_what_the_agent_left_in_words_is_for_the_model_to_tell(
    actions: list[str], count: int
) -> None:
    told = beside(made(*actions), unfinished=["remains: the port of the second database is open"])
    assert told is not None
    assert len(told.actions) == count
    assert told.actions[0].startswith("Remains: ") is not bool(actions)


def test_an_open_end_is_not_told_twice() -> None:
    told = beside(made("`pytest failed and was not run again, 2 failed`"), unfinished=[RED])
    assert told is not None
    assert len(told.actions) == 1


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("All tests pass now", False),
        ("All checks passed", False),
        ("The build passes", True),
        ("The tests of the importer pass, two others fail", True),
        ("Sorting needed a stable key", True),
    ],
)
def test_no_line_says_that_a_red_check_passes(line: str, is_kept: bool) -> None:
    told = beside(made(lessons=(f"`{line}` (source: agent)",)), unfinished=[RED])
    assert told is not None
    assert bool(told.lessons) is is_kept


def test_a_noop_is_one_unless_the_session_broke_off() -> None:
    assert beside(None) is None
    told = beside(None, unfinished=["broke off in the middle of: sort the orders by number"])
    assert told is not None
    assert told.actions[0].startswith("Broke off ")
    assert told.key_exchanges == []


def test_a_session_in_which_nothing_was_done_needs_no_entry() -> None:
    greeting = [Exchange(None, "hello", "Hello, what can I do?")]
    about = Distilled(["`The user said hello` (no source)"], [], [], [], [])
    assert beside(about, exchanges=greeting, facts=Facts(prompts=1, ended="reply")) is None
    assert beside(about) is not None
