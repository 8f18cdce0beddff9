"""The literal that a text must hold, letter by letter, before an expression is laid on it."""

from __future__ import annotations

import pytest

from helix_tui.text.literal import exact_literal_of


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"^Tests: +(\d+) passed", " passed"),
        (r"^OK(?: \(skipped=\d+\))?$", "OK"),
        (r"^FAILED \(failures=(?P<failed>\d+)\)", "FAILED (failures="),
        (r"error|warning", ""),
        (r"colou?r is on", "r is on"),
        (r"a{2,3}bc", "bc"),
        (r"brace {", "brace"),
        (r"(?i)Done in", ""),
        (r"(?x) a b c", ""),
        (r"\u2713 all well", ""),
    ],
)
def test_the_longest_literal_in_its_own_letters(pattern: str, literal: str) -> None:
    assert exact_literal_of(pattern) == literal
