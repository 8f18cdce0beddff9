"""What the writers of all agents share: a clock, ids, and a rough count of tokens."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from helix_tui.sample.steps import Steps

Json = dict[str, Any]
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
_CHARACTERS_PER_TOKEN = 3.6


class SampleSession(NamedTuple):
    """One session as it was planned; `start` is in seconds since the epoch.

    `told` are the instructions of its repository, `version` is that of its agent where it is not
    the usual one; both show where the agent records them.
    """

    flavor: str
    cwd: str
    branch: str
    model: str
    start: float
    steps: Steps
    told: str = ""
    version: str = ""


class Log:
    """The part of a writer that no format shapes; the context is what the model is sent anew."""

    def __init__(self, session: SampleSession, random: Random) -> None:
        self.session = session
        self.random = random
        self.now = session.start
        self.context = random.randint(21_000, 36_000)
        self.sent = 0

    def wait(self, least: float, most: float) -> None:
        """Let time pass."""
        self.now += self.random.uniform(least, most)

    def stamp(self) -> str:
        """The time as all three write it."""
        when = datetime.fromtimestamp(self.now, UTC)
        return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def heard(self, text: str) -> None:
        """Add a text to the context."""
        self.context += tokens_of(text)

    def spend(self, text: str) -> tuple[int, int, int]:
        """What one answer costs: tokens from the cache, tokens new to it, tokens written."""
        cached, fresh = self.sent, self.context - self.sent
        written = tokens_of(text) + self.random.randint(90, 900)
        self.sent = self.context
        self.context += written
        return cached, fresh, written

    def shrink(self) -> None:
        """The context after a compaction: nothing of it is in the cache."""
        self.context, self.sent = self.random.randint(15_000, 20_000), 0

    def uuid(self) -> str:
        """A random id."""
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def timed_uuid(self) -> str:
        """An id that begins with the time."""
        bits = int(self.now * 1000) << 80 | 7 << 76 | self.random.getrandbits(12) << 64
        return str(UUID(int=bits | 2 << 62 | self.random.getrandbits(62)))

    def name(self, prefix: str, length: int = 22) -> str:
        """An id as providers make them."""
        return prefix + "".join(self.random.choices(_LETTERS, k=length))

    def numbered(self, text: str) -> str:
        """A file's text with its lines numbered."""
        lines = enumerate(text.split("\n"), start=1)
        return "\n".join(f"{number:6d}→{line}" for number, line in lines)


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return int(len(text) / _CHARACTERS_PER_TOKEN) + 1


def as_json(value: object) -> str:
    """A value as the agents write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_lines(records: list[Json]) -> bytes:
    """Records, one on a line."""
    return "".join(f"{as_json(record)}\n" for record in records).encode()


Files = dict[Path, bytes]
