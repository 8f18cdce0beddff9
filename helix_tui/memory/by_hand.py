"""What a person writes into a page of memory, while others may write to it as well."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from helix_tui.store.durable import told, write_atomically
from helix_tui.store.layout import FILE_MODE

_SECONDS_TO_WAIT = 10


def save_by_hand(path: Path, before: str, after: str) -> Path:
    """Writes what a person made of a page; returns the file that it is in.

    What came at its end meanwhile stays behind it. Where the page changed otherwise, it is left
    alone, and what the person wrote is put beside it.
    """
    lock = FileLock(path.parent / ".lock", mode=FILE_MODE, thread_local=False)
    with told(path):
        try:
            lock.acquire(timeout=_SECONDS_TO_WAIT)
        except Timeout:
            return _beside(path, after)
    try:
        now = _content(path)
        added = now[len(before.encode()) :] if now.startswith(before.encode()) else None
        if added is None:
            return _beside(path, after)
        between = b"\n" if added and not after.endswith("\n") else b""
        write_atomically(path, after.encode() + between + added, FILE_MODE)
        return path
    finally:
        lock.release()


def _content(path: Path) -> bytes:
    with told(path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return b""


def _beside(path: Path, text: str) -> Path:
    kept = path.with_name(f"{path.name}.yours-{datetime.now():%Y%m%d-%H%M%S}")
    write_atomically(kept, text.encode(), FILE_MODE)
    return kept
