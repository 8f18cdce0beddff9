"""What is stored of a part's fold: its facts, and what the next step needs to know."""

from __future__ import annotations

import msgspec

from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.digest.turns.memory import TurnMemory
from helix_tui.schema import Facts
from helix_tui.text.shape import Shape


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
    # The command, where it runs a check, a commit or a push, or may hide that a program failed:
    # redacted, all of it that fits.
    asked: str = ""
    # What it runs, without values, and the programs behind pipes.
    shapes: tuple[Shape, ...] = ()
    behind: tuple[Shape, ...] = ()
    # Hashes of the lines that an edit quotes.
    lines: list[int] = []
    # How long what it was given is, in characters.
    chars: int = 0


class Watched(msgspec.Struct, array_like=True, gc=False):
    """An action that failed or passed, and what was done since that may bear on the next like it.

    `group` is that of its error; empty where it passed. `lines` are hashes of those that an edit
    quotes. `is_missing` says that it could not be run at all, `is_red` that a check found fault.
    """

    shape: Shape
    identity: int
    command: str
    file: str
    said: str
    bases: list[str] = []
    lines: list[int] = []
    group: str = ""
    fingerprint: int = 0
    ts: int | None = None
    calls: int = 0
    step: str = ""
    step_said: str = ""
    was_read: bool = False
    edits: int = 0
    is_check: bool = False
    is_missing: bool = False
    is_red: bool = False
    error_class: str = ""
    # Commands that the error itself asks for.
    asked: list[str] = []
    # Whether one like it failed later since, by something else.
    is_further: bool = False
    # What its output says to run instead.
    hints: list[str] = []
    # The formatter or fixer that `step` is, as a command without the files of that day.
    fixer: str = ""
    # Whether the error quotes a line of a patch that begins with no sign.
    blames_bare: bool = False


class OpenTrouble(msgspec.Struct, array_like=True, gc=False):
    """An error that is not yet overcome: what failed, and what had been spent by then."""

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
    """What the next step needs to know and no reader of the digest does.

    `kept` are the actions that got past an error, each with the place of that among the facts.
    """

    kept: dict[str, int] = {}

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
    # Whether what says which faults a check looks for was edited, and no such check passed since.
    has_new_rules: bool = False
    # The check that just passed at once; a correction takes that back.
    fresh_pass: str = ""
    # The folder that calls name first: what they run stands in relation to that.
    base: str = ""
    turns: TurnMemory = msgspec.field(default_factory=TurnMemory)
    # Actions that failed and are not yet overcome, and the last that passed of each program.
    failing: list[Watched] = []
    passing: dict[str, Watched] = {}
    # What the agent last offered to choose from, each item as a hash.
    offered: list[int] = []
    # Tasks of the agent's own list that are not done, by the number it gave them.
    tasks: dict[str, str] = {}
    # What the person ran in a shell of their own, and of which the output has not come yet.
    person_ran: str = ""


class PartFold(msgspec.Struct, gc=False):
    """The stored state of one part's fold."""

    facts: Facts
    memory: Memory
    extractor: int = EXTRACTOR


def new_fold() -> PartFold:
    """The state before the first event."""
    return PartFold(Facts(), Memory())
