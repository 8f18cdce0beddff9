"""Recall what earlier sessions taught: for a person, for a hook, and for an agent that asks."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.page.pattern import Pattern
from helix_tui.distribute.words import rule_faults
from helix_tui.engine.distribute.teachings import teachings_of
from helix_tui.engine.memory.applying import applies_to
from helix_tui.engine.memory.places_of_repos import RepoPlace, Roots
from helix_tui.engine.sweep.settled_marker import review_stamp
from helix_tui.errors import HelixError
from helix_tui.memory.knowledge.came_to import came_to
from helix_tui.memory.knowledge.open_ends import is_met
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.fitting import fit, wanted_words
from helix_tui.memory.recall.instructing import is_fit_for_agents
from helix_tui.memory.recall.page import first
from helix_tui.memory.recall.remembered import (
    KnownLine,
    Remembered,
    RememberedEntry,
    later_facts,
    short_ids_of,
)
from helix_tui.memory.recall.stale import is_stale
from helix_tui.places import home_of
from helix_tui.schema.distribute import Teaching
from helix_tui.schema.recall import RecallItem, RecallPage, SessionBrief
from helix_tui.store.database import Database
from helix_tui.store.read.recalled import repo_activity, repos_with_folders, session_briefs
from helix_tui.text.markdown import code_span
from helix_tui.text.redact import redact
from helix_tui.text.times import iso

_MOST_SESSIONS = 2_000
_OPEN_SESSIONS = 8
_OPEN_LINES = 3
_MOST = {"open": 12, "entries": 8, "lines": 16, "patterns": 12}
# What is handed to an agent unasked is of the last sessions and not older than this.
_START_DAYS = 90
_START_OPEN = 4
_DAY_MS = 86_400_000
_LONGEST_HOW = 80


class Recalling(NamedTuple):
    """What is asked for: words, a repository by name or by folder, and from when on.

    `is_for_agent` leaves out what reads like an instruction; `is_start` what is old as well.
    """

    words: str = ""
    repo: str | None = None
    place: RepoPlace | None = None
    since_ts: int | None = None
    is_for_agent: bool = False
    is_start: bool = False


class Recall:
    """What one store's sessions, memory and catalog have to say."""

    def __init__(
        self, config: Config, reading: Callable[[], AbstractContextManager[Database]]
    ) -> None:
        self._config = config
        self._reading = reading
        self._remembered = Remembered(MemoryPlaces(config.store.absolute()))
        self._catalog: tuple[str, list[Pattern], list[Teaching], list[str]] | None = None

    def roots(self) -> Roots:
        """The repositories of this machine in which sessions ran."""
        with self._reading() as database:
            return Roots(repos_with_folders(database.connection()))

    def activity(self) -> dict[str, tuple[int, int]]:
        """Figures of each repository that differ when something happened there."""
        with self._reading() as database:
            return repo_activity(database.connection())

    def page(self, asked: Recalling, roots: Roots | None = None) -> RecallPage:
        """One page of what fits."""
        place = asked.place
        name = place.name if place else asked.repo
        since = asked.since_ts
        if asked.is_start:
            since = max(since or 0, int(time.time() * 1000) - _START_DAYS * _DAY_MS)
        with self._reading() as database:
            connection = database.connection()
            briefs = session_briefs(connection, name, None if place else since, _MOST_SESSIONS)
            if place and roots is None:
                roots = Roots(repos_with_folders(connection))
        if place and roots:
            briefs = [brief for brief in briefs if roots.has(place, brief.cwd)]
        self._remembered.troubles.clear()
        view = _View(asked, name, place, briefs, since)
        wanted = wanted_words(asked.words)
        entries = list(view.entries(self._remembered.entries(_day(since))))
        page = RecallPage(
            name or "",
            first(view.open_ends(entries, wanted), _MOST["open"]),
            first(view.last_entries(entries, wanted), _MOST["entries"]),
            first(view.lines(self._remembered.lines(), entries, wanted), _MOST["lines"]),
            first(self._patterns(view, wanted), _MOST["patterns"]),
        )
        page.notes.extend([*view.notes(), *self._remembered.troubles, *self._catalog_troubles()])
        return page

    def patterns_for(self, place: RepoPlace | None, path: str, command: str) -> list[RecallItem]:
        """Approved patterns that a path or a command falls under, the nearest first."""
        name = place.name if place else None
        relative = _below(place.root, path) if place else path
        found = []
        for teaching, pattern in self._taught(name):
            score = applies_to(teaching, pattern.applies, pattern.subject, relative, command)
            if score:
                found.append((-score, -teaching.weight, _pattern_item(teaching, pattern)))
        found.sort(key=lambda one: (*one[:2], one[2].pattern))
        return [item for *_, item in found][: _MOST["patterns"]]

    def patterns_of(self, candidates: Iterable[str], name: str | None) -> list[RecallItem]:
        """Approved patterns that were made of these candidates."""
        wanted = set(candidates)
        return [
            _pattern_item(teaching, pattern)
            for teaching, pattern in self._taught(name)
            if wanted.intersection(pattern.candidates)
        ]

    def _patterns(self, view: _View, wanted: Sequence[str]) -> list[RecallItem]:
        found = []
        for teaching, pattern in self._taught(view.name):
            said = f"{teaching.title} {teaching.rule} {pattern.applies} {pattern.subject}"
            score = fit(wanted, said)
            if score or not wanted:
                found.append((score, teaching.weight, _pattern_item(teaching, pattern)))
        found.sort(key=lambda one: (-one[0], -one[1], one[2].pattern))
        return [item for *_, item in found]

    def _taught(self, name: str | None) -> Iterator[tuple[Teaching, Pattern]]:
        """What may be taught in a repository: nothing retired, nothing without words."""
        stamp = review_stamp(self._config)
        if self._catalog is None or self._catalog[0] != stamp:
            self._catalog = stamp, *self._read_catalog()
        _, patterns, teachings, _ = self._catalog
        by_id = {pattern.id: pattern for pattern in patterns}
        for one in teachings:
            if one.trouble or not one.rule.strip() or rule_faults(one.rule):
                continue
            is_here = one.allowed.user if one.scope.is_user else name in one.scope.repos
            if is_here and (one.allowed.user or one.allowed.repo):
                yield one, by_id[one.id]

    def _read_catalog(self) -> tuple[list[Pattern], list[Teaching], list[str]]:
        try:
            listing = Catalog(self._config.curate.catalog_dir).read()
        except HelixError as error:
            return [], [], [error.what]
        patterns = list(listing.patterns.values())
        return patterns, teachings_of(patterns, self._config.distribute.floors), []

    def _catalog_troubles(self) -> list[str]:
        return self._catalog[3] if self._catalog else []


