"""The engine with the team's list in the place of one's own candidates.

Everything else is this machine's: sessions, memory, the catalog. Verdicts go into the one journal
there is, and are told to the team.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.engine.candidates.candidates import Candidates
from helix_tui.engine.effect.effects import Effects
from helix_tui.engine.facade import Engine
from helix_tui.engine.review.verdicts import Verdicts
from helix_tui.engine.team.places import list_layout
from helix_tui.engine.team.pushing import outbox_path
from helix_tui.errors import NotFoundError, StoreError
from helix_tui.schema import Session
from helix_tui.schema.effect import EffectFilter, EffectReport
from helix_tui.schema.report import Period, Report
from helix_tui.schema.team import origin_of
from helix_tui.store.database import Database, reading
from helix_tui.store.detection.team_list import people_by_origin, pulled_at
from helix_tui.team.membership import require_membership
from helix_tui.team.outbox import Outbox
from helix_tui.text.times import iso


class TeamEngine(Engine):
    """One data folder that joined a team, and the team's list as it last came here."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._membership = require_membership(config.store)
        self._list = list_layout(config)
        # Whoever decides for the team does so under their pseudonym, here as everywhere.
        curate = config.curate._replace(is_shared=True, author=self._membership.role)
        self._list_config = replace(config, store=self._list.root, curate=curate)

    @property
    def origin(self) -> str:
        """The name of this data folder in the team."""
        return self._membership.origin

    @cached_property
    def people(self) -> dict[str, str]:
        """Whose each data folder of the team is, by pseudonym."""
        with self._reading_list() as database:
            return people_by_origin(database.connection())

    @property
    def as_of(self) -> int | None:
        """When the list was last brought here."""
        with self._reading_list() as database:
            return pulled_at(database.connection())

    def told_of_list(self) -> str:
        """What somebody who opens the list should know: whose it is, and from when."""
        with reading(self._list) as database:
            at = pulled_at(database.connection()) if database is not None else None
        if at is None:
            return "The team's list never came to this machine: helix team sync brings it."
        return f"The team's list as of {(iso(at) or '')[:16].replace('T', ' ')} UTC."

    @cached_property
    def verdicts(self) -> Verdicts:
        """Verdicts on the team's candidates."""
        return Verdicts(self._list_config, self._reading_list)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates of the whole team."""
        effects = Effects(self._list_config, self._reading_list)
        return Candidates(self._list_config, self._list, self._reading_list, self.verdicts, effects)

    def report(self, period: Period, *, has_excerpts: bool = False) -> Report:
        """Report where the work and the waste of the whole team went."""
        from helix_tui.engine.team.reporting import team_report

        return team_report(self, self._prices, period, has_excerpts=has_excerpts)

    def measured(self, wanted: EffectFilter) -> EffectReport:
        """Whether patterns helped, by the sessions of the whole team."""
        from helix_tui.engine.team.effects import team_effects

        return team_effects(self.config, wanted)

    def session(self, name: str) -> Session:
        """A session of this machine, also by its name in the team; others' lie where they ran."""
        if origin_of(name) == self.origin:
            return super().session(self._at_home(name))
        whose = self.people.get(origin_of(name))
        if whose is not None:
            raise NotFoundError(
                f"{name} lies on another machine, of {whose}.",
                "A transcript opens only where it lies: ask them, or read the excerpts here.",
            )
        return super().session(name)

    def _at_home(self, uid: str) -> str:
        """What a session that was pushed from here is called here."""
        if uid.startswith("id-") and outbox_path(self.config.store).exists():
            outbox = Outbox(outbox_path(self.config.store))
            try:
                named = (one.id for one in outbox.all().values() if one.uid == uid)
                return next(named, uid)
            finally:
                outbox.close()
        return uid.removesuffix(f".{self.origin}")

    @contextmanager
    def _reading_list(self) -> Iterator[Database]:
        with reading(self._list) as database:
            if database is None:
                raise StoreError(
                    "The team's list never came to this machine.", "Run `helix team sync`."
                )
            yield database
