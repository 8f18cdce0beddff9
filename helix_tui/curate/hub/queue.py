"""The queue of decisions: which the hub has, which it still has to get, and when to try again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from helix_tui.curate.hub.decisions import Decision, Verdict, body_of, objection
from helix_tui.errors import StoreBusyError, StoreError
from helix_tui.files.ledger import Ledger, SoundLine

RowState = Literal["queued", "sent", "dead"]

# Nobody holds the file for longer than a write takes; a verdict does not wait for who does.
_SECONDS_TO_WAIT = 2.0
_FEW_LINES = 64


class QueueRow(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """How far a decision got; `body` is what is sent, to the byte, until it was.

    `next_at` is when a sweep tries again, at once where it is empty; `error` what was wrong last.
    `seq` counts within one journal, which its first decision stands for in `journal`.
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
    """The row of a decision that was never tried; one that may not leave is dead at once."""
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
    """The file of rows: of several with one id the last counts.

    It can be lost: the journal fills it again, and what is sent twice has the same key. The journal
    can be lost, too: what was queued before is sent from here, ahead of what is new.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ledger = Ledger(path, "decisions for the hub")

    def rows(self) -> list[QueueRow]:
        """The last row of each decision, in the order in which they were made."""
        return _ordered(self._known())

    def overview(self, decisions: Sequence[Decision]) -> list[QueueRow]:
        """The rows as they would be with all of the journal's decisions; it writes nothing."""
        known = self._known()
        return _ordered(known | {row.id: row for row in _missing(decisions, known)})

    def reconcile(self, decisions: Sequence[Decision]) -> str:
        """Enters those of the journal's decisions that are not there; what prevents it is told.

        All of them are given, not only the newest: what could not be entered once is made up for.
        """
        try:
            if not _missing(decisions, self._known()):
                return ""
            with self._ledger.locked(_SECONDS_TO_WAIT):
                # Once more, by the lock: what somebody else has just sent is not entered again.
                new = _missing(decisions, self._known())
                self._ledger.append(map(_encoder.encode, new))
        except (StoreError, StoreBusyError) as error:
            return f"{error} The verdict is kept; the hub is told of it later."
        return ""

    def record(self, rows: Iterable[QueueRow]) -> None:
        """Puts down how far decisions got; when it returns, that is durable."""
        with self._ledger.locked():
            self._ledger.append(map(_encoder.encode, rows))

    def compact(self) -> None:
        """Leaves the last row of each decision, once most of the lines are outdated."""
        lines = self._ledger.read().lines
        if not _is_worthwhile(lines):
            return
        with self._ledger.locked():
            lines = self._ledger.read().lines
            if _is_worthwhile(lines):
                self._ledger.rewrite(_last(lines))

    def _known(self) -> dict[str, QueueRow]:
        return _folded(self._ledger.read().lines)


def _missing(decisions: Sequence[Decision], known: dict[str, QueueRow]) -> list[QueueRow]:
    return [row_of(one, decisions[0].id) for one in decisions if one.id not in known]


def _ordered(rows: dict[str, QueueRow]) -> list[QueueRow]:
    # The rows of one journal by their numbers; those of one that was lost came before.
    journals: dict[str, int] = {}
    for row in rows.values():
        journals.setdefault(row.journal, len(journals))
    return sorted(rows.values(), key=lambda row: (journals[row.journal], row.seq))


def _row(line: SoundLine) -> QueueRow | None:
    try:
        return _decoder.decode(line.data)
    except msgspec.DecodeError:
        # Of a newer version, as its checksum is right: for us as good as lost. It stays, and what
        # it was of is entered once more.
        return None


def _folded(lines: Iterable[SoundLine]) -> dict[str, QueueRow]:
    return {row.id: row for line in lines if (row := _row(line))}


def _last(lines: Iterable[SoundLine]) -> Iterable[bytes]:
    found: dict[str | int, bytes] = {}
    for line in lines:
        row = _row(line)
        found[row.id if row else line.number] = line.data
    return found.values()


def _is_worthwhile(lines: Sequence[SoundLine]) -> bool:
    return len(lines) > _FEW_LINES and len(lines) > 2 * len(_folded(lines))
