"""What the parts of one Grok session have said so far, and what of it has been passed on."""

from __future__ import annotations

from zlib import crc32

import msgspec

from helix_tui.schema import Fault
from helix_tui.text.hashing import hash64

SUMMARY, EVENTS, UPDATES, CHAT = "summary", "events", "updates", "chat"
# How a call ended; what stands behind FINE is a failure.
UNKNOWN, FINE, FAILED, TIMED_OUT, REFUSED, STOPPED = range(6)
_FAULTS: dict[int, Fault] = {
    TIMED_OUT: "timeout",
    REFUSED: "refusal",
    STOPPED: "interruption",
}
# Behind everything: nothing of the updates is in the chat.
NO_END = 1 << 62


class CallSeen(msgspec.Struct, array_like=True):
    """A call as the updates show it."""

    offset: int
    called_ts: int | None = None
    ended_ts: int | None = None
    state: int = UNKNOWN
    exit_code: int | None = None


class TurnSeen(msgspec.Struct, array_like=True):
    """A turn as the updates or the telemetry show it: when it was asked for and answered."""

    offset: int
    asked_ts: int | None = None
    answered_ts: int | None = None
    # The sum of what was asked, to find it in a chat whose rows have no numbers.
    said: int = 0


class ResultFacts(msgspec.Struct, array_like=True, frozen=True):
    """What is known of a result besides its words."""

    ts: int | None
    state: int
    exit_code: int | None

    @property
    def fault(self) -> Fault | None:
        """Why the call came to nothing, where the agent says so."""
        return _FAULTS.get(self.state)


class OpenText(msgspec.Struct, array_like=True):
    """What the agent was saying where the updates ended."""

    kind: int
    position: int
    ts: int | None
    pieces: list[str]
    is_given: bool = False


class Place(msgspec.Struct, array_like=True):
    """Where a pass over the updates is: the prompt, what is being said, and what was before."""

    prompt: int = -1
    open_text: OpenText | None = None
    repeats: dict[int, int] = {}

    def enter(self, prompt: int) -> None:
        """Begins the turn of a prompt, in which texts are counted anew."""
        self.prompt = prompt
        self.repeats.clear()


