"""What a page says of how often its guidance was seen to work: for people, and never for agents."""

from __future__ import annotations

SEEN_ONCE = "This was seen to work in one conversation so far."
EACH_SEEN_ONCE = "Each was seen to work in one conversation so far."
ONLY_FURTHER = "It got past this, and something else failed behind it each time."


def without_report_talk(guidance: str) -> str:
    """Guidance as agents are told it."""
    for sentence in (SEEN_ONCE, EACH_SEEN_ONCE, ONLY_FURTHER):
        guidance = guidance.replace(f" {sentence}", "")
    return guidance
