"""The paths of a data folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

_PACKS_PER_FOLDER = 1000


class StoreLayout(msgspec.Struct, frozen=True):
    """The paths of one store; no name in it comes from a log."""

    root: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.root / "store.db"

    @property
    def packs(self) -> Path:
        """The folder of packs."""
        return self.root / "packs"

    @property
    def packs_mark(self) -> Path:
        """The file with the mark by which packs and database are known to belong together."""
        return self.packs / "mark"

    @property
    def packs_unsealed(self) -> Path:
        """The name of that file while packs are being changed."""
        return self.packs / "unsealed"

    @property
    def aside(self) -> Path:
        """The folder of packs, and ends of packs, that no row owns."""
        return self.root / "aside"

    @property
    def lock(self) -> Path:
        """The writer's lock."""
        return self.root / "store.lock"

    @property
    def forgotten(self) -> Path:
        """The list of sessions to keep out, among the files that are a person's own."""
        return self.root / "review" / "forgotten.jsonl"

    @property
    def pinned(self) -> Path:
        """The list of sessions whose raw bytes a person wants kept."""
        return self.root / "review" / "pinned.jsonl"

    @property
    def reserve(self) -> Path:
        """A file that only takes up space, deleted when eviction needs the space."""
        return self.root / "reserve"

    @property
    def run(self) -> Path:
        """The folder in which a distiller runs; sessions that begin there are never captured."""
        return self.root / "memory" / "run"

    @property
    def model_spent(self) -> Path:
        """What the model of the settings read and wrote on the last days, in tokens."""
        return self.root / "model" / "spent.json"

    @property
    def labels(self) -> Path:
        """What a model said of people's turns, by event."""
        return self.root / "model" / "labels.jsonl"

    @property
    def read_sessions(self) -> Path:
        """How many events each session had when a model had read all its turns."""
        return self.root / "model" / "read.json"

    def unfinished_repair(self) -> Path | None:
        """The folder of damaged files of a repair that has not ended."""
        return next((mark.parent for mark in sorted(self.root.glob("damaged-*/unfinished"))), None)

    @property
    def logs(self) -> Path:
        """The folder of Helix's own log, for a store that was named."""
        return self.root / "log"

    def pack(self, session_key: int) -> Path:
        """The pack of one session, a thousand to a folder."""
        return self.packs / f"{session_key // _PACKS_PER_FOLDER:04d}" / f"{session_key:07d}.pack"
