"""The command bar: actions by name or description, sessions, patterns and repositories by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider

from helix_tui.errors import HelixError
from helix_tui.schema import SessionFilter
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import actions_of, keys_of, shown_key
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.kit.moment import day
from helix_tui.tui.themes import TITLES

if TYPE_CHECKING:
    from helix_tui.tui.ports import EnginePort

_MOST_SESSIONS = 5_000
_MOST_FOUND = 12
# What is found by its description, or is no action, stands behind what is found by its name.
_BY_WORDS, _BY_HELP = 0.2, 0.1
# Letters that stand anywhere in a name in this order tell less than whole words.
_BY_LETTERS = 0.18


class Command(NamedTuple):
    """One line of the palette."""

    name: str
    help: str
    run: Callable[[], Any]


class ActionCommands(Provider):
    """What the screen below the palette can do now; what it cannot stands last, with the reason."""

    def _found(self) -> list[Command]:
        screen = self.screen
        if not isinstance(screen, HelixScreen):
            return []
        keymap = screen.station.keymap
        able: list[Command] = []
        unable: list[Command] = []
        for action in actions_of(screen.SCOPE):
            keys = " ".join(map(shown_key, keys_of(action, keymap)))
            reason = screen.refusal(action)
            text = f"not now: {reason}" if reason else action.help_on(screen.SCOPE)
            command = Command(
                action.name, f"{keys}  {text}".strip(), partial(screen.action_do, action.id)
            )
            (unable if reason else able).append(command)
        # What single keys do all the time is looked for last.
        able.sort(key=lambda command: command.name.startswith("cursor: "))
        return [*able, *self._themes(), *unable]

    def _themes(self) -> list[Command]:
        def use(name: str) -> None:
            self.app.theme = name

        now = self.app.theme
        return [
            Command(
                f"theme: {title.capitalize()}",
                "the theme in use" if name == now else "use this theme from now on",
                partial(use, name),
            )
            for name, title in TITLES.items()
        ]

    async def discover(self) -> Hits:
        """All of them, before something is typed."""
        for command in self._found():
            yield DiscoveryHit(command.name, command.run, help=command.help)

    async def search(self, query: str) -> Hits:
        """Those whose name fits what is typed, then those whose description has its words."""
        matcher = self.matcher(query)
        for command in self._found():
            score = matcher.match(command.name)
            if score > 0 and not _has_words(command.name, query):
                score = _BY_LETTERS * score / (1 + score)
            if score > 0:
                shown = matcher.highlight(command.name)
                yield Hit(score, shown, command.run, help=command.help)
            elif _has_words(command.help, query):
                yield Hit(_BY_HELP, command.name, command.run, help=command.help)


class NamedThings(Provider):
    """Sessions, patterns and repositories, found by the words of their names."""

    _things: Sequence[Command] = ()

    async def startup(self) -> None:
        """Read the names beside the keys."""
        screen = self.screen
        if isinstance(screen, HelixScreen) and screen.jobs.connection is not None:
            self._things = await asyncio.to_thread(_things_of, screen.jobs.source, screen)

    async def search(self, query: str) -> Hits:
        """The few latest that have all the words."""
        found = 0
        for thing in self._things:
            if found < _MOST_FOUND and _has_words(thing.name, query):
                found += 1
                yield Hit(_BY_WORDS - found / 1_000, thing.name, thing.run, help=thing.help)


def _things_of(source: EnginePort, screen: HelixScreen) -> list[Command]:
    """Everything that has a name; what cannot be read is left out, its own screen says why."""
    from helix_tui.engine.catalog.catalog_reader import CatalogReader

    things: list[Command] = []
    repos: dict[str, set[str]] = {}
    try:
        sessions = source.sessions(SessionFilter(most=_MOST_SESSIONS))
        patterns = list(CatalogReader(source.config).listing().patterns.values())
    except HelixError:
        return things
    for one in patterns:
        run = partial(screen.push, "catalog", pattern_id=one.id)
        things.append(Command(f"pattern: {safe_line(one.title, 120)}", safe_line(one.id), run))
    for session in sessions:
        if session.repo:
            repos.setdefault(session.repo, set()).add(session.id)
    for repo, names in sorted(repos.items()):
        shown = safe_line(repo, 80)
        run = partial(screen.push, "sessions", only=frozenset(names), about=f"repository {shown}")
        things.append(Command(f"repository: {shown}", plural(len(names), "session"), run))
    for session in sessions:
        if session.title:
            where = f"{day(session.last_ts)}  {session.flavor} {session.repo or ''}"
            run = partial(screen.push, "transcript", session=session.id)
            name = f"session: {safe_line(session.title, 120)}"
            things.append(Command(name, safe_line(where), run))
    return things


def _has_words(text: str, query: str) -> bool:
    lowered = text.lower()
    return all(word in lowered for word in query.lower().split())
