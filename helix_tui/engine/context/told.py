"""Whether instructions already say what recurs, and whether those who saw it kept to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from helix_tui.context.files import Disk, Files
from helix_tui.context.matching.index import BADGE
from helix_tui.context.matching.judge import is_order
from helix_tui.context.matching.sought import sought
from helix_tui.context.matching.wanted import Sought
from helix_tui.engine.context.exposure import Exposures, hashes_of, plain
from helix_tui.engine.context.told_texts import Line, RepoText, repo_text
from helix_tui.schema.candidate import Candidate, Member
from helix_tui.schema.context import (
    NOT_TOLD,
    RecordedText,
    SessionPlace,
    Told,
    ToldLine,
    ToldState,
)
from helix_tui.store.read.places import recorded_texts, session_places, texts_by_hash
from helix_tui.text.hashing import hash64

_SHOWN = 3
_LONGEST_LINE = 300
_SHELL = "$ "
CAUSE = "it asks for what fails"
# What a line says at most of what a page teaches, where it only asks for what failed.
_ONLY_ASKS = BADGE - 0.01


class _Said(NamedTuple):
    """A line that says some of it."""

    line: Line
    coverage: float
    is_cause: bool
    is_order: bool = False


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
        self._digests: dict[str, int] = {}
        self._sessions: dict[str, list[SessionPlace]] = {}
        for one in sessions:
            self._sessions.setdefault(where(one.repo, one.root), []).append(one)

    @classmethod
    def of_store(cls, connection: sqlite3.Connection, files: Files) -> ToldFinder:
        """For the sessions of a store."""
        recorded = recorded_texts(connection)
        texts = texts_by_hash(connection, hashes_of(recorded))
        return cls(session_places(connection), recorded, texts, files)

    def of(self, candidate: Candidate) -> Told:
        """What is told of one candidate."""
        if candidate.sort == "moment":
            return NOT_TOLD  # what merely happened in sessions is nothing that one is told
        return self.about([sought_of(candidate)], candidate.members)

    def about(self, wanted: Sequence[Sought], members: Mapping[str, Member]) -> Told:
        """What is told of any of these, where these conversations were."""
        flavors = {member.flavor for member in members.values()}
        repos = repos_of(members)
        told = self._said(wanted, repos)
        return told_from([self._line(one, members, flavors, repos) for one in told])

    def text_of(self, repo: str) -> RepoText:
        """What agents are told in a repository."""
        if repo not in self._repos:
            sessions = self._sessions.get(repo, [])
            self._repos[repo] = repo_text(sessions, self._recorded, self._texts, self._files)
        return self._repos[repo]

    def digest_of(self, repo: str) -> int:
        """A number that differs when what is told in a repository differs, or its sessions do."""
        if repo not in self._digests:
            sessions = [
                (one, [record.hash for record in self._recorded.get(one.key, ())])
                for one in self._sessions.get(repo, [])
            ]
            lines = [
                (line.file, line.unit, sorted(line.loaded_by), sorted(line.unloaded.items()))
                for line in self.text_of(repo).lines
            ]
            self._digests[repo] = hash64(repr((sessions, lines)).encode("utf-8", "replace"))
        return self._digests[repo]

    def _said(self, wanted: Sequence[Sought], repos: Sequence[str]) -> list[_Said]:
        """The lines that say most of it in any of the repositories, each once."""
        best: dict[str, _Said] = {}
        for repo in repos:
            text = self.text_of(repo)
            for what, hit in ((each, hit) for each in wanted for hit in text.lookup.find(each)):
                line = text.lines[hit.unit]
                asks = not hit.is_cause and any(is_order(line.unit, each) for each in wanted)
                # That something is asked for says nothing of what a page teaches about it.
                most = _ONLY_ASKS if asks and not what.tried else 1.0
                one = _Said(line, min(hit.coverage, most), hit.is_cause, asks)
                key = plain(line.unit.text)
                before = best.get(key)
                rank = (one.is_cause, one.coverage)
                if before is None or (before.is_cause, before.coverage) < rank:
                    best[key] = one
        ranked = sorted(best.values(), key=lambda one: (not one.is_cause, -one.coverage))
        return ranked[:_SHOWN]

    def _line(
        self, one: _Said, members: Mapping[str, Member], flavors: set[str], repos: Sequence[str]
    ) -> ToldLine:
        state, why = one.line.state_for(sorted(flavors))
        text = one.line.unit.text
        line = ToldLine(
            one.line.file, one.line.unit.line, text[:_LONGEST_LINE], one.coverage, state, why
        )
        if one.coverage < BADGE:
            return line
        counts = self._counts(text, repos, members, flavors)
        why = CAUSE if one.is_cause and state != "unloaded" else why
        # Whoever ran what a line asks for kept to it, however that ended.
        line = ToldLine(line.file, line.line, line.text, line.coverage, state, why, *counts)
        if one.is_order:
            return replace(line, violated=0, followed=line.violated)
        return line

    def _counts(
        self, text: str, repos: Sequence[str], members: Mapping[str, Member], flavors: set[str]
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
            sum(root in members for root in seen),
        )


def repos_of(members: Mapping[str, Member]) -> list[str]:
    """The repositories of conversations, and those in none, each by itself."""
    return sorted({where(member.repo, name) for name, member in members.items()})


def where(repo: str, root: str) -> str:
    """What sessions share that are told the same: work in no repository has nothing in common."""
    return repo or f"\0{root}"


# A conversation saw what any of its sessions saw.
_RANK = ("unknown", "assumed_no", "observed_no", "assumed_yes", "observed_yes")


def told_from(lines: Sequence[ToldLine]) -> Told:
    """What lines come to: the state, and the figures of the one that says most.

    Beside a line that says it others that share some words with it are left out.
    """
    saying = [line for line in lines if line.coverage >= BADGE]
    if not saying:
        return Told("no", list(lines)) if lines else NOT_TOLD
    there = [line for line in saying if line.state != "unloaded"]
    state: ToldState = "told"
    if any(line.why == CAUSE for line in there):
        state = "cause"
    elif not there:
        state = "unloaded"
    counted = max(there or saying, key=lambda line: (not line.followed, line.seen, line.coverage))
    return Told(state, saying, counted.seen, counted.violated, counted.followed)


def sought_of(candidate: Candidate) -> Sought:
    """What of a candidate is looked for in instructions."""
    cure = candidate.cure if candidate.cure and not candidate.cure.is_weakening else None
    return sought(
        title=candidate.title,
        subject=candidate.subject,
        shape=candidate.shape,
        templates=candidate.templates,
        failed=_command(cure.failed) if cure else "",
        works=_command(cure.works) if cure else "",
        remedy=cure.verb if cure else "",
        error_class=candidate.error_class,
        actions=candidate.actions,
        first=(_command(cure.ran), cure.fixer) if cure else (),
    )


def _command(action: str) -> str:
    """The command of an action in a shell; other tools have none."""
    return action.removeprefix(_SHELL) if action.startswith(_SHELL) else ""
