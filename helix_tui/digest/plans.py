"""A plan that a person accepts: the client stops the planning turn, and asks for the work anew."""

from __future__ import annotations

from helix_tui.schema import Facts

# What Claude Code asks for when a plan is accepted and its context cleared.
_ACCEPTED = "Implement the following plan:"


def accepts_plan(prompt: str) -> bool:
    """Whether a prompt is what a client makes of an accepted plan."""
    return prompt.startswith(_ACCEPTED)


def take_back_interruption(facts: Facts) -> None:
    """Forget the interruption with which the session stands, if it does: it was none."""
    if facts.ended != "interrupted":
        return
    if facts.interrupted and len(facts.interrupted) == facts.interruptions:
        facts.interrupted.pop()
    facts.interruptions -= 1
