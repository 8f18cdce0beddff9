"""By what it is known that what is told of a candidate is still what it was."""

from __future__ import annotations

from helix_tui.engine.context.told import ToldFinder, repos_of, sought_of
from helix_tui.schema.candidate import Candidate
from helix_tui.text.hashing import hash64


def told_key(candidate: Candidate, finder: ToldFinder) -> int:
    """A number that differs when the candidate, its sessions or what these were told differ."""
    wanted = sought_of(candidate)
    members = sorted((name, one.flavor, one.repo) for name, one in candidate.members.items())
    parts = (
        sorted(wanted.weights.items()),
        wanted[1:5],
        (wanted.said, wanted.about, wanted.tried, wanted.first),
        members,
        [(repo, finder.digest_of(repo)) for repo in repos_of(candidate.members)],
    )
    return hash64(repr(parts).encode("utf-8", "replace"))
