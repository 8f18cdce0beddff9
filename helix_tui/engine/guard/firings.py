"""The calls that guards answered: taken from the spool, kept in a ledger, counted by pattern."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from helix_tui.engine.guard.places import fired_path
from helix_tui.files.ledger import Ledger
from helix_tui.schema.guard import Firing
from helix_tui.schema.memory import SpoolLine

EVENT = "Guard"
_decode = msgspec.json.Decoder(Firing).decode


def keep_firings(store: Path, lines: Sequence[SpoolLine]) -> None:
    """Keep what guards answered; a line that was kept before a crash is kept once."""
    fired = [_firing(line) for line in lines if line.event == EVENT and line.pattern]
    if not fired:
        return
    ledger = _ledger(store)
    with ledger.locked():
        known = set(_read(ledger))
        new = [one for one in dict.fromkeys(fired) if one not in known]
        if new:
            ledger.append([msgspec.json.encode(one) for one in new])


def firings(store: Path) -> list[Firing]:
    """Every call that a guard answered, as far as sweeps took it in."""
    return _read(_ledger(store))


def fired_by_pattern(store: Path) -> dict[str, dict[str, int]]:
    """How often each pattern's guard fired, by session."""
    counts: dict[str, dict[str, int]] = {}
    for one in firings(store):
        sessions = counts.setdefault(one.pattern, {})
        sessions[one.session] = sessions.get(one.session, 0) + 1
    return counts


def _ledger(store: Path) -> Ledger:
    return Ledger(fired_path(store), "what guards answered")


def _read(ledger: Ledger) -> list[Firing]:
    firings = []
    for _, data in ledger.read().lines:
        try:
            firings.append(_decode(data))
        except msgspec.MsgspecError:
            continue  # of a newer version
    return firings


def _firing(line: SpoolLine) -> Firing:
    return Firing(f"{line.flavor}:{line.session}", line.pattern, line.version, line.answer, line.at)
