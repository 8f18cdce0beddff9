"""What the next step over a part's events needs to know of its turns."""

from __future__ import annotations

from typing import Literal

import msgspec

# How the agent gave the turn back.
Closing = Literal["", "claim", "question", "menu", "plan", "reply", "open"]
# What an agent says of checks that it did not run.
Excuse = Literal["", "did not", "cannot"]


class TurnMemory(msgspec.Struct, gc=False):
    """The agent's turn so far, and the person's turn whose consequences are still to come.

    Words, files and commands are kept as hashes: they are only ever compared.
    """

    heard: int = 0
    # The words of the agent's last actions and of its last reply.
    acts: list[list[int]] = []
    reply: list[int] = []
    closing: Closing = ""
    files: dict[int, bool] = {}
    runs: dict[int, bool] = {}
    # Of the turn that the last words of the person speak of.
    files_before: dict[int, bool] = {}
    runs_before: dict[int, bool] = {}
    said_before: list[int] = []
    edits: int = 0
    calls: int = 0
    has_worked: bool = False
    is_interrupted: bool = False
    is_refused: bool = False
    result_ts: int | None = None
    # Where the open turn stands among the facts; how many calls and replies followed it.
    open: int = -1
    followed: int = 0
    replied: int = 0
    last_action: str = ""
    # The words of the last command, and of the last one before the open turn.
    ran: list[int] = []
    rejected: list[int] = []
    own_run: str = ""
    # How the last reply ended, where the agent did nothing since.
    reply_end: str = ""
    # Whether what is noted last behind the open turn only looked at something.
    ends_looking: bool = False
    # The kinds of checks that were run since the last edit, and are not known to be red.
    tried: list[str] = []
    # What the last reply says of checks that were not run, and whether any before said that they
    # cannot be.
    excuse: Excuse = ""
    is_excused: bool = False
    # The edits of the session, each with how many turns had been heard by then.
    edited: dict[int, int] = {}
