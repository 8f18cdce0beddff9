"""Gather what is new of a session since its last flush, as plain data for a distiller."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from heapq import merge
from itertools import groupby

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.fold import Folder
from helix_tui.digest.left_open import left_open, open_prompt
from helix_tui.digest.outcome import judge
from helix_tui.digest.red_checks import red_checks
from helix_tui.digest.state import new_fold
from helix_tui.digest.title.session import session_title
from helix_tui.digest.turns.judge import kind_of
from helix_tui.engine.memory.checks_passed import checks_passed
from helix_tui.engine.memory.checks_run import checks_run, parted
from helix_tui.engine.memory.named_folder import WholePaths
from helix_tui.engine.memory.turns import Turns
from helix_tui.engine.memory.verdicts import commit_checked_nothing, never_began, with_push_cause
from helix_tui.engine.transcripts.recall import Recalled, recall
from helix_tui.schema import (
    TOOL_CALL,
    TOOL_RESULT,
    EventTuple,
    Facts,
    RunFact,
    Session,
    StoredEvent,
)
from helix_tui.schema.memory import LAST_STEP, Piece, Told
from helix_tui.store.database import Database
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.transcript import (
    Transcript,
    TranscriptStream,
    session_key,
    stored_fingerprints,
)
from helix_tui.text.redact import redact

# What is held of a session at a time, in characters.
_BATCH_SIZE = 1 << 18
_SIZE_OF_EVENT = 256
# Endings that do not name what was asked.
_WITHOUT_PROMPT = ("tool_call", "tool_error", "refused", "tool_result")
# From here on a verdict is worth a line; below it, only where something was changed.
_SURE = 0.4
_TOLD_LENGTH = 500
_LONG_PROMPT = 300
_STEP_LENGTH = 160
# Behind more prompts the title is of another one than the last.
_FEW_PROMPTS = 2
# Whoever asks for so many other things after a report has seen it work.
_MOVED_ON = 3
# Checks of which it matters that nobody saw them green again.
_WEIGHTY = ("test", "build", "types", "ci", "check")
_NO_COMMIT = "a commit was asked for, and none was made"
_UNSURE_COMMIT = "a commit was asked for, and no output tells whether the last was made"
_REPORTED = "reported, and not seen to work since"


def gather(
    database: Database, layout: StoreLayout, session: Session, flushed: Collection[int]
) -> Piece | None:
    """Gather the events of a session that were not `flushed`; None where there are none."""
    key = session_key(database, session.id)
    connection = database.connection()
    evicted = evicted_of(connection, key)
    lost = evicted.difference(flushed)
    recalled = recall(database, key, session.id) if lost else Recalled([], 0)
    with database.atomic():  # the fingerprints and the events are of one moment
        stored = stored_fingerprints(database, key)
        covered = merge(stored, sorted(evicted)) if evicted else stored
        new = array(
            "q", (fingerprint for fingerprint, _ in groupby(covered) if fingerprint not in flushed)
        )
        if not new:
            return None
        last_ts = session.last_ts or _written_at(database, key)
        if recalled.events:
            # Recalled events lie between stored ones: only a list can hold both.
            with closing(Transcript(database, layout, key)) as whole:
                read = partial(whole.events, recalled.events)
                return _dated(_piece(session, read, new, flushed), last_ts, len(lost))
        stream = TranscriptStream(database, layout, key)
    with closing(stream):
        return _dated(_piece(session, stream.events, new, flushed), last_ts, len(lost))


def _dated(piece: Piece, last_ts: int | None, evicted: int) -> Piece:
    """The piece, with when the session or its log was last written where no event has a time."""
    return msgspec.structs.replace(piece, last_ts=piece.last_ts or last_ts, evicted=evicted)


def _written_at(database: Database, key: int) -> int | None:
    """When the logs of a session were last written, in milliseconds."""
    ((written,),) = database.execute_sql(
        "SELECT max(p.mtime_ns) FROM fold f JOIN part p ON p.key = f.part WHERE f.session = ?",
        (key,),
    ).fetchall()
    return written // 1_000_000 if written else None


def _piece(
    session: Session,
    read: Callable[[], Iterator[StoredEvent]],
    new: Sequence[int],
    flushed: Collection[int],
) -> Piece:
    """Read a session's events, twice where some were flushed before; keep few in memory."""
    folder = Folder(session.flavor, new_fold())
    turns = Turns(session.flavor)
    paths = WholePaths()
    first_ts = last_ts = None
    answered = _answered(read(), flushed) if flushed else frozenset()
    # Many at a time: the end of each batch costs as much as some events do.
    batch: list[EventTuple] = []
    size = 0
    for event in read():
        is_new = event.fingerprint not in flushed
        if is_new and event.ts is not None:
            first_ts = event.ts if first_ts is None else min(first_ts, event.ts)
            last_ts = event.ts if last_ts is None else max(last_ts, event.ts)
        if is_new:
            turns.take(event)
            if not session.repo and event.kind in (TOOL_CALL, TOOL_RESULT):
                paths.take(event.text)
        # An earlier call is needed to understand its new result.
        if is_new or (event.kind == TOOL_CALL and event.call_id in answered):
            batch.append(msgspec.structs.astuple(event))
            size += len(event.text) + _SIZE_OF_EVENT
        if size > _BATCH_SIZE:
            folder.step_all(batch)
            batch, size = [], 0
    folder.step_all(batch)
    facts = folder.fold.facts
    told = turns.told()
    checks = checks_run(facts, turns.work)
    passed, passed_before = parted(checks_passed(facts), checks)
    return Piece(
        session.id,
        session.flavor,
        session.native_id,
        redact(session.repo or paths.folder_of(facts.files)) or None,
        session.branch and redact(session.branch),
        session.cwd and redact(session.cwd),
        first_ts,
        last_ts,
        not flushed,
        told,
        facts,
        new,
        _open_ends(facts, session.title or ""),
        # What came later is called by what was asked then.
        redact((session_title(facts) if flushed else session.title) or ""),
        with_push_cause(facts, _state(facts)),
        list(_told(facts)),
        turns.summaries(),
        turns.written(),
        turns.tree.commits(),
        turns.tree.deleted(),
        _outcome(facts),
        passed,
        agents=turns.agents.answers(),
        tree=turns.work.stands(),
        requests=turns.work.requests(),
        checks=checks,
        passed_before=passed_before,
    )


