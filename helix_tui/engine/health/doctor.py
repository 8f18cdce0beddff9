"""Check store, sources and machine; say what is wrong and what to do; change nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence

from helix_tui.agent_homes import FLAVORS
from helix_tui.capture.adapters import Adapter
from helix_tui.capture.discover import NO_FOLDER, LogRoot, root_trouble
from helix_tui.config import Config
from helix_tui.digest.codec import is_sound
from helix_tui.engine.health.doctor_memory import check_memory
from helix_tui.engine.health.doctor_model import check_model
from helix_tui.engine.health.doctor_review import check_review
from helix_tui.engine.health.doctor_team import check_team
from helix_tui.engine.memory.hook_status import check_hooks
from helix_tui.engine.memory.mcp_install import check_mcp
from helix_tui.engine.sweep.discovery import is_there, own_sessions, sources_of
from helix_tui.errors import HelixError
from helix_tui.schema import DoctorCheck
from helix_tui.store.database import Database, has_log, has_orphaned_packs, reading, translated
from helix_tui.store.digests.folds import all_folds
from helix_tui.store.layout import StoreLayout
from helix_tui.store.repair import checks
from helix_tui.store.user_lists import forgotten_sessions, pinned_sessions
from helix_tui.workers.plugins import PluginError, Plugins

_LOW_SPACE = 64 << 20

_ENTER = os.R_OK | os.X_OK


def run_checks(config: Config, layout: StoreLayout) -> list[DoctorCheck]:
    """Run every check, those of the store first."""
    return [
        checks.check_sqlite(),
        checks.check_permissions(layout),
        *check_store(layout),
        *check_digests(layout),
        *check_search(layout),
        *check_detection(layout),
        *check_owners(layout),
        _check_lists(layout),
        _check_space(layout),
        *check_review(config),
        *check_team(config),
        *_check_sources(config),
        *check_hooks(config),
        *check_mcp(config),
        *check_memory(config),
        *check_model(config),
    ]


def check_store(layout: StoreLayout) -> list[DoctorCheck]:
    """Check that database, rows and packs agree."""
    results = list(_checks_of_store(layout))
    if not all(check.is_ok for check in results) and has_log(layout):
        # A sweep may have begun while the file was read as if nobody wrote to it: check again.
        results = list(_checks_of_store(layout))
    return results


def _checks_of_store(layout: StoreLayout) -> Iterator[DoctorCheck]:
    aside = layout.unfinished_repair()
    if aside is not None:
        todo = (
            "If none is running, run `helix doctor --repair` again: it starts over from what was "
            "set aside."
        )
        detail = f"a repair has not come to its end; damaged files lie in {aside}"
        yield DoctorCheck("repair", False, detail, todo)
        return
    try:
        with reading(layout, leaves_no_trace=True) as database:
            if database is None and has_orphaned_packs(layout):
                yield _check_orphaned(layout)
                return
            if database is None:
                yield DoctorCheck(
                    "store", True, f"none yet in {layout.root}; the first sweep makes it"
                )
                return
            shape = checks.check_shape(database)
            yield shape
            sound = checks.check_database(database)
            yield sound
            if shape.is_ok and sound.is_ok:
                yield from checks.check_rows(database)
                yield checks.check_packs(database, layout)
                yield checks.check_texts(database)
    except HelixError as error:
        yield DoctorCheck("database", False, error.what, _todo(error))


def _check_orphaned(layout: StoreLayout) -> DoctorCheck:
    """Report packs without a database, or with an empty one."""
    if not layout.database.exists():
        return DoctorCheck("store", False, "there are packs, but no database", checks.REPAIR)
    todo = "Run `helix --sweep`: it goes on by itself, and takes over what only the packs hold."
    return DoctorCheck(
        "store", False, "the first sweep was cut off: nothing speaks of its packs", todo
    )


def check_digests(layout: StoreLayout) -> Iterator[DoctorCheck]:
    """Check whether every stored fold can be read."""
    try:
        with reading(layout, leaves_no_trace=True) as database:
            if database is None:
                return
            damaged = [name for name, data in all_folds(database) if not is_sound(data)]
    except HelixError:
        return  # told by what looks at the database
    if damaged:
        yield DoctorCheck("digests", False, f"damaged: {checks.some(damaged)}", checks.REPAIR)


def check_search(layout: StoreLayout) -> list[DoctorCheck]:
    """Check whether the search index matches the store."""
    return _retried(layout, checks.check_index)


def check_detection(layout: StoreLayout) -> list[DoctorCheck]:
    """Check whether candidates can be read and refer to stored sessions."""
    return _retried(layout, checks.check_detection)


def check_owners(layout: StoreLayout) -> list[DoctorCheck]:
    """Check whether packs hold something that no row owns."""
    return _retried(layout, lambda database: checks.check_owners(database, layout))


def _retried(layout: StoreLayout, look: Callable[[Database], DoctorCheck]) -> list[DoctorCheck]:
    """Run one check, and repeat a failed one where a writer may have been at work."""
    results = list(_look(layout, look))
    if not all(check.is_ok for check in results) and has_log(layout):
        results = list(_look(layout, look))
    return results


def _look(layout: StoreLayout, look: Callable[[Database], DoctorCheck]) -> Iterator[DoctorCheck]:
    try:
        with reading(layout, leaves_no_trace=True) as database:
            if database is not None:
                yield look(database)
    except HelixError:
        return  # told by what looks at the database


def _check_lists(layout: StoreLayout) -> DoctorCheck:
    try:
        with translated(layout):
            forgotten, pinned = len(forgotten_sessions(layout)), len(pinned_sessions(layout))
    except HelixError as error:
        return DoctorCheck("review", False, error.what, error.todo)
    return DoctorCheck("review", True, f"{forgotten:,} forgotten, {pinned:,} pinned")


def _todo(error: HelixError) -> str:
    """Return what to do; doctor does not advise to run doctor."""
    return checks.REPAIR if "helix doctor" in error.todo else error.todo


def _check_space(layout: StoreLayout) -> DoctorCheck:
    place = next(path for path in (layout.root, *layout.root.absolute().parents) if path.exists())
    disk = shutil.disk_usage(place)
    is_ok = disk.free >= min(_LOW_SPACE, disk.total // 16)
    return DoctorCheck(
        "space", is_ok, f"{disk.free >> 20:,} MiB free", "Free some space before the next sweep."
    )


def _check_sources(config: Config) -> Iterator[DoctorCheck]:
    with Plugins(config.plugin_seconds) as plugins:
        adapters = plugins.adapters()
        own = own_sessions(config)
        seen = [
            flavor
            for flavor in adapters
            if flavor not in FLAVORS or any(map(is_there, sources_of(config, flavor, own)))
        ]
        if not seen:
            yield DoctorCheck("sources", True, "no logs of any agent on this machine")
        for flavor in seen:
            try:
                yield _check_source(config, flavor, adapters)
            except PluginError as error:
                todo = f"Mend the plug-in, or switch it off: sources.{flavor}.enabled = false."
                yield DoctorCheck(f"source {flavor}", False, str(error), todo)


def _check_source(config: Config, flavor: str, adapters: Mapping[str, Adapter]) -> DoctorCheck:
    name = f"source {flavor}"
    sources = sources_of(config, flavor)
    if not sources:
        return DoctorCheck(name, True, "switched off")
    adapter = adapters[flavor]
    trouble = {source.root: root_trouble(source.root) for source in sources}
    present = [root for root, reason in trouble.items() if reason != NO_FOLDER]
    missing = [
        source.root
        for source in sources
        if source.is_required and trouble[source.root] == NO_FOLDER
    ]
    unreadable = [root for root in present if trouble[root] or not os.access(root, _ENTER)]
    if missing:
        todo = f"Correct sources.{flavor}.roots in {config.file}."
        return DoctorCheck(name, False, f"no such folder: {', '.join(missing)}", todo)
    if unreadable:
        todo = "Make it readable for you, or take it out of the configuration."
        return DoctorCheck(name, False, f"cannot be read: {', '.join(unreadable)}", todo)
    if closed := _closed_folders(adapter, present):
        todo = f"Make it readable, or name the folder it leads to in sources.{flavor}.roots."
        return DoctorCheck(name, False, f"a link, or not readable: {', '.join(closed)}", todo)
    if strange := [
        item.root
        for item in sources
        if flavor in FLAVORS and item.is_required and _is_strange(adapter, item)
    ]:
        todo = f"A root is the agent's own folder, such as {FLAVORS[flavor].roots[0]}."
        return DoctorCheck(name, False, f"no logs of {flavor} below {', '.join(strange)}", todo)
    return DoctorCheck(name, True, ", ".join(present) or "no logs on this machine")


def _closed_folders(adapter: Adapter, roots: list[str]) -> list[str]:
    """List folders of logs directly below the roots that a sweep cannot enter."""
    closed: list[str] = []
    for root in roots:
        with os.scandir(root) as scan:
            entries = list(scan)
        wanted = set(adapter.subfolders((), [entry.name for entry in entries]))
        closed += [
            entry.path
            for entry in entries
            if entry.name in wanted
            and (entry.is_symlink() or (entry.is_dir() and not os.access(entry.path, _ENTER)))
        ]
    return closed


def _is_strange(adapter: Adapter, source: LogRoot) -> bool:
    """Whether a folder that a person named holds nothing that its agent would have put there."""
    with os.scandir(source.root) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    folders = [name for name, is_folder in found if is_folder]
    files = [name for name, is_folder in found if not is_folder]
    trees: Callable[..., Sequence[str]] = getattr(adapter, "trees", lambda *_: ())
    return not (adapter.subfolders((), folders) or adapter.parts((), files) or trees((), folders))
