"""Long loops let somebody go first who cannot wait: a screen that answers keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
# So few that those in between take less than a millisecond.
_EVERY = 8

_give_way: Callable[[], None] | None = None


def give_way_by(turn: Callable[[], None] | None) -> None:
    """Has every long loop of this process call something now and then, which may take its time."""
    global _give_way
    _give_way = turn


def politely(items: Iterable[T]) -> Iterator[T]:
    """The items; between some of them whoever cannot wait goes first, where there is somebody.

    Threads share one interpreter: one that computes for seconds halves the pace of all others.
    """
    turn = _give_way
    if turn is None:
        yield from items
        return
    for number, item in enumerate(items):
        if not number % _EVERY:
            turn()
        yield item
