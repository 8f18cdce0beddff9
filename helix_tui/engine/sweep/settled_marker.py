"""What the last sweep left settled: while nothing was touched since, the next need not look."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from xxhash import xxh3_64_hexdigest

from helix_tui import __version__
from helix_tui.config import Config
from helix_tui.errors import HelixError, StoreError
from helix_tui.files.durable import FILE_MODE, write_atomically
from helix_tui.files.regular import read_regular

log = logging.getLogger(__name__)
# What was touched so lately may be touched again without its times changing.
_TOO_FRESH_NS = 2_000_000_000


class Settled(msgspec.Struct, frozen=True):
    """How journal, catalog and queue looked when all was done, and how many decisions waited.

    A mark is made of names, sizes and times alone: a sweep that finds the same loads nothing.
    """

    review: str
    queue: str
    queued: int


class _Stamps(NamedTuple):
    path: str
    inode: int
    size: int
    changed: int  # by the kernel: unlike the time of the content, nobody can set it
    written: int


def is_there(path: Path) -> bool:
    """Whether one can see that something is there; a closed folder is told by whoever reads it."""
    try:
        return path.exists()
    except OSError:
        return False


def has_review(config: Config) -> bool:
    """Whether anybody ever decided anything here, or a catalog was put there."""
    curate = config.curate
    return any(map(is_there, (curate.review_log, curate.decision_queue, curate.catalog_dir)))


def review_mark(config: Config, renamed: Mapping[str, str]) -> str:
    """How journal and catalog look now; empty where something was touched just now."""
    return _mark(_review_files(config), sorted(renamed.items()))


def review_stamp(config: Config) -> str:
    """How journal and catalog look now, however lately they were touched."""
    return xxh3_64_hexdigest(repr(_review_files(config)).encode())


def _review_files(config: Config) -> list[_Stamps | None]:
    curate = config.curate
    seen = [_seen(curate.review_log)]
    try:
        with os.scandir(curate.catalog_dir) as entries:
            found = [_stamp(entry.path, entry.stat(follow_symlinks=False)) for entry in entries]
    except OSError:
        found = []  # none, or none to be read: told by whoever opens it
    return seen + sorted(found)


def queue_mark(config: Config) -> str:
    """How the queue looks now; empty where it was touched just now."""
    return _mark([_seen(config.curate.decision_queue)])


def last_settled(config: Config) -> Settled | None:
    """What the last sweep left, if that can be read."""
    try:
        return msgspec.json.decode(read_regular(settled_path(config)), type=Settled)
    except (OSError, msgspec.MsgspecError):
        return None  # then everything is looked at


def remember_settled(config: Config, settled: Settled) -> None:
    """Spares the next sweep the work; where that cannot be written, it does it again."""
    try:
        write_atomically(settled_path(config), msgspec.json.encode(settled), FILE_MODE)
    except StoreError as error:
        log.warning("the next sweep looks at the catalog again: %s", error)


def queued_decisions(config: Config) -> int | None:
    """How many decisions wait for the hub; None where the queue cannot be read."""
    curate = config.curate
    has_queue = is_there(curate.decision_queue)
    if not has_queue and not is_there(curate.review_log):
        return 0
    known = last_settled(config)
    if known is not None and known.queue == queue_mark(config):
        return known.queued
    from helix_tui.curate.hub.queue import Queue

    queue = Queue(curate.decision_queue)
    try:
        if has_queue:
            rows = queue.rows()
        else:
            from helix_tui.engine.hub.decisions import journaled_decisions

            rows = queue.overview(journaled_decisions(config))
    except HelixError as error:
        log.warning("how many decisions wait for the hub is not known: %s", error)
        return None
    return sum(row.state == "queued" for row in rows)


def settled_path(config: Config) -> Path:
    """The file that remembers it, beside the journal."""
    journal = config.curate.review_log
    return journal.with_name(f"{journal.name}.settled")


def _seen(path: Path) -> _Stamps | None:
    try:
        return _stamp(str(path), path.stat())
    except OSError:
        return None


def _stamp(path: str, found: os.stat_result) -> _Stamps:
    return _Stamps(path, found.st_ino, found.st_size, found.st_ctime_ns, found.st_mtime_ns)


def _mark(seen: list[_Stamps | None], also: object = None) -> str:
    there = sorted(one for one in seen if one is not None)
    if there and time.time_ns() - max(one.changed for one in there) < _TOO_FRESH_NS:
        return ""
    return xxh3_64_hexdigest(repr((__version__, there, also)).encode())
