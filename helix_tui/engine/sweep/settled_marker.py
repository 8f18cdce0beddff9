"""Record what the last sweep left settled, so that the next can skip it if unchanged."""

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
# A file changed this recently may change again without its times changing.
_TOO_FRESH_NS = 2_000_000_000


class Settled(msgspec.Struct, frozen=True):
    """The marks of journal, catalog and queue when all was done, and the decisions waiting.

    A mark is made of names, sizes and times alone: a sweep that finds the same reads no file.
    """

    review: str
    queue: str
    queued: int


class _Stamps(NamedTuple):
    path: str
    inode: int
    size: int
    changed: int  # ctime, set by the kernel: unlike mtime, nobody can set it
    written: int


def is_there(path: Path) -> bool:
    """Whether a path visibly exists; an unreadable folder is reported where it is read."""
    try:
        return path.exists()
    except OSError:
        return False


def has_review(config: Config) -> bool:
    """Whether there is a journal, a decision queue or a catalog."""
    curate = config.curate
    return any(map(is_there, (curate.review_log, curate.decision_queue, curate.catalog_dir)))


def review_mark(config: Config, renamed: Mapping[str, str]) -> str:
    """Return the mark of journal and catalog; empty where one changed just now."""
    return _mark(_review_files(config), sorted(renamed.items()))


def review_stamp(config: Config) -> str:
    """Return the mark of journal and catalog, however recently they changed."""
    return xxh3_64_hexdigest(repr(_review_files(config)).encode())


def _review_files(config: Config) -> list[_Stamps | None]:
    curate = config.curate
    journal_stamps = [_stamps_of(curate.review_log)]
    try:
        with os.scandir(curate.catalog_dir) as entries:
            catalog_stamps = [
                _stamp(entry.path, entry.stat(follow_symlinks=False)) for entry in entries
            ]
    except OSError:
        catalog_stamps = []  # missing or unreadable: reported by whatever opens it
    return journal_stamps + sorted(catalog_stamps)


def queue_mark(config: Config) -> str:
    """Return the mark of the queue; empty where it changed just now."""
    return _mark([_stamps_of(config.curate.decision_queue)])


def last_settled(config: Config) -> Settled | None:
    """Read what the last sweep recorded, if that can be read."""
    try:
        return msgspec.json.decode(read_regular(settled_path(config)), type=Settled)
    except (OSError, msgspec.MsgspecError):
        return None  # then everything is checked


def remember_settled(config: Config, settled: Settled) -> None:
    """Record the marks; if that fails, the next sweep only does the work again."""
    try:
        write_atomically(settled_path(config), msgspec.json.encode(settled), FILE_MODE)
    except StoreError as error:
        log.warning("the next sweep looks at the catalog again: %s", error)


def queued_decisions(config: Config) -> int | None:
    """Count the decisions that wait for the hub; None where the queue cannot be read."""
    curate = config.curate
    has_queue = is_there(curate.decision_queue)
    if not has_queue and not is_there(curate.review_log):
        return 0
    settled = last_settled(config)
    if settled is not None and settled.queue == queue_mark(config):
        return settled.queued
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
    """Return the file of the record, beside the journal."""
    journal = config.curate.review_log
    return journal.with_name(f"{journal.name}.settled")


def _stamps_of(path: Path) -> _Stamps | None:
    try:
        return _stamp(str(path), path.stat())
    except OSError:
        return None


def _stamp(path: str, status: os.stat_result) -> _Stamps:
    return _Stamps(path, status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns)


def _mark(stamps: list[_Stamps | None], also: object = None) -> str:
    present = sorted(stamp for stamp in stamps if stamp is not None)
    if present and time.time_ns() - max(stamp.changed for stamp in present) < _TOO_FRESH_NS:
        return ""
    return xxh3_64_hexdigest(repr((__version__, present, also)).encode())
