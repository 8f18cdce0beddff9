"""Machines of one team that look at its list and decide."""

from __future__ import annotations

import random
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from helix_tui.engine.facade import Engine
from helix_tui.engine.team.engine import TeamEngine
from helix_tui.engine.team.exchange import Exchanged, exchange_with
from helix_tui.engine.team.grouping import Grouped, regroup_team
from helix_tui.schema.board import Listed
from helix_tui.team.asking import PostgresAsker
from tests.claude_log import ClaudeLog
from tests.engine.trouble_log import troubled
from tests.team.machine import Machine
from tests.team.postgresql import TeamStore


class Reviewer(Machine):
    """A machine on which somebody decides."""

    @property
    def home(self) -> Path:
        """Where agents leave logs."""
        return self.bench.home

    @property
    def store(self) -> Path:
        """Its data folder."""
        return self.bench.store

    @property
    def catalog(self) -> Path:
        """Where its pages are."""
        return self.config.curate.catalog_dir

    @property
    def team(self) -> TeamEngine:
        """The team's list as it is here."""
        return TeamEngine(self.config)

    def write(self, *logs: ClaudeLog) -> None:
        """Leave logs of an agent."""
        for log in logs:
            log.write(self.home)

    def sweep(self) -> Engine:
        """Take in the logs."""
        engine = Engine(self.config)
        for _ in engine.sweep():
            pass
        return engine

    def sync(self) -> Exchanged:
        """Tell verdicts, hear of others, pull the list; a keeper groups first."""
        with self.member.signed_in() as opened:
            return exchange_with(self.config, PostgresAsker(opened), is_hurried=False)

    def group(self, *, is_hurried: bool = False) -> Grouped | None:
        """Group what was marked."""
        with self.member.signed_in() as opened:
            now = int(time.time() * 1000)
            return regroup_team(opened, self.config.detect, now, is_hurried=is_hurried)

    def listed(self, beginning: str) -> Listed:
        """A row of the list here."""
        return next(
            one
            for one in self.team.candidates.listing().listed
            if one.brief.id.startswith(beginning)
        )


def reviewer(
    team_store: TeamStore,
    place: Path,
    name: str,
    *,
    is_keeper: bool = False,
    share: str = "excerpts",
) -> Reviewer:
    """Enrol a machine of somebody new."""
    member = team_store.member(name, is_keeper=is_keeper)
    folder = place / name
    folder.mkdir(parents=True)
    return Reviewer(folder, member, share=share)


def two_reviewers(
    team_store: TeamStore, place: Path, *, share: str = "excerpts"
) -> tuple[Reviewer, Reviewer]:
    """Two members on whose machines the same went wrong; the first may group."""
    ann = reviewer(team_store, place, "ann", is_keeper=True)
    bob = reviewer(team_store, place, "bob", share=share)
    for number in range(24):
        (ann if number % 2 else bob).write(troubled(number, rounds=1 + number % 3))
    for one in (ann, bob):
        one.sweep()
        one.push()
    for one in (ann, bob):
        one.sync()
    return ann, bob


def split(source: Path, homes: Sequence[Path], chance: random.Random) -> None:
    """Give each session with all that belongs to it to one of several machines."""
    whose: dict[str, Path] = {}
    for path in sorted(one for one in source.rglob("*") if one.is_file()):
        place = path.relative_to(source)
        found = re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}", str(place))
        home = whose.setdefault(found[0] if found else str(place), chance.choice(homes))
        target = home / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
