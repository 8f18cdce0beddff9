"""Machines of one team in tests: each with logs, a store, a journal and a catalog of its own."""

from __future__ import annotations

import random
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.config import Config, load
from helix_tui.engine.facade import Engine
from helix_tui.engine.team.engine import TeamEngine
from helix_tui.engine.team.exchange import Exchanged, exchange_with
from helix_tui.engine.team.grouping import Grouped, regroup_team
from helix_tui.schema.board import Listed
from helix_tui.schema.team import Membership
from helix_tui.schema.team_settings import Share
from helix_tui.team.membership import write_membership
from tests.claude_log import ClaudeLog
from tests.engine.trouble_log import troubled
from tests.team.postgresql import Member, TeamStore
from tests.team.pushed import join, push_rows, revised, rows_of


class Machine(NamedTuple):
    """A data folder that joined a team."""

    home: Path
    store: Path
    origin: str
    member: Member

    @property
    def config(self) -> Config:
        """Its configuration."""
        return load(None, self.store, {"HOME": str(self.home)})

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

    def push(self, *, share: Share = "excerpts", revision: int = 1) -> None:
        """Send all that there is."""
        rows = [revised(row, revision) for row in rows_of(self.store, self.origin, share=share)]
        with self.member.signed_in() as opened:
            push_rows(opened, rows)

    def sync(self) -> Exchanged:
        """Tell verdicts, hear of others, pull the list; a keeper groups first."""
        with self.member.signed_in() as opened:
            return exchange_with(self.config, opened, is_hurried=False)

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


def machine(
    team_store: TeamStore, place: Path, name: str, *, is_keeper: bool = False, origin: str = ""
) -> Machine:
    """Enrol a machine of somebody new."""
    member = team_store.member(name, is_keeper=is_keeper)
    made = Machine(place / f"home-{name}", place / name, origin or f"origin-{name}", member)
    made.home.mkdir(parents=True)
    write_membership(
        made.store,
        Membership(
            address=member.address,
            origin=made.origin,
            role=member.role,
            joined_at="2026-01-01T00:00:00Z",
        ),
    )
    with member.signed_in() as opened:
        join(opened, made.origin)
    return made


def two_machines(team_store: TeamStore, place: Path) -> tuple[Machine, Machine]:
    """Two members on whose machines the same went wrong; the first may group."""
    ann = machine(team_store, place, "ann", is_keeper=True)
    bob = machine(team_store, place, "bob")
    for number in range(12):
        (ann if number % 3 else bob).write(troubled(number, rounds=1 + number % 3))
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
