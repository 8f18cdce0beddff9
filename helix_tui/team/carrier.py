"""What takes rows to the team: PostgreSQL itself here, a hub in `carrier_https.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

import msgspec

from helix_tui.schema.team import EffectRow, TakenState, TeamRow, TombstoneKind
from helix_tui.team.asking import PostgresAsker
from helix_tui.team.database import TeamDatabase, require_version, told
from helix_tui.team.models import SCHEMA

# All origins that are one's own, where a tombstone names one.
EVERY_ORIGIN = "*"


class Carrier(Protocol):
    """A way to the team's store."""

    def __enter__(self) -> Carrier:
        """Reach the store."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave it."""
        ...

    def enrol(self, origin: str) -> str:
        """Make an origin known as one's own; return the role that one is."""
        ...

    def last_revision(self, origin: str) -> int:
        """The greatest revision that the team has of an origin."""
        ...

    def take(self, rows: Sequence[bytes]) -> Mapping[str, TakenState]:
        """Take some rows, all or none; return by uid what became of each."""
        ...

    def bury(self, kind: TombstoneKind, origin: str, target: str) -> None:
        """Have something forgotten for good."""
        ...

    def tell_effects(self, origin: str, rows: Sequence[EffectRow]) -> None:
        """Say what an origin measured; what it said before and is not among these is gone."""
        ...

    def ask(self, name: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that answer a question of `asking.py`."""
        ...


class PostgresCarrier:
    """The team's store itself."""

    def __init__(self, opened: TeamDatabase) -> None:
        self._opened = opened

    def __enter__(self) -> PostgresCarrier:
        with told(self._opened.place):
            self._opened.open()
            require_version(self._opened)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.close()

    def enrol(self, origin: str) -> str:
        """Make an origin known as one's own; it stays so however often it is said."""
        with told(self._opened.place):
            self._opened.rows(
                f"INSERT INTO {SCHEMA}.origin (origin) VALUES (%s) ON CONFLICT DO NOTHING",
                (origin,),
            )
            return self._opened.role

    def owns(self, origin: str) -> bool:
        """Whether an origin is one's own."""
        with told(self._opened.place):
            return bool(self._opened.value(f"SELECT {SCHEMA}.owns(%s, current_user)", (origin,)))

    def last_revision(self, origin: str) -> int:
        """The greatest revision that the team has of an origin."""
        with told(self._opened.place):
            value = self._opened.value(
                f"SELECT max(revision) FROM {SCHEMA}.session WHERE origin = %s", (origin,)
            )
        return int(value or 0)

    def take(self, rows: Sequence[bytes]) -> dict[str, TakenState]:
        """Take some rows in one transaction, by COPY into a temporary table."""
        with told(self._opened.place):
            self._make_months(rows)
            with self._opened.atomic():
                # Ended also where the connection is pooled and never closed.
                self._opened.rows("CREATE TEMP TABLE incoming (row text) ON COMMIT DROP")
                cursor = self._opened.connection.cursor()
                with cursor.copy("COPY pg_temp.incoming (row) FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row((row.decode(),))
                return {
                    str(uid): state
                    for uid, state in self._opened.rows(f"SELECT * FROM {SCHEMA}.take()")
                }

    def tell_effects(self, origin: str, rows: Sequence[EffectRow]) -> None:
        """Say what an origin measured, in one transaction; rows that are alike stay as they are."""
        with told(self._opened.place), self._opened.atomic():
            # As a push does, so that nothing slips in beside a tombstone.
            self._opened.rows("SELECT pg_advisory_xact_lock_shared(8124, hashtext(%s))", (origin,))
            for row in rows:
                self._opened.rows(
                    f"INSERT INTO {SCHEMA}.effect AS e (origin, pattern, version, figures) "
                    "VALUES (%s, %s, %s, %s) ON CONFLICT (origin, pattern, version) DO UPDATE "
                    "SET figures = excluded.figures WHERE e.figures <> excluded.figures",
                    (origin, *row),
                )
            self._opened.rows(
                f"UPDATE {SCHEMA}.effect SET figures = '' WHERE origin = %s AND figures <> '' "
                "AND NOT (pattern || ' ' || version) = ANY(%s)",
                (origin, [f"{row.pattern} {row.version}" for row in rows]),
            )

    def ask(self, name: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that answer a question."""
        return PostgresAsker(self._opened).ask(name, *values)

    def _make_months(self, rows: Sequence[bytes]) -> None:
        """Make the partitions that are missing, before the transaction: it locks their parents."""
        times = sorted({_begun.decode(row).first_ts or 0 for row in rows})
        months = self._opened.rows(
            f"SELECT DISTINCT {SCHEMA}.month_of(t) FROM unnest(%s::bigint[]) AS t", (times,)
        )
        for (month,) in months:
            if self._opened.value("SELECT to_regclass(%s)", (f"{SCHEMA}.words_{month}",)) is None:
                self._opened.rows(f"SELECT {SCHEMA}.make_month(%s)", (month,))

    def bury(self, kind: TombstoneKind, origin: str, target: str) -> None:
        """Have something forgotten for good; the store takes away what is there of it."""
        with told(self._opened.place):
            self._opened.rows(
                f"INSERT INTO {SCHEMA}.tombstone (kind, origin, target) "
                f"SELECT %s, origin, %s FROM {SCHEMA}.origin WHERE owner = current_user "
                "AND %s IN (origin, %s) ON CONFLICT (origin, kind, target) DO NOTHING",
                (kind, target, origin, EVERY_ORIGIN),
            )


class _Begun(msgspec.Struct):
    first_ts: int | None = None


_begun = msgspec.json.Decoder(_Begun)
row_decoder = msgspec.json.Decoder(TeamRow)
