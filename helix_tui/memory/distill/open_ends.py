"""What a session leaves open, as an entry tells it: neither what was done nor politeness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.begun import broken_at
from helix_tui.memory.distill.earning import points_elsewhere
from helix_tui.memory.distill.headline import PICTURE, asked_in_short, headline, is_pasted_output
from helix_tui.memory.distill.prose import plain_line
from helix_tui.memory.distill.quoting import call, quoted
from helix_tui.memory.distill.requests_open import requests_open
from helix_tui.schema.memory import LAST_STEP, Exchange, Piece

_OPEN_LENGTH = 220
_BEHIND = 150
# Helix's words at the beginning of what is left open; the rest is quoted.
_LABEL = re.compile(
    r"(?:not answered|stopped by the person|refused by the person|no result"
    r"|failed, and not tried again|the model could not be reached|broke off in the middle of"
    r"|its context was compacted in the middle of|reported, and not seen to work since"
    r"|a change that was refused|not permitted|on the agent's list|offered|asked|could not|remains"
    r"|put off): "
)
_BREAKING = (
    *("broke off in the middle of: ", "its context was compacted in the middle of: "),
    *("not answered: ", "stopped by the person: "),
)
_ON = " (on: "
_ASKED_ROOM = 160
_BRIEF = 600
# An answer to a list, or a word to go on.
_POINTING = re.compile(
    r"(?i)\W*(?:#?\d{1,2}\b|(?:go on|continue|pick up|proceed|keep going|retry)\b)"
)
_FEW = 60
_STOPPED_AT = re.compile(r"stopped by the person at \$? ?(?P<step>.+?): (?P<asked>[^:]+.*)$")
_LEAST_WORDS = 3
_DONE = re.compile(
    r"(?:[A-Z]\w+: )?(?:I(?:'ve| have)? )?(?:Added|Updated|Created|Fixed|Removed"
    r"|Implemented|Verified|Ran)\b"
)
# What the agent suggests to run, or to look at, next.
_COMMAND_NEXT = re.compile(
    r"(?i)\W*(?:(?:suggested|recommended)\b.{0,20}\b(?:command|step)|next "
    r"(?:recommended |suggested )?command|`?/\w|you (?:may|might|can|could)\b|(?:restart|reload"
    r"|refresh|enjoy|test it|try)\b)"
)
# What follows from what stands before it.
_SO = re.compile(r"(?i)\W*(?:so|thus|hence|therefore)\b,? ")
_ALIKE = 40
_MORE = re.compile(r"(?i)\b(?:anything else|further|more closely|in more detail|this approach)\b")
_OR = re.compile(r"(?i),? or (?:should|shall|do|would|is|are|can) \w")
# To note a thing for later is itself to be done now.
_NOTE_IT = re.compile(
    r"(?i)\b(?:add|write|create|make|note|put|capture|file|open|log)\b.{0,40}"
    r"\b(?:todos?|to-do|notes?|issues?|tickets?|backlog|follow-?up|plan|list|readme)\b"
)
_READY = re.compile(r"(?i)\W*(?:it(?:['’]s| is) )?(?:now )?ready (?:for|to)\b")
_ASKING = ("asked: ", "offered: ")
_POINTED = re.compile(r"(?i)\b(?:it|this|that|them|these|those)\b")


def _request(piece: Piece, asked: str) -> str:
    """The request that was worked on, in a sentence; the title where it is a paste or a brief."""
    last, _, whole = asked.partition(_ON)
    turn = piece.exchanges[-1] if piece.exchanges else None
    said = (
        turn.asked
        if turn and plain_line(turn.asked)[:_ALIKE] == plain_line(last)[:_ALIKE]
        else last
    )
    short = asked_in_short(said)
    is_pasted = not short or is_pasted_output(short)
    if is_pasted or (len(said) > _BRIEF and piece.title):
        return quoted(piece.title or short or last, _ASKED_ROOM)
    is_pointing = bool(cues.ASSENT.match(short) or _POINTING.match(short))
    is_loose = bool(whole) or (len(short) < _FEW and is_pointing)
    about = piece.title or whole.rstrip(")")
    on = f" (on {quoted(about, _ASKED_ROOM)})" if is_loose and about else ""
    return f"{quoted(short, _ASKED_ROOM)}{on}"


def _is_no_work(words: str) -> bool:
    """Whether what is said to remain only leads to something, or was done."""
    return (
        words.endswith(":")
        or len(words.split()) < _LEAST_WORDS
        or _DONE.match(words) is not None
        or _SO.match(words) is not None
        or _COMMAND_NEXT.match(words) is not None
        or _READY.match(words) is not None
    )


def _was_done(piece: Piece, words: str) -> bool:
    """Whether what was noted for later, as the person asked, was noted at once: by edits."""
    return any(
        turn.edits and _is_of(turn, words) and _NOTE_IT.search(turn.asked)
        for turn in piece.exchanges
    )


def _is_of(turn: Exchange, words: str) -> bool:
    """Whether the words of an open end are those of a turn's prompt, or go on behind them."""
    asked = plain_line(turn.asked)
    return bool(asked) and (asked.startswith(words[:_ALIKE]) or words.startswith(asked[:_ALIKE]))


