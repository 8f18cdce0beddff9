"""Foreign text on a screen: visible, harmless, and valid."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.safe import safe, safe_line
from helix_tui.text.valid import valid, valid_json

ANY = st.text(st.characters(exclude_categories=()))


@given(ANY)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    for shown, allowed in ((safe(text), "\n"), (safe_line(text), "")):
        assert all(
            unicodedata.category(sign) not in ("Cc", "Cs") or sign in allowed for sign in shown
        )
        assert not set(shown) & set("\u202e\u2066\u200b\u2028\u061c\U000e0041\ufeff")


def test_control_characters_are_shown_as_pictures() -> None:
    assert safe("a\x1b[31mb\x07\x9bc\r\n\td") == "a␛[31mb␇\ufffdc\n    d"
    assert safe_line("one\ntwo") == "one two"
    assert safe_line("a long line", 6) == "a lon…"


@given(ANY)
def test_valid_text_can_be_stored_and_plain_text_is_untouched(text: str) -> None:
    made = valid(text)
    made.encode()
    assert "\0" not in made
    if "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert made == text


def test_valid_reaches_into_json() -> None:
    found = {"a\ud800": ["b\0", {"c": "\udfff"}], "n": 1}
    assert valid_json(found) == {"a\ufffd": ["b\ufffd", {"c": "\ufffd"}], "n": 1}
