"""What makes redaction quick takes nothing away: it finds what plain looking finds."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.redact import redact, redact_by_line, redact_keys
from helix_tui.text.secrets import keys
from helix_tui.text.secrets.by_context import TOLD_WORDS
from helix_tui.text.secrets.named import NAME_WORDS
from helix_tui.text.secrets.nearby import NEARBY_WORDS
from helix_tui.text.secrets.providers import SIGNED
from helix_tui.text.secrets.words import Group, grouped, words_in
from tests.text.planted import KEYS

WORDS = tuple(dict.fromkeys((*TOLD_WORDS, *NAME_WORDS, *NEARBY_WORDS)))
GROUPS = grouped(WORDS)
STARTS = [start for _, starts, _ in SIGNED for start in starts.split()]

# Pieces that meet in the middle of a word, and whole secrets with something that tells of them.
PIECES = st.sampled_from(
    [word.decode() for word in WORDS]
    + [word[:cut].decode() for word in WORDS for cut in (1, 2, 3)]
    + STARTS
    + [start.replace("|", "") + rest for _, start, rest in KEYS]
    + [
        "_live_",
        "-test-",
        "_sk_",
        "-v2-",
        "/home/ada",
        "-home-ada",
        "-Users-ada",
        "root",
        "://ada:",
        "@host.example",
    ]
    + [
        "hunter2",
        "T0pS3cretV4lue9xQ",
        "mkdir",
        "login",
        "5432:",
        "=",
        ":",
        '"',
        "'",
        "(",
        ")",
        "|",
        "&",
        ";",
        "?",
        "…",
        "\n",
        "é",
        "ſ",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=12).map("".join)


def plain_words(low: bytes, groups: list[Group]) -> set[bytes]:
    return {word for group in groups for word in group.words if word in low}


def plain_signs(flat: bytes, classes: bytes, done: int) -> list[int]:
    return [hit.start() for hit in re.finditer(keys._SCREEN, classes) if hit.start() > 1]


@given(TEXTS)
def test_words_are_found_in_groups_as_one_by_one(text: str) -> None:
    low = text.encode("ascii", "replace").lower()
    assert words_in(low, GROUPS) == plain_words(low, GROUPS)


def test_a_word_is_found_at_the_end_of_any_other_and_within_it() -> None:
    for word in WORDS:
        for other in WORDS:
            for overlap in range(len(other)):
                low = word + other[overlap:]
                assert words_in(low, GROUPS) == plain_words(low, GROUPS)


@given(TEXTS)
def test_redaction_is_what_it_is_without_its_short_cuts(text: str) -> None:
    made = [make(text) for make in (redact, redact_by_line, redact_keys)]
    with (
        patch("helix_tui.text.redact.words_in", plain_words),
        patch("helix_tui.text.secrets.keys._telling", plain_signs),
    ):
        assert made == [make(text) for make in (redact, redact_by_line, redact_keys)]
