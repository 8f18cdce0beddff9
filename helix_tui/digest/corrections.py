"""Which prompts tell an agent that what it just did was not what was wanted."""

from __future__ import annotations

import re

# A long message is a new task or a pasted log, whatever words it holds.
_LONGEST = 400
_POLITE = re.compile(
    r"(?i)^\W{0,8}no (?:problem|worries|need|rush|thanks|thank you|questions?|further|changes?|"
    r"more)\b"
)
_REJECTS = re.compile(
    r"(?i)^\W{0,8}(?:"
    r"no\b|nope\b|nah\b|wrong\b|stop\b|wait\b|hold on\b|undo\b|revert\b|don'?t\b|do not\b|"
    r"never\b(?! mind)|"
    r"actually\b|not (?:that|what|like|quite|right|correct)\b|"
    r"(?:that|this|it)(?:'s| is| was)? (?:not|wrong|incorrect|isn'?t|didn'?t|doesn'?t|still)\b|"
    r"you(?:'re| are) (?:not|wrong)\b|"
    r"you (?:didn'?t|did not|should(?:n'?t| not)|forgot|missed|broke|were supposed|ignored|keep)\b|"
    r"why (?:did|are|do|have|didn'?t) you\b|"
    r"i (?:said|asked|told you|meant|didn'?t (?:ask|say|want))\b|"
    r"still (?:not|fail|broken|the same|getting|doesn'?t|see)|"
    r"(?:the )?same (?:error|problem|issue)\b"
    r")"
)
_ANYWHERE = re.compile(
    r"(?i)\b(?:that'?s (?:wrong|not (?:right|what|correct))|not what i (?:asked|want|meant|said)|"
    r"you (?:didn'?t|forgot to|broke)|please (?:revert|undo)|(?:revert|undo) (?:that|this|it|your)|"
    r"instead of (?:that|what you)|doesn'?t work|didn'?t work|still (?:fails?|failing|broken)|"
    r"i told you)\b"
)


def is_correction(prompt: str) -> bool:
    """Whether a prompt that follows the agent's work rejects or redirects it."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST or _POLITE.match(text):
        return False
    return _REJECTS.match(text) is not None or _ANYWHERE.search(text) is not None