def _open_ends(facts: Facts, title: str) -> list[str]:
    """What is open, beginning with how it broke off, where it did."""
    entries = [entry for line in left_open(facts) if (entry := _red_or_not(facts, line))]
    if _went_on(facts):
        entries = [one for one in entries if not one.startswith(_REPORTED)]
    entries = [with_push_cause(facts, one) for one in entries]
    whole = open_prompt(facts)
    asked = excerpt_line(whole, _TOLD_LENGTH)
    if len(asked) > _LONG_PROMPT and title and facts.prompts <= _FEW_PROMPTS:
        asked = redact(title)  # the beginning of a brief does not say what it is about
    last = excerpt_line(facts.last_prompt, _TOLD_LENGTH)
    if facts.ended in _WITHOUT_PROMPT and asked and last and facts.last_prompt != whole:
        asked = f"{last} (on: {asked})"  # `commit`, `go on` stand on what was asked before
    if _is_commit_unsure(facts):
        entries = [one.replace(_NO_COMMIT, _UNSURE_COMMIT) for one in entries]
    if facts.ended in _WITHOUT_PROMPT and asked:
        is_step = facts.ended in ("tool_call", "tool_result") and facts.ended_text
        step = f"{LAST_STEP}{excerpt_line(facts.ended_text, _STEP_LENGTH)}" if is_step else ""
        # The end of a call without an answer says the same.
        entries = [one for one in entries if not one.startswith(("no reply after", "no result"))]
        entries.insert(0, f"broke off in the middle of: {asked}{step}")
    elif facts.ended == "compaction" and asked:
        entries.insert(0, f"its context was compacted in the middle of: {asked}")
    return entries


def _is_commit_unsure(facts: Facts) -> bool:
    """Whether a commit was tried of which no output tells whether it was made."""
    return any(run.name == "git commit" and run.state == "unknown" for run in facts.runs)


