"""Read a unit and fold its events on the way: a worker's job for each task."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import msgspec

from helix_tui.capture.units import read_unit
from helix_tui.digest.codec import pack_fold, unpack_fold
from helix_tui.digest.fold import Folder
from helix_tui.digest.runs.table import add_rows
from helix_tui.digest.state import new_fold
from helix_tui.schema import NOT_FOLDED, EventTuple, Folded, Problem, UnitBatch, UnitTask
from helix_tui.store.digests.texts import pack_texts

_UNKNOWN_WORDING = "an unknown wording by which a call seems to be refused"


def read_and_fold(task: UnitTask) -> Iterator[UnitBatch]:
    """The unit's batches, each with its folds and the time that both took."""
    folds = UnitFolds(task)
    batches = read_unit(task, folds)
    while True:
        started = time.perf_counter()
        batch = next(batches, None)
        if batch is None:
            return
        digesting, folds.seconds = folds.seconds, 0.0
        reading = time.perf_counter() - started - digesting
        told = [Problem(batch.path, 0, f"{_UNKNOWN_WORDING}: {said}") for said in folds.wordings]
        folds.wordings = []
        yield msgspec.structs.replace(
            batch,
            read_seconds=reading,
            digest_seconds=digesting,
            problems=[*batch.problems, *told],
        )


class UnitFolds:
    """The folds of one unit, by part and session, continued from what is stored."""

    def __init__(self, task: UnitTask) -> None:
        self.seconds = 0.0
        self.wordings: list[str] = []
        add_rows(task.runners)
        self._flavor = task.flavor
        self._stored = {
            (part.name, session): fold
            for part in task.parts
            for session, fold in part.folds.items()
        }
        self._folders: dict[tuple[str, str], Folder | None] = {}

    def restart(self, part: str) -> None:
        """Drop the folds of a part, to begin anew."""
        for table in (self._stored, self._folders):
            for key in [key for key in table if key[0] == part]:
                del table[key]

    def _note_wordings(self, folder: Folder, known: int) -> None:
        """Keeps how a harness refused in words that nobody has seen, so that they are told."""
        new = folder.fold.facts.unknown_wordings - known
        if new:
            said = [
                one.text for one in folder.fold.facts.refused_in_words if one.about == "unknown"
            ]
            self.wordings += said[-new:]

    def fold(self, part: str, session_id: str, events: Sequence[EventTuple]) -> Folded:
        """Fold more events; once a fold fails it stays empty, and its session is not analyzed.

        The cause is reported when the session is folded again from the store.
        """
        started = time.perf_counter()
        key = part, session_id
        try:
            if key not in self._folders:
                stored = self._stored.get(key)
                fold = unpack_fold(stored) if stored else new_fold()
                self._folders[key] = Folder(self._flavor, fold)
            folder = self._folders[key]
            if folder is None:
                return NOT_FOLDED
            known = folder.fold.facts.unknown_wordings
            folder.step_all(events)
            self._note_wordings(folder, known)
            return Folded(pack_fold(folder.fold), pack_texts(folder.texts.take()))
        except Exception:  # noqa: BLE001 - whatever it is, it must not cost the session's events
            self._folders[key] = None
            return NOT_FOLDED
        finally:
            self.seconds += time.perf_counter() - started
