"""What a person wants of sessions (keep out, keep raw): their word, so it outlives the database."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helix_tui.errors import StoreError
from helix_tui.regular import read_regular
from helix_tui.store.layout import FILE_MODE, FOLDER_MODE, StoreLayout


def forgotten_sessions(layout: StoreLayout) -> set[str]:
    """The ids to keep out."""
    return {str(line["id"]) for line in _lines(layout.forgotten, "id")}


def remember_forgotten(layout: StoreLayout, session_ids: list[str]) -> None:
    """Enters ids to keep out, durably, before anything of them is dropped."""
    _append(layout.forgotten, [{"id": name} for name in session_ids])


def pinned_sessions(layout: StoreLayout) -> set[str]:
    """The ids whose raw bytes are to be kept; the last word on each counts."""
    pinned = {str(line["id"]): line["pinned"] for line in _lines(layout.pinned, "id", "pinned")}
    return {name for name, is_pinned in pinned.items() if is_pinned}


def remember_pin(layout: StoreLayout, session_id: str, *, is_pinned: bool) -> None:
    """Enters that a session's raw bytes are to be kept, or no longer."""
    _append(layout.pinned, [{"id": session_id, "pinned": is_pinned}])


def _lines(path: Path, *fields: str) -> Iterator[dict[str, Any]]:
    """The lines of a list; a torn last one was never acknowledged."""
    try:
        lines = read_regular(path).split(b"\n")[:-1]
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, start=1):
        try:
            said = json.loads(line)
            for field in fields:
                said[field]
        except (ValueError, KeyError, TypeError) as error:
            # To go on without it could take in, or drop, what a person wanted otherwise.
            names = ", ".join(f'"{field}": …' for field in fields)
            raise StoreError(
                f"Line {number} of {path} cannot be read.",
                f"Mend it, or take it out: a line is {{{names}}}.",
            ) from error
        yield said


def _append(path: Path, lines: list[dict[str, Any]]) -> None:
    """Appends to a list and makes it durable."""
    path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    written = [json.dumps({**line, "at": int(time.time())}) for line in lines]
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(
            file, fcntl.LOCK_EX
        )  # a person's word waits for no sweep, only for another word
        # A torn last line would spoil the one that is written behind it.
        file.truncate(file.read().rfind(b"\n") + 1)
        file.seek(0, os.SEEK_END)
        file.write("".join(f"{line}\n" for line in written).encode())
        file.flush()
        os.fsync(file.fileno())
