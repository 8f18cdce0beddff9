"""Jobs beside the screen wait while a key is answered; the collector waits for a quiet moment."""

from __future__ import annotations

import gc
import threading
import time

# A key is answered within this time, in which whatever computes beside it stands still.
_SECONDS_TO_ANSWER = 0.06
# What a job may do in between, however many keys come.
_SECONDS_OF_WORK = 0.005
_SECONDS_OF_QUIET = 2.0
# New containers between two looks at those that are young; older ones are looked at when it is
# quiet: with 100,000 candidates that takes longer than a key may.
_YOUNG, _SELDOM = 20_000, 1_000


class KeyPriority:
    """Knows when the last key came."""

    def __init__(self) -> None:
        self._screen = threading.get_ident()
        self._key_at = float("-inf")
        self._works_until = 0.0

    def key_came(self) -> None:
        """Have jobs wait."""
        self._key_at = time.monotonic()

    def is_quiet(self) -> bool:
        """Whether nobody pressed a key for some time."""
        return time.monotonic() > self._key_at + _SECONDS_OF_QUIET

    def give_way(self) -> None:
        """Let a key be answered before the job that calls this goes on."""
        now = time.monotonic()
        seconds_left = self._key_at + _SECONDS_TO_ANSWER - now
        if seconds_left <= 0 or now < self._works_until or threading.get_ident() == self._screen:
            return
        time.sleep(seconds_left)
        self._works_until = time.monotonic() + _SECONDS_OF_WORK


def spare_collector() -> None:
    """Have the collector look at what is young only; what was loaded so far stays for good."""
    gc.freeze()
    gc.set_threshold(_YOUNG, _SELDOM, _SELDOM)
    gc.enable()
