"""What grouping asks of wherever sessions, signals and candidates lie: one store, or a team's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from helix_tui.detect.group import Many
from helix_tui.schema.candidate import Brief, Candidate, Citing, Counted, Gated, Sighting
from helix_tui.schema.large import Conversation, Large
from helix_tui.schema.recall import SeenRow
from helix_tui.schema.speech import Speech

Pairs = set[tuple[int, int]]
# A candidate with its bucket, and with its figures where a list shows them.
CandidateRow = tuple[int, Candidate, Brief | None]


class GroupingRows(Protocol):
    """The rows that one grouping reads and writes; sessions go by number, buckets by hash."""

    # Whether what a message finds is asked of these rows.
    keeps_seen: bool

    # Sessions as the quality gate sees them, and as they count.
    def changed_sessions(self) -> list[int]:
        """The sessions that have to be counted again, in order."""
        ...

    def all_sessions(self) -> list[Gated]:
        """Every session with what the quality gate looks at."""
        ...

    def families(self, keys: Iterable[int]) -> list[Gated]:
        """These sessions with all their ancestors, and all descendants of any of them."""
        ...

    def pairs_of_all(self) -> Pairs:
        """Every two sessions that are one conversation."""
        ...

    def pairs_around(self, keys: Collection[int]) -> Pairs:
        """Every two sessions that are one conversation, at least one of them among these."""
        ...

    def counted_before(self, keys: Sequence[int] | None) -> dict[int, Counted]:
        """How sessions (all of them for None) counted in the last grouping."""
        ...

    def write_counted(self, dropped: Iterable[int], counted: Sequence[Counted]) -> None:
        """Store how sessions count now."""
        ...

    def begin_together(self, first_ts: int) -> bool:
        """Whether several sessions began at the same moment."""
        ...

    def last_at(self, repo: str, branch: str) -> tuple[int, str]:
        """When somebody last worked on a branch, and in which session."""
        ...

    # Signals, and the buckets that have to be grouped again.
    def mark_buckets_of(self, keys: Sequence[int]) -> None:
        """Mark every bucket in which one of these sessions has a signal."""
        ...

    def mark_buckets(self, buckets: Iterable[int]) -> None:
        """Mark buckets to be grouped again."""
        ...

    def mark_all_buckets(self) -> None:
        """Mark every bucket."""
        ...

    def changed_buckets(self) -> list[int]:
        """The buckets that have to be grouped again, in order."""
        ...

    def sightings_in(self, buckets: Sequence[int]) -> dict[int, list[Sighting]]:
        """The signals of sessions that count, by bucket."""
        ...

    def chunks(self, buckets: Sequence[int]) -> Iterator[Sequence[int]]:
        """Buckets in runs that are grouped at once."""
        ...

    def keep_many(self, bucket: int, many: Many | None) -> None:
        """Keep by conversation what some of very many tell, for whoever adds to it; None is few."""
        ...

    # What people say.
    def seals(self) -> dict[int, int]:
        """By bucket, of what the candidates of things that are said were made."""
        ...

    def write_seals(self, gone: Iterable[int], changed: Mapping[int, int]) -> None:
        """Store of what candidates were made."""
        ...

    def speeches(self) -> dict[str, Speech]:
        """What people say, by repository."""
        ...

    def write_speeches(self, changed: Mapping[str, Speech | None]) -> None:
        """Store what is said in some repositories; None where nothing is any more."""
        ...

    def drop_speech(self) -> None:
        """Drop what is said in all repositories."""
        ...

    def places(self, bucket: int, keys: Sequence[int] | None) -> dict[int, str]:
        """In which repository conversations began, of sessions that say something and count."""
        ...

    def sightings_of(self, bucket: int, keys: Sequence[int]) -> list[Sighting]:
        """The signals of one bucket that these sessions have, of those that count."""
        ...

    # Candidates.
    def stored_in(self, buckets: Sequence[int]) -> dict[str, bytes]:
        """Candidates of these buckets as stored, by id."""
        ...

    def replace_candidates(
        self, buckets: Sequence[int], rows: Iterable[CandidateRow]
    ) -> dict[str, bytes]:
        """Replace the candidates of these buckets; return the new ones as stored."""
        ...

    def replace_seen(
        self, buckets: Sequence[int], rows: Iterable[tuple[int, int, SeenRow]]
    ) -> None:
        """Replace what a message finds in these buckets."""
        ...

    def are_there(self, names: Iterable[str]) -> set[str]:
        """The ids among these that some candidate has."""
        ...

    def citing(self, data: bytes) -> Citing:
        """What a stored candidate cites."""
        ...

    def citing_in(self, buckets: Sequence[int]) -> Iterator[Citing]:
        """What the candidates of these buckets cite."""
        ...

    def note_regrouped(self, replaced: Iterable[tuple[str, str]]) -> None:
        """Remember the new id that replaces an old one."""
        ...

    def note_parts(self, parts: dict[str, str]) -> None:
        """Remember of which replaced id a candidate holds a smaller part."""
        ...


class LargeRows(GroupingRows, Protocol):
    """What is asked besides where buckets are too large to be read whole.

    Pairs are a bucket with one of its sessions, conversations or events.
    """

    def touched_in(self, buckets: Sequence[int]) -> dict[int, set[int]]:
        """The sessions that changed in those of these buckets of which they are known."""
        ...

    def large_in(self, buckets: Sequence[int]) -> dict[int, Large]:
        """What is kept of those of these buckets that are large."""
        ...

    def write_large(self, changed: Mapping[int, Large]) -> None:
        """Store what is kept of large buckets."""
        ...

    def drop_large(self, buckets: Sequence[int]) -> None:
        """Keep nothing more of buckets that are not large, or show several things."""
        ...

    def conversations_of(self, sessions: Sequence[tuple[int, int]]) -> Found:
        """The kept conversations that sessions belonged to, and those that they belong to now."""
        ...

    def conversations_citing(self, events: Sequence[tuple[int, int]]) -> Found:
        """The kept conversations that cite one of these events."""
        ...

    def sightings_at(self, sessions: Sequence[tuple[int, int]]) -> dict[int, list[Sighting]]:
        """The signals of these sessions, of those that count."""
        ...

    def replace_conversations(
        self, gone: Sequence[tuple[int, str]], new: Sequence[tuple[int, Conversation]]
    ) -> None:
        """Store conversations in the place of others."""
        ...

    def drawn_in(self, buckets: Sequence[int], most: int) -> dict[int, list[Conversation]]:
        """Of each half of a bucket so many that are first in their order, and the earliest."""
        ...

    def spans_of(self, buckets: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
        """The first and the last believable time of the members of buckets."""
        ...

    def figures_in(self, buckets: Sequence[int]) -> dict[int, Brief]:
        """The stored figures of buckets that have a candidate."""
        ...

    def write_figures(self, changed: Mapping[int, Brief]) -> None:
        """Store new figures of candidates that say what they said."""
        ...


# Conversations by bucket and name.
Found = dict[tuple[int, str], Conversation]
