"""Where a pattern belongs: what its page says, else what its evidence shows; and what it needs."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.schema.curation import DistributeFloors
from helix_tui.schema.distribute import USER, Distributable, Scope
from helix_tui.text.human import plural

_REPO, _PATH = "repo:", "path:"
# What detection says of a candidate, and pages of before have: whom it concerns.
_CONCERNS_ALL = ("", "machine", "agent", "everyone", USER)


def read_scope(text: str, repo_names: Sequence[str]) -> tuple[Scope, str]:
    """The scope that a page tells, and what is wrong with it; its evidence names what it does not.

    `user`, or parts with commas between them: `repo:NAME` and `path:GLOB`.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    repos = tuple(part.removeprefix(_REPO).strip() for part in parts if part.startswith(_REPO))
    globs = tuple(part.removeprefix(_PATH).strip() for part in parts if part.startswith(_PATH))
    rest = [part for part in parts if not part.startswith((_REPO, _PATH))]
    if not all((*repos, *globs)):
        return Scope(), f"the scope `{text}` has a part without a name"
    unknown = [part for part in rest if part not in (*_CONCERNS_ALL, "repo")]
    if unknown:
        wanted = "`user`, `repo:NAME` and `path:GLOB`"
        return Scope(), f"the scope `{text}` is none of {wanted}"
    if USER in rest and (repos or len(rest) > 1):
        return Scope(), f"the scope `{text}` says both all of your work and a part of it"
    if repos:
        return Scope(repos, globs), ""
    if "repo" in rest or (globs and USER not in rest):
        if len(repo_names) == 1:
            return Scope((repo_names[0],), globs), ""
        return Scope((), globs), "its page does not say which repository: set `scope: repo:NAME`"
    return Scope((), globs, is_user=True), ""


def distributable(
    *,
    is_retired: bool,
    is_ready: bool,
    has_words: bool,
    word: str,
    figures: DistributeFloors,
    floors: DistributeFloors,
) -> Distributable:
    """What may go where: `figures` are what the evidence has of what the floors ask for.

    All of a person's work needs what `[curate.gate]` asks for. One repository needs less, and a
    person's word goes before both.
    """
    if is_retired:
        return Distributable(False, False, "it is deprecated or superseded")
    if not has_words:
        return Distributable(False, False, "its page does not say what to do")
    if word:
        return Distributable(True, True, f"somebody said so: {word}")
    if is_ready:
        return Distributable(True, True, "it clears the floors of [curate.gate]")
    missed = [
        f"{actual:,} of {needed:,} {name}"
        for name, actual, needed in (
            ("occurrences", figures.min_frequency, floors.min_frequency),
            ("sessions", figures.min_sessions, floors.min_sessions),
            ("tokens", figures.min_cost_impact, floors.min_cost_impact),
        )
        if actual < needed
    ]
    if missed:
        reason = f"it has {', '.join(missed)} that [distribute.gate] asks for"
        return Distributable(False, False, reason)
    seen = plural(figures.min_sessions, "session")
    return Distributable(True, False, f"with {seen} it clears the floors of one repository alone")