def _went_on(facts: Facts) -> bool:
    """Whether the person turned to other things again and again after the last report."""
    kinds = [kind_of(turn).kind for turn in facts.turns]
    behind = kinds[::-1].index("report") if "report" in kinds else len(kinds)
    last = facts.ending.last_report
    at = max((n for n, turn in enumerate(facts.turns) if last and last in turn.text), default=-1)
    if at >= 0:
        behind = min(behind, len(facts.turns) - 1 - at)
    later = kinds[len(kinds) - behind :]
    return behind >= _MOVED_ON and "correction" not in later


def _red_or_not(facts: Facts, line: str) -> str:
    """A line as it is; of a check that was red, only what is still sure."""
    for run in red_checks(facts):
        if never_began(facts, run) and line.startswith(f"{run.name} f"):
            return ""
        if line.startswith(f"{run.name} fails"):
            if _is_made_up_for(facts, run):
                return ""
            return line.replace(f"{run.name} fails", f"{run.name} was last seen red", 1)
    return line


def _is_made_up_for(facts: Facts, red: RunFact) -> bool:
    """Whether work was committed, or a check that covers it was green, after a check was red.

    Checks that run others are told apart by what they print, which does not always succeed.
    """
    at = next((n for n, run in enumerate(facts.runs) if run.fingerprint == red.fingerprint), 0)
    later = [run for run in facts.runs[at + 1 :] if run.fingerprint != red.fingerprint]
    if any(run.state == "passed" and run.kind in ("git", "check", "ci", red.kind) for run in later):
        return True
    # A check that runs others: the same script ran some, and none of them failed.
    return bool(red.script and red.kind == "check") and any(
        all(run.state == "passed" and run.script == red.script for run in of_one)
        for _, some in groupby(later, key=lambda run: run.fingerprint)
        if len(of_one := list(some)) > 1
    )


def _state(facts: Facts) -> str:
    """How it stands by what checks, git and the person tell; nothing where nothing does."""
    verdict = judge(facts)
    confidence = verdict.confidence or 0.0
    is_told = confidence >= _SURE or bool(facts.ending.changes)
    reason = verdict.reason or "" if is_told and confidence else ""
    told = _red_or_not(facts, reason)
    if reason and not told and facts.last_check_passed and not facts.ending.code_edits:
        is_kept = facts.commits > facts.reverts and not facts.ending.edits_since_commit
        kept = ", and the work was committed" if is_kept else ""
        told = f"the last check passed{kept}: {facts.last_check}"
    if not told.startswith("the last check passed"):
        return told
    if "git commit" in facts.last_check and commit_checked_nothing(facts):
        return "the work was committed; no check after the last edit tells more"
    # A commit lets a red check rest; it does not make it green.
    names = ", ".join(_at_rest(facts))
    verb = "were" if ", " in names else "was"
    head, colon, command = told.partition(": ")
    return f"{head}; {names} {verb} last seen red{colon}{command}" if names else told


def _at_rest(facts: Facts) -> list[str]:
    """The checks whose last known run failed, and of whose kind none was green since."""
    last: dict[str, tuple[int, RunFact]] = {}
    for at, run in enumerate(facts.runs):
        if run.state != "unknown":
            last[run.name] = at, run
    return [
        name
        for name, (at, run) in last.items()
        if run.state == "failed"
        and run.kind in _WEIGHTY
        and not never_began(facts, run)
        and not any(
            later.state == "passed"
            and (
                later.kind in (run.kind, "check", "ci")
                or (run.script and later.script == run.script)
            )
            for later in facts.runs[at + 1 :]
        )
    ]


def _outcome(facts: Facts) -> str:
    """How it went, unless that goes by a check that was made up for."""
    verdict = judge(facts)
    is_so = not verdict.reason or _red_or_not(facts, verdict.reason) == verdict.reason
    return verdict.outcome if is_so or "last seen red" in _state(facts) else ""


def _told(facts: Facts) -> Iterator[Told]:
    """What the person corrected, reported or laid down."""
    for turn in facts.turns:
        judged = kind_of(turn)
        if judged.kind != "none":
            words = excerpt_line(turn.own or turn.text, _TOLD_LENGTH)
            yield Told(judged.kind, words, judged.score, turn.fingerprint, turn.before)


def _answered(events: Iterable[StoredEvent], flushed: Collection[int]) -> frozenset[str]:
    """Return the ids of calls whose results are new."""
    return frozenset(
        event.call_id
        for event in events
        if event.kind == TOOL_RESULT and event.call_id and event.fingerprint not in flushed
    )