class _View:
    """The sessions of one question, and how what memory says of them is shown."""

    def __init__(
        self,
        asked: Recalling,
        name: str | None,
        place: RepoPlace | None,
        briefs: Sequence[SessionBrief],
        since: int | None,
    ) -> None:
        self.name = name
        self._asked = asked
        self._place = place
        self._briefs = briefs
        self._since = since
        self._by_short: dict[str, list[SessionBrief]] = {}
        for brief in briefs:
            for short_id in short_ids_of(brief.native_id):
                self._by_short.setdefault(short_id, []).append(brief)
        self._home = str(home_of(os.environ))
        self._stale = self._instructing = 0

    def notes(self) -> list[str]:
        """What was left out."""
        notes = []
        if self._stale:
            notes.append(f"{self._stale} left out: the files that they speak of are gone.")
        if self._instructing:
            notes.append(f"{self._instructing} left out: they read like instructions.")
        return notes

    def entries(self, entries: Iterable[RememberedEntry]) -> Iterator[RememberedEntry]:
        """The entries of these sessions."""
        for one in entries:
            if self.name is not None and one.entry.repo != self.name:
                continue
            if self._is_of_place(one.entry.short_id):
                yield one

    def open_ends(
        self, entries: Sequence[RememberedEntry], wanted: Sequence[str]
    ) -> list[RecallItem]:
        """What the last session of each conversation left open, unless a later one closed it."""
        actions: dict[str, list[str]] = {}
        behind = later_facts(entries)
        for one in entries:
            left = one.entry.lines.get("actions", [])
            later = behind.get(one.entry.mark, [])
            actions.setdefault(
                one.entry.short_id, [line for line in left if not is_met(line, later)]
            )
        found: list[RecallItem] = []
        seen: set[str] = set()
        passed: set[str] = set()
        most = _START_OPEN if self._asked.is_start else _OPEN_SESSIONS
        for brief in self._briefs:
            if self._since is not None and brief.last_ts < self._since:
                continue
            if len(seen) >= most and not wanted:
                break
            if brief.root in seen:
                continue
            seen.add(brief.root)
            known = (actions.get(one) for one in short_ids_of(brief.native_id))
            noted = next((one for one in known if one is not None), None)
            lines = [_as_said(line) for line in brief.left_open] if noted is None else noted
            titled = f" [{code_span(redact(brief.title))}]" if brief.title else ""
            for line in lines[:_OPEN_LINES]:
                if any(line.startswith(check) for check in passed):
                    continue  # green since
                if not wanted or fit(wanted, f"{line} {brief.title}"):
                    item = RecallItem(
                        f"{line}{titled}", _session_source(brief), _at(brief), (brief.id,)
                    )
                    found += self._kept(item, brief.cwd)
            passed.update(brief.passed)
        return found

    def last_entries(
        self, entries: Sequence[RememberedEntry], wanted: Sequence[str]
    ) -> list[RecallItem]:
        """The last entries with how each stands; with words those that fit, the best first."""
        found = []
        for one in entries:
            said = " ".join(
                [one.title, *(line for some in one.entry.lines.values() for line in some)]
            )
            score = fit(wanted, said)
            if score or not wanted:
                found.append((score, _entry_item(one, self._sessions_of(one.entry.short_id))))
        found.sort(key=lambda row: -row[0])  # stable: the latest first among equals
        kept = (item for _, item in found[: 4 * _MOST["entries"]])
        return [good for item in kept for good in self._kept(item)]

    def lines(
        self,
        lines: Iterable[KnownLine],
        entries: Sequence[RememberedEntry],
        wanted: Sequence[str],
    ) -> list[RecallItem]:
        """Lines of knowledge: those that fit the words best, else those seen most."""
        found: list[tuple[int, int, str, RecallItem]] = []
        days = _day(self._asked.since_ts)
        for line in lines:
            if self.name is not None and line.repo != self.name:
                continue
            cited = [
                one for one in line.cited if one.day >= days and self._is_of_place(one.short_id)
            ]
            score = fit(wanted, line.text)
            if cited and (score or not wanted):
                last = max(cited)
                more = f" and {len(cited) - 1} more" if cited[1:] else ""
                item = RecallItem(
                    line.text,
                    f"{last.short_id} of {last.day}{more}",
                    last.day,
                    tuple(name for one in cited for name in self._sessions_of(one.short_id)),
                )
                found.append((score, len(cited), last.day, item))
        if wanted:
            known = {item.text for *_, item in found}
            found += [row for row in self._said(entries, wanted) if row[3].text not in known]
        found.sort(key=lambda row: row[:3], reverse=True)
        rows = [item for *_, item in found[: 6 * _MOST["lines"]]]
        return [good for item in rows for good in self._kept(item)]

    def _said(
        self, entries: Sequence[RememberedEntry], wanted: Sequence[str]
    ) -> Iterator[tuple[int, int, str, RecallItem]]:
        """Lines of entries that no article has."""
        for one in entries:
            sessions = self._sessions_of(one.entry.short_id)
            for field in ("decisions", "lessons", "key_exchanges"):
                for line in one.entry.lines.get(field, []):
                    if score := fit(wanted, line):
                        source = f"{one.entry.flavor} {one.entry.short_id}"
                        yield score, 1, one.day, RecallItem(line, source, one.day, sessions)

    def _is_of_place(self, short_id: str) -> bool:
        """Whether something is of the very folder: names of repositories are not unique."""
        return self._place is None or short_id in self._by_short

    def _sessions_of(self, short_id: str) -> tuple[str, ...]:
        return tuple(brief.id for brief in self._by_short.get(short_id, ()))

    def _kept(self, item: RecallItem, cwd: str = "") -> list[RecallItem]:
        """The item, unless it is stale or nothing for an agent."""
        folders = [folder for folder in (self._place.root if self._place else "", cwd) if folder]
        if not folders:
            cwds = {one.cwd for name in item.sessions for one in self._briefs if one.id == name}
            folders = sorted(cwds - {""})
        if any(map(os.path.isdir, folders)) and is_stale(item.text, self._is_there(folders)):
            self._stale += 1
            return []
        if self._asked.is_for_agent and not is_fit_for_agents(item.text):
            self._instructing += 1
            return []
        return [item]

    def _is_there(self, folders: Sequence[str]) -> Callable[[str], bool]:
        def is_there(path: str) -> bool:
            if path.startswith("~/"):
                return os.path.exists(f"{self._home}{path[1:]}")  # noqa: PTH110
            return any(os.path.exists(os.path.join(one, path)) for one in folders)  # noqa: PTH110

        return is_there


