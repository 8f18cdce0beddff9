"""Which sessions a session goes on with, by what its log says of them."""

from __future__ import annotations

import re

from helix_tui.schema import Facts

MOST_LINKS = 20
_LINK = "link: "
_LONGEST = 200
# Where Claude Code says what was planned before the work that is asked for.
_TRANSCRIPT = re.compile(
    r"transcript at:?\s{1,4}[^\n]{0,400}?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl"
)


def note_link(facts: Facts, text: str) -> None:
    """Take the session that a record names as what this one goes on with."""
    if text.startswith(_LINK):
        _add(facts, text.removeprefix(_LINK))


def note_planned(facts: Facts, flavor: str, prompt: str) -> None:
    """Take the session whose plan a prompt asks to carry out."""
    if named := _TRANSCRIPT.search(prompt):
        _add(facts, f"{flavor}:{named[1]}")


def _add(facts: Facts, name: str) -> None:
    if len(name) <= _LONGEST and name not in facts.links and len(facts.links) < MOST_LINKS:
        facts.links = sorted((*facts.links, name))
