"""Folders further down that have instruction files, looked for within limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.engine.context import below
from helix_tui.engine.context.below import folders_below


def put(top: Path, *names: str) -> None:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("rule")


def found(top: Path) -> list[str]:
    return [folder.removeprefix(f"{top}/") for folder in folders_below(str(top)).folders]


def test_the_nearest_come_first_and_the_top_is_none_of_them(tmp_path: Path) -> None:
    put(tmp_path, "AGENTS.md", "b/c/CLAUDE.md", "a/AGENT.md", "b/readme.md", "d/.claude/rules/x.md")
    assert found(tmp_path) == ["a", "d", "b/c"]


def test_links_hidden_folders_and_other_peoples_code_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "node_modules/x/AGENTS.md", ".hidden/AGENTS.md", "vendor/AGENTS.md", "a/b.txt")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert folders_below(str(tmp_path)) == ([], True)


def test_too_much_is_said_to_be_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, *(f"{number}/AGENTS.md" for number in range(5)))
    monkeypatch.setattr(below, "_MOST_FOLDERS", 3)
    assert folders_below(str(tmp_path)).is_whole is False
    assert len(folders_below(str(tmp_path)).folders) == 3


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    assert folders_below(str(tmp_path / "gone")) == ([], True)
