"""A session on one line: how it ended, what it cost, what is remembered of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len

from helix_tui.text.human import human_usd
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import fit
from helix_tui.tui.kit.moment import moment

if TYPE_CHECKING:
    from helix_tui.schema import Session
    from helix_tui.schema.memory import SessionMemory

# What stands behind the first of several tasks of a session.
_MORE, _ENDING, _LEAST_NAME = " (+", re.compile(r" \(\+\d+ more\)"), 16


def fit_name(name: str, width: int) -> str:
    """A session's name in so many cells; how many tasks more there were stays where it is cut."""
    head, _, more = name.rpartition(_MORE)
    ending = f"{_MORE}{more}" if head and _ENDING.fullmatch(f"{_MORE}{more}") else ""
    if not ending or cell_len(name) <= width or width - len(ending) < _LEAST_NAME:
        return fit(name, width)
    return fit(f"{fit(head.rstrip('…'), width - len(ending))}{ending}", width)


def session_words(session: Session) -> str:
    """A session on one line."""
    return (
        f"{safe_line(session.flavor, 20)} · {safe_line(session.repo or 'no repo', 40)} · "
        f"{moment(session.last_ts)} · {ended_words(session)}"
    )


def ended_words(session: Session) -> str:
    """How a session ended, and what it cost where that is known."""
    pinned = " · pinned" if session.is_pinned else ""
    usd = human_usd(session.cost)
    return f"{session.outcome}{'' if usd == '-' else f' · {usd}'}{pinned}"


def remembered_words(memory: SessionMemory) -> str:
    """What is remembered of a session, on one line; empty where that is nothing."""
    parts = []
    if memory.flushes:
        times = "once" if len(memory.flushes) == 1 else f"{len(memory.flushes):,} times, last"
        parts.append(f"flushed {times} {moment(memory.flushes[0].at)}")
    if memory.failure is not None:
        parts.append(f"✗ not flushed: {safe_line(memory.failure.reason, 80)}")
    if memory.notes is not None:
        parts.append(f"notes of {moment(memory.notes.updated_at)}")
    return " · ".join(parts)
