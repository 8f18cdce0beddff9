"""Steps over a part's events for the turns of its person: what stands before and after each."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

import msgspec

from helix_tui.digest.actions import Action
from helix_tui.digest.correction_words import is_claim
from helix_tui.digest.excerpt import ending, excerpt, excerpt_line
from helix_tui.digest.programs import amends, changes_files, is_looking, programs_in, takes_back
from helix_tui.digest.runs.run import Run
from helix_tui.digest.state import Memory
from helix_tui.digest.tables import cut, put
from helix_tui.digest.turns.heard import Heard
from helix_tui.digest.turns.judge import kind_of
from helix_tui.digest.turns.memory import Closing
from helix_tui.digest.turns.own_words import ASKS, traits_of_words
from helix_tui.digest.turns.red import red_check
from helix_tui.digest.turns.taken_back import note_edit
from helix_tui.digest.turns.terms import (
    command_words,
    hashed,
    numbers_in,
    own_terms,
)
from helix_tui.digest.turns.traits import BITS, bits_of
from helix_tui.digest.turns.tried import excuse_in, was_tried
from helix_tui.digest.turns.words import ADMITS, CONCEDES
from helix_tui.digest.turns.written import Written, written_in
from helix_tui.schema import Facts, TurnFact
from helix_tui.text.hashing import hash64
from helix_tui.text.holding import may_hold

MOST_TURNS = 400
TEXT_LENGTH = 400
_OWN_LENGTH = 300
_BEFORE_LENGTH = 200
_MOST_ACTS = 12
_MOST_FILES = 60
_ACT_LENGTH = 1200
_REPLY_LENGTH = 6000
_MOST_FOLLOWED = 60
# So many actions are noted behind a turn, and what is done within so many calls of it.
_MOST_AFTER, _SOON_DONE = 2, 12
# How many calls behind a turn may still answer it directly.
_SOON = 3
_NOT_DONE = re.compile(r"\bnot (?:yet )?(?:done|fixed|ready|complete|working)\b")


class Turn(msgspec.Struct, frozen=True):
    """A turn as it was heard: its event, and what the agent's turn before it took."""

    fingerprint: int
    ts: int | None
    heard: Heard
    chars: int
    ms: int


