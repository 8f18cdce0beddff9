"""What is cut out of a log holds no half of a secret."""

from __future__ import annotations

import pytest

from helix_tui.digest.excerpt import both_ends, excerpt, excerpt_line
from tests.text.planted import KEYS, noise

WORD = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(("name", "start", "rest"), KEYS)
def test_wherever_the_cut_falls_no_half_of_a_key_is_kept(name: str, start: str, rest: str) -> None:
    key = start.replace("|", "") + rest
    runs = {rest[at : at + 12] for at in range(len(rest) - 11)}
    runs = {run for run in runs if not run.replace("-", "").isdecimal()}
    for before in (*range(0, 900, 37), *range(1600, 2600, 83)):
        for filler in ("x ", "word ", " "):
            text = f"{filler * (before // len(filler))}{key} {'tail ' * 2000}"
            for made in (excerpt(text, 300), excerpt_line(text, 300), both_ends(text, 1500)):
                assert not [run for run in runs if run in made], (name, before, filler)


def test_the_end_of_one_long_line_begins_with_a_whole_word() -> None:
    key = f"gh{'p_'}{noise(WORD, 36)}"
    for shift in range(0, 60, 3):
        text = f"{'a' * 9000}{key}{'b' * (1460 + shift)} Permission denied"
        made = both_ends(text, 1500)
        assert "Permission denied" in made
        assert not any(key[at : at + 12] in made for at in range(4, len(key) - 11))


def test_short_texts_are_kept_whole() -> None:
    assert excerpt("  as it is\n", 300) == "as it is"
    assert excerpt_line("on  one\n line", 300) == "on one line"
    assert both_ends("as it is", 300) == "as it is"
    assert excerpt("word " * 100, 20) == "word word word word…"
