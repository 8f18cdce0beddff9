"""What a model said of turns, by event: appended as it comes, never asked twice, never rebuilt."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from helix_tui.config import Config
from helix_tui.files.ledger import Ledger, SoundLine
from helix_tui.model.failure import OF_THE_QUESTION, FailureKind
from helix_tui.schema.digest import TurnLabel
from helix_tui.store.layout import StoreLayout

log = logging.getLogger(__name__)
# A turn at which a model fails so often is left to the rules.
_TRIES = 3


class LabelLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question and what became of it: a label, or why there is none."""

    session: str
    fingerprint: int
    at: int
    label: TurnLabel | None = None
    failed: FailureKind | None = None


_decode = msgspec.json.Decoder(LabelLine).decode
_encode = msgspec.json.Encoder().encode


class LabelBook:
    """The file of labels of one store; anybody may read it, a writer holds its lock."""

    def __init__(self, file: Path) -> None:
        self._ledger = Ledger(file, "labels")

    def lines(self) -> list[LabelLine]:
        """Every line that can be read, in order."""
        read = self._ledger.read()
        lines = [line for line in map(_decoded, read.lines) if line is not None]
        unread = len(read.damaged) + len(read.lines) - len(lines)
        if unread:
            log.warning("%s: %d lines cannot be read", self._ledger.path, unread)
        return lines

    def add(self, line: LabelLine) -> None:
        """Append one line durably."""
        with self._ledger.locked():
            self._ledger.append([_encode(line)])

    def size(self) -> int:
        """The bytes of the file, by which a change is noticed without reading it."""
        try:
            return self._ledger.path.stat().st_size
        except FileNotFoundError:
            return 0

    def forget(self, sessions: Collection[str]) -> None:
        """Drop what was said of sessions."""
        if not self.size():
            return
        with self._ledger.locked():
            lines = self._ledger.read().lines
            kept = [line.data for line in lines if not _is_of(line, sessions)]
            if len(kept) < len(lines):
                self._ledger.rewrite(kept)


def _decoded(line: SoundLine) -> LabelLine | None:
    """What a line says; None for one of another form, as a later version may write."""
    try:
        return _decode(line.data)
    except msgspec.DecodeError:
        return None


def _is_of(line: SoundLine, sessions: Collection[str]) -> bool:
    decoded = _decoded(line)
    return decoded is not None and decoded.session in sessions


def book_of(config: Config) -> LabelBook:
    """The labels of a configuration's store."""
    return LabelBook(StoreLayout(config.store.absolute()).labels)


def labels_in(lines: Iterable[LabelLine]) -> dict[int, TurnLabel]:
    """The labels by event; where two processes asked at once, the first answer counts."""
    labels: dict[int, TurnLabel] = {}
    for line in lines:
        if line.label is not None:
            labels.setdefault(line.fingerprint, line.label)
    return labels


def settled_in(lines: Iterable[LabelLine]) -> set[int]:
    """The events that are not asked about again: labelled, refused, or failed too often."""
    settled: set[int] = set()
    failures: dict[int, int] = {}
    for line in lines:
        if line.failed is None or line.failed in OF_THE_QUESTION:
            settled.add(line.fingerprint)
        else:
            failures[line.fingerprint] = failures.get(line.fingerprint, 0) + 1
    return settled | {name for name, count in failures.items() if count >= _TRIES}


def labels_of(config: Config) -> dict[int, TurnLabel]:
    """The labels that count under a configuration: none where the rules alone read."""
    return labels_in(book_of(config).lines()) if config.detect.reader == "model" else {}
