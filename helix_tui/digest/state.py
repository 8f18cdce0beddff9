"""What is stored of a part's fold: its facts, and what the next step needs to know."""

from __future__ import annotations

import msgspec

from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.schema import Facts


class Pending(msgspec.Struct, array_like=True, gc=False):
    """A call whose result has not come yet."""

    tool: str
    tool_class: str
    identity: int
    command: str
    file: str
    summary: str
    tells_pass: bool
    tells_failure: bool
    is_commit: bool
    ts: int | None


class Memory(msgspec.Struct, gc=False):
    """What the next step needs to know and no reader of the digest does."""

    began_ts: int | None = None
    latest_ts: int | None = None
    pending: dict[int, Pending] = {}
    # Results whose call stands elsewhere, by the hash of its id: how many of them are errors.
    orphans: dict[int, int] = {}
    failed: dict[int, bool] = {}
    repeats: dict[int, list[int]] = {}
    unfollowed: list[int] = []
    has_acted: bool = False
    # How much of the part can be searched, in characters.
    searched: int = 0


class PartFold(msgspec.Struct, gc=False):
    """The stored state of one part's fold."""

    facts: Facts
    memory: Memory
    extractor: int = EXTRACTOR


def new_fold() -> PartFold:
    """The state before the first event."""
    return PartFold(Facts(), Memory())