def _said_before(piece: Piece, words: str) -> str:
    """What the agent had said before somebody put off what is only pointed at."""
    if not _POINTED.search(words[:_ALIKE]):
        return ""
    turns = pairwise(piece.exchanges)
    reply = next((before.answered for before, turn in turns if _is_of(turn, words)), "")
    said = headline(reply)
    return f" (the agent had said: {quoted(said, _BEHIND)})" if said else ""


def _is_idle(piece: Piece, label: str, words: str) -> bool:
    """Whether nothing waits: the work went on without a tool, or a picture was only shown."""
    if label == "not permitted: ":
        return piece.facts.ended in ("reply", "question")
    is_picture = words.startswith("[") and PICTURE.match(words) is not None
    return label == "not answered: " and is_picture and words[-1:] not in "?？"


def _is_polite(label: str, words: str) -> bool:
    """Whether a question is one of politeness: more is offered, and nothing waits for it."""
    is_more = label.startswith("offered") and not words.endswith(("?", "？"))
    # One of two ways waits for an answer, whatever the other is.
    is_further = _MORE.search(words) is not None and _OR.search(words) is None
    is_more = is_more or points_elsewhere(words) or is_further
    return is_more or cues.POLITE.search(words) is not None


def open_ends(piece: Piece) -> Iterator[str]:
    """What is open, in Helix's words and quoted: none twice, and none that waits for nobody."""
    yield from _unfinished(piece)
    yield from requests_open(piece)


def _unfinished(piece: Piece) -> Iterator[str]:
    told: list[str] = []
    for entry in piece.unfinished:
        said, _, step = entry.partition(LAST_STEP)
        label = _LABEL.match(said)
        words = plain_line(said[label.end() :] if label else said)
        # The same command may be refused, stopped and without a result.
        if any(words.rstrip("…") in earlier for earlier in told):
            continue
        if label and label[0] == "remains: " and _is_no_work(words):
            continue
        if label and label[0] == "put off: " and _was_done(piece, words):
            continue
        if label and _is_idle(piece, label[0], words):
            continue
        if label and label[0] in _ASKING and _is_polite(label[0], words):
            continue
        told.append(f"{words} {step}")
        if label and label[0] in _BREAKING:
            request = _request(piece, said[label.end() :])
            yield f"{label[0].strip().capitalize()} {request}{broken_at(piece, step)}"
            continue
        if stopped := _STOPPED_AT.match(said):
            what = f"; what was stopped is {call(stopped['step'])}"
            yield f"Stopped by the person: {quoted(stopped['asked'], _OPEN_LENGTH)}{what}"
            continue
        last = f"; the last step was {call(step)}" if step else ""
        name = said[: label.end()].strip().capitalize() if label else "Left open:"
        behind = _said_before(piece, words) if label and label[0] == "put off: " else ""
        yield f"{name} {quoted(words, _OPEN_LENGTH)}{behind}{last}"
