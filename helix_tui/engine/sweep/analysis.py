"""Fold sessions again that their stored folds do not cover: copies, rewrites, new extractors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from helix_tui.detect.keys import bucket
from helix_tui.digest.codec import FoldDamagedError, is_sound, pack_fold, unpack_fold
from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.fold import Folder
from helix_tui.digest.merge import NamedFold, digest_of
from helix_tui.digest.signals import profile_of, signals_of
from helix_tui.digest.state import PartFold, new_fold
from helix_tui.digest.triggers import triggers_of
from helix_tui.engine.transcripts.recall import Recalled, recall
from helix_tui.errors import StoreError
from helix_tui.schema import Digest, EventTuple, Folded, Problem
from helix_tui.schema.signal import Judged, Signal
from helix_tui.store.database import Database, translated
from helix_tui.store.digests.folds import (
    PendingSession,
    Refolded,
    StoredFold,
    folds_of,
    keep_folds,
    pending_sessions,
    replace_folds,
)
from helix_tui.store.digests.texts import pack_texts
from helix_tui.store.ingest.cursors import parts_of_session
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.packs import PackDamagedError
from helix_tui.store.packs.transcript import events_by_part

_REASON_LENGTH = 200


def digest_of_stored(folds: Iterable[StoredFold], *, is_exact: bool = True) -> Digest:
    """Merge stored folds into a digest."""
    return digest_of((NamedFold(fold.name, unpack_fold(fold.data)) for fold in folds), is_exact)


def judged_of(digest: Digest) -> Judged:
    """Derive what the store keeps of a digest beside its folds."""
    signals: dict[int, list[Signal]] = {}
    for signal in signals_of(digest.facts):
        signals.setdefault(bucket(signal), []).append(signal)
    return Judged(digest.verdict, profile_of(digest), signals, triggers_of(digest.facts))


def judge_stored(folds: Iterable[StoredFold]) -> Judged | None:
    """Judge stored folds; None leaves the session to `analyze_pending`."""
    try:
        return judged_of(digest_of_stored(folds))
    except Exception:  # noqa: BLE001 - analyze_pending reports it
        return None


def analyze_pending(
    database: Database, layout: StoreLayout, cancelled: Callable[[], bool]
) -> Iterator[Problem | None]:
    """Analyze every pending session; yield None for each success, else a problem."""
    for session in pending_sessions(database):
        if cancelled():
            return
        try:
            with translated(layout):
                made = _analyze(database, layout, session)
        except (PackDamagedError, FoldDamagedError) as error:
            yield _problem(database, session, str(error))
        except StoreError:
            raise  # a fault of the disk, not of the session
        except Exception as error:  # noqa: BLE001 - an extractor's fault costs its session alone
            yield _problem(database, session, f"{type(error).__name__}: {error}")
        else:
            if made is None:
                keep_folds(database, session.key)
                continue
            replace_folds(database, session.key, *made)
            yield None


def _problem(database: Database, session: PendingSession, reason: str) -> Problem:
    paths = [part.path for part in parts_of_session(database, session.key)]
    # The message of an exception may quote what was read.
    why = f"no digest could be made of {session.id}: {excerpt_line(reason, _REASON_LENGTH)}"
    return Problem(min(paths, default=session.id), None, why)


def _analyze(
    database: Database, layout: StoreLayout, session: PendingSession
) -> tuple[Refolded, Judged] | None:
    """Fold what is stored of a session, and judge it; None where only its folds are left."""
    if session.evicted_events:
        recalled = recall(database, session.key, session.id)
        is_gone = recalled.missing and session.evicted_events == session.events
        if is_gone and folds_of(database.connection(), session.key):
            return None
        refolded = _folds_with_recall(database, layout, session, recalled)
    else:
        refolded = _refolded(session.flavor, events_by_part(database, layout, session.key))
    if not refolded.folds:
        raise ValueError("nothing of it is left")
    names = {
        part.key: f"{part.unit}\0{part.name}" for part in parts_of_session(database, session.key)
    }
    stored = [StoredFold(names[part], data) for part, data in refolded.folds.items()]
    return refolded, judged_of(digest_of_stored(stored))


def _refolded(flavor: str, by_part: Iterable[tuple[int, Iterable[EventTuple]]]) -> Refolded:
    folded_parts = {part: _fold(flavor, new_fold(), events) for part, events in by_part}
    folds = {part: folded.state for part, folded in folded_parts.items()}
    return Refolded(folds, [folded.texts for folded in folded_parts.values()], True)


def _folds_with_recall(
    database: Database, layout: StoreLayout, session: PendingSession, recalled: Recalled
) -> Refolded:
    """Fold an evicted session, with the agent's log or else from what is stored."""
    if recalled.missing:
        return _folds_continued(database, layout, session)
    by_part = events_by_part(database, layout, session.key, recalled.events)
    return _refolded(session.flavor, by_part)


def _folds_continued(database: Database, layout: StoreLayout, session: PendingSession) -> Refolded:
    """Continue earlier folds with later events: what they covered cannot be read again."""
    stored_folds = folds_of(database.connection(), session.key)
    stored = {part: fold for part, fold in stored_folds.items() if is_sound(fold.data)}
    folds = {part: fold.data for part, fold in stored.items()}
    texts: list[bytes] = []
    for part, events in events_by_part(database, layout, session.key):
        fold = unpack_fold(stored[part].data) if part in stored else new_fold()
        folds[part], more = _fold(session.flavor, fold, _later_than(fold, events))
        texts.append(more)
    return Refolded(folds, texts, False)


def _later_than(fold: PartFold, events: Iterable[EventTuple]) -> Iterator[EventTuple]:
    last = fold.facts.last_ts
    return (event for event in events if last is None or (event[2] is not None and event[2] > last))


def _fold(flavor: str, fold: PartFold, events: Iterable[EventTuple]) -> Folded:
    folder = Folder(flavor, fold)
    folder.step_all(events)
    return Folded(pack_fold(folder.fold), pack_texts(folder.texts.take()))
