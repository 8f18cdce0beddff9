"""Check what a plug-in made of a unit before it is stored."""

from __future__ import annotations

from typing import Annotated

import msgspec

from helix_tui.schema import KINDS, Fault, SessionPatch, UnitBatch
from helix_tui.store.ingest.plan import REWRITTEN
from helix_tui.store.packs.frames import event_tuples
from helix_tui.text.times import require_time

_MOST_TOKENS = 1 << 53

_Number = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_Event = tuple[
    _Number,
    Annotated[int, msgspec.Meta(ge=0, lt=REWRITTEN)],
    int | None,
    Annotated[int, msgspec.Meta(ge=0, lt=len(KINDS))],
    bool,
    str | None,
    str | None,
    str | None,
    _Number | None,
    str | None,
    str,
    Fault | None,
]


def checked(batch: UnitBatch) -> UnitBatch:
    """The batch, after checking every value in it; raise ValueError where one is wrong."""
    for patch in batch.patches:
        _check_times(patch)
        _check_tokens(patch)
        if patch.frame is not None:
            msgspec.convert(event_tuples(patch.frame), list[_Event])
    return batch


def _check_times(patch: SessionPatch) -> None:
    times = [patch.first_ts, patch.last_ts, *(claim.ts for claim in patch.usage)]
    times += [dated.ts for dated in (patch.cwd, patch.branch, patch.model) if dated is not None]
    times += [row[2] for row in patch.frame.rows] if patch.frame is not None else []
    for ts in times:
        if ts is not None:
            require_time(ts)


def _check_tokens(patch: SessionPatch) -> None:
    for claim in patch.usage:
        counts = (*claim.tokens(), claim.cache_write_1h, claim.requests, claim.cost_ticks or 0)
        for count in counts:
            if type(count) is not int or not 0 <= count <= _MOST_TOKENS:
                raise ValueError(f"a count of tokens is a whole number, not {count!r}")
