"""What a person wrote, told from what they pasted."""

from __future__ import annotations

import pytest

from helix_tui.digest.turns.written import written_in

_TRACE = """Traceback (most recent call last):
  File "app/parser.py", line 12, in <module>
    from app import lexer
ImportError: cannot import name 'lexer'"""


def test_own_words_before_a_log() -> None:
    written = written_in(f"it still does that\n{_TRACE}")
    assert written.own.startswith("it still does that")
    assert "Traceback" not in written.own
    assert written.is_pasted
    assert written.has_failure
    assert not written.is_task


def test_own_words_behind_a_log() -> None:
    written = written_in(f"{_TRACE}\nis that yours?")
    assert "is that yours?" in written.own
    assert written.has_failure


@pytest.mark.parametrize(
    "text", ["please add a test", "ok the end to end tests run now", "that > this is wrong, no?"]
)
def test_plain_words_are_own(text: str) -> None:
    written = written_in(text)
    assert written.own == text
    assert not written.is_pasted
    assert not written.has_failure


def test_fenced_code_and_quotations_are_not_own() -> None:
    written = written_in(
        "do it like this:\n```python\nraise ValueError\n```\n> as you said\nthanks"
    )
    assert written.own == "do it like this:\nthanks"
    assert written.is_pasted


def test_a_document_is_a_task() -> None:
    assert written_in("# Plan\n\nDo this.\n\n## Steps\n1. one\n2. two").is_task
    assert written_in("\n".join(f"- item {number}" for number in range(8))).is_task


def test_a_log_with_rules_is_no_task() -> None:
    log = "\n".join(["1s Run pytest -q", "=" * 30, "# a comment", "# more", "# still", _TRACE])
    assert not written_in(log).is_task


def test_a_long_text_without_structure_is_long() -> None:
    assert written_in("many words " * 100).is_long


def test_nothing_takes_long() -> None:
    for text in ("=" * 200_000, "a " * 100_000, "> \n" * 50_000, "```" * 50_000, "1:" * 90_000):
        written_in(text)
