"""Figures and lines as people read them, on every screen and in every command alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from helix_tui.schema import Cost
from helix_tui.text.human import (
    ago,
    clock,
    compact,
    duration,
    gauge,
    human_bytes,
    human_chance,
    human_usd,
    plural,
    short_bytes,
    sparkline,
    wrap,
)
from helix_tui.text.safe import safe_line


def cost(usd_priced: float | None, unpriced_tokens: int = 0) -> Cost:
    usd = None if unpriced_tokens else usd_priced
    return Cost(1, 2, 3, 4, 0, usd, usd_priced, unpriced_tokens)


@pytest.mark.parametrize(
    ("spent", "shown"),
    [
        (cost(1.234), "$1.23"),
        (cost(1234.5), "$1,234.50"),
        (cost(1.234, 9), "≥ $1.23"),
        (cost(0.001), "<$0.01"),
        (cost(0.001, 9), "≥ <$0.01"),
        (cost(0.0), "$0.00"),
        (cost(None, 9), "-"),
    ],
)
def test_a_cost_says_where_it_is_only_a_part(spent: Cost, shown: str) -> None:
    assert human_usd(spent) == shown


def test_counts_have_their_noun() -> None:
    assert [plural(count, "page") for count in (0, 1, 1234)] == ["0 pages", "1 page", "1,234 pages"]
    assert plural(2, "repository", "repositories") == "2 repositories"
    assert [compact(count) for count in (7, 999, 4_100, 41_000, 1_200_000, 12_000_000)] == [
        "7", "999", "4.1k", "41k", "1.2M", "12M",
    ]  # fmt: skip


def test_sizes_as_people_read_them() -> None:
    sizes = (0, 1023, 1536, 5 << 30, 3 << 50)
    assert [human_bytes(size) for size in sizes] == [
        "0 B", "1,023 B", "1.5 KiB", "5.0 GiB", "3,072.0 TiB",
    ]  # fmt: skip
    assert [short_bytes(size) for size in (0, 999, 1000, 1536, 312 << 20, 5 << 30)] == [
        "0 B", "999 B", "1.0 KiB", "1.5 KiB", "312 MiB", "5.0 GiB",
    ]  # fmt: skip


def test_times_take_few_characters() -> None:
    assert [duration(seconds) for seconds in (0.4, 12, 240, 9_000, 86_400 * 3)] == [
        "0.4 s", "12 s", "4 min", "2.5 h", "3 days",
    ]  # fmt: skip
    assert [ago(seconds) for seconds in (-5, 59, 61, 7_200, 86_400 * 3)] == [
        "just now", "just now", "1 min ago", "2 h ago", "3 d ago",
    ]  # fmt: skip
    assert [clock(seconds) for seconds in (5, 65, 3_661)] == ["0:05", "1:05", "1:01:01"]


def test_a_gauge_shows_any_use_at_all_and_where_a_lesser_limit_stands() -> None:
    assert gauge(0, 100, 50, 4) == "▕··┊·▏"
    assert gauge(1, 1_000_000, None, 4) == "▕▏···▏"
    assert gauge(50, 100, 75, 4) == "▕██·┊▏"
    assert gauge(200, 100, 75, 4) == "▕████▏"
    assert gauge(5, 0, 0, 4) == "▕████▏"


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.integers(0, 10**12), st.integers(1, 60))
def test_a_gauge_is_always_as_wide(value: int, limit: int, mark: int, width: int) -> None:
    assert cell_len(gauge(value, limit, mark, width)) == width + 2


def test_a_sparkline_is_of_the_last_counts_and_shows_the_least_of_them() -> None:
    assert sparkline([0, 0]) == ""
    assert sparkline([0, 1, 8]) == " ▁█"
    assert sparkline([9, 1, 2], 2) == "▄█"


@given(st.text(max_size=300), st.integers(4, 40))
def test_wrapping_loses_nothing_but_blanks_and_never_runs_over(text: str, width: int) -> None:
    lines = wrap(safe_line(text), width)
    assert "".join(lines).replace(" ", "") == safe_line(text).replace(" ", "")
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("text", ["a b c", "日本語 " * 30, "x" * 300, "  - " + "word " * 60, ""])
def test_wrapped_lines_fit_and_keep_every_word(text: str) -> None:
    lines = wrap(text, 40)
    assert lines
    assert all(cell_len(line) <= 40 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("the quick brown fox", 10, ["the quick", "brown fox"]),
        ("the quick  ", 9, ["the quick"]),
        ("- one two three", 9, ["- one two", "  three"]),
        ("    deep words", 10, ["    deep", "    words"]),
        # A word that fits no line does not leave the first one almost empty; one that fits goes on.
        ("see /a/very/long/path", 10, ["see /a/ver", "y/long/pat", "h"]),
        ("a configuration of it", 14, ["a", "configuration", "of it"]),
        ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("日本", 1, ["日", "本"]),
    ],
)
def test_lines_break_between_words_where_they_can(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@pytest.mark.parametrize(
    ("chance", "told"), [(0.0, "under 1%"), (0.806, "81%"), (0.99, "99%"), (1.0, "over 99%")]
)
def test_no_chance_is_told_as_certain(chance: float, told: str) -> None:
    assert human_chance(chance) == told