class Listener:
    """Hears the turns of one part; what it must remember is in the fold's memory."""

    __slots__ = ("_acts", "_facts", "_memory", "_ran", "_reply")

    def __init__(self, facts: Facts, memory: Memory) -> None:
        self._facts = facts
        self._memory = memory.turns
        self._acts: deque[str | list[int]] = deque(memory.turns.acts, _MOST_ACTS)
        self._reply: str | list[int] = memory.turns.reply
        # The last command, until somebody asks for its words.
        self._ran: str | None = None

    def settle(self, spent: int) -> None:
        """Puts what the next listener needs into the memory; so much was spent on this turn."""
        memory = self._memory
        if self._facts.turns:
            self._facts.turns[-1].took = spent
            self._facts.turns[-1].edits = memory.edits
        self._ran_numbers()
        memory.acts = [_numbers(act) for act in self._acts]
        if isinstance(self._reply, str):
            memory.closing = _closing(self._reply)
            memory.excuse = excuse_in(self._reply)
            memory.reply_end = self._before_by_reply(self._reply)
            memory.reply = self._reply_numbers()
            self._reply = memory.reply

    def take_reply(self, text: str) -> None:
        """Takes what the agent says."""
        memory = self._memory
        said = text.strip()
        if not said:
            return
        self._reply = said
        memory.has_worked = True
        if memory.open >= 0 and not memory.replied:
            memory.replied = 1
            small = said[:400].lower().replace("’", "'")
            if CONCEDES.match(small):
                self._follow("concedes")
                if ADMITS.search(small, 0, 120):
                    self._follow("admits")

    def take_call(self, action: Action, given: str) -> None:
        """Takes what the agent does."""
        memory = self._memory
        memory.calls += 1
        memory.has_worked = True
        memory.last_action = action.summary
        if action.kind in ("edit", "shell", "plan", "agent", "mcp"):
            self._acts.append(f"{action.summary}\n{given[:_ACT_LENGTH]}")
        file = _number(action.file) if action.file else 0
        run = action.identity if action.kind == "shell" else 0
        is_edit = action.kind == "edit"
        if memory.open >= 0:
            memory.followed += 1
            after = self._facts.turns[memory.open].after
            self._note_after(after, action)
            if (is_edit and file in memory.files_before) or amends(action.command):
                self._follow("reworks")
            elif is_edit:
                self._follow("edits")
            if run and run in memory.runs_before:
                self._follow("reruns")
            elif memory.followed <= _SOON and _is_like(memory.rejected, action):
                self._follow("redoes")
            if run and (takes_back(action.command) or _restores(action.command)):
                self._follow("reverts")
            if memory.followed >= _MOST_FOLLOWED:
                memory.open = -1
        if action.edit and (taken_back := note_edit(memory, action)):
            self._follow("reverts")
            self._facts.turns[memory.open].taken_back = taken_back
        if is_edit and file:
            put(memory.files, file, True, _MOST_FILES)
        elif run:
            if changes_files(action.command):
                memory.edits += 1
            put(memory.runs, run, True, _MOST_FILES)
            self._ran = action.command
        memory.edits += is_edit

    def _note_after(self, after: list[str], action: Action) -> None:
        """Notes what the agent does first: two actions, and rather what it does than looks at."""
        memory = self._memory
        is_full = len(after) >= _MOST_AFTER
        if is_full and (not memory.ends_looking or memory.followed > _SOON_DONE):
            return
        is_look = _only_looks(action)
        if is_full and is_look:
            return
        if is_full:
            after.pop()
        after.append(cut(action.summary, _BEFORE_LENGTH))
        memory.ends_looking = is_look

    def take_edit(self) -> None:
        """Takes that a file was edited that checks look at."""
        self._memory.tried = []

    def take_checks(self, runs: Iterable[Run]) -> None:
        """Takes the checks that the agent ran; one that is red is known to be so, and no proof."""
        tried = set(self._memory.tried)
        for run in runs:
            (tried.discard if run.state == "failed" else tried.add)(run.kind)
        self._memory.tried = sorted(tried)

    def take_own_run(self, command: str) -> None:
        """Takes a command that the person ran without the agent."""
        self._memory.own_run = excerpt_line(command, 80)

    def take_interruption(self) -> None:
        """Takes that the person stopped the agent."""
        self._memory.is_interrupted = True

    def take_refusal(self) -> None:
        """Takes that the person refused a call."""
        self._memory.is_refused = True

    def hear(self, said: Turn) -> None:
        """Takes a turn of the person."""
        facts, memory, heard = self._facts, self._memory, said.heard
        if facts.turns:
            facts.turns[-1].took = said.chars
            facts.turns[-1].edits = memory.edits
        written = written_in(heard.text)
        turn = TurnFact(
            said.fingerprint,
            said.ts,
            excerpt(f"{heard.command} {heard.text}".strip(), TEXT_LENGTH),
            heard.via,
            bits_of(self._traits(heard, written)),
            excerpt_line(written.own, _OWN_LENGTH) if written.is_pasted else "",
            excerpt_line(heard.command, 80) if heard.command else "",
            cut(self._before(), _BEFORE_LENGTH),
            [],
            said.chars,
            said.ms,
            0,
            memory.own_run,
        )
        memory.own_run = ""
        self._note_tried(turn)
        if len(facts.turns) >= MOST_TURNS:
            _make_room(facts.turns)
        memory.open = len(facts.turns)
        facts.turns.append(turn)
        memory.heard += 1
        memory.said_before = sorted(own_terms(written.own).numbers)
        memory.files_before, memory.runs_before = memory.files, memory.runs
        memory.rejected = self._ran_numbers()
        memory.files, memory.runs = {}, {}
        memory.followed = memory.replied = memory.edits = memory.calls = 0
        memory.is_interrupted = memory.is_refused = False
        if heard.via != "refusal":
            self._acts.clear()
            self._reply = memory.reply = []
            memory.closing = memory.reply_end = ""
            memory.excuse = ""

    def _note_tried(self, turn: TurnFact) -> None:
        """Notes whether the agent had run the check that is named red, or said that it had not.

        What its surroundings do not let it run, they do not let it run later.
        """
        memory, reply = self._memory, self._reply
        excuse = excuse_in(reply) if isinstance(reply, str) else memory.excuse
        memory.is_excused = memory.is_excused or excuse == "cannot"
        check = red_check(turn)
        if check and was_tried(check, memory.tried):
            turn.traits |= BITS["tried"]
        if check and (excuse or memory.is_excused):
            turn.traits |= BITS["excused"]

    def _before(self) -> str:
        """What the turn follows: the last action, or the end of what the agent said."""
        memory = self._memory
        if memory.calls:
            return memory.last_action
        if isinstance(self._reply, str):
            return self._before_by_reply(self._reply)
        return memory.reply_end or memory.last_action

    @staticmethod
    def _before_by_reply(reply: str) -> str:
        return f"agent: {excerpt_line(ending(reply, 400), 160)}"

    def _follow(self, trait: str) -> None:
        self._facts.turns[self._memory.open].traits |= BITS[trait]

    def _ran_numbers(self) -> list[int]:
        """The words of the last command."""
        if self._ran is not None:
            self._memory.ran, self._ran = _command_numbers(self._ran), None
        return self._memory.ran

    def _reply_numbers(self) -> list[int]:
        if isinstance(self._reply, list):
            return self._reply
        return sorted(numbers_in(self._reply[-_REPLY_LENGTH:]))

    def _traits(self, heard: Heard, written: Written) -> list[str]:
        """Everything about a turn that can be said when it is heard."""
        traits = list(self._position(heard))
        if written.is_pasted:
            traits.append("pasted")
        if written.has_failure:
            traits.append("failure")
        if written.is_task:
            traits.append("task")
        elif written.is_long:
            traits.append("long")
        own = written.own
        if not own:
            return traits
        traits += traits_of_words(own)
        if heard.command and not heard.text:
            return traits
        traits += self._overlap(own)
        return traits

    def _position(self, heard: Heard) -> list[str]:
        memory = self._memory
        if not memory.heard:
            return ["first"]
        found = []
        if not memory.has_worked:
            found.append("idle")
        if memory.is_interrupted:
            found.append("interrupted")
        if memory.is_refused and heard.via != "refusal":
            found.append("refused")
        if memory.edits:
            found.append("edited")
        if memory.calls:
            found.append("worked")
        closing = _closing(self._reply) if isinstance(self._reply, str) else memory.closing
        if closing and not memory.is_interrupted and heard.via == "prompt":
            found.append(closing)
        return found

    def _known(self, terms: set[str]) -> set[int]:
        """The words of what the agent just did and said, where they may be among some terms."""
        known: set[int] = set()
        for act in self._acts:
            if isinstance(act, list) or may_hold(act, terms):
                known.update(_numbers(act))
        reply = self._reply
        if isinstance(reply, list) or may_hold(reply[-_REPLY_LENGTH:], terms):
            known.update(self._reply_numbers())
        return known

    def _overlap(self, own: str) -> list[str]:
        """Whether a turn speaks of what the agent just did or said, or repeats the turn before."""
        memory = self._memory
        terms = own_terms(own)
        words, names = terms.numbers, hashed(terms.names)
        ran = self._ran_numbers()
        names |= hashed(command_words(own)).intersection(ran)
        known = self._known(terms.names | terms.words)
        found = []
        if not names.isdisjoint(known) or not names.isdisjoint(ran):
            found.append("names")
        if hashed(terms.paths) - known:
            found.append("elsewhere")
        shared = len(words & known)
        if shared:
            found.append("shares")
        if words and 2 * shared >= len(words):
            found.append("about")
        before = set(memory.said_before)
        if before and words and len(words & before) >= 0.7 * min(len(words), len(before)):
            found.append("retyped")
        return found


