"""The sessions that a person wants kept out: their word, so it outlives the database."""

from __future__ import annotations

import json
import os
import time

from helix_tui.store.layout import FILE_MODE, FOLDER_MODE, StoreLayout


def forgotten_sessions(layout: StoreLayout) -> set[str]:
    """The ids to keep out; a torn last line is one that was never acknowledged."""
    try:
        lines = layout.forgotten.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return set()
    return {str(json.loads(line)["id"]) for line in lines if line}


def remember_forgotten(layout: StoreLayout, session_ids: list[str]) -> None:
    """Appends ids to the list and makes them durable before anything is dropped."""
    layout.forgotten.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    descriptor = os.open(layout.forgotten, flags, FILE_MODE)
    try:
        size = os.fstat(descriptor).st_size
        is_torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        lines = [json.dumps({"id": name, "at": int(time.time())}) for name in session_ids]
        text = "".join(f"{line}\n" for line in lines)
        os.write(descriptor, (("\n" if is_torn else "") + text).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
