"""Which patterns a guard fits: told, seen and still violated, by a shape that never works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.context.files import Disk
from helix_tui.context.matching.asks import asks_for
from helix_tui.curate.page.pattern import Pattern
from helix_tui.digest.codec import unpack_fold
from helix_tui.digest.merge import NamedFold, facts_of
from helix_tui.digest.shape.guarded import guarded_shape
from helix_tui.engine.context.told import ToldFinder, repos_of
from helix_tui.errors import UsageError
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import Told
from helix_tui.schema.guard import ANSWERS, Answer, ShapeRecord
from helix_tui.store.database import Database, reading
from helix_tui.store.detection.candidates import candidates_by_id
from helix_tui.store.detection.signals import folds_by_session
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read.places import session_places
from helix_tui.text.human import plural
from helix_tui.text.shape import HERE, Shape, text_anywhere

OFF = "off"
# Of more sessions it is not found out whether a command passes in any of them.
_MOST_SESSIONS = 1_000


class GuardChoice(NamedTuple):
    """The fields of a page that switch its guard, and how calls of its shape went so far."""

    guard: str
    shape: str | None
    rung: str | None
    record: ShapeRecord | None


class GuardProposal(NamedTuple):
    """A guard that fits a pattern, for a person to decide on."""

    pattern: str
    answer: Answer
    shape: str
    record: ShapeRecord
    why: str


def chosen_guard(config: Config, pattern: Pattern, answer: str, shape: str | None) -> GuardChoice:
    """What switching a guard means for a page; refused where its shape decides nothing.

    Whose error it is must mostly fail by that shape: else a guard would stop what works. What a
    person asked for, or names here, is theirs to say.
    """
    if answer in ("", OFF):
        return GuardChoice("", None, "" if pattern.rung == "guard" else None, None)
    if answer not in ANSWERS:
        raise UsageError(f"A guard cannot {answer!r}.", f"Say one of {', '.join(ANSWERS)}, {OFF}.")
    with reading(StoreLayout(config.store)) as database:
        behind = _behind(database, pattern) if database is not None else []
        named = shape if shape is not None else pattern.shape or _shape_of(behind)
        known = guarded_shape(named) if named else None
        if known is None:
            what = f"`{named}` is no one command" if named else "No command is known to be it"
            todo = "Name it: `--shape 'npm install'`."
            raise UsageError(f"{what} that a guard could tell from others.", todo)
        record = _record(database, behind, known) if database is not None else None
    is_error = any(one.sort == "error" for one in behind)
    is_check = any(one.check for one in behind)
    is_undecided = record is not None and record.runs > 0 and (is_check or not record.decides)
    if answer == "deny" and shape is None and is_error and is_undecided and record:
        raise UsageError(
            f"`{known.text}` does not decide it: {record_words(record)}.",
            "Use `--guard ask`, or name the command that always fails: `--shape COMMAND`.",
        )
    return GuardChoice(answer, known.text, "guard", record)


def proposed_guard(database: Database, pattern: Pattern, told: Told | None) -> GuardProposal | None:
    """A guard where a line is told, sessions saw it, and it still happens by one shape.

    None is proposed on a check, on what instructions ask for, nor where any call of it passed in
    any session that it is about, or may have.
    """
    if pattern.guard or told is None or told.state != "told" or not told.violated:
        return None
    behind = _behind(database, pattern)
    shape = guarded_shape(pattern.shape or _shape_of(behind))
    if shape is None or any(one.check for one in behind) or any(one.followed for one in told.lines):
        return None
    record = _record(database, behind, shape)
    if record is None or not record.failed or record.runs > record.failed:
        return None
    if _is_asked_for(database, behind, shape):
        return None
    of = plural(told.seen, "session")
    why = f"told, seen and still violated in {told.violated:,} of {of}; {record_words(record)}"
    return GuardProposal(pattern.id, "deny", shape.text, record, why)


def proposals(
    config: Config, patterns: Sequence[Pattern], told: dict[str, Told]
) -> dict[str, GuardProposal]:
    """The guards that fit, by pattern."""
    with reading(StoreLayout(config.store)) as database:
        if database is None:
            return {}
        proposals = [proposed_guard(database, one, told.get(one.id)) for one in patterns]
    return {one.pattern: one for one in proposals if one is not None}


def record_words(record: ShapeRecord) -> str:
    """How calls of a shape went, in words."""
    return (
        f"of {plural(record.runs, 'call')} of that shape in {plural(record.sessions, 'session')} "
        f"{record.failed:,} failed and {record.passed:,} passed"
    )


def _behind(database: Database, pattern: Pattern) -> list[Candidate]:
    return list(candidates_by_id(database, set(pattern.candidates)))


def _shape_of(candidates: Sequence[Candidate]) -> str:
    """The command of the candidates, where they have one and the same."""
    shapes = {one.shape for one in candidates if one.shape}
    return shapes.pop() if len(shapes) == 1 else ""


def _record(
    database: Database, candidates: Sequence[Candidate], shape: Shape
) -> ShapeRecord | None:
    """How calls of a shape went in all sessions that it is about; None where these are too many.

    What is one repository's own is about the sessions there, all else about every session.
    """
    connection = database.connection()
    names = {name for one in candidates for name in one.members}
    repos = {member.repo for one in candidates for member in one.members.values()} - {""}
    is_own = all(one.scope == "repo" for one in candidates)
    places = session_places(connection)
    names |= {place.id for place in places if not is_own or place.repo in repos}
    if len(names) > _MOST_SESSIONS:
        return None
    runs = passed = failed = sessions = 0
    for _, _, folds in folds_by_session(connection, names):
        facts = facts_of(NamedFold(fold.name, unpack_fold(fold.data)) for fold in folds)
        ran = [tally for text, tally in facts.shapes.items() if _is_of(text, shape)]
        sessions += bool(ran)
        # Behind a pipe only failures are counted.
        runs += sum(max(tally.runs, tally.passed + tally.failed) for tally in ran)
        passed += sum(tally.passed for tally in ran)
        failed += sum(tally.failed for tally in ran)
    return ShapeRecord(sessions, runs, passed, failed)


def _is_asked_for(database: Database, candidates: Sequence[Candidate], shape: Shape) -> bool:
    """Whether instructions ask for a command in any of the repositories where it happened."""
    finder = ToldFinder.of_store(database.connection(), Disk())
    lines = (
        line.unit
        for one in candidates
        for repo in repos_of(one.members)
        for line in finder.text_of(repo).lines
    )
    return any(asks_for(unit.text, shape.text, is_code=unit.is_code) for unit in lines)


def _is_of(text: str, shape: Shape) -> bool:
    return text == shape.text if shape.folder != HERE else text_anywhere(text) == shape.text
