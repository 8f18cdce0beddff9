"""Whether a prompt only asks, also where its sign is missing: then it decides nothing."""

from __future__ import annotations

import re

from helix_tui.memory.distill.prose import plain_line, sentences_of

# `can you not use the other one`, without its sign.
_ASKING = re.compile(
    r"(?i)\W*(?:(?:and|so|but|ok(?:ay)?|also)\b[,.!]? )*(?:(?:can|could) ?(?:you|we|i|it|this)"
    r"|(?:is|are|was|were|does|do|did) (?:you|we|i|it|this|that|there|the)"
    r"|what|which|who|where|when|why|how)(?!\w*['’])(?:\b|not\b)"
)


def only_asks(asked: str) -> bool:
    """Whether a prompt is one sentence that asks."""
    plain = plain_line(asked).rstrip(" .!")
    is_one = bool(plain) and len(sentences_of(plain)) == 1
    return is_one and (plain.endswith(("?", "？")) or _ASKING.match(plain) is not None)
