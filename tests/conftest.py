"""What all tests share: a home, an engine on it, and the `helix` command."""

from __future__ import annotations

import gc
import importlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.events import SweepFinished, SweepReport
from helix_tui.schema import SearchText, Session, SessionEvent, SessionFilter
from helix_tui.store.digests.texts import unpack_texts
from tests import cost
from tests.faults.summary import pytest_terminal_summary
from tests.forked import load_all, reserve_little, run_helix

# The same few examples each time; who asks for a number of them gets others (`make properties`). No
# example is timed: a busy machine is no failure.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=30)
settings.register_profile(
    "others", deadline=None, max_examples=int(os.environ.get("HELIX_EXAMPLES", "200"))
)
settings.load_profile("others" if "HELIX_EXAMPLES" in os.environ else "same")

__all__ = ["pytest_terminal_summary"]

NOBODY = 65534
_MEMORY = Path("/dev/shm")
_ENOUGH = 4 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Puts the folders of tests in memory where there is room: there no sync has to wait.

    Nor is as much reserved in each store as on a disk.
    """
    is_roomy = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ENOUGH
    if is_roomy:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
    reserve_little()
    config.pluginmanager.register(cost, "cost")


def pytest_collection(session: pytest.Session) -> None:
    """Loads all files of tests, where all were asked for: each worker begins with another part.

    To take assertions apart takes longer than all other collecting, and what is compiled is kept:
    so each file is taken apart by one worker, and not by all of them.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    is_all = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not worker.isdecimal() or not is_all:
        return
    root = session.config.rootpath
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(files) * int(worker) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:] + files[:first]:
        # Who cannot be loaded, or wants to be left out, is told of when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Thousands of tests stay in memory until the end: nobody has to look for garbage there.

    Nor often anywhere else: what a test leaves is small.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


class Workbench:
    """A home with logs and a store for it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.store = folder / "store"
        self.home.mkdir(parents=True, exist_ok=True)
        self.config: Path | None = None
        self.variables: dict[str, str] = {}

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.home), **self.variables}

    def engine(self, store: Path | None = None) -> Engine:
        return Engine(load(self.config, store or self.store, self.environ))

    def sweep(self, store: Path | None = None, *, is_dry_run: bool = False) -> SweepReport:
        events = list(self.engine(store).sweep(is_dry_run=is_dry_run))
        assert isinstance(events[-1], SweepFinished)
        return events[-1].report

    def sessions(self, store: Path | None = None) -> dict[str, Session]:
        found = self.engine(store).sessions(SessionFilter())
        return {session.id: session for session in found}

    def session(self) -> Session:
        (session,) = self.sessions().values()
        return session

    def events(self, name: str, store: Path | None = None) -> list[SessionEvent]:
        engine = self.engine(store)
        return list(engine.session_events(engine.session(name)))

    def found(self, query: str, store: Path | None = None, **wanted: Any) -> list[str]:
        """The ids of sessions that a search finds, the best first."""
        hits = self.engine(store).search(query, SessionFilter(**wanted), 100).hits
        return [hit.session for hit in hits]

    def texts(self) -> dict[str, list[SearchText]]:
        """What can be searched of each session, in no order that matters."""
        found: dict[str, list[SearchText]] = {}
        with closing(sqlite3.connect(self.store / "store.db")) as database:
            rows = database.execute(
                "SELECT s.id, t.data FROM search_text t JOIN session s ON s.key = t.key >> 20"
            )
            for name, data in rows:
                found.setdefault(name, []).extend(unpack_texts(data))
        return {name: sorted(texts, key=str) for name, texts in found.items()}

    def helix(self, *arguments: str, check: bool = True, **variables: str) -> Ran:
        """Runs the real command on this home and store."""
        takes_store = not {"--store", "config", "remove", "--version"} & set(arguments)
        named = ["--store", str(self.store)] if takes_store else []
        environ = {"PATH": os.environ["PATH"], **self.environ, **variables}
        done = run_helix([*arguments, *named], environ)
        if check:
            assert done.code == 0, done.err
        return Ran(*done)


class Ran:
    """A command that ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    """A fresh home and store."""
    return Workbench(tmp_path)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder and a process without root's right to read everything."""
    load_all()  # nobody else may read the modules of root's Python
    folder = Path(tempfile.mkdtemp(prefix="helix-"))
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared corpus; tests that need it are skipped without it."""
    place = os.environ.get("HELIX_SHARED", "")
    if not place or not Path(place, "corpus", "home").is_dir():
        pytest.skip("HELIX_SHARED does not name the shared corpus")
    return Path(place).absolute()
