"""Queue decisions: which the hub has, which it lacks; `sync.py` says when to try again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from helix_tui.curate.hub.decisions import Decision, Verdict, body_of, objection
from helix_tui.errors import StoreBusyError, StoreError
from helix_tui.files.ledger import Ledger, SoundLine, parsed

RowState = Literal["queued", "sent", "dead"]

# Nobody should hold the file for longer than a write takes, and a verdict does not wait longer.
_SECONDS_TO_WAIT = 2.0
_FEW_LINES = 64


class QueueRow(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """How far a decision got; `body` holds the exact bytes to send until they were sent.

    `next_at` is when a sweep tries again, at once where it is empty; `error` is the last failure.
    `seq` counts within one journal, which `journal` identifies by the id of its first decision.
    """

    id: str
    seq: int
    journal: str
    candidate: str
    verdict: Verdict
    at: str
    body: str = ""
    state: RowState = "queued"
    attempts: int = 0
    next_at: str = ""
    error: str = ""
    sent_at: str = ""


_decoder = msgspec.json.Decoder(QueueRow)
_encoder = msgspec.json.Encoder()


def row_of(decision: Decision, journal: str) -> QueueRow:
    """Make the row of an untried decision; one that may not leave the machine is dead."""
    wrong = objection(decision)
    return QueueRow(
        id=decision.id,
        seq=decision.seq,
        journal=journal,
        candidate=decision.candidate,
        verdict=decision.verdict,
        at=decision.at,
        body="" if wrong else body_of(decision),
        state="dead" if wrong else "queued",
        error=f"Not sent: {wrong}." if wrong else "",
    )


class Queue:
    """The file of rows; of several rows with one id the last counts.

    If it is lost, the journal fills it again, and what is sent twice has the same key. If the
    journal is lost, what was queued before is sent from here, ahead of what is new.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ledger = Ledger(path, "decisions for the hub")

    def rows(self) -> list[QueueRow]:
        """Return the last row of each decision, in the order in which they were made."""
        return _ordered(self._rows_by_id())

    def overview(self, decisions: Sequence[Decision]) -> list[QueueRow]:
        """Return the rows as they would be with all of the journal's decisions; write nothing."""
        rows = self._rows_by_id()
        return _ordered(rows | {row.id: row for row in _missing(decisions, rows)})

    def reconcile(self, decisions: Sequence[Decision]) -> str:
        """Add the journal's decisions that are missing; return what prevented it, if anything.

        It takes all decisions, not only the newest: those that could not be added once are added
        now.
        """
        try:
            content = self._ledger.content()
            rows = _folded(parsed(content).lines)
            if all(decision.id in rows for decision in decisions):
                return ""
            with self._ledger.locked(_SECONDS_TO_WAIT):
                # Again, under the lock: another process may just have added or sent some.
                if (again := self._ledger.content()) != content:
                    rows = _folded(parsed(again).lines)
                new = _missing(decisions, rows)
                self._ledger.append(map(_encoder.encode, new))
        except (StoreError, StoreBusyError) as error:
            return f"{error} The verdict is kept; the hub is told of it later."
        return ""

    def record(self, rows: Iterable[QueueRow]) -> None:
        """Record how far decisions got, durably."""
        with self._ledger.locked():
            self._ledger.append(map(_encoder.encode, rows))

    def compact(self) -> None:
        """Keep only the last row of each decision, once most lines are outdated."""
        lines = self._ledger.read().lines
        if not _is_worthwhile(lines):
            return
        with self._ledger.locked():
            lines = self._ledger.read().lines
            if _is_worthwhile(lines):
                self._ledger.rewrite(_last(lines))

    def _rows_by_id(self) -> dict[str, QueueRow]:
        return _folded(self._ledger.read().lines)


def _missing(decisions: Sequence[Decision], rows: dict[str, QueueRow]) -> list[QueueRow]:
    return [row_of(decision, decisions[0].id) for decision in decisions if decision.id not in rows]


def _ordered(rows: dict[str, QueueRow]) -> list[QueueRow]:
    # The rows of one journal by number; those of a journal that was lost come first.
    journals: dict[str, int] = {}
    for row in rows.values():
        journals.setdefault(row.journal, len(journals))
    return sorted(rows.values(), key=lambda row: (journals[row.journal], row.seq))


def _row(line: SoundLine) -> QueueRow | None:
    try:
        return _decoder.decode(line.data)
    except msgspec.DecodeError:
        # Its checksum is right, so a newer version wrote it. The line stays, and its decision is
        # added once more.
        return None


def _folded(lines: Iterable[SoundLine]) -> dict[str, QueueRow]:
    return {row.id: row for line in lines if (row := _row(line))}


def _last(lines: Iterable[SoundLine]) -> Iterable[bytes]:
    last_lines: dict[str | int, bytes] = {}
    for line in lines:
        row = _row(line)
        last_lines[row.id if row else line.number] = line.data
    return last_lines.values()


def _is_worthwhile(lines: Sequence[SoundLine]) -> bool:
    return len(lines) > _FEW_LINES and len(lines) > 2 * len(_folded(lines))
