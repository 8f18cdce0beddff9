"""What a page says of how often its guidance was seen to work: for people, and never for agents."""

from __future__ import annotations

SEEN_ONCE = "This was seen to work in one conversation so far."
EACH_SEEN_ONCE = "Each was seen to work in one conversation so far."
KEPT_TO = "One conversation so far kept to this, and it passed each time."
_ONCE = (SEEN_ONCE, EACH_SEEN_ONCE, KEPT_TO)
ONLY_FURTHER = "It got past this, and something else failed behind it each time."


def for_agents(guidance: str, scope: str) -> str:
    """Guidance as agents are told it: without what never ended well, and how often it was seen.

    What one conversation got by with is told where it worked, and nowhere else.
    """
    is_of_repo = scope.strip().startswith("repo")
    kept = [
        line
        for line in guidance.split("\n")
        if ONLY_FURTHER not in line and (is_of_repo or not _is_seen_once(line))
    ]
    told = "\n".join(kept)
    for sentence in _ONCE:
        told = told.replace(f" {sentence}", "")
    return told


def _is_seen_once(line: str) -> bool:
    return any(sentence in line for sentence in _ONCE)
