"""`helix distribute` and `helix uninstall` as scripts and people use them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helix_tui.distribute.blocks import BEGIN, END
from tests.conftest import Workbench
from tests.engine.trouble_log import RG, YAML, troubled


class Desk:
    """A store with candidates, and three repositories in which its sessions ran."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.repos = {name: bench.home / "src" / name for name in ("app", "web", "api")}
        for root in self.repos.values():
            (root / ".git").mkdir(parents=True)
        for number in range(8):
            troubled(number, rounds=1 + number % 3).write(bench.home)
        for path in bench.home.rglob("*.jsonl"):
            path.write_text(path.read_text().replace('"/work/', f'"{bench.home}/src/'))
        for name in ("codex", "grok"):
            (bench.home / f".{name}").mkdir()
        bench.sweep()

    def helix(self, *arguments: str, code: int = 0) -> Any:
        done = self.bench.helix(*arguments, check=False)
        assert done.code == code, done.err
        return done

    def pattern(self, name: str) -> str:
        """Approves a candidate and returns the id of its pattern."""
        self.helix("approve", name, "--yes", "--guidance", f"Mind {name}.", "--new")
        (page,) = (self.bench.store / "catalog").glob(f"{name}*.md")
        return page.stem

    def read(self, name: str, file: str = "AGENTS.md") -> str:
        return (self.repos[name] / file).read_text()


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Swept once; each test works on its own copy of the folder, at the same place."""
    folder = tmp_path_factory.mktemp("desk")
    Desk(Workbench(folder))
    shutil.copytree(folder, folder.with_name(f"{folder.name}-kept"), symlinks=True)
    return folder


@pytest.fixture
def desk(swept: Path) -> Desk:
    shutil.rmtree(swept)
    shutil.copytree(swept.with_name(f"{swept.name}-kept"), swept, symlinks=True)
    made = Desk.__new__(Desk)
    made.bench = Workbench(swept)
    made.repos = {name: swept / "home" / "src" / name for name in ("app", "web", "api")}
    return made


class TestWay:
    """Approve, plan, apply, look, edit, retract."""

    def test_from_an_approval_to_the_agents_and_out_again(self, desk: Desk) -> None:
        (desk.repos["app"] / "AGENTS.md").write_text("# App\n")
        name = desk.pattern(RG)
        plan = desk.helix("distribute", "plan", "--json").json
        assert [one["kind"] for one in plan["refusals"]] == ["floors"]
        desk.helix("catalog", "set", name, "--scope", "repo:app, repo:web")
        plan = desk.helix("distribute", "plan", "--json").json
        assert plan["schema"] == "helix.distribute/1"
        actions = {Path(one["file"]).parent.name: one["action"] for one in plan["writes"]}
        assert actions == {"app": "insert", "web": "create"}
        assert plan["writes"][0]["patterns"][0]["rule"] == f"Mind {RG}."
        assert f"+- Mind {RG}." in plan["writes"][0]["diff"]
        desk.helix("distribute", "check", code=3)
        desk.helix("distribute", "apply", code=3)  # nobody can be asked
        assert desk.read("app") == "# App\n"
        desk.helix("distribute", "apply", "--yes")
        assert desk.read("app") == f"# App\n\n{BEGIN}\n- Mind {RG}.\n{END}\n"
        desk.helix("distribute", "check")
        (row,) = desk.helix("distribute", "status", "--json").json["patterns"]
        assert (row["id"], row["version"]) == (name, "1.1.0")
        assert {one["agent"] for one in row["targets"]} == {"claude", "codex", "grok"}
        assert {one["state"] for one in row["targets"]} == {"clean"}
        desk.helix("distribute", "retract", name, "--yes")
        assert desk.read("app") == "# App\n"
        assert not (desk.repos["web"] / "AGENTS.md").exists()
        desk.helix("distribute", "check")
        desk.helix("distribute", "undo", "--yes")
        assert f"- Mind {RG}." in desk.read("web")
        desk.helix("distribute", "undo", "--yes")
        desk.helix("distribute", "undo", "--yes", code=1)
        assert desk.read("app") == "# App\n"

    @pytest.mark.parametrize("verdict", ["undo", "reject"])
    def test_what_is_approved_no_longer_leaves_with_the_next_plan(
        self, desk: Desk, verdict: str
    ) -> None:
        name = desk.pattern(YAML)
        desk.helix("catalog", "set", name, "--scope", "repo:app")
        desk.helix("distribute", "apply", "--yes")
        desk.helix("distribute", "check")
        desk.helix(*(["undo"] if verdict == "undo" else ["reject", name]))
        desk.helix("distribute", "check", code=3)
        desk.helix("distribute", "apply", "--yes")
        assert not (desk.repos["app"] / "AGENTS.md").exists()
        desk.helix("distribute", "check")

    def test_an_edit_by_hand_is_told_and_taken_over(self, desk: Desk) -> None:
        name = desk.pattern(RG)
        desk.helix("catalog", "set", name, "--scope", "repo:app")
        desk.helix("distribute", "apply", "--yes")
        path = desk.repos["app"] / "AGENTS.md"
        path.write_text(path.read_text().replace(f"Mind {RG}.", f"Always mind {RG}!"))
        said = desk.helix("distribute", "plan").out
        assert f"Always mind {RG}!" in said
        assert f"helix distribute accept {name}" in said
        desk.helix("distribute", "check", code=3)
        desk.helix("distribute", "accept", name)
        desk.helix("distribute", "check")
        assert f"rule: Always mind {RG}!" in desk.helix("catalog", "show", name).out

    def test_one_repository_one_pattern_one_agent(self, desk: Desk) -> None:
        for name in (RG, YAML):
            desk.helix("catalog", "set", desk.pattern(name), "--scope", "repo:app, repo:web")
        names = [one["id"] for one in desk.helix("catalog", "list", "--json").json["patterns"]]
        plan = desk.helix(
            *("distribute", "plan", "--repo", "app", "--pattern", names[0], "--agent", "codex"),
            "--json",
        ).json
        (write,) = plan["writes"]
        assert Path(write["file"]).parent.name == "app"
        assert [one["id"] for one in write["patterns"]] == [names[0]]
        desk.helix("distribute", "plan", "--repo", "app", "--user", code=2)
        desk.helix("distribute", "plan", "--pattern", "no-such", code=66)


class TestSetting:
    """`helix catalog set`."""

    def test_says_words_size_and_where_it_may_go(self, desk: Desk) -> None:
        name = desk.pattern(RG)
        told = desk.helix("catalog", "set", name, "--rule", "Use `grep`.", "--rung", "line")
        assert "11 characters, about 3 tokens" in told.out
        assert "may go to: one repository (" in told.out
        shown = desk.helix("catalog", "show", name, "--for", "codex", "--json").json
        assert shown["text"] == "- Use `grep`.\n"
        assert shown["distributable"]["user"] is False
        desk.helix("catalog", "set", name, "--allow", "I know it.")
        assert desk.helix("catalog", "show", name, "--json").json["distributable"]["user"]
        history = desk.helix("catalog", "history", name, "--json").json["versions"]
        assert [one["version"] for one in history] == ["1.0.0", "1.1.0", "1.1.1"]
        desk.helix("catalog", "check")

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("--scope", "elsewhere"),
            ("--rung", "essay"),
            ("--rule", "a\nb\nc"),
            ("--rule", "Say ghp_" + "a1B2" * 9),
        ],
    )
    def test_what_makes_no_sense_changes_nothing(self, desk: Desk, option: str, value: str) -> None:
        name = desk.pattern(RG)
        page = desk.helix("catalog", "show", name).out
        desk.helix("catalog", "set", name, option, value, code=2)
        assert desk.helix("catalog", "show", name).out == page


def test_detect_says_where_a_candidate_might_go(desk: Desk) -> None:
    rows = desk.helix("detect", "--all", "--json").json["candidates"]
    assert all({"repo", "user", "reason"} == one["distributable"].keys() for one in rows)
    assert any(one["distributable"]["repo"] for one in rows)
    assert not any(one["distributable"]["user"] for one in rows)


def test_hooks_of_a_commit_are_named_before(desk: Desk) -> None:
    root = desk.repos["app"]
    shutil.rmtree(root / ".git")
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "Ann"],
        ["config", "user.email", "ann@example.org"],
        ["commit", "-q", "--allow-empty", "-m", "first"],
    ):
        subprocess.run(["git", "-C", str(root), *arguments], check=True)
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    desk.helix("catalog", "set", desk.pattern(RG), "--scope", "repo:app")
    done = desk.helix("distribute", "apply", "--yes", "--commit", "helix-rules")
    assert "the commit will run pre-commit" in done.err
    assert "committed on helix-rules" in done.out
    assert (root / "ran").exists()


def test_uninstall_leaves_no_trace_but_the_store(desk: Desk) -> None:
    settings = desk.bench.home / ".claude" / "settings.json"
    settings.write_text('{"model": "x"}\n')
    desk.helix("catalog", "set", desk.pattern(RG), "--scope", "repo:app")
    desk.helix("distribute", "apply", "--yes")
    desk.helix("hooks", "install", "claude")
    told = desk.helix("uninstall", "--dry-run", "--json").json
    assert [one["action"] for one in told["writes"]] == ["remove"]
    assert [one["flavor"] for one in told["hooks"]] == ["claude"]
    assert BEGIN in desk.read("app")
    desk.helix("uninstall")
    assert settings.read_text() == '{"model": "x"}\n'
    assert not (desk.repos["app"] / "AGENTS.md").exists()
    assert (desk.bench.store / "store.db").exists()
    assert "nothing to take out" in desk.helix("uninstall").out


def test_without_anything_nothing_is_made(bench: Workbench) -> None:
    assert "Nothing is distributed" in bench.helix("distribute", "status").out
    bench.helix("distribute", "check")
    bench.helix("distribute", "plan")
    assert not bench.store.exists()
