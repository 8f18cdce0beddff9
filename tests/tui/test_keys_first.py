"""Jobs stand still while a key is answered, and get on however many keys come."""

from __future__ import annotations

import gc
import threading
import time
from operator import itemgetter

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.tui.key_priority import KeyPriority, spare_collector
from helix_tui.yielding import give_way_by, sorted_politely, yielding


def seconds_of(work: threading.Thread) -> float:
    began = time.monotonic()
    work.start()
    work.join(10)
    assert not work.is_alive()
    return time.monotonic() - began


def test_a_job_waits_until_the_key_is_answered() -> None:
    keys = KeyPriority()
    keys.key_came()
    assert seconds_of(threading.Thread(target=keys.give_way)) > 0.03


def test_a_job_does_not_wait_without_a_key() -> None:
    keys = KeyPriority()

    def work() -> None:
        for _ in range(10_000):
            keys.give_way()

    assert seconds_of(threading.Thread(target=work)) < 10
    assert keys.is_quiet()


def test_the_screen_never_waits_for_itself() -> None:
    keys = KeyPriority()
    keys.key_came()
    began = time.thread_time()
    for _ in range(1_000):
        keys.give_way()
    assert time.thread_time() - began < 1
    assert not keys.is_quiet()


def test_a_job_ends_while_keys_come_all_the_time() -> None:
    keys = KeyPriority()
    is_over = threading.Event()

    def press() -> None:
        while not is_over.wait(0.01):
            keys.key_came()

    pressing = threading.Thread(target=press)
    pressing.start()
    try:
        give_way_by(keys.give_way)
        found: list[int] = []
        seconds_of(threading.Thread(target=lambda: found.extend(yielding(range(5_000)))))
        assert found == list(range(5_000))
    finally:
        give_way_by(None)
        is_over.set()
        pressing.join()


def test_nobody_is_given_way_to_unless_somebody_asked() -> None:
    assert list(yielding(iter("abc"))) == ["a", "b", "c"]


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(1_900, 6_100), st.booleans())
@settings(max_examples=30)
def test_sorting_politely_is_sorting(seeds: list[int], count: int, is_reversed: bool) -> None:
    """Equal ones stay in their order, in either direction."""
    items = [(seeds[at % len(seeds)] if seeds else 0, at) for at in range(count)]
    wanted = sorted(items, key=itemgetter(0), reverse=is_reversed)
    give_way_by(lambda: None)
    try:
        assert sorted_politely(items, itemgetter(0), reverse=is_reversed) == wanted
    finally:
        give_way_by(None)
    assert sorted_politely(items, itemgetter(0), reverse=is_reversed) == wanted


def test_the_collector_is_on_again_before_anything_runs() -> None:
    before = gc.get_threshold()
    gc.disable()
    try:
        spare_collector()
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.set_threshold(*before)
        gc.unfreeze()
