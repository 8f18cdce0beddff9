"""Which checks an agent tried since its last edit, and whether it said that it did not."""

from __future__ import annotations

from collections.abc import Collection

from helix_tui.digest.turns.memory import Excuse
from helix_tui.text.lazy import lazy

# A run that shows a fault of another kind as well: what does not compile passes no test.
_SHOWN_BY = {
    "build": frozenset({"build", "types", "lint", "test"}),
    "types": frozenset({"types", "build"}),
}
# A script that is named a check runs whatever a repository checks.
_ALL_OF = "check"
_PIPELINE = "ci"
_CHECKS = (
    r"(?:tests?|test suite|suite|checks?|lint(?:er|ing|s)?|type[- ]?check\w{0,4}|builds?|compiler"
    r"|clippy|formatter|verification|validation)"
)
_UNABLE = r"(?:could(?: not|n't)|can(?:not| not|'t)|(?:was|am|were)(?: not|n't) able to|unable to)"
_NOT = r"(?:could(?: not|n't)|unable to|did(?: not|n't)|ha(?:ve|s)(?: not|n't))"
_RUN_CHECKS = (
    r"(?:\w{1,12} ){0,2}(?:run|ran|running|execut\w{1,3})\b"
    rf"[^.\n]{{0,60}}?(?:\b{_CHECKS}\b|`)"
)
_CANNOT_RUN = lazy(rf"(?i)\b{_UNABLE} {_RUN_CHECKS}")
_NOT_RUN = lazy(
    rf"(?i)\b(?:{_NOT}|{_UNABLE}|without) {_RUN_CHECKS}"
    rf"|\b{_NOT} (?:\w{{1,12}} ){{0,2}}(?:build|built|compil\w{{1,3}}|lint\w{{0,4}}|test(?:ed|ing)?"
    r"|typecheck\w{0,3}|verif\w{1,4})\b"
    rf"|\b{_CHECKS} (?:(?:were|was|have|has|are|is) )?(?:not|never) (?:yet )?(?:been )?"
    r"(?:run|executed)\b"
    r"|\b(?:not (?:yet )?|un)(?:tested|verified|compiled)\b"
)
_EXAMINED = 6000


def excuse_in(reply: str) -> Excuse:
    """Whether a reply says that checks were not run, or that they cannot be run there at all."""
    said = reply[-_EXAMINED:].replace("\u2019", "'")
    if _NOT_RUN.search(said) is None:
        return ""
    return "cannot" if _CANNOT_RUN.search(said) else "did not"


def was_tried(check: str, tried: Collection[str]) -> bool:
    """Whether the runs since the last edit show what a check says, going by their kinds."""
    if check != _PIPELINE and _ALL_OF in tried:
        return True
    return not _SHOWN_BY.get(check, frozenset({check})).isdisjoint(tried)
