"""Group what people do again and again in the same form: commands, texts, runs before they ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.tiers import sort_of
from helix_tui.detect.titles import cut, said_where
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import Signal
from helix_tui.text.clauses import sentences_of

_LEAST_IN_ONE_REPOSITORY = 2
_QUOTE = 100
# How the subjects of a run, a slash command, a text and a collection of commands begin.
_RAN, _COMMAND, _TEXT, _COLLECTION = "$ ", "/", "¶ ", "/: "
_MOST_NAMED = 4
# Texts are compared by runs of so many words, of which so many are the same in both.
_RUN, _SAME = 3, 0.3
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")


def group_requests(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a workflow of each command, text or run that several conversations use.

    Two conversations are enough in one repository; across repositories it takes three.
    """
    by_subject: dict[str, list[SessionSignal]] = {}
    for occurrence in occurrences:
        by_subject.setdefault(_subject_of(occurrence.signal), []).append(occurrence)
    return [
        _candidate(subject, found)
        for subject, every in by_subject.items()
        if _recurs(found := _used_again(subject, every))
    ]


def _used_again(subject: str, members: list[SessionSignal]) -> list[SessionSignal]:
    """What of those that begin alike is one thing: commands told nowhere else, texts as a whole."""
    if subject.startswith(_COLLECTION):
        return _not_told(members)
    if subject.startswith(_TEXT) and _recurs(same := _alike(members)):
        return same
    return members


def _alike(members: Sequence[SessionSignal]) -> list[SessionSignal]:
    """The texts that most conversations hand over, alike beyond how they begin.

    A client begins what it writes with a line of its own, whatever follows; what is filled into a
    template leaves most of it as it was.
    """
    runs = [_runs_of(found.signal.text) for found in members]
    best: list[SessionSignal] = []
    for own in runs:
        some = [
            found
            for found, other in zip(members, runs, strict=True)
            if _SAME * len(own | other) <= len(own & other)
        ]
        if len({one.session.root for one in some}) > len({one.session.root for one in best}):
            best = some
    return best


def _runs_of(text: str) -> set[tuple[str, ...]]:
    """A text by its runs of words, figures masked."""
    words = _WORD.findall(_DIGITS.sub("0", text.lower()))
    return set(zip(*(words[at:] for at in range(_RUN)), strict=False)) or {tuple(words)}


def _subject_of(signal: Signal) -> str:
    """What somebody uses: of a check that they run, the command with its options."""
    is_check = signal.subject.startswith(_RAN) and signal.check and signal.step
    return f"{_RAN}{signal.step}" if is_check else signal.subject


def _not_told(members: Sequence[SessionSignal]) -> list[SessionSignal]:
    """The commands of a collection but for those that recur, each of which is told by itself.

    One command alone makes no collection.
    """
    by_command: dict[str, list[SessionSignal]] = {}
    for found in members:
        by_command.setdefault(found.signal.template, []).append(found)
    others = [some for some in by_command.values() if not _recurs(some)]
    return [found for some in others for found in some] if len(others) > 1 else []


def _recurs(members: Sequence[SessionSignal]) -> bool:
    roots = {found.session.root for found in members}
    is_of_one = len({found.session.repo for found in members}) == 1
    return len(roots) >= (_LEAST_IN_ONE_REPOSITORY if is_of_one else MIN_SESSIONS)


def _candidate(subject: str, turns: list[SessionSignal]) -> Candidate:
    # The earliest gives the candidate its signal's other fields.
    turns.sort(key=lambda found: (*age(found.session), *found.signal.fingerprints))
    shortest = min((found.signal.text for found in turns), key=lambda text: (len(text), text))
    mark = next(mark for mark in _TOLD if subject.startswith(mark))
    named = subject if mark == _COMMAND else subject.removeprefix(mark)
    where = said_where({found.session.repo for found in turns})
    told = _commands(turns) if mark == _COLLECTION else shortest
    is_same = mark != _TEXT or len(_alike(turns)) == len(turns)
    title = cut(_TOLD[mark](named, where, told) if is_same else _begin_alike(where, turns))
    candidate = assemble(candidate_id("user_request", subject), title, turns, [])
    candidate.signal = "workflow"
    candidate.sort = sort_of("workflow")
    # Nothing failed where people ask for the same again.
    candidate.kind = "success"
    candidate.subject = named
    candidate.shape = {_COMMAND: subject, _COLLECTION: f"/{named}:"}.get(mark, "")
    if mark == _RAN:
        candidate.shape = turns[0].signal.shape or named
        candidate.check = turns[0].signal.check
        behind = {one.session.root for one in turns if not one.signal.is_excused}
        candidate.laid_down = len(behind) if candidate.check else 0
    return candidate


def _commands(turns: Sequence[SessionSignal]) -> str:
    """The commands that some turns give, the first of them by name."""
    names = sorted({found.signal.template for found in turns})
    told = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    return f"{told} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else told


def _ran(program: str, where: str, text: str) -> str:
    asked = next(iter(sentences_of(text)), text)
    return f"user runs `{program}` by hand{where}, then asks: “{asked}”"


def _command(command: str, where: str, _: str) -> str:
    return f"user runs `{command}`{where} again and again"


def _collection(name: str, where: str, commands: str) -> str:
    return f"user works with the commands of `{name}`{where}: {commands}"


def _text(_: str, where: str, text: str) -> str:
    flat = " ".join(text.split())
    quote = flat if len(flat) <= _QUOTE else f"{flat[: _QUOTE - 1]}…"
    return f"user hands over the same text{where} again: “{quote}”"


def _begin_alike(where: str, turns: Sequence[SessionSignal]) -> str:
    """Texts that only begin alike, by how they do."""
    columns = zip(*(found.signal.text.split() for found in turns), strict=False)
    shared = [words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns)]
    begins = " ".join(shared)[:_QUOTE].rstrip("#*- ")
    return f"user hands over texts{where} that begin alike: “{begins}”"


# The title of what recurs, by how its subject begins.
_TOLD: dict[str, Callable[[str, str, str], str]] = {
    _RAN: _ran,
    _COLLECTION: _collection,
    _COMMAND: _command,
    _TEXT: _text,
}
