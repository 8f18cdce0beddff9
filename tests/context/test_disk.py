"""The disk as agents meet it: what cannot be read is told, and never hangs or breaks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helix_tui.context.files import Disk
from helix_tui.context.gather import Asked
from helix_tui.context.simulate import effective_context
from helix_tui.schema.context import AGENTS, AgentName, Context


def context_at(agent: AgentName, folder: Path) -> Context:
    return effective_context(Asked(agent, str(folder), str(folder / "home")), Disk())


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


# What an agent reads that does not read AGENTS.md.
READS = {"gemini": "GEMINI.md"}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_pipe_a_loop_and_a_folder_are_no_files(repo: Path, agent: AgentName) -> None:
    os.mkfifo(repo / READS.get(agent, "AGENTS.md"))
    (repo / "CLAUDE.md").symlink_to(repo / "CLAUDE.md")
    (repo / "CLAUDE.local.md").mkdir()
    (repo / ".claude" / "rules").mkdir(parents=True)
    (repo / ".claude" / "rules" / "again").symlink_to(repo / ".claude" / "rules")
    os.mkfifo(repo / ".claude" / "rules" / "x.md")
    context = context_at(agent, repo)
    assert context.loaded == []
    assert {file.state for file in context.files} <= {"unreadable"}
    assert "unreadable" in [warning.kind for warning in context.warnings]


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_binary_or_huge_is_told(repo: Path, agent: AgentName) -> None:
    (repo / READS.get(agent, "AGENTS.md")).write_bytes(b"\0\1\2" * 100)
    assert "binary" in [warning.kind for warning in context_at(agent, repo).warnings]
    with (repo / READS.get(agent, "AGENTS.md")).open("wb") as file:
        file.truncate(3 << 30)
    context = context_at(agent, repo)
    assert context.files[0].bytes == 3 << 30
    assert context.warnings


def test_codex_loads_no_project_file_where_it_cannot_read_one(unprivileged: Path) -> None:
    (unprivileged / ".git").mkdir()
    (unprivileged / "p").mkdir()
    (unprivileged / "AGENTS.md").write_text("rule")
    (unprivileged / "p" / "AGENTS.md").write_text("secret")
    (unprivileged / "p" / "AGENTS.md").chmod(0)
    context = context_at("codex", unprivileged / "p")
    assert [file.state for file in context.files] == ["off", "unreadable"]


def test_linked_folders_of_rules_are_read_once(repo: Path) -> None:
    rules = repo / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.md").write_text("rule")
    (rules / "loop").symlink_to(rules)
    (rules / "up").symlink_to(repo)
    assert [file.path for file in context_at("claude", repo).loaded] == [str(rules / "a.md")]
