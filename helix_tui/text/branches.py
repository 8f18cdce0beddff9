"""Texts that speak of this branch, with its name."""

from __future__ import annotations

from helix_tui.text.lazy import lazy

_THIS = lazy(r"(?i)\b(?:this|(?:the|my|our) current) branch\b")
_COUNT = lazy(r" \(\+\d{1,4} more\)$")
# Names of branches that every repository has.
_OF_ALL = frozenset(("main", "master", "develop", "dev", "trunk", "staging", "production", "HEAD"))
_LEAST_KEPT = 8
_DANGLING = lazy(r"(?i)(?: (?:if|and|or|to|the|an?|of|in|on|for|with|by|that|which|as))+$")


def with_branch(title: str, branch: str | None, room: int) -> str:
    """A title that speaks of this branch, with the name of it: in full, else its last part.

    What does not fit behind that is cut.
    """
    found = _THIS.search(title) if branch and branch not in _OF_ALL else None
    if found is None or not branch:
        return title
    counted = _COUNT.search(title)
    count = counted[0] if counted else ""
    behind = title[found.end() : len(title) - len(count)]
    last = branch.rpartition("/")[2]
    names = [f"branch {branch}", f"branch {last}", last]
    for name in names:
        if len(whole := f"{title[: found.start()]}{name}{behind}{count}") <= room:
            return whole
    for name in reversed(names[1:]):
        named = f"{title[: found.start()]}{name}"
        left = room - len(named) - len(count)
        if left >= _LEAST_KEPT:
            kept = _DANGLING.sub("", behind[: left - 1].rpartition(" ")[0]).rstrip(" ,;:…")
            return f"{named}{kept}…{count}"
    return title
