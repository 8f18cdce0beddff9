"""What a person wrote in a prompt is told apart from what they pasted, however long a row is."""

from __future__ import annotations

import pytest

from helix_tui.memory.notes.pasted import own_words
from tests.text.growth import is_linear


def test_words_before_pasted_code_are_told_alone() -> None:
    code = "\n".join(f"    const part{number} = load('{number}');" for number in range(6))
    assert own_words(f"why does the page stay white\n{code}") == "why does the page stay white"


def test_what_was_run_at_a_prompt_is_pasted() -> None:
    rows = "\n".join(f"dev@host ~/shop % make part{number}" for number in range(5))
    assert own_words(f"this never ends, look at it\n{rows}") == "this never ends, look at it"


@pytest.mark.parametrize("sign", ["a", "a/", "a.", "a@", "-", "1:", "word "])
def test_time_grows_as_a_prompt_does(sign: str) -> None:
    assert is_linear(own_words, sign * 30_000, sign * 120_000)
    assert is_linear(own_words, f"{sign}\n" * 3_000, f"{sign}\n" * 12_000)
