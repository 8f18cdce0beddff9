"""Set up the bundled sample as the only source of a store of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from helix_tui.config import Config, sample_sources
from helix_tui.distribute.blocks import entry_of, with_entries
from helix_tui.engine.sweep.discovery import find_changes
from helix_tui.errors import UsageError
from helix_tui.files.durable import FOLDER_MODE
from helix_tui.places import SAMPLE_CODE, SAMPLE_HOME, has_sample
from helix_tui.sample import VERSION, write_folders, write_sample
from helix_tui.sample.loop import FILE, REPO, TAUGHT
from helix_tui.store.database import translated
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.workers.plugins import Plugins

_MARK = "sample-version"


def has_logs(config: Config) -> bool:
    """Whether any agent has left a log on this machine."""
    with Plugins(config.plugin_seconds) as plugins:
        return find_changes(config, None, plugins).discovered > 0


def keep_sample(store: Path) -> None:
    """Write the sample's logs beside their store, and replace outdated ones.

    From then on the store has no other source. A store with other sessions is refused.
    """
    layout, home = StoreLayout(store), store / SAMPLE_HOME
    with translated(layout):
        if layout.database.exists() and not has_sample(store):
            raise UsageError(
                f"The store in {store} holds other sessions.", "Name another one for the sample."
            )
        if _is_current(home):
            return
    with writer_lock(layout), translated(layout):
        # Samples of two versions must not mix; verdicts on the old one are kept.
        for path in store.glob(f"{layout.database.name}*"):
            path.unlink()
        for folder in (layout.packs, home):
            shutil.rmtree(folder, ignore_errors=True)
        home.mkdir(mode=FOLDER_MODE)
        write_sample(home)
        write_folders(home / SAMPLE_CODE)
        _teach(home / SAMPLE_CODE / REPO / FILE)
        (home / _MARK).write_text(_version())


def _teach(file: Path) -> None:
    """Write the rules that came in as Helix writes them; the ledger tells since when."""
    entries = [entry_of(one.rule) for one in TAUGHT]
    file.write_bytes(with_entries(file.read_bytes(), entries, "", keeps=False).data)


@contextmanager
def sample_config(config: Config) -> Iterator[Config]:
    """Yield a configuration with the sample as source, for a run that leaves nothing behind."""
    with translated(StoreLayout(config.store)):
        is_kept = _is_current(config.store / SAMPLE_HOME)
    if is_kept:
        yield config
        return
    with tempfile.TemporaryDirectory(prefix="helix-sample-") as folder:
        write_sample(Path(folder))
        yield msgspec.structs.replace(config, sources=sample_sources(Path(folder)))


def _is_current(home: Path) -> bool:
    mark = home / _MARK
    return mark.is_file() and mark.read_text() == _version()


def _version() -> str:
    return f"{VERSION}\n"
