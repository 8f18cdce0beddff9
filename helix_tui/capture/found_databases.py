"""List the sessions of a root's databases where one of these changed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from helix_tui.capture.adapters import Adapter
from helix_tui.capture.databases import FoundUnit, database_digest, opened
from helix_tui.capture.discover import (
    ROWS,
    ChangedFolder,
    DatabaseChangedError,
    DatabaseError,
    FoundPart,
    LogRoot,
    SourceListing,
    unit_name,
)
from helix_tui.schema import FolderMark, Problem

_ATTEMPTS = 3


def list_databases(
    source: LogRoot,
    adapter: Adapter,
    paths: Sequence[str],
    marks: Mapping[str, FolderMark],
    listing: SourceListing,
) -> None:
    """Add the sessions of these databases; all of them are listed when one has changed.

    A session may be in two of them, and which copy is read must not depend on which changed.
    """
    digests = {path: _digest(path, adapter) for path in paths}
    known = {path: mark for path in paths if (mark := marks.get(path)) is not None}
    if all(path in known and known[path].digest == digests[path] for path in paths):
        for mark in known.values():
            listing.unchanged_units.update(mark.shared_units)
        return
    for path in paths:
        try:
            units = _units(path, adapter)
        except (DatabaseError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            listing.problems.append(Problem(path, None, reason or "cannot be read"))
            continue
        rank = int(os.path.isdir(path))  # noqa: PTH112 - as discovery found it
        parts = [
            FoundPart(
                unit_name(source, adapter, unit.id),
                f"{ROWS}{unit.id}",
                path,
                True,
                unit.stamp,
                rank,
            )
            for unit in units
        ]
        listing.changed.append(ChangedFolder(path, digests[path], parts, is_database=True))


def _units(path: str, adapter: Adapter) -> list[FoundUnit]:
    """The sessions of one database; once more where its agent began to write meanwhile."""
    for attempt in range(_ATTEMPTS):
        with opened(path, adapter) as sessions:
            if sessions is None:
                return []
            units = list(sessions.units())
            try:
                sessions.require_unchanged()
            except DatabaseChangedError:
                if attempt + 1 == _ATTEMPTS:
                    raise DatabaseError("a database that changes while it is read") from None
                continue
            return units
    return []


def _digest(path: str, adapter: Adapter) -> int:
    """What tells by stat alone that something changed."""
    if os.path.isdir(path):  # noqa: PTH112 - as discovery found it
        with opened(path, adapter) as sessions:
            return getattr(sessions, "digest", lambda: 0)() if sessions else 0
    return database_digest(path, adapter.version)
