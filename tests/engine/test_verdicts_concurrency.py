"""Verdicts by several people at once, and while a sweep holds the store."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.versions import read_history
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from tests.conftest import Workbench
from tests.engine.agreeing import assert_agreement, lines_of
from tests.engine.trouble_log import HOST, RG, YAML, write_troubled
from tests.faults.strace import ROOT

_SECONDS = 60
_CURATOR = """
import sys
from pathlib import Path
from helix_tui.config import load
from helix_tui.engine import Engine
home, store, author, *work = sys.argv[1:]
desk = Engine(load(None, Path(store), {"HOME": home})).verdicts
print("ready", flush=True)
sys.stdin.readline()
for one in work:
    action, _, name = one.partition("=")
    if action == "approve":
        desk.approve(name, note=f"by {author}")
    elif action == "reject":
        desk.reject(name, note=f"by {author}")
    elif action == "auto":
        desk.approve_all()
    else:
        desk.discuss(name, note=f"by {author}")
"""
_HOLDER = """
import sys
from pathlib import Path
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
with writer_lock(StoreLayout(Path(sys.argv[1]))):
    print("ready", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    write_troubled(bench)
    bench.sweep()
    return bench


@contextmanager
def beside(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process that is ready, and goes on when a line comes in."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        yield process
    finally:
        go_on(process)


def go_on(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None and not process.stdin.closed:
        process.stdin.close()
    assert process.wait(_SECONDS) == 0


def curators(bench: Workbench, *work: tuple[str, ...]) -> None:
    """Several people at work in processes of their own, from the same moment on."""
    processes = []
    for number, several in enumerate(work):
        context = beside(_CURATOR, bench.home, bench.store, f"curator {number}", *several)
        processes.append((context, context.__enter__()))
    for _, process in processes:
        assert process.stdin is not None
        process.stdin.close()
    for context, _ in processes:
        context.__exit__(None, None, None)


class TestWhileASweepRuns:
    """A verdict has a lock of its own: it never waits for the store's."""

    def test_a_verdict_does_not_wait_for_whoever_holds_the_store(self, swept: Workbench) -> None:
        verdicts = swept.engine().verdicts
        verdicts.discuss(YAML)  # loads what a first verdict has to
        with beside(_HOLDER, swept.store):
            began = time.monotonic()
            assert verdicts.approve(RG).line is not None
            assert verdicts.undo() is not None
            took = time.monotonic() - began
        assert took < 1

    def test_a_sweep_does_not_wait_for_whoever_holds_the_journal(self, swept: Workbench) -> None:
        with Journal(swept.store / "review" / "journal.jsonl").locked():
            began = time.monotonic()
            swept.sweep()
            assert time.monotonic() - began < 5

    def test_verdicts_in_the_midst_of_a_sweep_all_stand(self, bench: Workbench) -> None:
        write_troubled(bench, 6)
        bench.sweep()
        write_troubled(bench, 12)
        verdicts = bench.engine().verdicts
        given = []
        for number, _ in enumerate(bench.engine().sweep()):
            outcome = verdicts.discuss(RG, note=f"{number}")
            assert outcome.line is not None
            given.append(outcome.line.id)
        assert [line.id for line in lines_of(bench)] == given
        with writer_lock(StoreLayout(bench.store)):
            assert verdicts.approve(RG).line is not None
        assert_agreement(bench)


class TestSeveralCurators:
    """Whoever comes second sees what the first one did; nothing is lost or doubled."""

    def test_every_verdict_of_everybody_is_there(self, swept: Workbench) -> None:
        work = (f"approve={RG}", f"discuss={YAML}", f"reject={HOST}", f"approve={YAML}")
        curators(swept, work, work[::-1])
        lines = lines_of(swept)
        assert len(lines) == 2 * len(work)
        assert_agreement(swept)

    def test_the_same_batch_twice_at_once_promotes_once(self, swept: Workbench) -> None:
        # What costs next to nothing is enough here.
        config = swept.home / ".config" / "helix" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("[curate.gate]\nmin_cost_impact = 0\n")
        curators(swept, ("auto",), ("auto",), (f"discuss={YAML}",))
        approved = [line.candidate for line in lines_of(swept) if line.action == "approve"]
        assert len(approved) == len(set(approved)) > 0
        assert_agreement(swept)

    def test_threads_of_one_process_wait_for_one_another(self, swept: Workbench) -> None:
        def discuss(number: int) -> None:
            swept.engine().verdicts.discuss(RG, note=f"{number}")

        threads = [threading.Thread(target=discuss, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_SECONDS)
        assert sorted(line.note for line in lines_of(swept)) == [f"{number}" for number in range(6)]


class TestReaders:
    """Whoever reads while verdicts are given sees whole files and whole lines."""

    def test_every_file_is_whole_at_any_moment(self, swept: Workbench) -> None:
        catalog, is_done = swept.store / "catalog", threading.Event()
        trouble: list[str] = []
        seen = 0

        def read() -> None:
            nonlocal seen
            while not is_done.is_set():
                for path in [*catalog.glob("[a-z]*.md"), *catalog.glob("*.jsonl")]:
                    seen += _look(path, trouble)

        reader = threading.Thread(target=read)
        reader.start()
        verdicts = swept.engine().verdicts
        for _ in range(4):
            verdicts.approve_all()
            verdicts.approve(RG, note="again")
            verdicts.reject(RG)
            verdicts.undo()
            verdicts.undo()
        is_done.set()
        reader.join(_SECONDS)
        assert trouble == []
        assert seen > 0

    def test_the_list_of_candidates_can_be_read_meanwhile(self, swept: Workbench) -> None:
        engine = swept.engine()
        with Journal(swept.store / "review" / "journal.jsonl").locked():
            found = engine.candidates.board(CandidateFilter(is_all=True))
        assert found.troubles == []


def _look(path: Path, trouble: list[str]) -> int:
    """Reads one file as a person would; one that was just taken away is not there."""
    try:
        text = path.read_text()
    except FileNotFoundError:
        return 0
    try:
        if path.suffix == ".md":
            read_page(text, path.stem)
        else:
            read_history(text, path.name)
    except Exception as error:  # noqa: BLE001 - told by the test, which is in another thread
        trouble.append(f"{path.name}: {error}")
    return 1
