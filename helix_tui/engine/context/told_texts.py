"""The lines that agents are told in each repository, now and in what their logs recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from helix_tui.context.files import Files
from helix_tui.context.matching.index import Index
from helix_tui.context.matching.units import Unit, units_of
from helix_tui.context.simulate import effective_context
from helix_tui.engine.context.effective import asked_here
from helix_tui.engine.context.exposure import plain
from helix_tui.schema.context import (
    AGENTS,
    READ,
    Context,
    ContextFile,
    LineState,
    RecordedText,
    SessionPlace,
)
from helix_tui.text.redact import redact

# Of one agent in one repository: the folders and recorded texts that are looked at, the latest.
_MOST_FOLDERS = 3
_MOST_TEXTS = 5
_GROK_FILE = "## From: "


class Line(NamedTuple):
    """A line of instructions in one repository: where it is, and which agents load it."""

    file: str
    unit: Unit
    loaded_by: frozenset[str]
    # By agent that does not load it: why.
    unloaded: Mapping[str, str]
    is_recorded: bool = False

    def state_for(self, flavors: Iterable[str]) -> tuple[LineState, str]:
        """How it stands with agents: whether one of them is told, or why none is."""
        if self.is_recorded:
            return "recorded", ""
        if any(flavor in self.loaded_by for flavor in flavors):
            return "loaded", ""
        reasons = {one: self.unloaded[one] for one in flavors if one in self.unloaded}
        if len(set(reasons.values())) > 1:
            return "unloaded", "; ".join(f"{one}: {why}" for one, why in reasons.items())
        return "unloaded", next(iter(reasons.values()), "only other agents load it")


class RepoText(NamedTuple):
    """All that agents are told in a repository, ready to be searched."""

    lines: list[Line]
    lookup: Index


def repo_text(
    sessions: Sequence[SessionPlace],
    recorded: Mapping[int, Sequence[RecordedText]],
    texts: Mapping[int, str],
    files: Files,
) -> RepoText:
    """What agents are told where these sessions ran, today's files first."""
    distinct: dict[str, Line] = {}
    for agent in AGENTS:
        for folder in _folders(sessions, agent, files):
            context = effective_context(asked_here(agent, Path(folder)), files)
            _add_context(distinct, context)
    for digest, place in _recorded(sessions, recorded):
        for file, unit in _units_recorded(texts.get(digest, ""), place):
            key = plain(unit.text)
            if key and key not in distinct:
                distinct[key] = Line(file, unit, frozenset(), {}, is_recorded=True)
    lines = list(distinct.values())
    return RepoText(lines, Index([line.unit for line in lines]))


def _folders(sessions: Sequence[SessionPlace], agent: str, files: Files) -> list[str]:
    """The folders in which an agent was last used; in those of others where it never was.

    What one agent does not load there another may.
    """
    latest: dict[str, tuple[bool, int]] = {}
    for one in sessions:
        rank = (one.flavor == agent, one.first_ts)
        if one.cwd:
            latest[one.cwd] = max(latest.get(one.cwd, (False, 0)), rank)
    ranked = sorted(latest, key=lambda cwd: latest[cwd], reverse=True)
    there = (cwd for cwd in ranked if files.kind(cwd) == "folder")
    return [cwd for cwd, _ in zip(there, range(_MOST_FOLDERS), strict=False)]


def _add_context(found: dict[str, Line], context: Context) -> None:
    for file in context.files:
        first_lost = _first_lost(file)
        for unit, key in _units_with_keys(file.source):
            is_lost = first_lost is not None and unit.line >= first_lost
            reason = file.reason if is_lost else ""
            before = found.get(key)
            if not key:
                continue
            if before is None:
                before = Line(file.path, unit, frozenset(), {})
            if reason:
                found[key] = before._replace(unloaded={context.agent: reason, **before.unloaded})
            else:
                # Where it is loaded it is to be changed, whatever other file has it too.
                place = before if before.loaded_by else before._replace(file=file.path, unit=unit)
                found[key] = place._replace(loaded_by=before.loaded_by | {context.agent})


# Every agent reads the same files.
@lru_cache(maxsize=32)
def _units_with_keys(source: str) -> list[tuple[Unit, str]]:
    """The units of a text, redacted, each with the words by which it is known."""
    return [(unit, plain(unit.text)) for unit in units_of(redact(source))]


def _first_lost(file: ContextFile) -> int | None:
    """The first line of a file that an agent does not see whole; None where it sees all."""
    if not file.is_loaded:
        return 1
    if file.cut_at is None:
        return None
    return file.source.encode("utf-8", "replace")[: file.cut_at].count(b"\n") + 1


def _recorded(
    sessions: Sequence[SessionPlace], recorded: Mapping[int, Sequence[RecordedText]]
) -> list[tuple[int, str]]:
    """The latest texts that logs of each agent recorded, each once, with where it stands."""
    texts: dict[int, str] = {}
    for agent in sorted({one.flavor for one in sessions}):
        own: dict[int, str] = {}
        for one in sorted(
            (one for one in sessions if one.flavor == agent),
            key=lambda one: one.first_ts,
            reverse=True,
        ):
            for record in recorded.get(one.key, ()):
                if record.hash and len(own) < _MOST_TEXTS:
                    how = "read by the agent" if record.source == READ else "recorded"
                    own.setdefault(record.hash, f"{how} in {one.id}")
        for digest, name in own.items():
            texts.setdefault(digest, name)
    return list(texts.items())


def _units_recorded(text: str, place: str) -> list[tuple[str, Unit]]:
    """The units of a recorded text, by file where it names files."""
    if _GROK_FILE not in text:
        return [(place, unit) for unit in units_of(text)]
    units: list[tuple[str, Unit]] = []
    for piece in text.split(_GROK_FILE)[1:]:
        path, _, body = piece.partition("\n")
        units += [(path.strip(), unit) for unit in units_of(body)]
    return units