def _as_said(line: str) -> str:
    """A line of what is left open: how it is, and the words of the log as a quotation."""
    plain = redact(line)
    how, colon, said = plain.partition(": ")
    if not colon or len(how) > _LONGEST_HOW or not _is_plain(how):
        return code_span(plain)
    return f"{how[:1].upper()}{how[1:]}: {code_span(said)}"


def _is_plain(text: str) -> bool:
    return all(sign.isalnum() or sign in " ,.'-/" for sign in text)


def _entry_item(one: RememberedEntry, sessions: tuple[str, ...]) -> RecallItem:
    entry = one.entry
    context = entry.lines.get("context", [])
    stands = next((line for line in context if line.startswith("How it stands: ")), "")
    said = one.title or (context[0] if context else next(iter(entry.lines.values()))[0])
    text = f"{said}: {stands.removeprefix('How it stands: ')}" if stands else said
    text = "; ".join([text, *came_to(entry, 1)])
    source = f"{entry.flavor} {entry.short_id}"
    return RecallItem(text, source, f"{one.day}T{entry.time}", sessions)


def _pattern_item(teaching: Teaching, pattern: Pattern) -> RecallItem:
    seen = f"seen in {pattern.evidence.sessions} sessions"
    rule = " ".join(teaching.rule.split())
    source = f"pattern {teaching.id} {teaching.version}, {seen}"
    return RecallItem(rule, source, pattern.provenance.at, (), teaching.id)


def _session_source(brief: SessionBrief) -> str:
    return f"{brief.flavor} {short_ids_of(brief.native_id)[0]}"


def _at(brief: SessionBrief) -> str:
    return iso(brief.last_ts) or "" if brief.last_ts else ""


def _day(since_ts: int | None) -> str:
    if not since_ts or since_ts < 0:
        return ""
    return f"{datetime.fromtimestamp(since_ts / 1000, UTC).astimezone():%Y-%m-%d}"


def _below(root: str, path: str) -> str:
    """A path as seen from the repository; one outside of it stays as it is."""
    whole = os.path.normpath(os.path.join(root, path)) if path else ""
    return os.path.relpath(whole, root) if whole.startswith(f"{root}/") else path
