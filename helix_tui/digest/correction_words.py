"""What the words of a prompt say of whether it rejects what an agent just did.

`turns/judge.py` decides by these and by where the prompt stands.

Some say so in words that can hardly mean anything else. Others are short reactions that may as well
be a new wish; those count only beside plain corrections about the same thing in other sessions.
"""

from __future__ import annotations

from functools import lru_cache

from helix_tui.digest.wordings import (
    CLAIM,
    CLAIMING,
    CONTENT,
    NEW_REQUEST,
    NEW_TARGET,
    NO_CLAIM,
    PERSISTS,
    PLAIN_ALWAYS,
    PLAIN_ANYWHERE,
    PLAIN_START,
    POLITE,
    REACTION,
    TASK,
)

# A long message is a new task, and one of many lines a pasted log, whatever words it holds.
_LONGEST = 400
_MOST_LINES = 5
_REACTION_WORDS = 16
# The same is asked of a prompt several times: as a turn, as what follows work, as a report.
_FEW = 4


def _heard(prompt: str) -> str:
    """The words of a prompt that may be a correction, or nothing."""
    text = prompt.strip()
    if len(text) > _LONGEST or text.count("\n") >= _MOST_LINES or "```" in text:
        return ""
    return text.replace("’", "'")


def _small(text: str) -> str:
    """The text in small letters, each where it was."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(sign.lower()[:1] for sign in text)


@lru_cache(maxsize=_FEW)
def is_correction(prompt: str) -> bool:
    """Whether a prompt that follows the agent's work plainly rejects or redirects it."""
    said = _small(_heard(prompt))
    if not said or POLITE.match(said):
        return False
    if PLAIN_START.match(said) is not None or PLAIN_ALWAYS.search(said) is not None:
        return True
    return TASK.match(said) is None and PLAIN_ANYWHERE.search(said) is not None


def rejecting_clause(prompt: str) -> str:
    """The sentence of a correction that rejects something; the others may speak of anything."""
    text = _heard(prompt)
    said = _small(text)
    if POLITE.match(said):
        return ""
    found = PLAIN_START.match(said) or PLAIN_ANYWHERE.search(said) or PLAIN_ALWAYS.search(said)
    if found is None:
        return text
    # Marks of what comes before may belong to the match.
    at = found.end() if found.start() else 0
    start = max(text.rfind(mark, 0, max(at - 1, 0)) for mark in ".!?\n;") + 1
    ends = [end for mark in ".!?\n;" if (end := text.find(mark, at)) >= 0]
    return text[start : min(ends, default=len(text))].strip()


@lru_cache(maxsize=_FEW)
def is_reaction(prompt: str) -> bool:
    """Whether a prompt that is no plain correction may be one, as far as its words go."""
    said = _small(_heard(prompt))
    return (
        bool(said)
        and len(said.split()) <= _REACTION_WORDS
        and POLITE.match(said) is None
        and TASK.match(said) is None
        and CONTENT.search(said) is None
        and NEW_TARGET.search(said) is None
        and REACTION.search(said) is not None
    )


@lru_cache(maxsize=_FEW)
def is_persistence(prompt: str) -> bool:
    """Whether a prompt says that what was wrong before still is."""
    text = prompt.strip().replace("’", "'")
    if not 0 < len(text) <= _LONGEST:
        return False
    said = _small(text)
    return NEW_REQUEST.match(said) is None and PERSISTS.search(said) is not None


def is_claim(reply: str) -> bool:
    """Whether an agent's last words say that the work is done."""
    said = _small(reply[:300])
    return (
        any(map(said.__contains__, CLAIMING))
        and CLAIM.search(said) is not None
        and NO_CLAIM.search(said) is None
    )
