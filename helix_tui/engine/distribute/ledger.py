"""The ledger: what was written into whose file, a checksummed line each, beside the journal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from helix_tui.config import Config
from helix_tui.files.ledger import DamagedLine, Ledger
from helix_tui.schema.distribute import LedgerLine

_NAME = "distributed.jsonl"
_lines = msgspec.json.Decoder(LedgerLine)
_encode = msgspec.json.Encoder().encode


class DistributionLedger:
    """The ledger of distribution; who writes holds its lock."""

    def __init__(self, config: Config) -> None:
        self.path: Path = config.curate.review_log.with_name(_NAME)
        self._ledger = Ledger(self.path, "what was distributed")

    def read(self) -> tuple[list[LedgerLine], list[DamagedLine]]:
        """Every line, and those that cannot be read."""
        sound, damaged = self._ledger.read()
        lines, bad = [], list(damaged)
        for number, data in sound:
            try:
                lines.append(_lines.decode(data))
            except msgspec.MsgspecError as error:
                bad.append(DamagedLine(number, f"it is of a newer version: {error}"))
        return lines, bad

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the ledger for writing."""
        with self._ledger.locked():
            yield

    def append(self, *lines: LedgerLine) -> None:
        """Make lines durable, all or none."""
        self._ledger.append([_encode(line) for line in lines])
