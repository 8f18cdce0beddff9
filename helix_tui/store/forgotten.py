"""The sessions that a person wants kept out: their word, so it outlives the database."""

from __future__ import annotations

import json
import os
import time

from helix_tui.errors import StoreError
from helix_tui.store.layout import FILE_MODE, FOLDER_MODE, StoreLayout


def forgotten_sessions(layout: StoreLayout) -> set[str]:
    """The ids to keep out; a torn last line is one that was never acknowledged."""
    try:
        lines = layout.forgotten.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return set()
    found: set[str] = set()
    for number, line in enumerate(lines, start=1):
        try:
            found.add(str(json.loads(line)["id"]))
        except (ValueError, KeyError, TypeError) as error:
            # To go on without it could take in what a person wanted out.
            raise StoreError(
                f"Line {number} of {layout.forgotten} cannot be read.",
                'Mend it, or take it out: a line is {"id": "…", "at": …}.',
            ) from error
    return found


def remember_forgotten(layout: StoreLayout, session_ids: list[str]) -> None:
    """Appends ids to the list and makes them durable before anything is dropped."""
    layout.forgotten.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    lines = [json.dumps({"id": name, "at": int(time.time())}) for name in session_ids]
    descriptor = os.open(layout.forgotten, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(descriptor, "r+b") as file:
        # A torn last line would spoil the one that is written behind it.
        file.truncate(file.read().rfind(b"\n") + 1)
        file.seek(0, os.SEEK_END)
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        os.fsync(file.fileno())
