"""Screens and shared files go by one list of signs that nobody sees."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.refuse import refusals
from helix_tui.text.safe import safe, safe_line

# DerivedCoreProperties.txt of Unicode 16, Default_Ignorable_Code_Point.
IGNORABLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
# Arabic, Syriac and Kaithi signs that stand before or around a number, and are drawn.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
BLANK = (0x2800, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x1D159, 0x16FE4)
HIDDEN = sorted(
    {code for first, last in IGNORABLE for code in range(first, last + 1)}
    | {
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cf", "Cs", "Co", "Zl", "Zp") and code not in DRAWN
    }
    | {code for code in range(0xFFFE, sys.maxunicode + 1) if code & 0xFFFE == 0xFFFE}
    | {*BLANK, *range(0xFDD0, 0xFDF0), *range(0x40000, 0x50000)}
)


def test_no_hidden_sign_reaches_a_screen() -> None:
    kept = [code for code in HIDDEN if chr(code) in safe(f"a{chr(code)}b")]
    assert [f"U+{code:04X}" for code in kept[:9]] == []
    assert not any(chr(code) in safe_line(f"a{chr(code)}b") for code in HIDDEN)


def test_no_hidden_sign_is_let_into_a_shared_file() -> None:
    taken = [code for code in HIDDEN if not refusals(f"a{chr(code)}b")]
    assert [f"U+{code:04X}" for code in taken[:9]] == []


@pytest.mark.parametrize("text", ["❤️", "1️⃣", "Ärger → 日本語 👍🏽", "می", "٣", "\u0601٣"])
def test_what_is_drawn_is_shown_and_taken(text: str) -> None:
    assert safe_line(text) == safe(text) == text
    assert refusals(text) == []


def test_a_picture_of_several_is_taken_and_shown_as_its_parts() -> None:
    assert refusals("👨‍👩‍👧") == []
    assert safe_line("👨‍👩‍👧") == "👨\ufffd👩\ufffd👧"


@given(st.text(st.characters(exclude_categories=())))
def test_what_a_screen_shows_a_file_may_hold(text: str) -> None:
    assert [one for one in refusals(safe(text)) if "U+" in one.what] == []
