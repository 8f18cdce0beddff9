"""Whether instructions already say what recurs, and whether those who saw it kept to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from helix_tui.context.files import Disk, Files
from helix_tui.context.matching.index import BADGE
from helix_tui.context.matching.sought import sought
from helix_tui.context.matching.wanted import Sought
from helix_tui.engine.context.exposure import Exposures, plain
from helix_tui.engine.context.told_texts import Line, RepoText, repo_text
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import (
    NOT_TOLD,
    RecordedText,
    SessionPlace,
    Told,
    ToldLine,
    ToldState,
)

_SHOWN = 3
_LONGEST_LINE = 300
CAUSE = "it asks for what fails"


class _Said(NamedTuple):
    """A line that says some of it."""

    line: Line
    coverage: float
    is_cause: bool


class ToldFinder:
    """Looks up what is told of candidates; texts of a repository are read when one asks for it."""

    def __init__(
        self,
        sessions: Sequence[SessionPlace],
        recorded: Mapping[int, Sequence[RecordedText]],
        texts: Mapping[int, str],
        files: Files | None = None,
    ) -> None:
        self._files = files or Disk()
        self._recorded = recorded
        self._texts = texts
        self._exposures = Exposures(recorded, texts, self._files)
        self._repos: dict[str, RepoText] = {}
        self._sessions: dict[str, list[SessionPlace]] = {}
        for one in sessions:
            self._sessions.setdefault(one.repo, []).append(one)

    def of(self, candidate: Candidate) -> Told:
        """What is told of one candidate."""
        if candidate.sort == "moment":
            return NOT_TOLD  # what merely happened in sessions is nothing that one is told
        wanted = sought_of(candidate)
        flavors = {member.flavor for member in candidate.members.values()}
        repos = sorted({member.repo for member in candidate.members.values()})
        said = self._said(wanted, repos)
        lines = [self._line(one, candidate, flavors, repos) for one in said]
        return told_from(lines)

    def text_of(self, repo: str) -> RepoText:
        """What agents are told in a repository."""
        if repo not in self._repos:
            sessions = self._sessions.get(repo, [])
            self._repos[repo] = repo_text(sessions, self._recorded, self._texts, self._files)
        return self._repos[repo]

    def _said(self, wanted: Sought, repos: Sequence[str]) -> list[_Said]:
        """The lines that say most of it in any of the repositories, each once."""
        best: dict[str, _Said] = {}
        for repo in repos:
            text = self.text_of(repo)
            for hit in text.lookup.find(wanted):
                line = text.lines[hit.unit]
                one = _Said(line, hit.coverage, hit.is_cause)
                key = plain(line.unit.text)
                before = best.get(key)
                if before is None or before.coverage < one.coverage:
                    best[key] = one
        ranked = sorted(best.values(), key=lambda one: (not one.is_cause, -one.coverage))
        return ranked[:_SHOWN]

    def _line(
        self, one: _Said, candidate: Candidate, flavors: set[str], repos: Sequence[str]
    ) -> ToldLine:
        state, why = one.line.state_for(sorted(flavors))
        text = one.line.unit.text
        line = ToldLine(
            one.line.file, one.line.unit.line, text[:_LONGEST_LINE], one.coverage, state, why
        )
        if one.coverage < BADGE:
            return line
        counts = self._counts(text, repos, candidate, flavors)
        why = CAUSE if one.is_cause and state != "unloaded" else why
        return ToldLine(line.file, line.line, line.text, line.coverage, state, why, *counts)

    def _counts(
        self, text: str, repos: Sequence[str], candidate: Candidate, flavors: set[str]
    ) -> tuple[int, int, int, int, int]:
        """Conversations by how it is known what they saw.

        Then those that saw it, and those of them in which it happened all the same.
        """
        by_root: dict[str, str] = {}
        for session in (one for repo in repos for one in self._sessions.get(repo, ())):
            if session.flavor in flavors:
                state = self._exposures.of(text, session).state
                before = by_root.get(session.root, "unknown")
                by_root[session.root] = max(before, state, key=_RANK.index)
        states = list(by_root.values())
        seen = [root for root, state in by_root.items() if state.endswith("_yes")]
        return (
            sum(state.startswith("observed") for state in states),
            sum(state.startswith("assumed") for state in states),
            states.count("unknown"),
            len(seen),
            sum(root in candidate.members for root in seen),
        )


# A conversation saw what any of its sessions saw.
_RANK = ("unknown", "assumed_no", "observed_no", "assumed_yes", "observed_yes")


def told_from(lines: Sequence[ToldLine]) -> Told:
    """What lines come to: the state, and the figures of the one that says most."""
    saying = [line for line in lines if line.coverage >= BADGE]
    if not saying:
        return Told("no", list(lines)) if lines else NOT_TOLD
    there = [line for line in saying if line.state != "unloaded"]
    state: ToldState = "told"
    if any(line.why == CAUSE for line in there):
        state = "cause"
    elif not there:
        state = "unloaded"
    counted = max(there or saying, key=lambda line: (line.seen, line.coverage))
    return Told(state, list(lines), counted.seen, counted.violated)


def sought_of(candidate: Candidate) -> Sought:
    """What of a candidate is looked for in instructions."""
    cure = candidate.cure
    return sought(
        title=candidate.title,
        subject=candidate.subject,
        shape=candidate.shape,
        templates=candidate.templates,
        failed=cure.failed if cure else "",
        works=cure.works if cure else "",
        remedy=cure.verb if cure else "",
        error_class=candidate.error_class,
    )
