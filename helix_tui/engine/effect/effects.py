"""What commands and screens ask: did it help?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helix_tui.config import Config
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.schema.effect import (
    ORDER,
    EffectFilter,
    EffectReport,
    EffectState,
    Measured,
    Returned,
)
from helix_tui.store.database import Database
from helix_tui.store.detection.grouping_state import grouping_number

# Lists ask whether anything was taught at all; only what follows needs the rest.
if TYPE_CHECKING:
    from helix_tui.engine.effect.measurement import Measurement
    from helix_tui.engine.review.verdicts import Reading

_NO_FILTER = EffectFilter()
# What comes back to the review list.
RETURNING: tuple[EffectState, ...] = ("worse", "no_change", "regressed")


class Effects:
    """Whether patterns helped, by the sessions of one store.

    `all` lists every pattern that was taught, without the sessions behind it; `one` has these too.
    """

    def __init__(self, config: Config, reading: Reading) -> None:
        self._config = config
        self._reading = reading
        self._kept: tuple[object, dict[str, Returned]] | None = None

    def all(self, wanted: EffectFilter = _NO_FILTER) -> EffectReport:
        """Every pattern that was ever distributed, what needs a person first."""
        with self._reading() as database:
            look = self._look(database, wanted)
            measured = look.measured(look.subjects())
        measured.sort(key=lambda one: (ORDER.index(one.effect.state), one.id))
        return EffectReport(measured, look.unmeasured)

    def returned(self, database: Database) -> Mapping[str, Returned]:
        """What was taught, is in and did not help, by candidate; nothing where all is well.

        It is found out again when sessions or the ledger changed.
        """
        if not self.has_taught():
            return {}
        stamp = self._stamp(database)
        if self._kept is None or self._kept[0] != stamp:
            self._kept = stamp, self._returned()
        return self._kept[1]

    def known_returned(self, database: Database) -> Mapping[str, Returned]:
        """The same as far as it was found out before: a single verdict measures nothing."""
        if self._kept is None or not self.has_taught() or self._kept[0] != self._stamp(database):
            return {}
        return self._kept[1]

    def _stamp(self, database: Database) -> object:
        return self.ledger_stamp(), grouping_number(database.connection())

    def _returned(self) -> dict[str, Returned]:
        returned: dict[str, Returned] = {}
        for one in self.all().measured:
            is_out = bool(one.moments) and one.moments[-1].kind == "out"
            if one.effect.state in RETURNING and one.effect.decided_at and not is_out:
                step = f" {one.step.text}" if one.step else ""
                reason = f"{one.effect.sentence}{step}"
                returned[one.candidates[0]] = Returned(
                    one.id, one.effect.state, reason, one.effect.decided_at
                )
        return returned

    def _look(self, database: Database, wanted: EffectFilter) -> Measurement:
        from helix_tui.engine.effect.measurement import Measurement

        return Measurement(self._config, database, wanted)

    def ledger_stamp(self) -> tuple[int, int]:
        """What differs when something was distributed since."""
        status = DistributionLedger(self._config).path.stat()
        return status.st_mtime_ns, status.st_size

    def has_taught(self) -> bool:
        """Whether anything was ever distributed; nothing is opened for that."""
        return DistributionLedger(self._config).path.exists()

    def rule(self, name: str | None, wanted: EffectFilter) -> list[Measured]:
        """A line that a person wrote, held against what it is about, or against one candidate."""
        from helix_tui.engine.effect.rule_history import written_rule
        from helix_tui.engine.effect.written import subjects_of_rule

        assert wanted.rule is not None
        written = written_rule(*wanted.rule)
        with self._reading() as database:
            look = self._look(database, wanted)
            subjects = subjects_of_rule(written, name, database, look.sessions, wanted)
            return [look.detailed(one, [], is_picked=False) for one in subjects]

    def one(self, name: str, wanted: EffectFilter = _NO_FILTER) -> Measured:
        """One pattern with its sessions, or a candidate since a time that a person names."""
        with self._reading() as database:
            look = self._look(database, wanted)
            subjects = look.subjects()
            subject = look.subject_of(name, subjects)
            others = [one for one in subjects if one.id != subject.id]
            return look.detailed(subject, others)
