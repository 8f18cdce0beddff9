"""The workstation on a real store of small sessions, for the screens that look into them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from helix_tui.engine import Engine
from helix_tui.schema import Digest, Problem, SearchResult, Session, SessionFilter
from helix_tui.tui.app import HelixApp
from helix_tui.tui.base.transcript_view import TranscriptView
from helix_tui.tui.evidence.screen import EvidenceScreen
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.prompt import Prompt
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.sitting import Sitting

SESSION = "11111111-1111-4111-8111-111111111111"
# What must never reach a terminal as it is.
STEERING = {*map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0)), "\u202e", "\u2066"}


class RealSource(MadeSource):
    """Made candidates whose evidence is in the sessions of a real store."""

    def __init__(self, engine: Engine, fingerprints: list[tuple[str, int]], text: str) -> None:
        reviewed = made_reviewed(0)
        candidate = reviewed.ranked.candidate
        candidate.evidence = [
            type(candidate.evidence[0])(session, mark, 1_790_000_000_000)
            for session, mark in fingerprints
        ]
        super().__init__([reviewed, made_reviewed(1)])
        self.texts = text
        self._engine = engine
        self.open_transcript = engine.open_transcript  # type: ignore[method-assign]
        self.session = engine.session  # type: ignore[method-assign]
        self.pin = engine.pin  # type: ignore[method-assign]

    def digest(self, session: Session) -> Digest | None:
        return self._engine.digest(session)

    def sessions(self, wanted: SessionFilter) -> list[Session]:
        return self._engine.sessions(wanted)

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        return self._engine.search(query, wanted, limit)

    def problems(self, most: int) -> list[Problem]:
        return self._engine.problems(most)


def edit_log(error: str = "String to replace not found in file.") -> ClaudeLog:
    """A session with an edit that fails and one that does not."""
    log = ClaudeLog(session=SESSION)
    log.prompt("rename the retry loop")
    log.step("make lint", "all fine")
    given = {"file_path": "/work/app/loop.py", "old_string": "tries = 3", "new_string": "tries = 5"}
    call = log.call("Edit", given=given)["message"]["content"][0]["id"]
    log.result(call, f"<tool_use_error>{error}</tool_use_error>", is_error=True)
    log.call("Read", given={"file_path": "/work/app/loop.py"})
    log.result(log.records[-1]["message"]["content"][0]["id"], "1→TRIES = 3\n" * 40)
    log.reply("Found it: the name is in capitals.")
    return log


def mark_of(bench: Workbench, name: str, *, is_error: bool = True) -> int:
    """The fingerprint of the first event of a session that failed."""
    event = next(one for one in bench.events(name) if one.is_error == is_error)
    mark = int(event.fingerprint, 16)
    return mark - (1 << 64) if mark >= 1 << 63 else mark


def source_on(bench: Workbench, text: str = "$ edit\nString to replace not found") -> RealSource:
    """Occurrences in every session that something failed in."""
    marks = [
        (name, mark_of(bench, name))
        for name, session in sorted(bench.sessions().items())
        if session.tool_errors
    ]
    return RealSource(bench.engine(), marks, text)


@asynccontextmanager
async def evidence(source: MadeSource, size: tuple[int, int]) -> AsyncIterator[Sitting]:
    """The evidence of the first candidate, opened by the key."""
    app = HelixApp(lambda: Connection(source, ["true"]))
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, source, pilot)
        await found.until(lambda: found.current)
        await found.press("enter")
        await found.until(lambda: isinstance(app.screen, EvidenceScreen))
        yield found


@asynccontextmanager
async def opened(source: MadeSource, key: str, size: tuple[int, int]) -> AsyncIterator[Sitting]:
    """A screen that a key opens."""
    app = HelixApp(lambda: Connection(source, ["true"]))
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, source, pilot)
        await found.until(lambda: found.review.candidates.is_loaded)
        await found.press(key)
        yield found


def transcript_of(found: Sitting) -> TranscriptView:
    """The transcript that is shown."""
    screen = found.app.screen
    assert isinstance(screen, TranscriptView)
    return screen


async def narrow(found: Sitting, text: str, *keys: str) -> None:
    """Opens the filter and adds to what stands there, as if it were pasted."""
    await found.press("slash")
    found.app.screen.query_one(Prompt).insert(text)
    await found.pilot.pause()
    if keys:
        await found.press(*keys)
