"""Words as they are compared: by number, and by a look that never misses one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.turns.terms import numbers_in, own_terms
from helix_tui.text.holding import may_hold

TEXTS = st.text(alphabet="abcDEF12 ./:@#_-\n日本語éΣ", max_size=60)


@given(TEXTS)
def test_numbers_are_those_of_the_words(text: str) -> None:
    assert numbers_in(text) == own_terms(text).numbers


@given(TEXTS, TEXTS)
def test_a_text_that_shares_a_word_may_hold_it(text: str, other: str) -> None:
    terms = own_terms(other).words
    assert may_hold(text, terms) or own_terms(text).words.isdisjoint(terms)


def test_names_count_with_their_parts() -> None:
    assert own_terms("look at src/parseTable.py").words == {
        *("look", "src/parsetable.py", "parsetable.py", "parse", "table"),
    }
