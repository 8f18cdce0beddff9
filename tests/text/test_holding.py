"""A cheap look for words never misses one that an expression finds."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from helix_tui.text.holding import may_hold

WORDS = ("fix", "task", "is")


@given(st.text(alphabet="fixtaskFIXTASK \u0130\u0131\u017f\u212a\u03a3é日…", max_size=12))
@example("F\u0130X")
@example("f\u0131x")
@example("ta\u017fk")
@example("tas\u212a")
def test_what_an_expression_finds_may_be_held(text: str) -> None:
    found = re.search("|".join(WORDS), text, re.IGNORECASE)
    assert found is None or may_hold(text, WORDS)


def test_a_text_in_any_script_is_passed_over_without_the_words() -> None:
    assert not may_hold("… – “été” 日本語", WORDS)
    assert may_hold("… FIX 日本語", WORDS)
