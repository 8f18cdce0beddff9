"""What memory took in lately, and what it could not, read from as few bytes as possible."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from helix_tui.files.regular import read_regular_text
from helix_tui.memory.flush.daily import daily_path
from helix_tui.memory.flush.flush_log import flush_logs
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import Flushed
from helix_tui.text.human import plural

DAYS = 7
_ENTRY = re.compile(r"^## \d\d:\d\d · .*<!-- helix [0-9a-f]{16} -->\s*$", re.MULTILINE)
_NOOP = ": nothing worth keeping <!-- helix "


class Unremembered(msgspec.Struct, frozen=True):
    """A session that could not be flushed, why, and whether it waits for a person."""

    session: str
    reason: str
    is_dead: bool = False


class Remembered(msgspec.Struct, frozen=True):
    """How many entries were written, how many of them without the model, and what failed."""

    entries: int = 0
    without_model: int = 0
    failed: list[Unremembered] = []
    reason: str = ""

    def __str__(self) -> str:
        parts = [plural(self.entries, "entry", "entries")]
        if self.without_model:
            parts.append(f"{self.without_model:,} without the model")
        if self.failed:
            parts.append(f"{len(self.failed):,} failed")
        why = f": {self.reason.rstrip('.')}" if self.reason else ""
        return f"{', '.join(parts)}{why}."


def remembered_of(flushed: Iterable[Flushed]) -> Remembered:
    """What some flushes came to."""
    outcomes = list(flushed)
    fell_back = [one for one in outcomes if one.action == "fell_back"]
    failed = [one for one in outcomes if one.action in ("failed", "capped")]
    return Remembered(
        sum(one.action == "written" for one in outcomes) + len(fell_back),
        len(fell_back),
        [Unremembered(one.session, one.reason) for one in failed],
        next((one.reason for one in (*failed, *fell_back) if one.reason), ""),
    )


def remembered_lately(places: MemoryPlaces, now: datetime) -> Remembered:
    """The entries of the last days, and all that failed and was not made up for."""
    days = [f"{now - timedelta(days=ago):%Y-%m-%d}" for ago in range(DAYS)]
    logs = [path for day in days if (path := daily_path(places, day)).is_file()]
    rows = [row for log in logs for row in _ENTRY.findall(read_regular_text(log, "replace"))]
    held = [
        piece
        for log in flush_logs(places)
        if log.may_be_held() and (piece := log.state().held) is not None
    ]
    return Remembered(
        sum(_NOOP not in row for row in rows),
        0,
        [Unremembered(one.session, one.reason, one.is_dead) for one in held],
        held[0].reason if held else "",
    )
