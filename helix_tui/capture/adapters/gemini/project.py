"""Which folder a Gemini session worked in: its files name the project by a hash or a short name."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import NamedTuple

from helix_tui.files.regular import open_regular

_ROOT_FILE = ".project_root"
_PROJECTS = "projects.json"
_MOST_BYTES = 1 << 20


class Place(NamedTuple):
    """Where a session lies: its project, and of a sub-agent its parent."""

    cwd: str
    parent: str
    # Every project that Gemini knows, by the hash that its sessions name it by.
    by_hash: dict[str, str]


def place_of(path: str) -> Place:
    """What the folders around a session say of it."""
    folder = path.rpartition("/")[0]
    parent = ""
    if folder.rpartition("/")[2] != "chats":
        folder, _, parent = folder.rpartition("/")
    project = folder.rpartition("/")[0]
    root = project.rpartition("/")[0].rpartition("/")[0]
    known = _projects(_read(f"{root}/{_PROJECTS}"))
    slug = project.rpartition("/")[2]
    cwd = _read(f"{project}/{_ROOT_FILE}").decode("utf-8", "replace").strip()
    cwd = cwd or next((place for place, name in known if name == slug), "")
    hashes = {hashlib.sha256(place.encode()).hexdigest(): place for place, _ in known}
    return Place(cwd, parent, hashes)


def _read(path: str) -> bytes:
    """A small file beside the logs; most projects lack one of the two."""
    try:
        with open_regular(path, follows_links=False) as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return b""


@lru_cache(maxsize=8)
def _projects(content: bytes) -> tuple[tuple[str, str], ...]:
    try:
        told = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return ()
    projects = told.get("projects") if isinstance(told, dict) else None
    return tuple(
        (place, slug)
        for place, slug in (projects.items() if isinstance(projects, dict) else ())
        if isinstance(slug, str)
    )
