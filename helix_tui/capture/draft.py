"""What an adapter found: events and facts by session, ready to be packed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.instructions import instructed
from helix_tui.capture.instructions_read import read_instructions
from helix_tui.schema import (
    NOT_FOLDED,
    OTHER,
    Dated,
    EventTuple,
    Fault,
    Folded,
    Instructed,
    Problem,
    SessionPatch,
    UsageClaim,
)
from helix_tui.schema.context import READ
from helix_tui.store.packs.frames import encode_frame
from helix_tui.text.hashing import hash64
from helix_tui.text.redact import redact, redact_keys
from helix_tui.text.times import EARLIEST, iso, require_time
from helix_tui.text.valid import valid, without_nul

# Characters of a problem's reason that are looked at, and that are kept.
_MOST_READ, _MOST_TOLD = 4096, 400
_LATER_THAN_ALL = 1 << 60
# A position is the offset of a line, with room for the blocks in it.
_BLOCKS = 1024


class FalseTimes(NamedTuple):
    """How many events have a time that cannot be true, where the first is, and one such time."""

    events: int
    position: int
    ts: int | None


class SessionDraft:
    """What was gathered of one session since the last batch."""

    __slots__ = (
        "agent_version",
        "branch",
        "cwd",
        "events",
        "first_ts",
        "flavor",
        "id",
        "instructions",
        "last_ts",
        "model",
        "native_id",
        "parent",
        "remote",
        "seen",
        "usage",
    )

    def __init__(self, flavor: str, native_id: str, parent: str | None) -> None:
        self.id = f"{flavor}:{native_id}"
        self.flavor = flavor
        self.native_id = native_id
        self.parent = parent
        self.first_ts: int | None = None
        self.last_ts: int | None = None
        self.cwd: Dated | None = None
        self.branch: Dated | None = None
        self.model: Dated | None = None
        self.agent_version: Dated | None = None
        self.events: list[EventTuple] = []
        self.seen: set[int] = set()
        self.usage: dict[str, UsageClaim] = {}
        self.remote = ""
        self.instructions: dict[int, Instructed] = {}

    def saw_time(self, ts: int) -> None:
        """Extend the session to a record's time."""
        if self.first_ts is None or self.last_ts is None:
            self.first_ts = self.last_ts = ts
        elif ts > self.last_ts:
            self.last_ts = ts
        elif ts < self.first_ts:
            self.first_ts = ts

    def saw_cwd(self, ts: int, value: str) -> None:
        """Keep the working folder of the earliest record that names one."""
        if self.cwd is None or (ts, value) < (self.cwd.ts, self.cwd.value):
            self.cwd = Dated(ts, value)

    def saw_branch(self, ts: int, value: str) -> None:
        """Keep the git branch of the earliest record that names one."""
        if self.branch is None or (ts, value) < (self.branch.ts, self.branch.value):
            self.branch = Dated(ts, value)

    def saw_agent_version(self, ts: int, value: str) -> None:
        """Keep the agent's own version by the earliest record that names one."""
        known = self.agent_version
        if known is None or (ts, value) < (known.ts, known.value):
            self.agent_version = Dated(ts, value)

    def saw_model(self, ts: int, value: str) -> None:
        """Keep the model of the latest record that names one."""
        latest = self.model
        if latest is None or ts > latest.ts or (ts == latest.ts and value > latest.value):
            self.model = Dated(ts, value)

    def saw_instructions(
        self, source: str, ts: int | None, text: str | None, cut: int | None = None
    ) -> None:
        """Keep what a record says that the agent was given; None where it says nothing was."""
        given = instructed(source, ts, text, cut)
        known = self.instructions.get(given.hash)
        if known is None or (given.source, given.ts or 0) < (known.source, known.ts or 0):
            self.instructions[given.hash] = given

    def saw_read(self, ts: int | None, tool: str, given: str, answer: str) -> None:
        """Keep instructions that the agent read with a tool."""
        if text := read_instructions(self.flavor, tool, given, answer):
            self.saw_instructions(READ, ts, text)

    def add(self, event: EventTuple) -> None:
        """Take an event unless this session has its fingerprint already."""
        if event[0] not in self.seen:
            self.seen.add(event[0])
            self.events.append(event)

    def put(
        self,
        position: int,
        ts: int | None,
        kind: int,
        text: str,
        *,
        name: str | None = None,
        role: str | None = None,
        tool: str | None = None,
        call_id: str | None = None,
        is_error: bool = False,
        exit_code: int | None = None,
        fault: Fault | None = None,
        is_revised: bool = False,
    ) -> None:
        """Add an event, identified by its call, else by `name` and text, else by its time.

        A revised event is identified by its name alone, whatever its text is by now.
        """
        if call_id:
            identity = _hash(f"{call_id}:{kind}")
        elif name is not None and is_revised:
            identity = place_of(kind, name)
        else:
            identity = saying(kind, str(ts) if name is None else name, text)
        self.add(
            (
                identity,
                position,
                ts,
                kind,
                is_error,
                role,
                tool,
                call_id,
                exit_code,
                None,
                without_nul(text),
                fault,
            )
        )

    def claim(self, claim: UsageClaim) -> None:
        """Merge what a record says a message cost: the maximum of each field."""
        stored = self.usage.get(claim.key)
        if stored is None:
            self.usage[claim.key] = claim
        else:
            stored.raise_to(claim)

    def drop_false_times(self, latest: int) -> FalseTimes | None:
        """Drop times in the future, and those of a clock never set where others are known.

        A log with nothing but such a clock keeps its own order and durations. Fingerprints stay as
        they are; folder, branch, model and version give way to those of a record with a true time.
        """
        false = [event for event in self.events if _is_false(event[2], latest)]
        claims = [claim for claim in self.usage.values() if _is_false(claim.ts, latest)]
        ends = [ts for ts in (self.first_ts, self.last_ts) if _is_false(ts, latest)]
        if not (false or claims or ends):
            return None
        shown = [*(event[2] for event in false), *(claim.ts for claim in claims), *ends]
        for ts in shown:
            require_time(ts)
        for claim in claims:
            claim.ts = None
        times = [event[2] for event in self.events if event[2] is not None and event[2] <= latest]
        if any(ts >= EARLIEST for ts in times):
            times = [ts for ts in times if ts >= EARLIEST]
        true_times = {None, *times}
        self.events = [
            event if event[2] in true_times else (*event[:2], None, *event[3:])
            for event in self.events
        ]
        if ends:
            self.first_ts, self.last_ts = min(times, default=None), max(times, default=None)
        self.cwd, self.branch = _dated_last(self.cwd, latest), _dated_last(self.branch, latest)
        self.agent_version = _dated_last(self.agent_version, latest)
        if self.model is not None and self.model.ts > latest:
            self.model = Dated(0, self.model.value)
        return FalseTimes(len(false), false[0][1] if false else 0, shown[0])

    def patch(self, fold: Callable[[list[EventTuple]], Folded]) -> SessionPatch:
        """The session as plain data for the store, with the fold over its events."""
        # Encoded before they are folded: a text keeps its bytes for whoever hashes it next.
        frame = encode_frame(self.events) if self.events else None
        folded = fold(self.events) if self.events else NOT_FOLDED
        for claim in self.usage.values():
            claim.key = f"{self.flavor}:{claim.key}"  # two providers may use the same id
            claim.model = claim.model and _redact_keys(claim.model)
        cwd, branch = _without_keys(self.cwd), _without_keys(self.branch)
        return SessionPatch(
            self.id,
            self.flavor,
            self.native_id,
            self.parent,
            self.first_ts,
            self.last_ts,
            cwd,
            branch,
            _without_keys(self.model),
            frame,
            list(self.usage.values()),
            *folded,
            _redact_keys(self.remote),
            list(self.instructions.values()),
            _without_keys(self.agent_version),
        )


