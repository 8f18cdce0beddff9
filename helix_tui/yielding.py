"""Let a screen that answers keys go first during long loops."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from typing import Any, TypeVar

T = TypeVar("T")
# So few items that they take less than a millisecond.
_EVERY = 8
_SORTED_AT_ONCE = 2_000

_give_way: Callable[[], None] | None = None
_urgent = threading.local()


def give_way_by(turn: Callable[[], None] | None) -> None:
    """Set what every long loop of this process calls now and then; it may take its time."""
    global _give_way
    _give_way = turn


def give_way() -> None:
    """Let a waiting screen go first, if there is one."""
    turn = _turn()
    if turn is not None:
        turn()


@contextmanager
def urgently() -> Iterator[None]:
    """Mark this thread's work as what somebody waits for: it gives way to nobody."""
    _urgent.is_so = True
    try:
        yield
    finally:
        _urgent.is_so = False


def _turn() -> Callable[[], None] | None:
    return None if getattr(_urgent, "is_so", False) else _give_way


def yielding(items: Iterable[T]) -> Iterator[T]:
    """The items; every few items a waiting screen goes first.

    Threads share one interpreter: one that computes for seconds halves the pace of all others.
    """
    turn = _turn()
    if turn is None:
        yield from items
        return
    for number, item in enumerate(items):
        if not number % _EVERY:
            turn()
        yield item


def sorted_politely(
    items: Sequence[T], key: Callable[[T], Any], *, reverse: bool = False
) -> list[T]:
    """Like `sorted`, but piece by piece while a screen waits: one long sort lets nobody in."""
    if _turn() is None or len(items) <= _SORTED_AT_ONCE:
        return sorted(items, key=key, reverse=reverse)
    starts = range(0, len(items), _SORTED_AT_ONCE)
    pieces = [
        sorted(items[at : at + _SORTED_AT_ONCE], key=key, reverse=reverse)
        for at in yielding(starts)
    ]
    return list(yielding(merge(*pieces, key=key, reverse=reverse)))
