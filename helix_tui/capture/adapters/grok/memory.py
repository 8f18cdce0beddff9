"""The state of one Grok session: what its parts said so far, and what was passed on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from zlib import crc32

import msgspec

from helix_tui.schema import Fault
from helix_tui.text.hashing import hash64

SUMMARY, EVENTS, UPDATES, CHAT = "summary", "events", "updates", "chat"
# How a call ended; all above FINE are failures.
UNKNOWN, FINE, FAILED, TIMED_OUT, REFUSED, STOPPED = range(6)
_FAULTS: dict[int, Fault] = {
    TIMED_OUT: "timeout",
    REFUSED: "refusal",
    STOPPED: "interruption",
}
# After everything: nothing of the updates is in the chat.
NO_END = 1 << 62


class CallSeen(msgspec.Struct, array_like=True):
    """A call as the updates show it."""

    offset: int
    called_ts: int | None = None
    ended_ts: int | None = None
    state: int = UNKNOWN
    exit_code: int | None = None
    # Where it was last said to have ended.
    end_offset: int = 0


class TurnSeen(msgspec.Struct, array_like=True):
    """A turn as the updates or the telemetry show it: when it was asked for and answered."""

    offset: int
    asked_ts: int | None = None
    answered_ts: int | None = None
    # The sum of what was asked, to find it in a chat whose rows have no numbers.
    said: int = 0
    # Where the last text of the turn begins that is complete.
    text_offset: int = 0


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


class UpdatePosition(msgspec.Struct, array_like=True):
    """Where a pass over the updates is: the prompt, what is being said, and what was before."""

    prompt: int = -1
    open_text: OpenText | None = None
    repeats: dict[int, int] = {}

    def enter(self, prompt: int) -> None:
        """Begin the turn of a prompt, in which texts are counted anew."""
        self.prompt = prompt
        self.repeats.clear()


class Missing(msgspec.Struct, frozen=True):
    """The range of the updates that has something the chat has not.

    Texts are needed up to `settled`; of the turns that are `broken` off in the chat, by prompt,
    only those after the last thing that it has of them.
    """

    start: int
    end: int
    settled: int
    broken: dict[int, int]


class GrokState(msgspec.Struct, array_like=True):
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
    place: UpdatePosition = msgspec.field(default_factory=UpdatePosition)
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
    # Whether the updates said that the turn of their newest prompt is over.
    is_turn_done: bool = False
    # Whether the turn that the chat is in ends with an answer; by prompt, what was said in those
    # turns before it that do not.
    is_answered: bool = False
    unanswered: dict[int, dict[int, int]] = {}
    # What was known of the results that the updates gave.
    filled_facts: dict[int, ResultFacts] = {}
    # The git remote of the folder.
    remote: str = ""

    def forget(self, part: str) -> None:
        """Drop what a part said that is about to be read from its beginning."""
        if part == EVENTS:
            self.outcomes.clear()
            self.turns.clear()
        elif part == UPDATES:
            self.calls.clear()
            self.asked.clear()
            self.place = UpdatePosition()
            self.is_text_cut = self.is_compacted = self.is_turn_done = False
            for filled in (self.filled_calls, self.filled_results, self.filled_prompts):
                filled.clear()
            self.filled_facts.clear()
        elif part == CHAT:
            self.rows = self.prompts = 0
            if not self.turn:
                self.unnumbered.update(self.repeats)
            self.turn, self.chat_prompt = "", -1
            self.repeats.clear()
            self.said.clear()
            self.is_answered = False
            self.unanswered.clear()
            self.given_calls.clear()
            self.given_results.clear()
            self.given_prompts.clear()
            self.given_answers.clear()

    def called_ts(self, call: int) -> int | None:
        """When a call was made."""
        call_seen = self.calls.get(call)
        return call_seen.called_ts if call_seen else None

    def result_facts(self, call: int) -> ResultFacts:
        """When and how a call ended; the telemetry counts more than the stream."""
        call_seen = self.calls.get(call)
        state = self.outcomes.get(call, UNKNOWN)
        if call_seen is None:
            return ResultFacts(None, state, None)
        if state == UNKNOWN:
            state = max(FAILED, call_seen.state) if call_seen.exit_code else call_seen.state
        elif state == FAILED:
            state = max(state, call_seen.state)
        return ResultFacts(call_seen.ended_ts, state, call_seen.exit_code)

    def prompt_times(self, index: int, nth: int) -> tuple[int | None, int | None]:
        """When a prompt was given and when its turn was answered."""
        prompt = self.asked.get(index) or TurnSeen(0)
        turn = self.turns[nth] if 0 <= nth < len(self.turns) else TurnSeen(0)
        return prompt.asked_ts or turn.asked_ts, prompt.answered_ts or turn.answered_ts

    def find_prompt(self, text: str, nth: int) -> int:
        """The index of a prompt whose row has no number: by the updates' text, else the n-th.

        A compaction may have taken prompts before it.
        """
        checksum = sum_of(text)
        alike = [
            index
            for index, turn in self.asked.items()
            if turn.said == checksum and index > self.chat_prompt
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

    def is_fill_stale(self) -> bool:
        """Whether the updates gave a result of which more is known by now."""
        return any(
            call not in self.given_results and self.result_facts(call) != facts
            for call, facts in self.filled_facts.items()
        )

    def prompt_before(self, offset: int) -> int:
        """The prompt whose turn the updates are in before `offset`."""
        begins = ((turn_seen.offset, index) for index, turn_seen in self.asked.items())
        return max((turn for turn in begins if turn[0] < offset), default=(0, -1))[1]

    def begin_turn(self, prompt: int) -> None:
        """Begin a prompt's turn; of one without an answer the chat may have lost the end."""
        if self.chat_prompt >= 0 and not self.is_answered:
            self.unanswered[self.chat_prompt] = dict(self.said)
        self.said.clear()
        self.is_answered = False
        self.chat_prompt = prompt

    def texts_in_chat(self, prompt: int) -> dict[int, int]:
        """The texts that the chat has of an incomplete turn: how often, by kind and text."""
        return self.said if prompt == self.chat_prompt else self.unanswered.get(prompt, {})

    def missing(self) -> Missing | None:
        """Where the updates have something that the chat has not: it was compacted, or lost rows.

        It may also only lag behind. Then the same events come later under the same names.
        """
        begins = sorted((turn_seen.offset, index) for index, turn_seen in self.asked.items())
        lost = [*self._lost_calls()]
        lost += [
            begin
            for begin, index in begins
            if index not in self.given_prompts and index not in self.filled_prompts
        ]
        settled = self._end_of_settled(begins)
        broken = self._broken_turns(begins, lost, settled)
        lost += [self.asked[index].offset for index in broken]
        if not lost:
            return None
        behind = bisect_right(begins, max(lost), key=itemgetter(0))
        end = begins[behind][0] if behind < len(begins) else NO_END
        return Missing(min(lost), end, settled, broken)

    def _end_of_settled(self, begins: list[tuple[int, int]]) -> int:
        """The offset from which on texts may be part of an answer that is still being given.

        The chat has an answer only once it is complete; texts before a call are.
        """
        if self.is_turn_done or not begins:
            return NO_END
        return max(begins[-1][0], *(call.offset for call in self.calls.values()), 0)

    def _lost_calls(self) -> Iterator[int]:
        """Offsets of calls that the chat has not, or whose results it has not."""
        for call, call_seen in self.calls.items():
            if call not in self.given_calls and call not in self.filled_calls:
                yield call_seen.offset
            if (
                call_seen.end_offset
                and call not in self.given_results
                and call not in self.filled_results
            ):
                yield call_seen.end_offset

    def _broken_turns(
        self, begins: list[tuple[int, int]], lost: list[int], settled: int
    ) -> dict[int, int]:
        """The turns that the chat breaks off, with the offset of the last thing that it has.

        It does where it has no answer, or where a call is lost after all that it has of a turn.
        """
        in_chat = [
            call_seen.offset for call, call_seen in self.calls.items() if call in self.given_calls
        ]
        last_held, last_lost = _last_by_turn(begins, in_chat), _last_by_turn(begins, lost)
        broken: dict[int, int] = {}
        for begin, index in begins:
            if index not in self.given_prompts or index in self.filled_prompts:
                continue
            last_in_chat = last_held.get(index, begin)
            is_open = index in self.unanswered or (
                index == self.chat_prompt and not self.is_answered
            )
            has_more = is_open and last_in_chat < self.asked[index].text_offset < settled
            if has_more or last_lost.get(index, 0) > last_in_chat:
                broken[index] = last_in_chat
        return broken


def _last_by_turn(begins: list[tuple[int, int]], offsets: list[int]) -> dict[int, int]:
    """The last of some places in the updates, by the prompt in whose turn they are."""
    return {_turn_at(begins, offset): offset for offset in sorted(offsets)}


def _turn_at(begins: list[tuple[int, int]], offset: int) -> int:
    """The prompt in whose turn an offset of the updates lies."""
    place = bisect_right(begins, offset, key=itemgetter(0))
    return begins[place - 1][1] if place else -1


def sum_of(text: str, before: int = 0) -> int:
    """A checksum of a text, piece by piece, in which spaces do not count."""
    return crc32("".join(text.split()).encode("utf-8", "replace"), before)


def text_key(kind: int, text: str, turn: str = "") -> int:
    """The key by which a text is counted within its turn; rows without numbers share one turn."""
    return hash64(f"{kind}:{turn}:{text}".encode("utf-8", "replace"))