class Memory(msgspec.Struct, array_like=True):
    """The state of one session between two reads, by the part that it comes from."""

    native_id: str
    is_named: bool = False
    parent: str | None = None
    cwd: str = ""
    branch: str = ""
    created_ts: int = 0
    updated_ts: int = 0
    forked_ts: int = 0
    inherited_rows: int = 0
    is_timed: bool = False
    # The telemetry: how calls ended, by the hash of their id; the turns in their order.
    outcomes: dict[int, int] = {}
    turns: list[TurnSeen] = []
    # The updates: calls by the hash of their id, turns by the index of their prompt.
    calls: dict[int, CallSeen] = {}
    asked: dict[int, TurnSeen] = {}
    place: Place = msgspec.field(default_factory=Place)
    is_text_cut: bool = False
    is_compacted: bool = False
    # The chat: rows so far, the prompt we are at, and how often each text without an id came.
    rows: int = 0
    prompts: int = 0
    turn: str = ""
    chat_prompt: int = -1
    repeats: dict[int, int] = {}
    # What was passed on, with what was known of it then.
    given_calls: dict[int, int | None] = {}
    given_results: dict[int, ResultFacts] = {}
    given_prompts: dict[int, tuple[int, int | None, int | None]] = {}
    # What the updates gave because the chat does not have it.
    filled_calls: set[int] = set()
    filled_results: set[int] = set()
    filled_prompts: set[int] = set()
    # The texts that the updates gave before the chat did, and how many of a kind its turn has.
    spoken: set[int] = set()
    said: dict[int, int] = {}
    # What rows without the number of their prompt gave before the chat was rewritten.
    unnumbered: set[int] = set()
    # When replies were given that have no time but that of their turn, by prompt.
    given_answers: dict[int, int | None] = {}
    # The model that answers, for turns that do not say which did.
    model: str = ""

    def forget(self, part: str) -> None:
        """Drops what a part said that is about to be read from its beginning."""
        if part == EVENTS:
            self.outcomes.clear()
            self.turns.clear()
        elif part == UPDATES:
            self.calls.clear()
            self.asked.clear()
            self.place = Place()
            self.is_text_cut = self.is_compacted = False
            for given in (self.filled_calls, self.filled_results, self.filled_prompts):
                given.clear()
        elif part == CHAT:
            self.rows = self.prompts = 0
            if not self.turn:
                self.unnumbered.update(self.repeats)
            self.turn, self.chat_prompt = "", -1
            self.repeats.clear()
            self.said.clear()
            self.given_calls.clear()
            self.given_results.clear()
            self.given_prompts.clear()
            self.given_answers.clear()

    def called_ts(self, call: int) -> int | None:
        """When a call was made."""
        seen = self.calls.get(call)
        return seen.called_ts if seen else None

    def result_facts(self, call: int) -> ResultFacts:
        """When and how a call ended; the telemetry's word counts more than the stream's."""
        seen = self.calls.get(call)
        state = self.outcomes.get(call, UNKNOWN)
        if seen is None:
            return ResultFacts(None, state, None)
        if state == UNKNOWN:
            state = max(FAILED, seen.state) if seen.exit_code else seen.state
        elif state == FAILED:
            state = max(state, seen.state)
        return ResultFacts(seen.ended_ts, state, seen.exit_code)

    def prompt_times(self, index: int, nth: int) -> tuple[int | None, int | None]:
        """When a prompt was given and when its turn was answered."""
        asked = self.asked.get(index) or TurnSeen(0)
        turn = self.turns[nth] if 0 <= nth < len(self.turns) else TurnSeen(0)
        return asked.asked_ts or turn.asked_ts, asked.answered_ts or turn.answered_ts

    def find_prompt(self, text: str, nth: int) -> int:
        """Which prompt a row without a number is: as the updates have its text, else the n-th.

        A compaction may have taken prompts before it.
        """
        said = sum_of(text)
        alike = [
            index
            for index, seen in self.asked.items()
            if seen.said == said and index > self.chat_prompt
        ]
        return min(alike, default=nth)

    def is_stale(self) -> bool:
        """Whether something was passed on of which more is known by now."""
        return (
            any(self.called_ts(call) != ts for call, ts in self.given_calls.items())
            or any(self.result_facts(call) != facts for call, facts in self.given_results.items())
            or any(
                self.prompt_times(index, nth)[0] != asked_ts
                for index, (nth, asked_ts, _) in self.given_prompts.items()
            )
            or any(
                self.prompt_times(index, index)[1] != answered_ts
                for index, answered_ts in self.given_answers.items()
            )
        )

    def prompt_before(self, offset: int) -> int:
        """The prompt whose turn the updates are in before `offset`."""
        asked = ((seen.offset, index) for index, seen in self.asked.items())
        return max((turn for turn in asked if turn[0] < offset), default=(0, -1))[1]

    def missing(self) -> tuple[int, int] | None:
        """Where the updates have something that the chat, being compacted, has not.

        What comes behind all that the chat has may only not have reached it yet.
        """
        in_chat = [seen.offset for call, seen in self.calls.items() if call in self.given_calls]
        in_chat += [
            seen.offset for index, seen in self.asked.items() if index in self.given_prompts
        ]
        end = max(in_chat, default=NO_END)
        missing = [
            seen.offset
            for call, seen in self.calls.items()
            if call not in self.given_calls and call not in self.filled_calls
        ]
        missing += [
            seen.offset
            for index, seen in self.asked.items()
            if index not in self.given_prompts and index not in self.filled_prompts
        ]
        start = min(missing, default=end)
        return (start, end) if start < end else None


def sum_of(text: str, before: int = 0) -> int:
    """A sum over a text, piece by piece, in which spaces do not count."""
    return crc32("".join(text.split()).encode("utf-8", "replace"), before)


def text_key(kind: int, text: str, turn: str = "") -> int:
    """What a text is counted by within its turn; rows without numbers are all in one."""
    return hash64(f"{kind}:{turn}:{text}".encode("utf-8", "replace"))
