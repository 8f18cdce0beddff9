"""What people say in a repository, as far as it may recur: kept, so that little is redone."""

from __future__ import annotations

import msgspec

from helix_tui.schema.signal import SignalName


class Turn(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A turn by where it stands; `seal` is another number where anything of it is another.

    `kind` is what it is: correction, report, instruction, nearly (a correction), first, none.
    """

    session: int
    fingerprint: int
    root: str
    repo: str
    kind: str
    seal: int


class Heard(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A correction, or what may be one: its telling words, and what it objects to.

    `turn` is a place in the turns of its repository; `demanded` are the words that it asks for or
    forbids.
    """

    turn: int
    words: list[str]
    demanded: list[str]
    action: str


class Word(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """How a word of corrections is said in a repository: turns with it, and conversations.

    `beside` counts those that say it in other turns than these, `plain` those that correct with it,
    `every` those that may; `heard` are places in what is heard.
    """

    turns: int
    beside: int
    plain: int
    every: int
    # Whether files are named so.
    is_named: bool
    heard: list[int]


class Asked(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Turns of a repository that say the same, or that may say what others say elsewhere."""

    words: list[str]
    turns: list[int]
    # What they meet by (`helix_tui/detect/demands.py`).
    by: str


class Speech(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What the people of one repository say.

    `asked` recurs here; `offered` are orders that may recur beside those of other repositories.
    `words` are those of `heard`; `vocabulary` holds all words that are said, as packed numbers of
    32 bits.
    """

    sessions: list[int] = []
    conversations: int = 0
    spoken: int = 0
    turns: list[Turn] = []
    heard: list[Heard] = []
    asked: list[Asked] = []
    offered: list[Asked] = []
    words: dict[str, Word] = {}
    vocabulary: bytes = b""


class Saying(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """One thing that several conversations say: a candidate to be; no repository is all of them."""

    signal: SignalName
    repo: str
    words: list[str]
    turns: list[Turn]