def put_title(session: SessionDraft, title: str, *, is_given: bool) -> None:
    """Add the title that an agent has for a session, which may change, beside what was said."""
    record = {"title": title, "by": "person" if is_given else "agent"}
    session.put(0, None, OTHER, f"title: {compact_json(record)}", name="title", is_revised=True)


def put_link(session: SessionDraft, other: str) -> None:
    """Add that a session goes on with another one: a fork, or the work that was planned there."""
    if other != session.id:
        session.put(0, None, OTHER, f"link: {other}", name=f"link:{other}", is_revised=True)


def _is_false(ts: int | None, latest: int) -> bool:
    return ts is not None and not EARLIEST <= ts <= latest


def _dated_last(dated: Dated | None, latest: int) -> Dated | None:
    return Dated(_LATER_THAN_ALL, dated.value) if dated and _is_false(dated.ts, latest) else dated


def place_of(kind: int, name: str) -> int:
    """The fingerprint of an event that is identified by its name alone."""
    return _hash(f"{kind}@{name}")


def saying(kind: int, name: str, text: str) -> int:
    """The fingerprint of an event that is identified by its name and text."""
    return _hash(f"{kind}:{name}:{text}")


def _hash(identity: str) -> int:
    return hash64(identity.encode("utf-8", "replace"))


def _without_keys(dated: Dated | None) -> Dated | None:
    """A folder, branch, model or version, without a key that somebody put into its name."""
    return dated and Dated(dated.ts, _redact_keys(dated.value))


# Every message names its model, and there are few of them.
_redact_keys = lru_cache(maxsize=1024)(redact_keys)


@lru_cache(maxsize=1024)
def safe_reason(reason: str) -> str:
    """A reason for people to read: an adapter may have put words of a log into it."""
    return redact(valid(reason[:_MOST_READ]))[:_MOST_TOLD]


class UnitDraft:
    """Everything gathered from a unit since the last batch."""

    __slots__ = ("flavor", "path", "problems", "sessions")

    def __init__(self, flavor: str, path: str) -> None:
        self.flavor = flavor
        self.path = path
        self.sessions: dict[str, SessionDraft] = {}
        self.problems: list[Problem] = []

    def session(self, native_id: str, parent: str | None = None) -> SessionDraft:
        """The draft of a session, begun when it is first named."""
        draft = self.sessions.get(native_id)
        if draft is None:
            draft = self.sessions[native_id] = SessionDraft(self.flavor, native_id, parent)
        return draft

    @property
    def has_events(self) -> bool:
        """Whether there is anything to store so far."""
        return any(session.events for session in self.sessions.values())

    def drop_false_times(self, latest: int) -> None:
        """Drop times that cannot be true, and report them as problems."""
        for session in self.sessions.values():
            false = session.drop_false_times(latest)
            if false is not None:
                self.problem(
                    false.position // _BLOCKS,
                    f"dated {iso(false.ts)}, which cannot be: such times are not counted "
                    f"({false.events:,} here). Set the clock of the machine that wrote it.",
                )

    def problem(self, offset: int | None, reason: str) -> None:
        """Report that something at `offset` of the part could not be read."""
        self.problems.append(Problem(self.path, offset, safe_reason(reason)))
