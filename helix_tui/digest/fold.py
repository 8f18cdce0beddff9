"""The fold over one part's events: state' = step(state, event), bounded, kept between sweeps."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.digest.closing import carried_on, closing_of
from helix_tui.digest.ending import note_blocked
from helix_tui.digest.excerpt import excerpt, excerpt_line
from helix_tui.digest.harness import fault_of
from helix_tui.digest.links import note_link
from helix_tui.digest.pasted import repeats
from helix_tui.digest.state import PartFold
from helix_tui.digest.steps.call import take_call
from helix_tui.digest.steps.folding import AFTER_LENGTH, Folding
from helix_tui.digest.steps.prompt import take_prompt
from helix_tui.digest.steps.result import take_result
from helix_tui.digest.steps.spoken import is_refused_with_words, listen
from helix_tui.digest.steps.system import note_title, take_system
from helix_tui.digest.tables import cut, note
from helix_tui.digest.tasks import asks_for_recap, offered_in
from helix_tui.digest.words import claim_in
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    REPLY_TEXT,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    EventTuple,
    Moment,
)
from helix_tui.text.asked import is_client_command, spoken

# A longer silence is idle time: the person was away, or a command waited for them.
IDLE_MS = 5 * 60_000
REPLY_LENGTH = 400
QUESTION_LENGTH = 300
SEARCHED_REPLY = 500
_SAID = ("reply", "question")
# Behind what an agent's answer ends the turn.
_AWAITED = ("prompt", "tool_result")


class Folder:
    """Steps one part's fold over events, in the order in which the part has them.

    Whoever needs no turns of the person, which are a third of the work, leaves them out.
    """

    def __init__(self, flavor: str, fold: PartFold, *, has_turns: bool = True) -> None:
        self.fold = fold
        self._part = Folding(flavor, fold, has_turns=has_turns)
        self.texts = self._part.texts

    def step_all(self, events: Iterable[EventTuple]) -> None:
        """Takes events."""
        part = self._part
        facts, memory = part.facts, part.memory
        last_reply = searched_reply = ""
        before_prompt = ""
        for event in events:
            fingerprint, _, ts, kind, is_error, role, tool, call_id, exit_code, _, text, told = (
                event
            )
            if ts is not None:
                if memory.began_ts is None or ts < memory.began_ts:
                    memory.began_ts = ts
                if kind <= TOOL_RESULT:
                    latest = memory.latest_ts
                    if latest is None or ts > latest:
                        if latest is not None and ts - latest <= IDLE_MS:
                            facts.active_ms += ts - latest
                        memory.latest_ts = facts.last_ts = ts
                    if facts.first_ts is None or ts < facts.first_ts:
                        facts.first_ts = ts
            memory.spent += len(text)
            if kind == PROMPT:
                text = spoken(text)
            if kind != TOOL_RESULT:
                listen(part, kind, role, fingerprint, ts, text)
            if kind == TOOL_CALL:
                take_call(part, tool or "", call_id, text, ts)
            elif kind == TOOL_RESULT:
                fault = fault_of(kind, is_error, role, text, told)
                memory.turns.result_ts = ts
                if is_error and is_refused_with_words(
                    part, fingerprint, ts, call_id, exit_code, text, fault
                ):
                    fault = "refusal"
                take_result(part, fingerprint, ts, call_id, is_error, exit_code, text, fault)
            elif kind == PROMPT:
                if not text or is_client_command(text):
                    continue
                if facts.ended in _SAID and repeats(text, last_reply or facts.last_reply):
                    facts.prompts += 1  # the agent's own words, which ask it for nothing
                    continue
                memory.claim = ""
                if facts.ended == "reply":
                    memory.claim = claim_in(last_reply) if last_reply else memory.closing
                if last_reply:
                    memory.offered = offered_in(last_reply)
                if last_reply:
                    note_blocked(facts, last_reply)
                before_prompt = last_reply
                take_prompt(part, fingerprint, ts, text)
            elif kind == REPLY:
                facts.replies += 1
                memory.has_acted = True
                said = text.strip()
                if said:
                    part.listener.take_reply(said)
                    last_reply = said
                    facts.last_reply_fingerprint = fingerprint
                    searched_reply = part.texts.add_beginning(REPLY_TEXT, ts, said, SEARCHED_REPLY)
                    facts.ended = "question" if said.endswith("?") else "reply"
                    facts.ended_text = ""
                elif facts.ended in _AWAITED:  # an answer of which the log has no words
                    facts.ended, facts.ended_text = "reply", ""
            elif kind == THINKING:
                continue
            elif kind == SYSTEM:
                fault = fault_of(kind, is_error, role, text, told)
                take_system(part, fingerprint, ts, role, text, fault)
            elif kind == OTHER:
                note_title(part, ts, text)
                note_link(facts, text)
            elif kind == COMPACTION:
                facts.compactions += 1
                note(facts.compacted, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
                facts.ended, facts.ended_text = "compaction", ""
        memory.searched = part.texts.size
        part.listener.settle(memory.spent - memory.turn_spent)
        if last_reply:
            memory.offered = offered_in(last_reply)
            kept = searched_reply or excerpt(last_reply, REPLY_LENGTH)
            facts.last_reply = cut(kept, REPLY_LENGTH)
            before = closing_of(before_prompt) if before_prompt else facts.ending.closing
            facts.ending.closing = closing_of(last_reply)
            if not facts.calls_since_prompt and asks_for_recap(facts.last_prompt):
                facts.ending.closing = carried_on(before, facts.ending.closing)
            if facts.ended == "question":
                facts.ended_text = excerpt_line(
                    last_reply[last_reply.rfind("\n") + 1 :], QUESTION_LENGTH
                )
            elif facts.ended == "reply":
                memory.closing = claim_in(last_reply)
