"""Fold the lines of the ledger into what was written where: the last line of a file holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.schema.distribute import Held, LedgerLine


class Distributed(NamedTuple):
    """What the ledger says: files by path, and which patterns stay out of which site.

    `pending` is a batch that was cut off, and `earlier` the files as they were before it: each file
    is as one of the two says.
    """

    files: dict[str, Held]
    held: set[tuple[str, str]]
    pending: str
    earlier: dict[str, Held]


def fold(lines: Sequence[LedgerLine]) -> Distributed:
    """All that follows from the lines."""
    done = {line.batch for line in lines if line.action == "done"}
    last = next((line.batch for line in reversed(lines) if line.action != "done"), "")
    pending = last if last and last not in done else ""
    files, held = _fold(lines)
    earlier = files_before(lines, pending) if pending else {}
    return Distributed(files, held, pending, earlier)


def files_before(lines: Sequence[LedgerLine], batch: str) -> dict[str, Held]:
    """The files as they were before a batch."""
    at = next((at for at, line in enumerate(lines) if line.batch == batch), len(lines))
    return _fold(lines[:at])[0]


def _fold(lines: Sequence[LedgerLine]) -> tuple[dict[str, Held], set[tuple[str, str]]]:
    files: dict[str, Held] = {}
    held: set[tuple[str, str]] = set()
    for line in lines:
        held.difference_update((line.site, rule.pattern) for rule in line.rules)
        held.update((line.site, pattern) for pattern in line.held)
        if line.file:
            files[line.file] = Held(
                line.file,
                line.site,
                line.root,
                line.kind,
                tuple(line.rules),
                line.glue,
                line.is_made,
                tuple(line.folders),
                line.head,
            )
    return {path: one for path, one in files.items() if one.rules}, held


def last_batch(lines: Sequence[LedgerLine]) -> list[LedgerLine]:
    """The lines of the last apply or retract that was not taken back; none where there is none."""
    undone = {line.undoes for line in lines if line.undoes}
    acts = [line for line in lines if line.action in ("apply", "retract")]
    batch = next((line.batch for line in reversed(acts) if line.batch not in undone), "")
    return [line for line in acts if batch and line.batch == batch]
