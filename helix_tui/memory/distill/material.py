"""What a model reads of a piece: numbered lines, the facts first, each with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from helix_tui.schema.memory import Piece
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

_LINE_LENGTH = 300
_SUMMARY_LENGTH = 6_000
_MOST_FILES = 30
_MOST_COMMANDS = 30
_MOST_ERRORS = 30


class Source(NamedTuple):
    """A line of the material: who or what it is of, its event (0 where none is), its text."""

    who: str
    event: int
    text: str


class Material(NamedTuple):
    """A piece as a model reads it; the lines are numbered from 1 on."""

    head: str
    sources: list[Source]

    @property
    def text(self) -> str:
        """All of it, for the request."""
        rows = [
            f"[{number}] {source.who.upper()}: {source.text}"
            for number, source in enumerate(self.sources, 1)
        ]
        return "\n".join((self.head, *rows))


def material_of(piece: Piece) -> Material:
    """The material of a piece: the middle of the turns is what may be cut."""
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
    yield from _facts(piece)
    for summary in piece.summaries:
        yield Source("summary", 0, safe(summary[:_SUMMARY_LENGTH]))
    for turn in piece.exchanges:
        yield Source("user", turn.asked_event, safe(turn.asked))
        for aside in turn.asides:
            yield Source("agent", aside.event, safe(aside.text))
        yield Source("agent", turn.answered_event, safe(turn.answered))


def _facts(piece: Piece) -> Iterator[Source]:
    facts = piece.facts
    edited = [name for name, tally in facts.files.items() if name and tally.edits]
    for name in edited[:_MOST_FILES]:
        yield Source("edited", 0, safe_line(name, _LINE_LENGTH))
    for command, runs in list(facts.commands.items())[:_MOST_COMMANDS]:
        tally = f"({runs.runs} runs, {runs.failures} failed)"
        yield Source("command", 0, f"{safe_line(command, _LINE_LENGTH)} {tally}")
    for recovery in facts.recoveries:
        group = facts.groups.get(recovery.group)
        error = safe_line(group.line if group else recovery.group, _LINE_LENGTH)
        remedy = safe_line(recovery.remedy, _LINE_LENGTH)
        yield Source("overcome", recovery.fingerprint, f"{error} -> {remedy}")
    for failed in facts.errors[-_MOST_ERRORS:]:
        yield Source("error", failed.fingerprint, safe_line(failed.line, _LINE_LENGTH))
    for moment in facts.corrections:
        yield Source("correction", moment.fingerprint, safe_line(moment.text, _LINE_LENGTH))
    for moment in facts.kept:
        yield Source("kept", moment.fingerprint, safe_line(moment.text, _LINE_LENGTH))
