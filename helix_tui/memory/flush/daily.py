"""Daily logs: a file a day, to which entries are added whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import (
    FILE_MODE,
    make_folder,
    remove_leftovers,
    sync_folder,
    told,
    write_atomically,
)
from helix_tui.files.regular import read_regular
from helix_tui.memory.flush.entry import marked, read_entries
from helix_tui.memory.places import MemoryPlaces

_DAY = re.compile(r"\d{4}-\d\d-\d\d\.md")
_SECONDS_TO_WAIT = 30


def daily_path(places: MemoryPlaces, day: str) -> Path:
    """The log of a day."""
    return places.daily / f"{day}.md"


@contextmanager
def writing(places: MemoryPlaces) -> Iterator[None]:
    """Hold the daily logs for writing."""
    with told(places.daily):
        make_folder(places.daily)
    lock = FileLock(places.daily / ".lock", mode=FILE_MODE, thread_local=False)
    try:
        lock.acquire(timeout=_SECONDS_TO_WAIT)
    except Timeout as error:
        raise StoreBusyError(
            f"Another process is writing to the daily logs in {places.daily}.",
            "Wait until it is done and try again; nothing is lost.",
        ) from error
    try:
        remove_leftovers(places.daily)
        yield
    finally:
        lock.release()


def add_entry(
    places: MemoryPlaces, day: str, mark: str, text: str, replaced: Sequence[str] = ()
) -> Path:
    """Add an entry to a day's log unless it is there; what a person wrote in it stays.

    It takes the place of `replaced` ones, but of those that a person changed.
    """
    path = daily_path(places, day)
    with writing(places):
        content = _content(path) or _begun(places, day)
        if marked(mark).encode() not in content:
            for old in replaced:
                if has_entry(content, old):
                    content = content.replace(b"\n" + old.encode(), b"", 1)
            between = b"\n" if content.endswith(b"\n") else b"\n\n"
            write_atomically(path, content + between + text.encode(), FILE_MODE)
    return path


def has_entry(content: bytes, text: str) -> bool:
    """Whether a log has an entry as it was written, with nothing that a person put behind it."""
    plain = text.rstrip()
    return (
        any(
            entry.text == plain
            for entry in read_entries(content.decode("utf-8", "surrogateescape"))
        )
        and b"\n" + text.encode() in content
    )


def content_of(places: MemoryPlaces, day: str) -> bytes:
    """The log of a day as it stands; empty where there is none."""
    return _content(daily_path(places, day))


def _begun(places: MemoryPlaces, day: str) -> bytes:
    """The beginning of a day's log, after making its folders durable.

    Whoever made the folder may have been killed before its name was durable.
    """
    with told(places.daily):
        sync_folder(places.root)
        sync_folder(places.store)
    return f"# {day}\n".encode()


def _content(path: Path) -> bytes:
    with told(path):
        try:
            return read_regular(path)
        except FileNotFoundError:
            return b""


def daily_logs(places: MemoryPlaces) -> list[Path]:
    """All logs, oldest first."""
    try:
        names = os.listdir(places.daily)
    except FileNotFoundError:
        return []
    return sorted(places.daily / name for name in names if _DAY.fullmatch(name))
