"""A line that asks for what failed: it was kept to, and no guard is proposed on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.agents import CodexStory, work
from tests.conftest import Workbench
from tests.engine.context.just_log import write_rules
from tests.engine.trouble_log import name_of

PULL = "error: cannot pull with rebase: You have unstaged changes.\nPlease commit or stash them."


@pytest.fixture
def repo(bench: Workbench, tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    (folder / ".git").mkdir(parents=True)
    return folder


def pulled(bench: Workbench, folder: Path, *, passing: int = 0) -> dict[str, Any]:
    """Sessions whose first pull is refused, and sessions in which it passes; their candidate."""
    for number in range(3 + passing):
        log = CodexStory(session=name_of(number), cwd=str(folder), start=number * 4000)
        work(log)
        if number < 3:
            log.run("git pull --rebase", PULL, 128)
            log.run("git pull --rebase --autostash", "Successfully rebased.")
        else:
            log.run("git pull --rebase", "Already up to date.")
        log.say("Done, it is up to date.")
        log.save(bench.home)
    bench.helix("--sweep")
    listed = bench.helix("detect", "--all", "--json", HOME=str(bench.home)).json["candidates"]
    (found,) = [one for one in listed if "--rebase" in one["title"]]
    assert isinstance(found, dict)
    return found


def shown(bench: Workbench, name: str) -> Any:
    bench.helix("approve", name, "--yes")
    return bench.helix("catalog", "show", name, "--json", HOME=str(bench.home)).json


def test_list_and_page_say_the_same_of_a_line_that_was_kept_to(
    bench: Workbench, repo: Path
) -> None:
    write_rules(repo / "AGENTS.md", "# Landing\n\n```bash\ngit pull --rebase  # MANDATORY\n```\n")
    found = pulled(bench, repo)
    page = shown(bench, found["id"])
    assert found["told"]["violated"] == page["told"]["violated"] == 0
    assert found["told"]["state"] == page["told"]["state"]
    assert page["proposed_guard"] is None


@pytest.mark.parametrize(("passing", "is_proposed"), [(0, True), (1, False)])
def test_a_guard_is_proposed_where_a_command_passed_in_no_session(
    bench: Workbench, repo: Path, passing: int, *, is_proposed: bool
) -> None:
    write_rules(repo / "AGENTS.md", "Never run `git pull --rebase` without `--autostash`.\n")
    found = pulled(bench, repo, passing=passing)
    page = shown(bench, found["id"])
    assert page["told"]["violated"] == 3
    assert (page["proposed_guard"] is not None) is is_proposed
