"""The block of a file: found only where it is one, and nothing else ever changes."""

from __future__ import annotations

import pytest

from helix_tui.distribute.blocks import (
    BEGIN,
    END,
    BlockError,
    entry_of,
    find_block,
    has_conflict,
    is_fence_open,
    with_entries,
)

RULES = [entry_of("Use pnpm, never npm."), entry_of("Run `make check`.\nThen commit.")]
BLOCK = f"{BEGIN}\n- Use pnpm, never npm.\n- Run `make check`.\n  Then commit.\n{END}\n"


def added(data: bytes) -> bytes:
    return with_entries(data, RULES, "", keeps=False).data


@pytest.mark.parametrize(
    ("before", "glue"),
    [
        (b"", ""),
        (b"# A\n", "\n"),
        (b"# A\n\n", ""),
        (b"# A", "\n\n"),
        (b"# A\r\nb\r\n", "\r\n"),
        (b"\xef\xbb\xbf", ""),
        (b"\xef\xbb\xbf# A\n", "\n"),
    ],
)
def test_is_added_at_the_end_and_taken_out_to_the_byte(before: bytes, glue: str) -> None:
    edited = with_entries(before, RULES, "", keeps=False)
    end = "\r\n" if b"\r\n" in before else "\n"
    assert edited.data == before + (glue + BLOCK.replace("\n", end)).encode()
    assert edited.glue == glue
    assert with_entries(edited.data, (), edited.glue, keeps=False).data == before


def test_run_twice_does_not_grow() -> None:
    once = added(b"# A\n")
    block = find_block(once)
    assert block is not None
    assert block.entries == tuple(RULES)
    assert with_entries(once, block.entries, "", keeps=False).data == once


def test_what_stands_behind_the_block_stays_there() -> None:
    data = added(b"# A\n") + b"# B"
    one = with_entries(data, RULES[:1], "\n", keeps=False).data
    assert one == f"# A\n\n{BEGIN}\n- Use pnpm, never npm.\n{END}\n# B".encode()
    assert with_entries(one, (), "\n", keeps=False).data == b"# A\n\n# B"


def test_a_persons_lines_stay_where_nothing_of_ours_is_left() -> None:
    data = f"# A\n\n{BEGIN}\nMine.\n{END}\n".encode()
    block = find_block(data)
    assert block is not None
    assert with_entries(data, block.entries, "\n", keeps=True).data == b"# A\n\nMine.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n- a\n",
        f"- a\n{END}\n",
        f"{BEGIN}\n- a\n{END}\n{BEGIN}\n- b\n{END}\n",
        f"{BEGIN}\n{BEGIN}\n- a\n{END}\n",
        f"{END}\n- a\n{BEGIN}\n",
        f"{BEGIN}\n- a\n{END} and more\n",
        f"{BEGIN} and more\n- a\n{END}\n",
        f"  {BEGIN}\n- a\n{END}\n",
        f"<!-- helix:begin -->\n- a\n{END}\n",
    ],
    ids=[
        *("unpaired begin", "unpaired end", "two blocks", "begin twice", "wrong order"),
        *("text behind the end", "text behind the begin", "indented", "another writer's mark"),
    ],
)
def test_marks_that_are_no_pair_are_refused(text: str) -> None:
    with pytest.raises(BlockError):
        find_block(f"# A\n\n{text}".encode())


@pytest.mark.parametrize("fence", ["```", "~~~~", "```markdown"])
def test_a_pair_in_a_code_fence_is_an_example(fence: str) -> None:
    closing = fence.rstrip("markdown")
    data = f"# A\n\n{fence}\n{BLOCK}{closing}\n".encode()
    assert find_block(data) is None
    made = added(data)
    assert made.startswith(data)
    block = find_block(made)
    assert block is not None
    assert block.start > len(data)


def test_a_fence_that_is_open_at_the_end_is_noticed() -> None:
    assert is_fence_open(b"# A\n```sh\nls\n")
    assert is_fence_open(b"# A\n```sh\nls")
    assert not is_fence_open(b"# A\n```sh\nls\n```\n")
    assert not is_fence_open(b"`a` ```b``` c")


def test_what_the_writer_writes_the_finder_finds() -> None:
    block = find_block(added(b""))
    assert block is not None
    assert (block.start, block.end) == (0, len(BLOCK))


def test_blank_lines_of_a_formatter_and_other_bullets_are_no_edit() -> None:
    data = f"{BEGIN}\n\n* Use pnpm, never npm.\n\n* Run `make check`.\n  Then commit.\n\n{END}\n"
    block = find_block(data.encode())
    assert block is not None
    assert [one.text for one in block.entries] == [one.text for one in RULES]


def test_marks_of_a_conflict_are_noticed() -> None:
    assert has_conflict(b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n")
    assert not has_conflict(b"a << b\n=======\n")
