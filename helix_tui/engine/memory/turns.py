"""The turns of a session for a distiller: what was asked, answered, and said on the way."""

from __future__ import annotations

import re
from collections import deque

import msgspec

from helix_tui.digest.excerpt import excerpt, excerpt_line
from helix_tui.schema import COMPACTION, PROMPT, REPLY, SYSTEM, TOOL_CALL, TOOL_RESULT, StoredEvent
from helix_tui.schema.memory import Aside, Exchange
from helix_tui.text.asked import spoken
from helix_tui.text.causes import names_cause
from helix_tui.tools import tool_class

ASKED_LENGTH = 1_500
ANSWERED_LENGTH = 2_500
ASIDE_LENGTH = 700
SUMMARY_LENGTH = 12_000
# Of a very long session the first turn and the latest ones are kept.
MOST_EXCHANGES = 60
_MOST_ASIDES = 12
_MOST_SUMMARIES = 3
_FILE_LENGTH = 200
# A reply of a word or two closes a turn; the report stands before it.
_SHORT_REPLY = 200
_LONG_REPLY = 400
_COMMAND = re.compile(r"<command-name>/?([\w:.-]{1,80})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,2000})</command-args>")
_FILE = re.compile(
    r'"(?:file_path|path|target_file|notebook_path)"\s*:\s*"([^"\\]{1,500})"'
    r"|\*\*\* (?:Add|Update) File: ([^\n\\]{1,500})"
)
_PATCH = "*** Begin Patch"
_EXAMINED = 4_000
# What clients put behind the notice of a task that ended in the background.
_OF_CLIENT = re.compile(r"(?:Full transcript available at:|Read the output file to retrieve)")
_SUMMARY = "This session is being continued from a previous conversation"


class Turns:
    """Turns, each with its last reply; of very many, the first and the latest."""

    def __init__(self, flavor: str) -> None:
        self._flavor = flavor
        self._turn = _Turn()
        self._first: _Turn | None = None
        self._latest: deque[_Turn] = deque(maxlen=MOST_EXCHANGES - 1)
        self._summaries: deque[str] = deque(maxlen=_MOST_SUMMARIES)

    def take(self, event: StoredEvent) -> None:
        """Add the next event."""
        kind, text = event.kind, event.text
        if kind in (PROMPT, SYSTEM, COMPACTION) and _is_summary(kind, text):
            self._summaries.append(text)
        elif kind == PROMPT:
            asked = spoken(text) or text
            if not _OF_CLIENT.match(asked):
                self._begin(event, asked)
        elif kind == SYSTEM and event.role == "user" and (named := _command(text)):
            self._begin(event, named)
        elif kind == REPLY and text.strip():
            self._turn.say(text, event.fingerprint)
        elif kind == TOOL_RESULT:
            self._turn.result = event.fingerprint
        elif kind == TOOL_CALL:
            self._turn.call(_edited(self._flavor, event))

    def _begin(self, event: StoredEvent, asked: str) -> None:
        self._end()
        self._turn = _Turn(event.ts, asked, event.fingerprint)

    def _end(self) -> None:
        if not (self._turn.asked or self._turn.answered):
            return
        if self._first is None:
            self._first = self._turn
        else:
            self._latest.append(self._turn)

    def told(self) -> list[Exchange]:
        """Return the exchanges, after the last event."""
        self._end()
        return [
            Exchange(
                turn.ts,
                excerpt(turn.asked, ASKED_LENGTH),
                excerpt(turn.answered, ANSWERED_LENGTH),
                turn.calls,
                turn.edits,
                [_aside(aside) for aside in turn.worth_keeping()],
                turn.asked_event,
                turn.answered_event,
            )
            for turn in (*([self._first] if self._first else []), *self._latest)
        ]

    def summaries(self) -> list[str]:
        """Return what the agent wrote down where its context was compacted."""
        return [excerpt(text, SUMMARY_LENGTH) for text in self._summaries]


class _Turn(msgspec.Struct):
    ts: int | None = None
    asked: str = ""
    asked_event: int = 0
    answered: str = ""
    answered_event: int = 0
    calls: int = 0
    edits: int = 0
    # The last result, that before the last reply, and what was said before it with what followed.
    result: int = 0
    result_before: int = 0
    is_followed: bool = True
    asides: list[Aside] = []
    longest: str = ""
    longest_event: int = 0

    def say(self, text: str, event: int) -> None:
        """Take a reply; the one before it was none that ends the turn."""
        self._keep("")
        if len(self.answered) >= _LONG_REPLY and len(self.answered) > len(self.longest):
            self.longest, self.longest_event = self.answered, self.answered_event
        self.answered, self.answered_event = text, event
        self.result_before, self.is_followed = self.result, False

    def call(self, edited: str) -> None:
        """Take a call, and the file that it edits."""
        self.calls += 1
        self.edits += bool(edited)
        if edited:
            self._keep(edited)

    def _keep(self, edited: str) -> None:
        """Keep the last reply where an edit follows it, or where it names a cause."""
        if self.is_followed or not self.answered:
            return
        if edited or names_cause(self.answered):
            self.is_followed = True
            aside = Aside(self.answered, self.result_before, edited, self.answered_event)
            self.asides = [*self.asides, aside][-_MOST_ASIDES:]

    def worth_keeping(self) -> list[Aside]:
        """What was said on the way, with the report before a short last reply."""
        asides = [aside for aside in self.asides if aside.text != self.answered]
        if len(self.answered) < _SHORT_REPLY and self.longest:
            asides.append(Aside(self.longest, event=self.longest_event))
        return asides


def _aside(aside: Aside) -> Aside:
    edited = excerpt_line(aside.edited, _FILE_LENGTH)
    return Aside(excerpt(aside.text, ASIDE_LENGTH), aside.result, edited, aside.event)


def _edited(flavor: str, event: StoredEvent) -> str:
    """The file that a call edits, or its tool; nothing where it edits none."""
    tool = event.tool or ""
    given = event.text[:_EXAMINED]
    if tool_class(flavor, tool) != "edit" and _PATCH not in given:
        return ""
    match = _FILE.search(given)
    return (match[1] or match[2]).strip() if match else tool


def _is_summary(kind: int, text: str) -> bool:
    return text.startswith(_SUMMARY) or (kind == COMPACTION and len(text) >= _LONG_REPLY)


def _command(text: str) -> str:
    """Return a slash command that a person gave, with its arguments."""
    name = _COMMAND.search(text)
    if not name:
        return ""
    arguments = _ARGUMENTS.search(text)
    return f"/{name[1]} {arguments[1] if arguments else ''}".strip()
