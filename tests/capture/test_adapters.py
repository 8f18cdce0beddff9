"""The interface fits agents that keep a session in several files, some of them rewritten."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from helix_tui.capture.adapters import PartFile, adapters
from helix_tui.capture.draft import UnitDraft
from helix_tui.schema import PROMPT, REPLY
from helix_tui.workers import pool
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


class FolderAdapter:
    """Sessions as folders: `summary.json` is a document, `talk.jsonl` is tailed."""

    flavor = "grok"
    version = 1
    joins_parts = False

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        return names if len(path) < 2 else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        if len(path) != 2:
            return ()
        return [
            PartFile(name, unit=path[1], part=name, is_document=name.endswith(".json"))
            for name in ("summary.json", "talk.jsonl")
            if name in names
        ]

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        return False

    def settings_files(self) -> tuple[str, ...]:
        return ()

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        return None

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> FolderReader:
        return FolderReader(unit.rpartition("#")[2], state)


class FolderReader:
    """Remembers the folder's model from the document for the lines of later reads."""

    def __init__(self, unit: str, state: bytes) -> None:
        self._unit = unit
        self._model = state.decode()

    def state(self) -> bytes:
        return self._model.encode()

    def restart(self, part: str) -> None:
        if part == "summary.json":
            self._model = ""

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        summary = json.loads(content)
        self._model = summary["model"]
        for number, text in enumerate(summary["prompts"]):
            self._add(draft, number, PROMPT, text)

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        for line in lines:
            self._add(draft, offset, REPLY, f"{self._model}: {line.decode()}")
            offset += len(line) + 1

    def _add(self, draft: UnitDraft, position: int, kind: int, text: str) -> None:
        session = draft.session(self._unit)
        session.put(position, None, kind, text, name="")


@pytest.fixture
def folder_bench(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    monkeypatch.setitem(adapters(), "grok", FolderAdapter())
    return bench


def write(bench: Workbench, name: str, content: str) -> Path:
    path = bench.home / ".grok" / "sessions" / "s1" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_unit_of_documents_and_lines_is_one_session(folder_bench: Workbench) -> None:
    bench = folder_bench
    write(bench, "summary.json", '{"model": "m1", "prompts": ["one"]}')
    talk = write(bench, "talk.jsonl", "{}\n")
    write(bench, "unrelated.txt", "x")
    first = bench.sweep()
    assert (first.discovered, first.ingested) == (1, 1)
    assert sorted(event.text for event in bench.events("grok:s1")) == ["m1: {}", "one"]
    assert bench.sweep().skipped_unchanged == 1

    talk.write_text("{}\n[]\n")  # only this part changed: the model comes from the state
    bench.sweep()
    assert "m1: []" in {event.text for event in bench.events("grok:s1")}

    # rewritten: what is new is added, what was captured stays
    write(bench, "summary.json", '{"model": "m2", "prompts": ["two"]}')
    bench.sweep()
    texts = {event.text for event in bench.events("grok:s1")}
    assert {"one", "two"} <= texts
    again = bench.sweep()
    assert (again.discovered, again.skipped_unchanged, again.bytes_read) == (1, 1, 0)
    assert bench.helix("doctor").code == 0


class TestWorkers:
    """Reading in other processes: the same result, and a death that costs one unit."""

    def test_workers_and_one_process_agree(
        self, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(12):
            log = ClaudeLog(session=f"s{number}")
            for _ in range(20 + number):
                log.step(output="x" * 500)
            log.write(bench.home)
        alone = tmp_path / "alone"
        bench.sweep(alone)
        monkeypatch.setattr(pool, "MIN_BYTES_FOR_WORKERS", 0)
        for small in (0, 1 << 20):
            monkeypatch.setattr(pool, "SMALL_UNIT", small)
            shared = tmp_path / f"shared-{small}"
            bench.sweep(shared)
            assert bench.sessions(shared) == bench.sessions(alone)

    def test_death_of_a_worker_costs_its_unit(
        self, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pool, "MIN_BYTES_FOR_WORKERS", 0)
        monkeypatch.setattr(pool, "SMALL_UNIT", 0)
        for number in range(6):
            log = ClaudeLog(session=f"s{number}")
            log.prompt("DIE" if number == 3 else "live")
            log.write(bench.home)
        dying = tmp_path / "python"
        dying.write_text(
            f"#!{sys.executable}\n"
            "import os, sys\n"
            "from helix_tui.capture.adapters.claude.reader import ClaudeReader\n"
            "real = ClaudeReader.read_lines\n"
            "def read(self, part, offset, lines, draft):\n"
            "    if any(b'DIE' in line for line in lines):\n"
            "        os.kill(os.getpid(), 9)\n"
            "    real(self, part, offset, lines, draft)\n"
            "ClaudeReader.read_lines = read\n"
            "from helix_tui.workers.process import main\n"
            "main()\n"
        )
        dying.chmod(0o755)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "executable", str(dying))
            report = bench.sweep()
        (problem,) = report.listed_problems
        assert problem.reason == "the process that read it died"
        assert len(bench.sessions()) == 5
        again = bench.sweep()
        assert (again.ingested, again.known_problems) == (1, 0)

    def test_stopping_ends_the_workers(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pool, "MIN_BYTES_FOR_WORKERS", 0)
        for number in range(40):
            log = ClaudeLog(session=f"s{number}")
            log.prompt()
            log.write(bench.home)
        events = list(bench.engine().sweep(cancelled=lambda: True))
        assert type(events[-1]).__name__ == "SweepFinished"
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        if children.exists():
            assert b"helix_tui.workers.process" not in b"".join(
                Path(f"/proc/{child}/cmdline").read_bytes()
                for child in children.read_text().split()
            )
        bench.sweep()
        assert len(bench.sessions()) == 40
