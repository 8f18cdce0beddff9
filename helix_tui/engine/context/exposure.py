"""Whether a session saw a line: by what its log recorded, else by its folder at that time."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from helix_tui.context.files import Disk, Files
from helix_tui.context.gather import root_by
from helix_tui.context.simulate import effective_context
from helix_tui.context.versions import version_at
from helix_tui.engine.context.effective import asked_here
from helix_tui.engine.context.git_history import AsOf, History
from helix_tui.schema.context import AGENTS, READ, Exposure, RecordedText, SessionPlace
from helix_tui.text.redact import redact
from helix_tui.text.times import iso

_SPACE = re.compile(r"\s+")
_SIGNS = re.compile(r"^\s*(?:[-*+•>]|\d{1,4}[.)])\s+|[*_]{2}")
# What of a session's instructions these records hold is only what came in on the way.
PARTIAL = frozenset({"nested_memory", READ})
_BY_AGENT = "read by the agent"


def plain(text: str) -> str:
    """A text as lines are looked for in it: without marks of lists and emphasis, in one line."""
    return _SPACE.sub(" ", _SIGNS.sub("", text)).strip()


# A line is looked for in all sessions of its repositories.
@lru_cache(maxsize=256)
def _wanted(line: str) -> str:
    return plain(redact(line))


def plain_lines(text: str) -> str:
    """A whole text as lines are looked for in it."""
    return " ".join(stripped for line in text.split("\n") if (stripped := plain(line)))


class _Assumed(NamedTuple):
    """What an agent loaded in a folder at a time, as far as that is known."""

    text: str
    known_from: int


class Exposures:
    """What sessions saw; the disk and histories are read when a question needs them."""

    def __init__(
        self,
        recorded: Mapping[int, Sequence[RecordedText]],
        texts: Mapping[int, str],
        files: Files | None = None,
    ) -> None:
        self._recorded = recorded
        self._plain: dict[int, str] = {}
        self._texts = texts
        self._files = files or Disk()
        self._histories: dict[str, History] = {}
        self._assumed: dict[tuple[str, str, int, str], _Assumed] = {}

    def of(self, line: str, session: SessionPlace) -> Exposure:
        """Whether a session saw a line, and what proves it."""
        wanted = _wanted(line)
        records = self._recorded.get(session.key, ())
        for record in records:
            if record.hash and wanted in self._text(record.hash):
                return Exposure("observed_yes", said_of(record))
        whole = [record for record in records if record.source not in PARTIAL]
        if whole:
            return Exposure("observed_no", said_of(whole[0]))
        return self._assume(wanted, session)

    def _text(self, digest: int) -> str:
        if digest not in self._plain:
            self._plain[digest] = plain_lines(self._texts.get(digest, ""))
        return self._plain[digest]

    def _assume(self, wanted: str, session: SessionPlace) -> Exposure:
        agent = next((name for name in AGENTS if name == session.flavor), None)
        if agent is None or not session.cwd or not session.first_ts:
            return Exposure("unknown", "its log does not say where and when it ran")
        if self._files.kind(session.cwd) != "folder":
            return Exposure("unknown", f"{session.cwd} is not there any more")
        root = root_by(self._files, session.cwd, [".git"])
        history = self._history(root) if root else None
        epoch = bisect_right(history.epochs, session.first_ts) if history else 0
        version = version_at(agent, session.first_ts)
        key = (agent, session.cwd, epoch, version)
        if key not in self._assumed:
            view = AsOf(self._files, history, session.first_ts)
            context = effective_context(asked_here(agent, Path(session.cwd), version), view)
            self._assumed[key] = _Assumed(plain_lines(redact(context.text)), view.newest)
        assumed = self._assumed[key]
        if session.first_ts < assumed.known_from:
            return Exposure("unknown", f"a file that {agent} loads there changed since")
        proof = f"what {agent} loads in {session.cwd} as of {(iso(session.first_ts) or '')[:10]}"
        return Exposure("assumed_yes" if wanted in assumed.text else "assumed_no", proof)

    def _history(self, root: str) -> History:
        if root not in self._histories:
            self._histories[root] = History(root)
        return self._histories[root]


def said_of(record: RecordedText) -> str:
    """A record in words: what it is, and when it was written."""
    when = f" of {(iso(record.ts) or '')[:19]}" if record.ts else ""
    none = "" if record.hash else " (it says that there were none)"
    if record.source == READ:
        return f"{_BY_AGENT}{when.replace(' of ', ' at ', 1)}"
    return f"record {record.source}{when}{none}"


def hashes_of(recorded: Mapping[int, Iterable[RecordedText]]) -> set[int]:
    """The hashes of all texts among records."""
    return {record.hash for records in recorded.values() for record in records if record.hash}
