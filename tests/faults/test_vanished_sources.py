"""Sources that suddenly list nothing: nothing is evicted, and that is said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_tui.schema import Problem
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

_LONG_AGO = -90_000_000
_SESSIONS = 6


def write_config(bench: Workbench, *more: str, soft: str = "9 KiB") -> None:
    bench.config = bench.home / "config.toml"
    caps = f'[retention]\nraw_soft_cap_bytes = "{soft}"\nraw_hard_cap_bytes = "1 GiB"\n'
    bench.config.write_text("\n".join([*more, caps]))


def raw_states(bench: Workbench) -> set[str]:
    return {session.raw for session in bench.sessions().values()}


def problems(bench: Workbench) -> list[Problem]:
    return [item for item in bench.engine().status().listed_problems if item.path == "claude"]


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    """Six sessions that are in the store, and caps under which four of them would go."""
    for number in range(_SESSIONS):
        name = f"{number:08d}-0000-4000-8000-000000000000"
        log = ClaudeLog(session=name, start=_LONG_AGO + number * 1000)
        log.prompt()
        log.step()
        log.reply()
        log.write(bench.home, project="-work-app" if number % 2 else "-work-other")
    bench.sweep()
    write_config(bench)
    return bench


def empty(projects: Path) -> None:
    for folder in projects.iterdir():
        shutil.rmtree(folder)


def empty_of_logs(projects: Path) -> None:
    for log in projects.rglob("*.jsonl"):
        log.unlink()


def rename(projects: Path) -> None:
    projects.rename(projects.with_name("old"))


def rename_root(projects: Path) -> None:
    projects.parent.rename(projects.parent.with_name("old"))


WAYS: list[Callable[[Path], None]] = [empty, empty_of_logs, rename, rename_root]


class TestVanishedSource:
    """A sweep that finds nothing where it found logs takes no eviction for granted."""

    @pytest.mark.parametrize("vanish", WAYS)
    def test_nothing_is_evicted_and_that_is_said(
        self, swept: Workbench, vanish: Callable[[Path], None]
    ) -> None:
        vanish(swept.home / ".claude" / "projects")
        report = swept.sweep()
        assert report.discovered == 0
        assert report.retention.plan.evictions
        assert report.retention.held is not None
        assert f"where there were {_SESSIONS}" in report.retention.held
        assert report.retention.after == report.retention.plan.usage
        assert [problem.path for problem in report.listed_problems] == ["claude"]
        assert raw_states(swept) == {"full"}
        assert all(swept.events(name) for name in swept.sessions())

    def test_it_is_news_once_and_known_then(self, swept: Workbench) -> None:
        empty(swept.home / ".claude" / "projects")
        config = str(swept.config)
        first = swept.helix("--sweep", "--json", "--config", config, check=False)
        assert first.code == 1
        assert first.json["problems"]["new"] == 1
        assert first.json["retention"]["held"]
        assert first.json["retention"]["evicted"] == []
        assert first.json["retention"]["freed"] == 0
        again = swept.helix("--sweep", "--config", config)
        assert "held back: claude: its folders list no logs" in again.out
        assert "Problems: 0 new, 1 known." in again.out
        assert raw_states(swept) == {"full"}

    def test_retain_carries_the_plan_out_on_request(self, swept: Workbench) -> None:
        empty(swept.home / ".claude" / "projects")
        assert swept.sweep().retention.held
        report = swept.helix("retain", "--json", "--config", str(swept.config)).json
        assert len(report["evicted"]) == 4
        assert report["held"] is None
        assert report["final_usage"] <= report["soft_cap"]
        assert raw_states(swept) == {"full", "evicted"}
        assert all(check.is_ok for check in swept.engine().doctor())

    def test_source_that_is_switched_off_holds_nothing(self, swept: Workbench) -> None:
        empty(swept.home / ".claude" / "projects")
        write_config(swept, "[sources.claude]", "enabled = false")
        report = swept.sweep()
        assert report.retention.held is None
        assert len(report.retention.plan.evictions) == 4
        assert raw_states(swept) == {"full", "evicted"}

    def test_log_that_vanishes_alone_holds_nothing(self, swept: Workbench) -> None:
        shutil.rmtree(swept.home / ".claude" / "projects" / "-work-app")
        report = swept.sweep()
        assert report.retention.held is None
        assert raw_states(swept) == {"full", "evicted"}

    def test_when_the_logs_are_back_retention_works_again(self, swept: Workbench) -> None:
        projects = swept.home / ".claude" / "projects"
        rename(projects)
        assert swept.sweep().retention.held
        assert len(problems(swept)) == 1
        projects.with_name("old").rename(projects)
        report = swept.sweep()
        assert report.discovered == _SESSIONS
        assert report.retention.held is None
        assert len(report.retention.plan.evictions) == 4
        assert raw_states(swept) == {"full", "evicted"}
        assert problems(swept) == []

    def test_below_the_caps_it_is_a_problem_all_the_same(self, swept: Workbench) -> None:
        write_config(swept, soft="1 GiB")
        empty(swept.home / ".claude" / "projects")
        report = swept.sweep()
        assert report.new_problems == 1
        assert report.retention.plan.evictions == ()
