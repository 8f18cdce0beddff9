"""Lines of a journal as tests of decisions need them."""

from __future__ import annotations

from helix_tui.schema.review import JournalLine, PatternRef, Snapshot

SNAPSHOT = Snapshot(
    sessions=7,
    frequency=19,
    flavors=["codex", "claude"],
    repos=3,
    cost_impact=4200,
    score=12.25,
    state="ongoing",
    first_seen="2026-01-02T03:04:05.000Z",
    last_seen="2026-02-02T03:04:05.000Z",
)
PATTERN = PatternRef("module-not-found-pytest-1a2b3c4d", "1.0.0", "approved", True)


def name(seq: int) -> str:
    """The id of a line."""
    return f"{seq:032x}"


def at(seq: int) -> str:
    """The time of a line."""
    return f"2026-03-01T00:{seq // 60:02d}:{seq % 60:02d}.000Z"


def approve(
    seq: int, candidate: str = "module-not-found-pytest-1a2b3c4d", note: str = ""
) -> JournalLine:
    return JournalLine(
        id=name(seq),
        seq=seq,
        at=at(seq),
        author="kim",
        action="approve",
        candidate=candidate,
        note=note,
        snapshot=SNAPSHOT,
        pattern=PATTERN,
    )


def reject(seq: int, candidate: str = "retry-loop-curl-99887766", note: str = "") -> JournalLine:
    return JournalLine(
        id=name(seq),
        seq=seq,
        at=at(seq),
        author="kim",
        action="reject",
        candidate=candidate,
        note=note,
        snapshot=SNAPSHOT,
    )


def undo(seq: int, undone: int) -> JournalLine:
    return JournalLine(
        id=name(seq), seq=seq, at=at(seq), author="kim", action="undo", undoes=name(undone)
    )
