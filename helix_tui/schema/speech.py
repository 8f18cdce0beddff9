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
    kind: str
    seal: int


class Heard(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A correction, or what may be one: its telling words, and what it objects to.

    `turn` is a place in the turns of its repository; `demanded` are the words that it asks for or
    forbids. `action` is the program that had run, or the name of the file that was edited.
    """

    turn: int
    words: list[str]
    demanded: list[str]
    action: str
    # What the agent did first behind it.
    led_to: list[str]
    # The turn that it goes on from, where the person had just objected before it.
    goes_on: int | None = None
    # The kind of the file that it objects to, where that tells something, and which of its words
    # are folders that the file lies in.
    lies: list[str] = []


class Word(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """How a word of corrections is said in a repository, in conversations.

    `plain` counts those that correct with it, `every` those that may; `heard` are places in what is
    heard.
    """

    plain: int
    every: int
    # Whether files are named so.
    is_named: bool
    heard: list[int]


class Asked(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """Turns of a repository that say the same, or that may say what others say elsewhere.

    The words that they share are one text, with blanks between.
    """

    words: str
    turns: list[int]
    # What they meet by (`helix_tui/detect/demands.py`).
    by: str


class Speech(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """What the people of one repository say.

    `asked` recurs here; `offered` are orders that may recur beside those of other repositories.
    `words` are those of `heard`. `vocabulary` holds all words that are said, as packed numbers of
    32 bits in order; `turns_of` and `beside` are, in the same order, how many turns have a word,
    and how many conversations say it in other turns than these.
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
    turns_of: bytes = b""
    beside: bytes = b""


class Saying(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """One thing that several conversations say: a candidate to be; no repository is all of them.

    `shares` says of each turn how many things it says that recur: they share what it cost.
    """

    signal: SignalName
    repo: str
    words: list[str]
    turns: list[Turn]
    shares: list[int] = []
