"""What a model reads of a piece: numbered lines, the facts first, each with where it comes from.

A long session is shortened by its replies, not by its turns: what people said, and how each turn
began and ended, is told of all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.material_facts import fact_rows
from helix_tui.memory.distill.prose import plain_line, sentences_of
from helix_tui.memory.distill.reply_parts import is_asking
from helix_tui.schema.memory import CUT, Exchange, Piece
from helix_tui.text.causes import names_cause
from helix_tui.text.human import plural
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

_LINE_LENGTH = 300
_SUMMARY_LENGTH = 6_000
_AGENT_LENGTH = 600
_MOST_AGENTS = 8
# To these lengths texts are shortened, one after the other, until all of it has room.
_LENGTHS = (3_000, 1_800, 1_100, 700, 450, 300, 200)
# Of people's words more is kept; and of the end, which tells how it came out.
_OF_PEOPLE = 2
_OF_END = 4
_AT_END = 4
_STEP = re.compile(r"(?i)\W*(?:now|next|then)\b.*:")
_TEXTS = ("user", "agent", "summary")
_END = "END OF THE SESSION. Now answer with the one JSON object, and nothing else."


class Source(NamedTuple):
    """A line of the material: who or what it is of, its event (0 where none is), its text.

    `note` is what Helix says of it.
    """

    who: str
    event: int
    text: str
    note: str = ""


class Material(NamedTuple):
    """A piece as a model reads it; the lines are numbered from 1 on."""

    head: str
    sources: list[Source]

    @property
    def text(self) -> str:
        """All of it, for the request."""
        return self._told([source.text for source in self.sources])

    def within(self, most: int) -> str:
        """For a request with so much room: where it is too long, with its texts shortened."""
        text = self.text
        for length in _LENGTHS:
            if len(text) <= most:
                break
            text = self._told(list(self._shortened(length)))
        return text

    def _told(self, texts: Sequence[str]) -> str:
        rows = (
            f"[{number}] {source.who.upper()}{source.note}: {text}"
            for number, (source, text) in enumerate(zip(self.sources, texts, strict=True), 1)
        )
        return "\n".join((self.head, *rows, _END))

    def _shortened(self, length: int) -> Iterator[str]:
        last = len(self.sources) - _AT_END
        for at, source in enumerate(self.sources):
            most = length * (_OF_END if at >= last else _OF_PEOPLE if source.who == "user" else 1)
            yield _both_ends(source.text, most) if source.who in _TEXTS else source.text


def material_of(piece: Piece) -> Material:
    """The material of a piece."""
    head = (
        f"SESSION {safe_line(piece.session)}, {iso(piece.first_ts)} to {iso(piece.last_ts)}\n"
        f"REPOSITORY {safe_line(piece.repo or '-')}, BRANCH {safe_line(piece.branch or '-')}"
    )
    return Material(head, [source for source in _sources(piece) if source.text.strip()])


def _sources(piece: Piece) -> Iterator[Source]:
    yield Source("title", 0, safe_line(piece.title))
    yield Source("state", 0, safe_line(piece.state, _LINE_LENGTH))
    for entry in piece.unfinished:
        yield Source("open", 0, safe_line(entry, _LINE_LENGTH))
    for who, event, text in fact_rows(piece):
        yield Source(who, event, safe_line(text, _LINE_LENGTH))
    for summary in piece.summaries[-1:]:
        yield Source("summary", 0, safe(summary[:_SUMMARY_LENGTH]))
    for answer in piece.agents[:_MOST_AGENTS]:
        text = f"{answer.task} -> {_both_ends(answer.text, _AGENT_LENGTH)}"
        yield Source("agent", 0, safe(text), " (a sub-agent)")
    for turn in piece.exchanges:
        yield from _turn(turn, is_last=turn is piece.exchanges[-1])


def _turn(turn: Exchange, *, is_last: bool) -> Iterator[Source]:
    has_answer = bool(turn.answered or turn.asides)
    is_unanswered = is_last and not has_answer
    yield Source("user", turn.asked_event, safe(turn.asked), " (no reply)" * is_unanswered)
    for choice in turn.choices:
        said = f"asked by a tool `{choice.question}`: {choice.answer}"
        yield Source("user", choice.event, safe(said))
    asides = {aside.text: aside.event for aside in turn.asides}
    if is_asking(turn.asked):
        asides = {turn.first: asides.get(turn.first, 0)} | asides
    for text, event in asides.items():
        if not _is_announced(text):
            yield Source("agent", event, safe(text))
    yield Source("agent", turn.answered_event, safe(turn.answered), _work_of(turn))


def _work_of(turn: Exchange) -> str:
    """What was done in a turn, and whether its last reply is no report of it."""
    parts = [plural(turn.calls, "call")] if turn.calls else []
    parts += [plural(turn.edits, "edit")] if turn.edits else []
    parts += ["went on, without a report"] if turn.is_cut else []
    return f" ({', '.join(parts)})" if parts else ""


def _is_announced(text: str) -> bool:
    """Whether a reply on the way only says what comes next."""
    return not names_cause(text) and all(
        _STEP.fullmatch(one) or any(said.match(one) for said in (cues.PLAN, cues.ABOUT_TO))
        for one in sentences_of(plain_line(text))
        if not cues.FILLER.fullmatch(one)
    )


def _both_ends(text: str, most: int) -> str:
    """A text, or two thirds of its beginning and one of its end, by whole lines where it can."""
    if len(text) <= most:
        return text
    head, tail = text[: 2 * most // 3], text[-(most // 3) :]
    cut = head.rfind("\n")
    head = head[:cut] if cut > most // 3 else head.rpartition(" ")[0] or head
    tail = tail.partition("\n")[2] or tail.partition(" ")[2] or tail
    return f"{head}\n{CUT}\n{tail}"
