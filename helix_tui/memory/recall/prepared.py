"""What is kept ready for the hook at the start of a session: a small file for each repository."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import msgspec
from xxhash import xxh3_64_hexdigest

from helix_tui.files.durable import (
    FILE_MODE,
    make_folder,
    remove_durably,
    remove_leftovers,
    told,
    write_atomically,
)
from helix_tui.files.regular import read_regular
from helix_tui.hook import prepared_name
from helix_tui.memory.places import MemoryPlaces

MARK = "mark.json"
_SUFFIX = ".json"
_NAME_LENGTH = 32


class Prepared(msgspec.Struct, frozen=True):
    """The page for one repository, with and without patterns, and what it was made of.

    `stamp` is that of the journal: where verdicts came since, the hook leaves patterns out.
    """

    root: str
    repo: str
    made_at: int
    text: str
    without: str
    journal: str
    stamp: str
    patterns: list[str] = []
    sources: int = 0


class PreparedMark(msgspec.Struct):
    """What the files were made of: if that is the same, they need not be made again."""

    day: str = ""
    memory: str = ""
    catalog: str = ""
    repos: dict[str, tuple[int, int]] = {}


def is_on(places: MemoryPlaces) -> bool:
    """Whether somebody asked for it; nothing is prepared otherwise."""
    try:
        return places.recall.is_dir()
    except OSError:
        return False  # reported by whatever opens the store


def begin(places: MemoryPlaces) -> None:
    """Ask for it."""
    with told(places.recall):
        make_folder(places.recall)


def end(places: MemoryPlaces) -> None:
    """Remove everything that is kept ready."""
    if not is_on(places):
        return
    for path in _files(places):
        remove_durably(path)
    with suppress(OSError):
        places.recall.rmdir()


def write(places: MemoryPlaces, one: Prepared) -> bool:
    """Write the file of a repository, if it says something else; return whether it did."""
    path = places.recall / prepared_name(one.root)
    known = _read(path)
    if known is not None and msgspec.structs.replace(known, made_at=one.made_at) == one:
        return False
    write_atomically(path, msgspec.json.encode(one), FILE_MODE)
    return True


def remove_others(places: MemoryPlaces, roots: Collection[str]) -> None:
    """Remove the files of repositories that are gone, or of which there is nothing to say."""
    names = {prepared_name(root) for root in roots}
    remove_leftovers(places.recall)
    for path in _files(places):
        if len(path.stem) == _NAME_LENGTH and path.name not in names:
            remove_durably(path, is_folder_synced=False)


def all_prepared(places: MemoryPlaces) -> list[Prepared]:
    """Everything that is kept ready, the newest first."""
    found = (_read(path) for path in _files(places) if len(path.stem) == _NAME_LENGTH)
    return sorted((one for one in found if one), key=lambda one: -one.made_at)


def read_mark(places: MemoryPlaces) -> PreparedMark:
    """What the files were last made of; an empty one where that is not known."""
    try:
        return msgspec.json.decode(read_regular(places.recall / MARK), type=PreparedMark)
    except (OSError, msgspec.MsgspecError):
        return PreparedMark()  # then all is made again


def write_mark(places: MemoryPlaces, mark: PreparedMark) -> None:
    """Note what the files were made of."""
    write_atomically(places.recall / MARK, msgspec.json.encode(mark), FILE_MODE)


def memory_stamp(places: MemoryPlaces) -> str:
    """What changes when an entry or an article does."""
    stamps = []
    for folder in (places.daily, places.knowledge):
        try:
            with os.scandir(folder) as entries:
                stamps += [
                    (one.name, one.stat().st_mtime_ns, one.stat().st_size)
                    for one in entries
                    if one.name.endswith(".md")
                ]
        except OSError:
            continue  # there is none yet; whoever reads it tells what cannot be read
    return xxh3_64_hexdigest(repr(sorted(stamps)).encode())


def _files(places: MemoryPlaces) -> list[Path]:
    try:
        return sorted(path for path in places.recall.iterdir() if path.suffix == _SUFFIX)
    except OSError:
        return []


def _read(path: Path) -> Prepared | None:
    try:
        return msgspec.json.decode(read_regular(path), type=Prepared)
    except (OSError, msgspec.MsgspecError):
        return None  # it is written anew
