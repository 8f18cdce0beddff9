"""Made candidates for the tests of curation."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from helix_tui.detect.rank import brief_of
from helix_tui.schema.candidate import (
    Candidate,
    CandidateKind,
    Evidence,
    Member,
    Ranked,
    Rate,
    Remedy,
    ScoreParts,
)
from helix_tui.schema.signal import SignalName

START = 1_760_000_000_000
DAY = 86_400_000


def candidate(
    id: str = "edit-no-match-0a0b0c0d",
    *,
    kind: CandidateKind = "problem",
    signal: SignalName = "tool_error",
    error_class: str = "",
    subject: str = "",
    title: str = "shell: something failed",
    tool_class: str = "shell",
    flavors: Sequence[str] = ("claude", "claude", "codex", "codex"),
    repos: Sequence[str] = ("ledgerline", "sluice"),
    templates: Sequence[str] = (),
    aliases: Sequence[str] = (),
) -> Candidate:
    """One candidate, seen once in a session of each of the flavors."""
    members = {
        f"{flavor}:{number:04d}": Member(
            flavor, repos[number % len(repos)], 1, START + number * DAY, START + number * DAY
        )
        for number, flavor in enumerate(flavors)
    }
    evidence = [Evidence(name, 7 + at, START + at * DAY) for at, name in enumerate(members)]
    return Candidate(
        id,
        kind,
        signal,
        {signal: len(members)},
        tool_class,
        error_class,
        subject,
        title,
        members,
        evidence,
        list(templates),
        list(aliases),
        said=title.partition(": ")[2].removeprefix(error_class.replace("_", " ") + ": "),
    )


def ranked(
    one: Candidate,
    *,
    frequency: int | None = None,
    cost_impact: int = 3_000,
    remedy: Remedy | None = None,
) -> Ranked:
    """The candidate with plain figures; a session has one occurrence unless told otherwise."""
    one = replace(one, cure=remedy) if remedy else one
    brief = brief_of(one)
    if frequency is not None:
        brief = replace(brief, frequency=frequency)
    return Ranked(
        one,
        replace(brief, cost_impact=cost_impact),
        {name: Rate(count, 10) for name, count in sorted(brief.flavors.items())},
        {name: Rate(count, 10) for name, count in sorted(brief.repos.items())},
        12.5,
        ScoreParts(brief.sessions, float(brief.sessions), 20, 0.1, 100.0, 1.0, 1.1),
        [1, 0, 2],
        "ongoing",
    )


def cure(verb: str, ran: str, sessions: int, ways: dict[str, int] | None = None) -> Remedy:
    """What overcame a problem in so many conversations."""
    members = [f"claude:{number:04d}" for number in range(sessions)]
    return Remedy("cure", verb, verb, ran, "", ran, sessions, 1.0, None, members, ways or {})
