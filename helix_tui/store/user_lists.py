"""A person's lists of sessions to forget or to pin, in files that outlive the database."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helix_tui.errors import StoreError
from helix_tui.files.durable import FILE_MODE, FOLDER_MODE
from helix_tui.files.regular import read_regular
from helix_tui.store.layout import StoreLayout


def forgotten_sessions(layout: StoreLayout) -> set[str]:
    """The ids to keep out."""
    return {str(line["id"]) for line in _lines(layout.forgotten, "id")}


def remember_forgotten(layout: StoreLayout, session_ids: list[str]) -> None:
    """Add ids to keep out, durably, before anything of them is dropped."""
    _append(layout.forgotten, [{"id": name} for name in session_ids])


def pinned_sessions(layout: StoreLayout) -> set[str]:
    """The ids whose raw bytes are to be kept; the last line for each counts."""
    pinned = {str(line["id"]): line["pinned"] for line in _lines(layout.pinned, "id", "pinned")}
    return {name for name, is_pinned in pinned.items() if is_pinned}


def remember_pin(layout: StoreLayout, session_id: str, *, is_pinned: bool) -> None:
    """Record that a session's raw bytes are to be kept, or no longer."""
    _append(layout.pinned, [{"id": session_id, "pinned": is_pinned}])


def _lines(path: Path, *fields: str) -> Iterator[dict[str, Any]]:
    """The lines of a list; an incomplete last one was never acknowledged."""
    try:
        lines = read_regular(path).split(b"\n")[:-1]
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            for field in fields:
                entry[field]
        except (ValueError, KeyError, TypeError) as error:
            # Skipping it could take in, or drop, a session against a person's decision.
            names = ", ".join(f'"{field}": …' for field in fields)
            raise StoreError(
                f"Line {number} of {path} cannot be read.",
                f"Mend it, or take it out: a line is {{{names}}}.",
            ) from error
        yield entry


def _append(path: Path, lines: list[dict[str, Any]]) -> None:
    """Append to a list and make it durable."""
    path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    encoded_lines = [json.dumps({**line, "at": int(time.time())}) for line in lines]
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # held by nobody but another writer of this list
        # An incomplete last line would spoil the one that is appended to it.
        file.truncate(file.read().rfind(b"\n") + 1)
        file.seek(0, os.SEEK_END)
        file.write("".join(f"{line}\n" for line in encoded_lines).encode())
        file.flush()
        os.fsync(file.fileno())
