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
    # The command, where it runs a check, a commit or a push: redacted, all of it that fits.
    asked: str = ""


class OpenTrouble(msgspec.Struct, array_like=True, gc=False):
    """An error that is not yet overcome: what failed, and what was changed since."""

    group: str
    fingerprint: int
    ts: int | None
    tool_class: str
    file: str
    command: str
    identity: int
    spent: int
    active_ms: int
    calls: int = 0
    verb: str = ""
    remedy: str = ""
    missing: str = ""
    is_check: bool = False


class Fixing(msgspec.Struct, array_like=True, gc=False):
    """A check that keeps failing: how often it did behind an edit, and since when."""

    failures: int = 0
    spent: int = 0
    active_ms: int = 0
    # Where it stands among the facts, once it is worth that.
    listed: int = -1
    # The tests that failed the last time, as far as they are named.
    tests: list[int] = []


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
    # What was read and written so far, in characters, and where the turn began in that.
    spent: int = 0
    turn_spent: int = 0
    turn_ms: int = 0
    troubles: list[OpenTrouble] = []
    fixing: dict[int, Fixing] = {}
    last_action: str = ""
    unfollowed_words: int = -1
    # What the agent said when it gave the turn back, where that was a claim of done.
    claim: str = ""
    # What it would be if the turn ended here.
    closing: str = ""
    # Edits since the last check, but for those of tests.
    code_edits: int = 0
    # The check that just passed at once; a correction takes that back.
    fresh_pass: str = ""


class PartFold(msgspec.Struct, gc=False):
    """The stored state of one part's fold."""

    facts: Facts
    memory: Memory
    extractor: int = EXTRACTOR


def new_fold() -> PartFold:
    """The state before the first event."""
    return PartFold(Facts(), Memory())
