"""Whether a text names a cause: why something failed, or what something turned out to be."""

from __future__ import annotations

import re

from helix_tui.text.lazy import lazy

_CAUSE = lazy(
    r"(?i)\b(?:root cause|(?:issue|problem|bug|failure|error|reason|culprit|cause) (?:was|is) "
    r"(?:that|because|caused|in|due|the|a|not|how|actually|likely)|turns? out|turned out"
    r"|caused by|(?:was|is|are|were|fails?|failed|failing|breaks?|happens?|happened) because"
    r"|(?:fail\w{0,4}|broken|error\w?|crash\w{0,4}) due to"
    r"|the (?:trick|gotcha) (?:is|was)|gotcha|only works|does not support|doesn['’]?t support"
    r"|is not supported|was(?:n['’]t| not) (?:being )?\w{3,20}ing|that['’]s why|which is why)\b"
)
_WORDS = re.compile(
    r"(?i)cause|turn(?:s|ed)? out|issue|problem|bug|failure|reason|culprit|due to|trick|gotcha"
    r"|only works|support|was(?:n['’]t| not)|why"
)
# What comes “because” is a cause of trouble where the sentence speaks of trouble.
_BECAUSE = lazy(r"(?i)\bbecause\b")
_TROUBLE = lazy(
    r"(?i)\b(?:not|never|no longer|fail\w{0,4}|errors?|broken?|wrong|miss\w{2,5}|lost|lose"
    r"|drop\w{0,4}|expects?|requires?|needs?|must|only|cannot|stale|crash\w{0,4}|\w{1,8}n['’]t)\b"
)
_SMALL_WORDS = lazy(r"(?i)\b(?:the|is|are|to|and|of|it|for)\b")
_EXAMINED = 4_000


def names_cause(text: str) -> bool:
    """Whether any sentence of a text names a cause."""
    shown = text[:_EXAMINED]
    if _WORDS.search(shown) is None:
        return False
    if _CAUSE.search(shown) is not None:
        return True
    return _BECAUSE.search(shown) is not None and _TROUBLE.search(shown) is not None


def speaks_of_trouble(sentence: str) -> bool:
    """Whether a sentence says that something fails, is missing, or is wanted."""
    return _TROUBLE.search(sentence) is not None


def is_english(sentence: str) -> bool:
    """Whether a sentence has any of the small words that English hardly does without."""
    return _SMALL_WORDS.search(sentence) is not None
