"""Rules among the lines that logs recorded, picked by their form alone.

Written without a look at the engine: a rule is a list item that tells somebody to do something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.truth.instructions_counter import Given

_ITEM = re.compile(r"(?:[-*+]|\d+[.)]) (?:\[[ x]\] )?(?P<text>.+)")
_TELLS = re.compile(
    r"\b(?:always|never|must|do not|don't|avoid|prefer|use|run|keep|ensure|write|add|make sure)\b",
    re.IGNORECASE,
)
_SHORTEST, _LONGEST = 45, 220


def rules_in(given: Given) -> dict[str, set[str]]:
    """Rules of recorded texts, each with the sessions that recorded exactly this line."""
    sessions: dict[str, set[str]] = {}
    for session, texts in given.items():
        for text in texts:
            sessions.setdefault(text, set()).add(session)
    found: dict[str, set[str]] = {}
    for text in sorted(sessions):
        for rule in _rules(text):
            found[rule] = {
                session
                for other, those in sessions.items()
                for session in those
                if any(line.strip().endswith(rule) for line in other.split("\n"))
            }
    return found


def _rules(text: str) -> list[str]:
    found: dict[str, None] = {}
    is_code = False
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        item = _ITEM.fullmatch(line.strip())
        is_long = item is not None and _SHORTEST <= len(item["text"]) <= _LONGEST
        if item and is_long and not is_code and _TELLS.search(item["text"]):
            found.setdefault(item["text"])
    return list(found)


def repos_with_and_without(
    sessions: set[str], repo_of: Mapping[str, str], given: Given
) -> tuple[set[str], set[str]]:
    """The repositories in which some of the sessions ran, and others whose logs tell, too."""
    inside = {repo_of[session] for session in sessions if repo_of.get(session)}
    others = {repo_of[session] for session in given if repo_of.get(session)} - inside
    return inside, others
