"""The paths of memory in the data folder; no name from a log is used unchecked."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from helix_tui.store.layout import StoreLayout
from helix_tui.text.hashing import hash64
from helix_tui.text.refuse import check_id

_MOST_NAME = 100
_UNFIT = re.compile(r"[^A-Za-z0-9._-]")


class MemoryPlaces(msgspec.Struct, frozen=True):
    """The paths of one store's memory."""

    store: Path

    @property
    def spool(self) -> Path:
        """What hooks reported and no sweep has used yet."""
        return self.store / "spool.jsonl"

    @property
    def root(self) -> Path:
        """The folder of everything else."""
        return self.store / "memory"

    @property
    def daily(self) -> Path:
        """The daily logs, a file a day."""
        return self.root / "daily"

    @property
    def knowledge(self) -> Path:
        """The articles that daily logs are compiled into."""
        return self.root / "knowledge"

    @property
    def notes(self) -> Path:
        """The notes of sessions, a file each."""
        return self.root / "notes"

    @property
    def flushes(self) -> Path:
        """How far each session was flushed, a ledger each."""
        return self.root / "flushes"

    @property
    def spent(self) -> Path:
        """What a distilling program read and wrote on the last days, in tokens."""
        return self.root / "spent.json"

    @property
    def recall(self) -> Path:
        """What is kept ready for the agents' hooks, a file a repository."""
        return self.root / "recall"

    @property
    def handed(self) -> Path:
        """What agents were handed, and when."""
        return self.root / "handed.jsonl"

    @property
    def run(self) -> Path:
        """The folder in which a distiller runs; sessions that begin there are never captured."""
        return StoreLayout(self.store).run


def file_name(session_id: str) -> str:
    """The name of a session's files: its id where that fits a file name, else a hash."""
    flavor, _, native = session_id.partition(":")
    flavor = _UNFIT.sub("-", flavor) or "session"
    if check_id(native) and len(native) <= _MOST_NAME:
        return f"{flavor}-{native}"
    return f"{flavor}-{hash64(session_id.encode('utf-8', 'replace')) & (1 << 64) - 1:016x}"
