"""An archive gives the same as a sweep of the same logs, each unit once, whatever dies."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from helix_tui.archive.engines import Processes
from helix_tui.archive.places import Archive
from helix_tui.errors import NotFoundError, UsageError
from tests.archive.archived import (
    POISON,
    InTurn,
    claude,
    contents,
    die_of_poison,
    fill,
    swept,
)
from tests.conftest import Workbench


@pytest.fixture
def homes(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    fill(folder)
    return folder


def test_gives_what_a_sweep_of_the_same_logs_gives(
    bench: Workbench, homes: Path, tmp_path: Path
) -> None:
    report = swept(bench, str(homes), InTurn())
    assert (report.discovered, report.ingested, report.new_problems) == (12, 12, 0)
    for home in sorted(homes.iterdir()):
        shutil.copytree(home, bench.home, dirs_exist_ok=True)
    bench.sweep(tmp_path / "other")
    assert contents(bench, bench.store) == contents(bench, tmp_path / "other")


def test_what_was_taken_in_is_not_read_again(bench: Workbench, homes: Path) -> None:
    swept(bench, str(homes), InTurn())
    again = InTurn()
    assert swept(bench, str(homes), again).skipped_unchanged == 12
    assert again.asked == 0
    log = claude(0)
    log.prompt("and now look for the word done")
    log.reply("There is none either.")
    log.write(homes / "person0")
    report = swept(bench, str(homes), again)
    assert (again.asked, report.ingested) == (1, 1)
    assert bench.sessions()["claude:00000000-0000-4000-8000-000000000000"].prompts == 2


def test_goes_on_where_it_was_stopped(bench: Workbench, homes: Path, tmp_path: Path) -> None:
    engine = InTurn()
    swept(bench, str(homes), engine, cancelled=lambda: engine.asked >= 5)
    assert engine.asked == 5
    swept(bench, str(homes), engine)
    assert engine.asked <= 13  # what was read and not committed is read again
    swept(bench, str(homes), InTurn(seed=3), tmp_path / "other")
    assert contents(bench, bench.store) == contents(bench, tmp_path / "other")


def test_unit_that_cannot_be_fetched_is_told_and_tried_again(bench: Workbench, homes: Path) -> None:
    def away(message: bytes) -> list[bytes]:
        raise ConnectionError("the storage is away")

    report = swept(bench, str(homes), InTurn(work=away))
    assert (report.ingested, report.new_problems) == (0, 12)
    assert "the storage is away" in report.listed_problems[0].reason
    assert report.listed_problems[0].path.startswith("file://")
    assert swept(bench, str(homes), InTurn()).ingested == 12
    assert swept(bench, str(homes), InTurn()).known_problems == 0


@pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
def test_unit_that_kills_its_process_is_set_aside_alone(bench: Workbench, homes: Path) -> None:
    (homes / "person0" / ".claude" / "projects" / POISON).mkdir(parents=True)
    source = next((homes / "person0" / ".claude" / "projects").rglob("*.jsonl"))
    shutil.copy(source, homes / "person0" / ".claude" / "projects" / POISON / source.name)
    report = swept(bench, str(homes), Processes(2, die_of_poison))
    assert (report.discovered, report.ingested) == (13, 12)
    (problem,) = report.listed_problems
    assert POISON in problem.path
    assert "died each time" in problem.reason


def test_command(bench: Workbench, homes: Path) -> None:
    report = bench.helix("archive", "sweep", str(homes), "--workers", "1", "--json").json
    assert (report["schema"], report["ingested"]) == ("helix.sweep/1", 12)
    claude_alone = str(homes / "person0" / ".claude")
    report = bench.helix("archive", "sweep", claude_alone, "--as", "claude", "--json").json
    assert report["discovered"] == 3
    for words, told in (
        (["/none"], "cannot be listed"),
        ([str(homes), "--engine", "cloud"], "no engine cloud"),
        ([str(homes), "--as", "nobody"], "No agent is called nobody"),
        (["nowhere://x"], "no way to read"),
    ):
        failed = bench.helix("archive", "sweep", *words, check=False)
        assert failed.code == 2
        assert told in failed.err


def test_archive_without_agents_is_told(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match="no agent's folder"):
        swept(bench, str(tmp_path / "empty"), InTurn())


def test_object_storage_is_listed_by_its_own_marks() -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    files.pipe("/logs/kim/.codex/sessions/2026/02/02/rollout-a.jsonl", b"{}\n")
    archive = Archive("memory://logs")
    (root,) = archive.roots({"codex": ("~/.codex",)})
    assert (root.flavor, root.url) == ("codex", "memory:///logs/kim/.codex")
    folder = f"{root.url}/sessions/2026/02/02"
    (before,) = archive.entries_in(folder).files
    assert before[0] == "rollout-a.jsonl"
    assert archive.entries_in(root.url).folders == ["sessions"]
    files.pipe("/logs/kim/.codex/sessions/2026/02/02/rollout-a.jsonl", b"{}\n{}\n")
    (after,) = archive.entries_in(folder).files
    assert after != before
    with pytest.raises(UsageError, match="cannot be listed"):
        Archive("memory://nothing").roots({"codex": ("~/.codex",)})
