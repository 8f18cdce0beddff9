"""Programs that are not Helix get its environment without its secrets."""

from __future__ import annotations

import ast
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import helix_tui
from helix_tui import config
from helix_tui.cli import editor as plain_editor
from helix_tui.curate.commit import commit
from helix_tui.program import run_program
from helix_tui.tui import remembering
from helix_tui.tui.screens import editor as editor_screen

SECRET = "hush-4711"
# Helix itself, which tells the hub.
_OWN = {"tui/courier.py", "tui/sweeper.py"}


@pytest.fixture(params=["HELIX_HUB_TOKEN", "MY_TEAMS_HUB"])
def variable(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A variable with the hub's token; the second is one that a configuration names."""
    name: str = request.param
    file = tmp_path / "config.toml"
    file.write_text(f'[hub]\ntoken_env = "{name}"\n')
    config.load(file, tmp_path / "store")
    monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("ORDINARY", "as it was")
    return name


def _shows(folder: Path) -> tuple[list[str], Path]:
    """A program that writes its environment into a file."""
    seen = folder / "seen"
    source = f"import os; open({str(seen)!r}, 'w').write(repr(dict(os.environ)))"
    return [sys.executable, "-I", "-S", "-c", source], seen


def _check(seen: Path) -> None:
    text = seen.read_text()
    assert "as it was" in text
    assert SECRET not in text


@pytest.mark.usefixtures("variable")
def test_a_drafter_or_distiller(tmp_path: Path) -> None:
    command, seen = _shows(tmp_path)
    run_program(command, b"", 20)
    _check(seen)


@pytest.mark.usefixtures("variable")
@pytest.mark.parametrize("run", [remembering._run, editor_screen._run])
def test_an_editor_of_the_workstation(tmp_path: Path, run: object) -> None:
    command, seen = _shows(tmp_path)
    assert callable(run)
    assert run(command) == 0
    _check(seen)


@pytest.mark.usefixtures("variable")
def test_the_editor_of_a_plain_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    class Keys:
        def lent(self) -> object:
            return nullcontext(subprocess.DEVNULL)

    command, seen = _shows(tmp_path)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join(command))
    with (tmp_path / "screen").open("w") as screen:
        assert plain_editor.edited("text\n", "page", Keys(), screen) == "text\n"  # type: ignore[arg-type]
    _check(seen)


@pytest.mark.usefixtures("variable")
def test_a_hook_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "repo"
    root.mkdir()
    for words in (
        ["init", "-q"],
        ["config", "user.name", "J"],
        ["config", "user.email", "j@x.org"],
    ):
        subprocess.run(["git", "-C", str(root), *words], check=True)
    seen = tmp_path / "seen"
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv > {shlex.quote(str(seen))}\n")
    hook.chmod(0o755)
    (root / "page.md").write_text("text\n")
    assert commit(root, [root / "page.md"], "catalog: a page").commit
    _check(seen)


def _starts(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id == "subprocess"
    )


def test_whoever_starts_a_program_says_what_environment_it_gets() -> None:
    """Of the modules that start one, only Helix's own processes inherit everything."""
    root = Path(helix_tui.__file__).parent
    inheriting: set[str] = set()
    for path in root.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and _starts(call.func):
                named = {one.arg for one in call.keywords}
                inheriting |= set() if "env" in named else {path.relative_to(root).as_posix()}
    assert inheriting == _OWN
