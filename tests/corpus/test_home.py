"""Helix on a real user's home, against the separate counter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.corpus.counted import assert_equals_truth, but_for_raw_bytes


@pytest.fixture
def swept_home(bench: Workbench, on_swept_home: OnSweptHome) -> Workbench:
    return on_swept_home(bench)


class TestHome:
    """The real home comes in whole, once, with figures that the counter confirms."""

    def test_every_figure_equals_the_counters(self, swept_home: Workbench) -> None:
        assert_equals_truth(swept_home, swept_home.home)

    def test_a_second_sweep_reads_nothing(self, swept_home: Workbench) -> None:
        again = swept_home.helix("--sweep", "--json").json
        assert (again["ingested"], again["bytes_read"]) == (0, 0)
        assert again["skipped_unchanged"] == again["discovered"]
        assert again["problems"]["new"] == 0

    def test_doctor_finds_nothing_wrong(self, swept_home: Workbench) -> None:
        assert swept_home.helix("doctor").code == 0

    def test_totals_by_any_key_are_the_same(self, swept_home: Workbench) -> None:
        totals = []
        for by in ("day", "repo", "model", "flavor", "session"):
            usage = swept_home.helix("usage", "--by", by, "--json").json
            totals.append(usage["total"]["output"])
            assert sum(row["output"] for row in usage["rows"]) == usage["total"]["output"]
        assert len(set(totals)) == 1

    def test_reading_in_the_writers_process_gives_the_same(
        self, swept_home: Workbench, tmp_path: Path
    ) -> None:
        config = tmp_path / "config.toml"
        config.write_text("[sweep]\nworkers = 0\n")
        alone = str(tmp_path / "alone")
        swept_home.helix("--sweep", "--config", str(config), "--store", alone, check=False)
        listed = swept_home.helix("sessions", "--json", "--store", alone).json["sessions"]
        together = swept_home.helix("sessions", "--json").json["sessions"]
        assert listed == together


class TestGrowth:
    """A session at successive moments is the session at the end."""

    @pytest.mark.parametrize(
        ("flavor", "place"),
        [("claude", ".claude/projects/-x"), ("codex", ".codex/sessions/2026/03/09")],
    )
    def test_growing_file_equals_one_sweep_at_the_end(
        self, bench: Workbench, shared: Path, tmp_path: Path, flavor: str, place: str
    ) -> None:
        (folder,) = (shared / "corpus" / "growing" / flavor).iterdir()
        log = bench.home / place / f"{folder.name}.jsonl"
        log.parent.mkdir(parents=True)
        bytes_read = 0
        for moment in sorted(folder.iterdir()):
            shutil.copyfile(moment, log)
            bytes_read += bench.sweep().bytes_read
        assert bytes_read == log.stat().st_size
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        assert but_for_raw_bytes(bench, bench.store) == but_for_raw_bytes(bench, at_once)
        (name,) = bench.sessions()
        assert bench.events(name) == bench.events(name, at_once)
        assert_equals_truth(bench, bench.home)

    def test_split_session_is_one_in_any_order(
        self, bench: Workbench, shared: Path, tmp_path: Path
    ) -> None:
        (folder,) = (shared / "corpus" / "split" / "claude").iterdir()
        project = bench.home / ".claude" / "projects" / "-x"
        project.mkdir(parents=True)
        for piece in sorted(folder.iterdir(), reverse=True):
            shutil.copy(piece, project)
            bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        (name,) = bench.sessions()
        assert but_for_raw_bytes(bench, bench.store) == but_for_raw_bytes(bench, at_once)
        assert bench.events(name) == bench.events(name, at_once)
        assert_equals_truth(bench, bench.home)
