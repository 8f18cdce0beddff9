"""What a session hands to the person: points of its last report, settings, what a summary lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.conclusion import is_said, plain_words
from helix_tui.memory.distill.listed import joined_items
from helix_tui.memory.distill.prose import ProseLine, lines_of, sentences_of
from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.weakens import speaks_against_guards

_ROOM = 320
_LONGEST = 260
_MOST_SETTINGS = 2
# What was told so many turns ago may be done.
_LAST_TURNS = 3
# A list is the person's by what leads to it.
_FOR_PERSON = re.compile(
    r"(?i)\b(?:(?:needs?|for|await\w*|waits? (?:for|on)|pending) your"
    r" (?:eyes|attention|review|input|decision|call|approval|confirmation)"
    r"|what you (?:need|have) to do|you (?:still |will )?(?:need|have) to(?: do)?\W*$"
    r"|final steps? for you|your (?:turn|part)"
    r"|(?:manual|remaining|outstanding|open) (?:steps?|work|tasks?|points|items)"
    r"|follow[ -]?ups? needed|deferred|left open|not (?:yet )?(?:done|covered|included)"
    r"|known (?:limitations|gaps))\b"
)
# A setting outside of the repository, that only a person can make.
_SETTING = re.compile(
    r"(?i)\b(?:(?<!to )(?:ensure|make sure)|you(?:['’]ll| will)? (?:still |also )?(?:need|have) to"
    r"|remember to|don['’]?t forget to)\b.{0,60}\b(?:your|dashboard|console|secrets?|dns"
    r"|permissions?)\b"
)
_CONDITIONAL = re.compile(r"(?i)^\W*(?:important\W+)?(?:if|when|once|whenever)\b")
_PENDING = re.compile(
    r"(?i)\W*(?:\d{1,2}[.)]\s*)?(?:pending tasks?|(?:optional |immediate )?next steps?"
    r"|remaining(?: (?:tasks?|work|steps?))?|open (?:items|questions|tasks))\b.{0,20}"
)
_MERGE = re.compile(r"\bgit merge\b(?! --abort)")
_TO_MERGE = re.compile(r"(?i)\W*(?:\d{1,2}[.)] )?merge\b")
_BRANCH = re.compile(r"[\w.-]+/[\w./-]*\w|[\w.]+-[\w.-]*\w")
_BLOCK = re.compile(r"<next_steps>(.*?)(?:</next_steps>|\Z)", re.DOTALL)
_ANSWERED = ("reply", "question")


def handed_over(piece: Piece, opened: Sequence[str] = ()) -> Iterator[str]:
    """What is left to the person, and what the agent had before it when it broke off.

    What stands among the open ends that were `opened` is not told again.
    """
    known = [plain_words(line) for line in opened]
    last = next((turn for turn in reversed(piece.exchanges) if turn.answered), None)
    if last is not None and not last.is_cut:
        yield from _points(last, known)
    yield from _settings([turn for turn in piece.exchanges if turn.answered][-_LAST_TURNS:])
    if piece.summaries and piece.facts.ended not in _ANSWERED:
        yield from _pending(piece.summaries[-1], _merged(piece))


def _points(turn: Exchange, known: Sequence[str]) -> Iterator[str]:
    """Lists of a reply that are the person's, each behind what leads to it."""
    lines = lines_of(turn.answered)
    for at, line in enumerate(lines):
        if line.is_item or _FOR_PERSON.search(line.text) is None:
            continue
        items = [one for one in _items_behind(lines, at) if not is_said(one.text, known)]
        if items and not any(speaks_against_guards(item.text) for item in items):
            lead = sentences_of(line.text)[-1].rstrip(": ")
            yield f"Left to the user: {quoted(f'{lead}: {joined_items(items, _ROOM)}', _ROOM + 80)}"


def _items_behind(lines: Sequence[ProseLine], at: int) -> list[ProseLine]:
    items: list[ProseLine] = []
    for line in lines[at + 1 :]:
        if not line.is_item:
            break
        items.append(line)
    return items


def _settings(turns: Sequence[Exchange]) -> Iterator[str]:
    """Settings that a report of changes says the person has to make."""
    found = [
        sentence.strip("()* ")
        for turn in turns
        if turn.edits
        for line in lines_of(turn.answered)
        for sentence in sentences_of(line.text)
        if _SETTING.search(sentence)
        and len(sentence) <= _LONGEST
        and not (_CONDITIONAL.match(sentence) or cues.OFFERED.search(sentence))
        and not (sentence.endswith("?") or speaks_against_guards(sentence))
    ]
    yield from (f"Left to the user: {quoted(one, _LONGEST)}" for one in found[-_MOST_SETTINGS:])


def _merged(piece: Piece) -> frozenset[str]:
    """The branches that were merged: what was yet to be merged was so behind the summary."""
    merges = [one for one in piece.facts.commands if _MERGE.search(one)]
    return frozenset(name for one in merges for name in _BRANCH.findall(one))


def _pending(summary: str, merged: frozenset[str]) -> Iterator[str]:
    """What the agent's own summary lists as to be done."""
    block = _BLOCK.search(summary)
    if block:
        items = [line for line in lines_of(block[1]) if line.is_item] or lines_of(block[1])
    else:
        lines = lines_of(summary)
        at = next((at for at, line in enumerate(lines) if _PENDING.fullmatch(line.text)), -1)
        items = [] if at < 0 else _items_behind(lines, at)
    items = [
        item
        for item in items
        if not speaks_against_guards(item.text)
        and not (_TO_MERGE.match(item.text) and merged & set(_BRANCH.findall(item.text)))
    ]
    if items:
        yield f"The agent's own summary had yet to do: {quoted(joined_items(items, _ROOM), _ROOM)}"
