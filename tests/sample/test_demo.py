"""`helix --demo --sweep`: the sample in a store of its own, and nothing else touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helix_tui.sample.stories import STORIES, months
from tests.claude_log import ClaudeLog
from tests.conftest import Ran, Workbench
from tests.forked import run_helix

COUNT = sum(
    len(part.trivial) + sum(len("".join(weeks)) for _, weeks in part.weeks)
    for part in months().values()
) + sum(map(len, STORIES["delegate"]))


def demo(bench: Workbench, *arguments: str, **variables: str) -> Ran:
    """The command without `--store`."""
    return Ran(*run_helix(["--demo", *arguments], {**bench.environ, **variables}))


def tree(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def own(bench: Workbench) -> Workbench:
    """Somebody with a log, a store and a configuration of their own."""
    log = ClaudeLog()
    log.prompt("mine")
    log.write(bench.home)
    bench.store = bench.home / ".local" / "share" / "helix"
    bench.helix("--sweep")
    settings = bench.home / ".config" / "helix" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[store]\npath = "{bench.store}"\n[sources.claude]\nenabled = false\n'
        '[sources.codex]\nexclude = ["*"]\n'
    )
    return bench


class TestDemo:
    """Without `--store` the sample has a place of its own."""

    def test_leaves_the_users_store_and_logs_alone(self, own: Workbench) -> None:
        before = tree(own.home)
        ran = demo(own, "--sweep", "--json", CLAUDE_CONFIG_DIR=str(own.home / ".claude"))
        assert ran.code == 0
        assert (ran.json["ingested"], ran.json["problems"]["new"]) == (COUNT, 0)
        (line,) = ran.err.splitlines()
        assert "bundled sample" in line
        after = tree(own.home)
        assert {path: after[path] for path in before} == before
        place = own.home / ".local" / "share" / "helix-sample"
        assert all(path.is_relative_to(place) for path in after.keys() - before.keys())
        sessions = own.helix("sessions", "--json", "--store", str(place)).json
        assert len(sessions["sessions"]) == COUNT
        again = demo(own, "--sweep", "--json")
        assert (again.json["ingested"], again.json["skipped_unchanged"]) == (0, COUNT)

    def test_dry_run_creates_nothing(self, bench: Workbench) -> None:
        ran = demo(bench, "--sweep", "--dry-run", "--json", TMPDIR=str(bench.home))
        assert (ran.code, ran.json["ingested"], ran.json["dry_run"]) == (0, COUNT, True)
        assert list(bench.home.iterdir()) == []

    def test_needs_a_sweep_and_goes_before_no_command(self, bench: Workbench) -> None:
        assert demo(bench).err == bench.helix(check=False).err
        refused = demo(bench, "sessions")
        assert refused.code == 2
        assert "--demo does not go before a command" in refused.err
        assert list(bench.home.iterdir()) == []

    def test_a_wrong_configuration_is_told_before_anything_is_written(
        self, bench: Workbench
    ) -> None:
        wrong = bench.home / "wrong.toml"
        wrong.write_text("[sweep]\nworkers = -1\n")
        assert demo(bench, "--sweep", "--config", str(wrong)).code == 78
        assert list(bench.home.iterdir()) == [wrong]


class TestNamedStore:
    """With `--store` the sample stays there for later commands."""

    def test_later_commands_find_the_sample_and_only_that(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("mine")
        log.write(bench.home)
        assert bench.helix("--demo", "--sweep", "--json").json["ingested"] == COUNT
        swept = bench.helix("--sweep", "--json")
        assert swept.json["skipped_unchanged"] == swept.json["discovered"] == COUNT
        assert "bundled sample" in swept.err
        assert bench.helix("status", "--json").json["problems"] == 0
        assert bench.helix("doctor").code == 0
        found = bench.helix("search", "database is locked", "--json").json
        assert found["hits"]
        shown = bench.helix("show", found["hits"][0]["session"], "--events", "--json").json
        assert shown["events"]

    def test_a_store_of_other_sessions_is_refused(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("mine")
        log.write(bench.home)
        bench.helix("--sweep")
        before = tree(bench.store)
        refused = bench.helix("--demo", "--sweep", check=False)
        assert refused.code == 2
        assert "other sessions" in refused.err
        assert tree(bench.store) == before

    def test_another_version_takes_the_place_of_the_old(self, bench: Workbench) -> None:
        bench.helix("--demo", "--sweep")
        home = bench.store / "sample-home"
        (home / "sample-version").write_text("0\n")
        stale = home / ".codex" / "stale"
        stale.write_text("")
        mine = bench.store / "review" / "verdicts"
        mine.parent.mkdir(exist_ok=True)
        mine.write_text("kept")
        assert bench.helix("--demo", "--sweep", "--json").json["ingested"] == COUNT
        assert not stale.exists()
        assert mine.read_text() == "kept"

    def test_what_cannot_be_written_is_told(self, bench: Workbench, tmp_path: Path) -> None:
        bench.store = tmp_path / "file"
        bench.store.write_text("")
        assert bench.helix("--demo", "--sweep", check=False).code == 74


def test_a_plain_sweep_neither_falls_back_nor_loads_the_sample(bench: Workbench) -> None:
    program = (
        "import sys; sys.argv = ['helix', '--sweep', '--json', '--store', sys.argv[1]]\n"
        "from helix_tui.cli.main import main\n"
        "main()\n"
        "assert not [name for name in sys.modules if name.startswith('helix_tui.sample')]\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(bench.store)],
        capture_output=True,
        text=True,
        env=bench.environ,
        check=True,
    )
    assert '"discovered": 0' in done.stdout
