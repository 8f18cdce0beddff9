"""`helix context`: warnings first, then files in order; and what the agent itself says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Workbench

RULE = "Run the tests with `make test` and never by hand, please.\n"


@pytest.fixture
def repo(bench: Workbench, tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / ".git").mkdir(parents=True)
    (folder / "AGENTS.md").write_text(RULE)
    (bench.home / ".codex").mkdir()
    (bench.home / ".codex" / "AGENTS.md").write_text("Be brief in all that you say.\n")
    return folder


def stand_in(folder: Path, name: str, script: str) -> str:
    """A program of an agent's name on the path; returns that path."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_it_prints_warnings_first_then_files(bench: Workbench, repo: Path) -> None:
    (repo / "AGENTS.override.md").write_text("Other.\n")
    out = bench.helix("context", str(repo)).out
    head, warning, _, first, second, third = out.splitlines()
    assert head.startswith(f"codex in {repo}: 2 files")
    assert warning.startswith("  ! ")
    assert "switched off" in warning
    assert "your own" in first
    assert "AGENTS.override.md" in second
    assert "not loaded: switched off by" in third


def test_json_has_the_fields_of_the_contract(bench: Workbench, repo: Path) -> None:
    found = bench.helix("context", str(repo), "--agent", "codex", "--json", "--text").json
    assert (found["schema"], found["agent"], found["cwd"]) == (
        "helix.context/1",
        "codex",
        str(repo),
    )
    names = {"path", "scope", "bytes", "lines", "tokens", "loaded", "reason", "cut_at", "managed"}
    assert all(names <= file.keys() for file in found["files"])
    assert [file["scope"] for file in found["files"]] == ["user", "project"]
    assert found["text"].endswith(RULE)
    assert found["warnings"] == []


def test_without_an_agent_those_with_a_home_are_shown(bench: Workbench, repo: Path) -> None:
    (bench.home / ".claude").mkdir()
    found = bench.helix("context", str(repo), "--json").json
    assert [found["agent"], *(one["agent"] for one in found["others"])] == ["claude", "codex"]


def test_nothing_is_written_and_a_folder_must_be_there(bench: Workbench, repo: Path) -> None:
    bench.helix("context", str(repo))
    assert not bench.store.exists()
    assert bench.helix("context", str(repo / "none"), check=False).code == 2


def test_a_folder_may_be_named_in_any_way(bench: Workbench, repo: Path) -> None:
    (repo / "p").mkdir()
    found = bench.helix("context", f"{repo}/p/..", "--agent", "codex", "--json").json
    assert found["cwd"] == str(repo)
    assert len(found["files"]) == 2


def test_codex_agrees_or_not(bench: Workbench, repo: Path, tmp_path: Path) -> None:
    own = "Be brief in all that you say."
    said = [{"role": "user", "content": [{"text": f"{own}\n\n--- project-doc ---\n\n{RULE}"}]}]
    path = stand_in(tmp_path / "bin", "codex", f"cat <<'END'\n{json.dumps(said)}\nEND")
    asked = ("context", str(repo), "--agent", "codex", "--verify", "--json")
    assert bench.helix(*asked, PATH=path).json["verified"]["state"] == "agrees"
    (repo / "AGENTS.md").write_text("Something else altogether.\n")
    ran = bench.helix(*asked, PATH=path, check=False)
    assert (ran.code, ran.json["verified"]["state"]) == (3, "disagrees")
    stand_in(tmp_path / "bin", "codex", "exit 2")
    assert bench.helix(*asked, PATH=path).json["verified"]["state"] == "unavailable"


def test_grok_agrees_or_not(bench: Workbench, repo: Path, tmp_path: Path) -> None:
    said = {"projectInstructions": [{"path": str(repo / "AGENTS.md")}]}
    path = stand_in(tmp_path / "bin", "grok", f"cat <<'END'\n{json.dumps(said)}\nEND")
    asked = ("context", str(repo), "--agent", "grok", "--verify")
    assert "agrees" in bench.helix(*asked, PATH=path).out
    (repo / "CLAUDE.md").write_text("More.\n")
    ran = bench.helix(*asked, PATH=path, check=False)
    assert ran.code == 3
    assert "CLAUDE.md is not loaded as the rules say" in ran.out
    assert (
        "no command that tells"
        in bench.helix("context", str(repo), "--agent", "claude", "--verify").out
    )


def test_the_rules_are_those_of_the_version_that_is_asked(
    bench: Workbench, repo: Path, tmp_path: Path
) -> None:
    """This version loads a project only where its folder is trusted, and lists what is off."""
    off = {"path": str(repo / ".claude/rules/a.md"), "disabled": True}
    said = json.dumps({"projectInstructions": [off]})
    script = f'[ "$1" = --version ] && echo "grok 1.0.41 (abc)" && exit\ncat <<\'END\'\n{said}\nEND'
    path = stand_in(tmp_path / "bin", "grok", script)
    asked = ("context", str(repo), "--agent", "grok", "--verify", "--json")
    found = bench.helix(*asked, PATH=path).json
    assert (found["version"], found["verified"]["state"]) == ("1.0.41", "agrees")
    assert found["warnings"][0]["kind"] == "untrusted"


def test_what_stands_further_down_is_listed_behind(bench: Workbench, repo: Path) -> None:
    below = repo / "packages" / "web"
    below.mkdir(parents=True)
    (below / "CLAUDE.md").write_text("Only here.\n")
    found = bench.helix("context", str(repo), "--agent", "claude", "--json").json
    assert found["files"][-1]["path"] == str(below / "CLAUDE.md")
    assert (found["files"][-1]["state"], found["files"][-1]["loaded"]) == ("lazy", False)
    out = bench.helix("context", str(repo), "--agent", "claude").out
    assert f"loaded when a file in {below} is read" in out
