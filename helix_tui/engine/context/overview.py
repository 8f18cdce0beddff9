"""What agents are told in each repository of a store, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from helix_tui.context.files import Disk
from helix_tui.context.matching.index import BADGE
from helix_tui.context.simulate import effective_context
from helix_tui.engine.context.effective import asked_here
from helix_tui.engine.context.told_book import kept_book
from helix_tui.schema.context import AGENTS, AgentName, LineAbout, RepoContext, SessionPlace
from helix_tui.store.database import Database
from helix_tui.store.detection.candidates import candidates_by_id
from helix_tui.store.read.places import session_places


def repo_contexts(database: Database, named: Mapping[str, Path]) -> list[RepoContext]:
    """By repository and agent what is loaded there, the most used first.

    A folder that a person names for a repository goes before those that sessions ran in.
    """
    connection = database.connection()
    lines = _lines(database)
    disk = Disk()
    grouped: dict[tuple[str, AgentName], list[SessionPlace]] = {}
    for one in session_places(connection):
        agent = next((name for name in AGENTS if name == one.flavor), None)
        if agent is not None and one.repo:
            grouped.setdefault((one.repo, agent), []).append(one)
    contexts = [
        _context(repo, agent, sessions, disk, lines.get((repo, agent), []), named.get(repo))
        for (repo, agent), sessions in grouped.items()
    ]
    return sorted(
        contexts, key=lambda one: (one.context is None, -one.sessions, one.repo, one.agent)
    )


def _context(
    repo: str,
    agent: AgentName,
    sessions: Iterable[SessionPlace],
    disk: Disk,
    lines: list[LineAbout],
    named: Path | None,
) -> RepoContext:
    latest = sorted(sessions, key=lambda one: one.first_ts, reverse=True)
    cwds = (one.cwd for one in latest if one.cwd)
    folders = dict.fromkeys(cwds if named is None else (str(named), *cwds))
    folder = next((cwd for cwd in folders if disk.kind(cwd) == "folder"), "")
    context = effective_context(asked_here(agent, Path(folder)), disk) if folder else None
    count = len({one.root for one in latest})
    cwd = folder or next(iter(folders), "")
    return RepoContext(repo, agent, cwd, count, context, lines)


def _lines(database: Database) -> dict[tuple[str, str], list[LineAbout]]:
    """The lines that say something that recurs, by repository and agent that it recurs with."""
    told = {
        name: one
        for name, one in kept_book(database.connection()).told.items()
        if one.state != "no"
    }
    lines: dict[tuple[str, str], list[LineAbout]] = {}
    for candidate in candidates_by_id(database, sorted(told)):
        places = sorted({(one.repo, one.flavor) for one in candidate.members.values()})
        about = [
            LineAbout(candidate.id, candidate.title, told[candidate.id].state, line)
            for line in told[candidate.id].lines
            if line.coverage >= BADGE
        ]
        for place in places:
            lines.setdefault(place, []).extend(about)
    return lines
