"""How many lines an entry has, and which: what is worth least is what falls out.

The room grows slowly with the work. What a person laid down or chose goes before a cause with its
cure, that before a further open end, that before a further result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from helix_tui.memory.distill.turns_told import calls_in
from helix_tui.schema.memory import Distilled, Piece

_LEAST, _MOST = 4, 12
_CALLS, _PROMPTS = 2.4, 5
# Ranks of the first, the second, ... line of a kind; the last step goes on.
_DONE = (0.0, 2.0, 2.8, 3.5, 4.2)
_OPEN = (0.5, 2.2, 3.3, 4.4, 5.4)
_LAID_DOWN = (1.0, 1.3, 1.7, 2.5)
_CHOSEN = (1.6, 2.3, 3.1, 3.9, 4.7)
_CORRECTED = (1.9, 3.2, 4.8)
_CAUSE = (1.5, 2.6, 3.6, 4.7)
_CURE = (2.7, 3.8)
_REST = (4.1, 5.0)
_STEP = 0.9
# What is red, and what waits for a merge, is told whatever else there is.
_ALWAYS = (0.6, 0.7, 0.8)
# By the beginning of a line, in Helix's words, of what kind it is.
_KINDS = {
    "Laid down": _LAID_DOWN,
    "Corrected": _CORRECTED,
    "After the error": _CAUSE,
    "A sub-agent": _REST,
    "The agent's own summary": _REST,
}
_PRESSING = re.compile(
    r"Pull request #\d+ is open|Left open: `+ ?.{2,40}? (?:was last seen red|failed, and was not)"
)
_PASSED = ("` this passed: `", "` the agent ran `")


def room_of(piece: Piece) -> int:
    """How many lines may be told behind how it stands."""
    grown = sqrt(calls_in(piece)) / _CALLS + len(piece.exchanges) / _PROMPTS
    return min(_MOST, _LEAST + int(grown))


def within(piece: Piece, told: Distilled, work: Sequence[float]) -> Distilled:
    """What is told within the room; `work` has the rank of each line of what was done."""
    ranked = [
        *((rank, 0, at) for at, rank in enumerate(work)),
        *(
            (rank, 1, at)
            for at, rank in enumerate(_ranks(told.decisions, _CHOSEN, {"The agent: ": _REST}))
        ),
        *((rank, 2, at) for at, rank in enumerate(_ranks(told.lessons, _CAUSE))),
        *((rank, 3, at) for at, rank in enumerate(_ranks(told.actions, _OPEN))),
    ]
    kept = {(section, at) for _, section, at in sorted(ranked)[: room_of(piece)]}

    def of(section: int, lines: Sequence[str]) -> list[str]:
        return [line for at, line in enumerate(lines) if (section, at) in kept]

    return Distilled(
        told.context,
        of(0, told.key_exchanges),
        of(1, told.decisions),
        of(2, told.lessons),
        of(3, told.actions),
    )


def rank_of_work(at: int) -> float:
    """The rank of what was done, from the turn in which most was done on."""
    return _nth(_DONE, at)


def _ranks(
    lines: Sequence[str], usual: Sequence[float], also: Mapping[str, Sequence[float]] | None = None
) -> Iterator[float]:
    kinds = {**_KINDS, **(also or {})}
    counts: dict[Sequence[float], int] = {}
    for line in lines:
        kind = next((ranks for start, ranks in kinds.items() if line.startswith(start)), usual)
        kind = _CURE if any(sign in line for sign in _PASSED) else kind
        kind = _ALWAYS if _PRESSING.match(line) else kind
        at = counts[kind] = counts.get(kind, -1) + 1
        yield _nth(kind, at)


def _nth(ranks: Sequence[float], at: int) -> float:
    return ranks[at] if at < len(ranks) else ranks[-1] + _STEP * (at - len(ranks) + 1)
