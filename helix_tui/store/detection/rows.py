"""The rows of one store as grouping asks for them."""

# ruff: noqa: D102 - what each of them does is said in helix_tui/detect/rows.py

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from helix_tui.schema.candidate import Brief, Candidate, Citing, Counted, Gated, Sighting
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.speech import Speech
from helix_tui.store.detection import candidates, eligible, signals, speech
from helix_tui.store.detection.conversations import Pairs, pairs_around, pairs_of_all
from helix_tui.store.detection.grouping_state import note_parts
from helix_tui.store.detection.seen import replace_seen
from helix_tui.store.sql import chunks


class StoreRows:
    """A store's `GroupingRows` (`helix_tui/detect/rows.py`), inside of a transaction."""

    keeps_seen = True

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def changed_sessions(self) -> list[int]:
        return signals.changed_sessions(self._connection)

    def all_sessions(self) -> list[Gated]:
        return eligible.all_sessions(self._connection)

    def families(self, keys: Iterable[int]) -> list[Gated]:
        return eligible.families(self._connection, keys)

    def pairs_of_all(self) -> Pairs:
        return pairs_of_all(self._connection)

    def pairs_around(self, keys: Collection[int]) -> Pairs:
        return pairs_around(self._connection, keys)

    def counted_before(self, keys: Sequence[int] | None) -> dict[int, Counted]:
        return eligible.counted_before(self._connection, keys)

    def write_counted(self, dropped: Iterable[int], counted: Sequence[Counted]) -> None:
        eligible.write_counted(self._connection, dropped, counted)

    def begin_together(self, first_ts: int) -> bool:
        return eligible.begin_together(self._connection, first_ts)

    def last_at(self, repo: str, branch: str) -> tuple[int, str]:
        return eligible.last_at(self._connection, repo, branch)

    def mark_buckets_of(self, keys: Sequence[int]) -> None:
        signals.mark_buckets_of(self._connection, keys)

    def mark_buckets(self, buckets: Iterable[int]) -> None:
        signals.mark_buckets(self._connection, buckets)

    def mark_all_buckets(self) -> None:
        signals.mark_all_buckets(self._connection)

    def changed_buckets(self) -> list[int]:
        return signals.changed_buckets(self._connection)

    def sightings_in(self, buckets: Sequence[int]) -> dict[int, list[Sighting]]:
        return signals.sightings_in(self._connection, buckets)

    def chunks(self, buckets: Sequence[int]) -> Iterator[Sequence[int]]:
        return chunks(buckets)

    def keep_many(self, bucket: int, many: object) -> None:
        """All of one store's conversations are read each time."""

    def seals(self) -> dict[int, int]:
        return speech.seals(self._connection)

    def write_seals(self, gone: Iterable[int], changed: Mapping[int, int]) -> None:
        speech.write_seals(self._connection, gone, changed)

    def speeches(self) -> dict[str, Speech]:
        return speech.speeches(self._connection)

    def write_speeches(self, changed: Mapping[str, Speech | None]) -> None:
        speech.write_speeches(self._connection, changed)

    def drop_speech(self) -> None:
        speech.drop_speech(self._connection)

    def places(self, bucket: int, keys: Sequence[int] | None) -> dict[int, str]:
        return speech.places(self._connection, bucket, keys)

    def sightings_of(self, bucket: int, keys: Sequence[int]) -> list[Sighting]:
        return speech.sightings_of(self._connection, bucket, keys)

    def stored_in(self, buckets: Sequence[int]) -> dict[str, bytes]:
        return candidates.stored_in(self._connection, buckets)

    def replace_candidates(
        self, buckets: Sequence[int], rows: Iterable[tuple[int, Candidate, Brief | None]]
    ) -> dict[str, bytes]:
        return candidates.replace_candidates(self._connection, buckets, rows)

    def replace_seen(
        self, buckets: Sequence[int], rows: Iterable[tuple[int, int, SeenRow]]
    ) -> None:
        replace_seen(self._connection, buckets, rows)

    def are_there(self, names: Iterable[str]) -> set[str]:
        return candidates.are_there(self._connection, names)

    def citing(self, data: bytes) -> Citing:
        return candidates.unpack_citing(data)

    def citing_in(self, buckets: Sequence[int]) -> Iterator[Citing]:
        return candidates.citing_in(self._connection, buckets)

    def note_regrouped(self, replaced: Iterable[tuple[str, str]]) -> None:
        candidates.note_regrouped(self._connection, replaced)

    def note_parts(self, parts: dict[str, str]) -> None:
        note_parts(self._connection, parts)
