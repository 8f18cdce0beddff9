"""What is kept of a bucket of very many conversations: a row for each, and sums over all."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from helix_tui.schema.candidate import Member

# By rank, then by when it began: the order in which conversations are drawn.
Place = tuple[int, int, str]


class Conversation(NamedTuple):
    """A conversation in one bucket: what it adds to figures, and its place in the draw.

    `keys` are its sessions there. One that has only copies of events of another has no rank, and
    one that nothing failed in first hand no member. `prints` are all events that it cites, `is_cut`
    says whether some of them were another session's before.
    """

    root: str
    keys: list[int]
    rank: int | None
    is_cured: bool
    began: int
    member: Member | None
    prints: list[int]
    is_cut: bool

    @property
    def place(self) -> Place:
        """Where it stands in the order of the draw."""
        return self.rank or 0, self.began, self.root


class Tally(msgspec.Struct, array_like=True):
    """The figures of a bucket's candidate over all conversations."""

    sessions: int = 0
    frequency: int = 0
    chars: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    flavors: dict[str, int] = {}
    repos: dict[str, int] = {}
    weeks: dict[int, int] = {}
    origins: dict[str, int] = {}


class Reading(NamedTuple):
    """What the conversations cost that were read: all together cost as much for each character.

    `is_sure_fix` says that one repository counts whole.
    """

    cost: int
    chars: int
    is_sure_fix: bool


class Large(msgspec.Struct, array_like=True):
    """A bucket of more conversations than are read to say what they have in common.

    `counts` and `limits` are of those that got past it and of the others: how many there are, and
    the place of the last that was drawn, None where all were. `earliest` is drawn in any case.
    """

    tally: Tally
    counts: tuple[int, int]
    limits: tuple[Place | None, Place | None]
    earliest: Place
    reading: Reading = Reading(0, 0, False)
