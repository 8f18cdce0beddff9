"""The turns of a session for a distiller: what was asked, answered, and said on the way."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

import msgspec

from helix_tui.digest.actions import action_of
from helix_tui.digest.excerpt import beginning, ending, excerpt, excerpt_line
from helix_tui.digest.shell_writes import files_written
from helix_tui.engine.memory.agents_asked import AgentsAsked
from helix_tui.engine.memory.put_in import put_in
from helix_tui.engine.memory.questions import Questions
from helix_tui.engine.memory.skills_loaded import without_skills
from helix_tui.engine.memory.tree_changes import TreeChanges
from helix_tui.engine.memory.work_tree import OF_GIT, WorkTree
from helix_tui.engine.memory.wrapped_request import request_in
from helix_tui.schema import COMPACTION, PROMPT, REPLY, SYSTEM, TOOL_CALL, TOOL_RESULT, StoredEvent
from helix_tui.schema.memory import CUT, Aside, Choice, Exchange
from helix_tui.text.asked import spoken
from helix_tui.text.causes import names_cause
from helix_tui.tools import tool_class

ASKED_LENGTH = 3_000
# Of a long reply both ends are kept: it begins with what was done, and ends with what came of it.
ANSWERED_LENGTH = 5_000
ASIDE_LENGTH = 700
FIRST_LENGTH = 2_400
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
    r'"(?:file_path|filePath|path|target_file|notebook_path)"\s*:\s*"([^"\\]{1,500})"'
    r"|\*\*\* (?:Add|Update) File: ([^\n\\]{1,500})"
)
_LINE_END = "\n"
_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"\*\*\* (?:Add|Update) File: ([^\n\\]{1,500})")
_PATCH_EXAMINED = 200_000
_WRITING = re.compile(r"\b(?:tee|sed|perl|mv|cp|open|write)\b|write_|writeFile")
_REMOVING = re.compile(r"\brm\b|\bdel\b|Remove-Item|Delete File: ")
_PUT_LENGTH = 230
_BEGAN_LENGTH = 120
_BEGAN_EXAMINED = 2_000
_MOST_CALLS = 50
_MOST_WRITTEN = 60
_MOST_FILES = 30
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
        self._questions = Questions()
        # By call, what a shell is about to write; and what it wrote.
        self._writing: dict[str, list[str]] = {}
        self._written: dict[str, None] = {}
        self.tree = TreeChanges()
        self.work = WorkTree()
        self.agents = AgentsAsked(flavor)

    def take(self, event: StoredEvent) -> None:
        """Add the next event."""
        kind, text = event.kind, event.text
        if kind in (PROMPT, SYSTEM, COMPACTION) and _is_summary(kind, text):
            self._summaries.append(text)
        elif kind == PROMPT:
            asked = request_in(without_skills(spoken(text) or text))
            if asked and not is_of_client(asked):
                self._begin(event, asked)
        elif kind == SYSTEM and event.role == "user" and (named := _command(text)):
            self._begin(event, named)
        elif kind == REPLY and text.strip():
            self._turn.say(text, event.fingerprint)
            self.work.said(text)
        elif kind == TOOL_RESULT:
            self._turn.result = event.fingerprint
            self._turn.choices += self._questions.take(event)
            self.agents.take(event)
            self._wrote(event)
        elif kind == TOOL_CALL:
            self._questions.take(event)
            self.agents.take(event)
            edited = _edited(self._flavor, event)
            wrote = self._writes(event)
            put = put_in(event.text) if edited else ""
            self._turn.call(edited or next(iter(wrote), ""), put)
            self._tree_of_call(event, [edited, *wrote])

    def _writes(self, event: StoredEvent) -> list[str]:
        """Return the files that a command is about to write."""
        if _PATCH in event.text:
            # The first file of a patch is told by the call itself.
            files = [name.strip() for name in _PATCHED.findall(event.text[:_PATCH_EXAMINED])][1:]
            if files and event.call_id and len(self._writing) < _MOST_CALLS:
                self._writing[event.call_id] = files
            return []
        if ">" not in event.text and _WRITING.search(event.text) is None:
            return []
        action = action_of(self._flavor, event.tool or "", event.text)
        files = files_written(action.whole or action.asked or action.command)
        if files and event.call_id and len(self._writing) < _MOST_CALLS:
            self._writing[event.call_id] = files
        return files

    def _tree_of_call(self, event: StoredEvent, edited: Iterable[str]) -> None:
        named = [name for name in edited if name]
        for name in named:
            self.tree.made(name)
        command = ""
        if OF_GIT.search(event.text) is not None:
            action = action_of(self._flavor, event.tool or "", event.text)
            command = action.whole or action.asked or action.command or event.text
        patched = self._writing.get(event.call_id or "", [])
        files = [one for one in dict.fromkeys([*named, *patched]) if "." in one or "/" in one]
        self.work.call(event.call_id, command, files)
        if _REMOVING.search(event.text) is not None:
            action = action_of(self._flavor, event.tool or "", event.text)
            command = action.whole or action.asked or action.command
            self.tree.call(event.call_id, event.text, command)

    def _wrote(self, event: StoredEvent) -> None:
        files = self._writing.pop(event.call_id or "", [])
        has_failed = bool(event.is_error or event.exit_code)
        made = self.tree.result(event.call_id, event.text, has_failed=has_failed)
        commits = [one for one in self.tree.commits() if one.title in made] if made else []
        self.work.result(
            event.call_id, event.text, event.fingerprint, commits, has_failed=has_failed
        )
        if made:
            self._turn.commits = [*self._turn.commits, *made]
        if not has_failed and len(self._written) < _MOST_WRITTEN:
            self._written |= dict.fromkeys(excerpt_line(one, _FILE_LENGTH) for one in files)

    def _begin(self, event: StoredEvent, asked: str) -> None:
        self._end()
        self.work.said(asked)
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
                _ends(turn.asked, ASKED_LENGTH),
                _ends(turn.answered, ANSWERED_LENGTH),
                turn.calls,
                turn.edits,
                [_aside(aside) for aside in turn.worth_keeping()],
                turn.asked_event,
                turn.answered_event,
                turn.choices,
                excerpt_line(turn.began, _BEGAN_LENGTH),
                bool(turn.answered) and turn.is_going_on,
                [excerpt_line(name, _FILE_LENGTH) for name in turn.files],
                _first_of(turn),
                turn.commits,
            )
            for turn in (*([self._first] if self._first else []), *self._latest)
        ]

    def written(self) -> list[str]:
        """Return the files that a shell wrote."""
        return list(self._written)

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
    # Whether the agent went on with calls behind its last reply.
    is_going_on: bool = False
    asides: list[Aside] = []
    longest: str = ""
    longest_event: int = 0
    choices: list[Choice] = []
    began: str = ""
    files: list[str] = []
    # The first reply, and its event: what was asked is answered before the work goes on.
    first: str = ""
    first_event: int = 0
    commits: list[str] = []

    def say(self, text: str, event: int) -> None:
        """Take a reply; the one before it was none that ends the turn."""
        self._keep("")
        self.began = self.began or text[:_BEGAN_EXAMINED]
        if not self.first:
            self.first, self.first_event = text, event
        if len(self.answered) >= _LONG_REPLY and len(self.answered) > len(self.longest):
            self.longest, self.longest_event = self.answered, self.answered_event
        self.answered, self.answered_event = text, event
        self.result_before, self.is_followed = self.result, False
        self.is_going_on = False

    def call(self, edited: str, put: str = "") -> None:
        """Take a call, the file that it edits, and what it puts in."""
        self.calls += 1
        self.is_going_on = True
        self.edits += bool(edited)
        if edited:
            # A tool whose call names no file is told by its own name.
            is_file = "." in edited or "/" in edited
            if is_file and edited not in self.files and len(self.files) < _MOST_FILES:
                self.files = [*self.files, edited]
            self._keep(edited, put)

    def _keep(self, edited: str, put: str = "") -> None:
        """Keep the last reply where an edit follows it, or where it names a cause."""
        if self.is_followed or not self.answered:
            return
        if edited or names_cause(self.answered):
            self.is_followed = True
            aside = Aside(self.answered, self.result_before, edited, self.answered_event, put)
            self.asides = [*self.asides, aside][-_MOST_ASIDES:]

    def worth_keeping(self) -> list[Aside]:
        """What was said on the way, with the report before a short last reply."""
        asides = [aside for aside in self.asides if aside.text != self.answered]
        if len(self.answered) < _SHORT_REPLY and self.longest:
            asides.append(Aside(self.longest, event=self.longest_event))
        return asides


def is_of_client(asked: str) -> bool:
    """Whether a client put this where a person's words stand."""
    return _OF_CLIENT.match(asked) is not None


def _ends(text: str, limit: int) -> str:
    """A text, or both ends of a long one, by whole lines where it was cut."""
    if len(text) <= limit:
        return excerpt(text, limit)
    head, tail = beginning(text, limit // 2), ending(text, limit // 2)
    # A line that is cut says something else than the whole of it.
    cut = head.rfind(_LINE_END) + 1 or len(head)
    return f"{head[:cut].rstrip()}\n\n{CUT}\n\n{tail[tail.find(_LINE_END) + 1 :]}".strip()


def _first_of(turn: _Turn) -> str:
    """The first reply of a turn, where it is not the last."""
    is_other = turn.first_event != turn.answered_event
    return _ends(turn.first, FIRST_LENGTH) if is_other else ""


def _aside(aside: Aside) -> Aside:
    edited = excerpt_line(aside.edited, _FILE_LENGTH)
    put = excerpt_line(aside.put, _PUT_LENGTH)
    return Aside(excerpt(aside.text, ASIDE_LENGTH), aside.result, edited, aside.event, put)


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
