"""What a newcomer is told at the lower edge, one thing after the other, until they have done it."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.tui.preferences import Preferences


class Hint(NamedTuple):
    """A sentence with the keys in force, and the actions after which it goes."""

    name: str
    text: str
    actions: tuple[str, ...]


HINTS = (
    Hint(
        "decide",
        "{candidate.approve} writes the draft, {candidate.reject} rejects, {verdict.undo} undoes",
        ("candidate.approve", "candidate.reject", "candidate.reject_why", "candidate.discuss"),
    ),
    Hint(
        "look",
        "{occurrence.next} next occurrence, {pane.open} its session, {candidate.why} why here",
        ("occurrence.next", "pane.open", "candidate.why"),
    ),
    Hint(
        "find",
        "{list.filter} narrows, {list.mark} marks, {app.commands} finds, {app.help} has every key",
        ("list.filter", "list.mark", "app.commands", "app.help"),
    ),
)


def next_hint(preferences: Preferences) -> Hint | None:
    """The first one that nobody followed yet."""
    return next((hint for hint in HINTS if not preferences.is_hint_done(hint.name)), None)