def _is_like(rejected: list[int], action: Action) -> bool:
    """Whether a command is the last one before the turn in another form."""
    if not rejected or action.kind != "shell":
        return False
    # Two sub-commands of one program are two actions: what stands behind it must be shared.
    now = _command_numbers(action.command)
    shared, every = {*now[1:]} & {*rejected[1:]}, {*now, *rejected}
    is_same = set(now) == set(rejected)
    return bool(shared) and not is_same and 3 * len({*now} & {*rejected}) >= len(every)


def _command_numbers(command: str) -> list[int]:
    """The words of a command line as numbers, the program first."""
    first, _, rest = command.strip().partition(" ")
    return [_number(first.lower()), *sorted(hashed(command_words(rest)))]


def _closing(reply: str) -> Closing:
    """How the agent gave the turn back."""
    end = reply[-600:].rstrip()
    lines = [line.strip() for line in end.splitlines()[-8:]]
    options = sum(line[:1] in "123456789ABCDabcd-*•" and line[1:2] in ".) :" for line in lines)
    if end.endswith(ASKS) or any(line.endswith(ASKS) for line in lines[-2:]):
        return "menu" if options >= 2 else "question"
    if options >= 2 and any(line.endswith(ASKS) for line in lines):
        return "menu"
    if _NOT_DONE.search(end[-300:].lower()):
        return "open"
    return "claim" if is_claim(reply) or is_claim(reply[-300:]) else "reply"


def _numbers(act: str | list[int]) -> list[int]:
    return act if isinstance(act, list) else sorted(numbers_in(act))[:200]


def _number(text: str) -> int:
    return hash64(text.encode("utf-8", "replace"))


def _restores(command: str) -> bool:
    """Whether a command line puts files back as they were."""
    return "git" in command and ("git checkout -- " in command or "git restore " in command)


def _make_room(turns: list[TurnFact]) -> None:
    """Drops the oldest turn that is no mark, else the oldest."""
    at = next((n for n, turn in enumerate(turns) if kind_of(turn).kind == "none"), 0)
    del turns[at]


def _only_looks(action: Action) -> bool:
    """Whether an action only reads or searches, so that nothing is other than before."""
    if action.kind != "shell":
        return action.kind in ("read", "search")
    return all(map(is_looking, programs_in(action.command)))
