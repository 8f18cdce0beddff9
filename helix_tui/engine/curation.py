"""From what recurs to what agents are taught: candidates, verdicts, distribution, effect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from helix_tui.engine.open_store import OpenStore
from helix_tui.store.database import reading

# Jobs load what only they need: a sweep that finds nothing new is mostly start-up.
if TYPE_CHECKING:
    from helix_tui.engine.candidates.candidates import Candidates
    from helix_tui.engine.catalog.forgetting import Cited, TakenOut
    from helix_tui.engine.distribute.distribution import Distribution
    from helix_tui.engine.effect.effects import Effects
    from helix_tui.engine.review.verdicts import Verdicts
    from helix_tui.schema.context import RepoContext, SessionPlace


class Curation(OpenStore):
    """What recurs in one store, what a person decided on it, and what came of that."""

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates: what recurs across sessions."""
        from helix_tui.engine.candidates.candidates import Candidates

        return Candidates(self.config, self._layout, self._reading, self.verdicts, self.effects)

    @cached_property
    def verdicts(self) -> Verdicts:
        """Verdicts on candidates."""
        from helix_tui.engine.review.verdicts import Verdicts

        return Verdicts(self.config, self._reading, self.effects.known_returned)

    @cached_property
    def distribution(self) -> Distribution:
        """What the catalog teaches, and into whose files it goes."""
        from helix_tui.engine.distribute.distribution import Distribution

        return Distribution(self.config, self._session_places)

    @cached_property
    def effects(self) -> Effects:
        """Whether what was taught helped: `all` of it, or `one` with the sessions behind it."""
        from helix_tui.engine.effect.effects import Effects

        return Effects(self.config, self._reading)

    def repo_contexts(self) -> list[RepoContext]:
        """List what agents load in each repository, and which lines are not kept to."""
        from helix_tui.engine.context.overview import repo_contexts

        with self._reading() as database:
            return repo_contexts(database, self.config.distribute.repos)

    def where_cited(self, sessions: Sequence[str]) -> Cited:
        """Find where catalog and journal quote sessions."""
        from helix_tui.engine.catalog.forgetting import where_cited

        return where_cited(self.config, sessions)

    def take_out(self, sessions: Sequence[str]) -> TakenOut:
        """Remove what catalog and journal quote of sessions."""
        from helix_tui.engine.catalog.forgetting import take_out

        return take_out(self.config, sessions)

    def _session_places(self) -> list[SessionPlace]:
        """Where sessions ran; without a store nobody knows."""
        from helix_tui.store.read.places import session_places

        with reading(self._layout) as database:
            return session_places(database.connection()) if database is not None else []
