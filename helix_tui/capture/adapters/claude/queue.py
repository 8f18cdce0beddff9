"""What a person typed while the agent was at work, until it is known how that reached the agent.

A queued text comes as a prompt of its own when the agent is done, or is handed over in the middle
of the work; only then the record of the queue is all that there is of it.
"""

from __future__ import annotations

import msgspec

from helix_tui.capture.adapters.claude.prompts import block_text, human_blocks
from helix_tui.capture.adapters.claude.records import lenient_record
from helix_tui.capture.salvage import JsonObject
from helix_tui.text.asked import is_prompt, spoken
from helix_tui.text.redact import redact

_MOST_WAITING = 64
# The client queues its own tasks, too, as an object.
_TASK = '{"task_id"'


class Queued(msgspec.Struct, array_like=True, frozen=True):
    """A text that waits: its event as the queue's record gives it, and what was typed.

    Both are redacted: the reader's state outlives raw bytes, and no secret may go into it.
    """

    session: str
    fingerprint: int
    ts: int | None
    record: str
    text: str

    def settled(self) -> str:
        """The record of what is no longer queued, since it came as a prompt or was taken back."""
        return f"no longer queued: {self.record.partition(': ')[2]}"


class PromptQueue(msgspec.Struct, array_like=True):
    """The texts that wait in a log, oldest first, and those that were handed over last."""

    waiting: list[Queued] = []
    handed_over: list[str] = []

    def enqueue(self, queued: Queued) -> None:
        """Take a text that a person typed while the agent worked."""
        self.waiting.append(queued)
        del self.waiting[:-_MOST_WAITING]

    def hand_over(self, session: str, text: str) -> Queued | None:
        """The text that the agent got in the middle of its work: the one named, else the oldest."""
        waiting = [queued for queued in self.waiting if queued.session == session]
        named = [queued for queued in waiting if text and queued.text == redact(text)]
        chosen = next(iter(named or waiting), None)
        if chosen is not None:
            self.waiting.remove(chosen)
            self.handed_over.append(chosen.text)
            del self.handed_over[:-_MOST_WAITING]
        return chosen

    def deliver(self, session: str, prompt: str) -> list[Queued]:
        """The texts that this prompt brings: they no longer wait, and are no prompts beside it."""
        if not self.waiting:
            return []
        said = redact(spoken(prompt))
        brought = [q for q in self.waiting if q.session == session and q.text in said]
        for queued in brought:
            self.waiting.remove(queued)
        return brought

    def is_repeated(self, prompt: str) -> bool:
        """Whether an attachment repeats a text that was handed over."""
        said = redact(spoken(prompt)) if self.handed_over else ""
        if said not in self.handed_over:
            return False
        self.handed_over.remove(said)
        return True

    def take_back(self, session: str) -> list[Queued]:
        """All texts that wait: the person took them back to edit them."""
        taken = [queued for queued in self.waiting if queued.session == session]
        self.waiting = [queued for queued in self.waiting if queued.session != session]
        return taken


def queued_text(raw: JsonObject) -> str:
    """What a person typed, by a record of the queue; empty for what the client queues itself."""
    message = lenient_record({"message": {"content": raw.get("content")}}).message
    content = message.content if message else None
    if isinstance(content, str):
        is_persons = is_prompt(content) and not content.lstrip().startswith(_TASK)
        return spoken(content) if is_persons else ""
    blocks = content or []
    return spoken("\n\n".join(block_text(blocks[index]) for index in human_blocks(blocks)))
