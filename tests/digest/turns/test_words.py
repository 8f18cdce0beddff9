"""Words of the tables: what is laid on plain texts finds what all of the words would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.turns import words
from helix_tui.digest.turns.words import Words

NAMES = sorted(name for name, value in vars(words).items() if isinstance(value, Words))
ENTRIES = sorted(
    {word for rows in words._TABLES.values() for row in rows.values() for word in row},
)
PIECES = st.sampled_from([*(entry for entry in ENTRIES if entry.isalpha()), "sí", "—", "→", ", "])
TEXTS = st.lists(PIECES, max_size=6).map(" ".join)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
def test_a_plain_text_is_read_as_any_other(name: str, text: str) -> None:
    table: Words = getattr(words, name)
    for method in ("search", "match"):
        quick, whole = getattr(table, method)(text), getattr(table._of_any, method)(text)
        assert (quick and quick.span()) == (whole and whole.span())


def test_most_signs_are_not_looked_for_in_plain_texts() -> None:
    assert "不" not in words.NEGATES._of_plain.pattern
    assert "不" in words.NEGATES._of_any.pattern


def test_every_word_begins_with_a_letter() -> None:
    # The border before it is that of a word.
    for rows in words._TABLES.values():
        for name, row in rows.items():
            for word in row if name != "signs" else ():
                assert word.replace("(?:", "")[0].isalpha() or word.startswith("(?:\\w"), word
