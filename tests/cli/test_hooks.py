"""`helix hooks` on homes of the three agents, with the command that is really installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helix_tui.config import Config, load
from helix_tui.engine.memory.hook_status import check_hooks, hook_statuses
from helix_tui.engine.memory.hooks import install_hook, uninstall_hook
from helix_tui.errors import UsageError
from helix_tui.memory.hooks.entries import HookFileError
from helix_tui.memory.hooks.spool import Spool
from helix_tui.schema import DoctorCheck
from helix_tui.schema.hooks import HookStatus
from tests.conftest import Workbench
from tests.memory.spooling import CLAUDE_END, CODEX_STOP, GROK_COMPACT

FILES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "grok": ".grok/hooks/helix.json",
}
PAYLOADS: dict[str, dict[str, Any]] = {
    "claude": CLAUDE_END,
    "codex": CODEX_STOP,
    "grok": GROK_COMPACT,
}
FLAVORS = tuple(FILES)


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    """Agents whose settings a person has written by hand, each in a style of its own."""
    claude = bench.home / ".claude"
    claude.mkdir()
    theirs = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo checked"}]}
    document = {"model": "opus", "hooks": {"Stop": [theirs], "PreToolUse": [theirs]}, "n": 3}
    (claude / "settings.json").write_text(json.dumps(document, indent=4).replace("3", "3e0"))
    (claude / "settings.json").chmod(0o640)
    codex = bench.home / ".codex"
    codex.mkdir()
    (codex / "hooks.json").write_bytes(
        b'{\r\n"hooks": {"Stop": [%s]}}' % json.dumps(theirs).encode()
    )
    (codex / "config.toml").write_text('notify = ["notify-send", "done"]\n')
    (bench.home / ".grok" / "hooks").mkdir(parents=True)
    (bench.home / ".grok" / "hooks" / "mine.json").write_text('{"hooks": {}}')
    return bench


def snapshot(home: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(home)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def commands_in(path: Path) -> list[str]:
    """The commands of ours that an agent would find, by reading the file as agents do."""
    hooks = json.loads(path.read_bytes())["hooks"]
    found = [
        handler["command"]
        for groups in hooks.values()
        for group in groups
        for handler in group["hooks"]
    ]
    return [command for command in found if command.endswith("helix-hook")]


def fire(command: str, payload: dict[str, Any], home: Path, shell: str = "/bin/sh") -> None:
    """Runs a command as an agent does; what it says or how it ends would be seen by a person."""
    done = subprocess.run(
        [shell, "-c", command],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=home,
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def config_of(bench: Workbench) -> Config:
    return load(bench.config, bench.store, bench.environ)


def status_of(bench: Workbench, flavor: str) -> HookStatus:
    (status,) = hook_statuses(config_of(bench), flavor)
    return status


def check_of(bench: Workbench, flavor: str) -> DoctorCheck:
    (check,) = [item for item in check_hooks(config_of(bench)) if item.name == f"hooks {flavor}"]
    return check


def rows(bench: Workbench) -> dict[str, Any]:
    said = bench.helix("hooks", "status", "--json")
    assert said.json["schema"] == "helix.hooks/1"
    return {row["flavor"]: row for row in said.json["hooks"]}


@pytest.mark.parametrize("flavor", FLAVORS)
def test_install_event_status_uninstall(home: Workbench, flavor: str) -> None:
    before = snapshot(home.home)
    path = home.home / FILES[flavor]
    assert not status_of(home, flavor).installed
    said = home.helix("hooks", "install", flavor)
    assert ("trust" in said.out) == (flavor == "codex")
    row = rows(home)[flavor]
    assert (row["installed"], row["alive"], row["spooled"]) == (True, True, 0)
    assert row["path"] == str(path)
    changed = {name for name, was in snapshot(home.home).items() if before.get(name) != was}
    assert changed <= {FILES[flavor], f"{FILES[flavor]}.helix-backup"}
    command, *same = commands_in(path)
    assert set(same) <= {command}
    assert len(row["events"]) == len(same) + 1
    fire(command, PAYLOADS[flavor], home.home)
    fire(command, PAYLOADS[flavor], home.home)
    assert {name: row["spooled"] for name, row in rows(home).items()} == {
        **dict.fromkeys(FLAVORS, 0),
        flavor: 2,
    }
    as_installed = snapshot(home.home)
    assert not home.helix("hooks", "install", flavor, "--json").json["changed"]
    assert snapshot(home.home) == as_installed
    said = home.helix("hooks", "uninstall", flavor, "--json")
    assert said.json["changed"]
    assert not said.json["hooks"][0]["installed"]
    assert snapshot(home.home) == before
    assert not uninstall_hook(config_of(home), flavor)
    assert snapshot(home.home) == before


def test_all_at_once_in_homes_that_have_nothing(bench: Workbench) -> None:
    config = config_of(bench)
    for flavor in FLAVORS:
        assert install_hook(config, flavor)
    assert [status.alive for status in hook_statuses(config)] == [True] * 3
    for flavor in FLAVORS:
        fire(commands_in(bench.home / FILES[flavor])[0], PAYLOADS[flavor], bench.home)
    spool = Spool(bench.store / "spool.jsonl")
    assert [line.flavor for line in spool.read()] == list(FLAVORS)
    for flavor in FLAVORS:
        assert uninstall_hook(config, flavor)
    assert snapshot(bench.home) == {}
    assert not (bench.home / ".grok" / "hooks").exists()


def test_grok_runs_the_hook_of_claude_code(home: Workbench) -> None:
    install_hook(config_of(home), "claude")
    (command,) = set(commands_in(home.home / FILES["claude"]))
    fire(command, GROK_COMPACT, home.home)
    assert status_of(home, "claude").spooled == 0
    assert status_of(home, "grok").spooled == 1
    assert "Claude" in status_of(home, "grok").notes[0]
    assert check_of(home, "grok").is_ok
    install_hook(config_of(home), "grok")
    # What is the same text in both files is run once by Grok.
    assert set(commands_in(home.home / FILES["grok"])) == {command}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "dash"])
def test_any_shell_of_a_person_runs_it(home: Workbench, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    home.store = home.store.with_name("it's a store")
    install_hook(config_of(home), "codex")
    fire(commands_in(home.home / FILES["codex"])[0], CODEX_STOP, home.home, shell)
    assert len(Spool(home.store / "spool.jsonl").read()) == 1


def test_the_command_outlives_python_helix_and_store(home: Workbench, tmp_path: Path) -> None:
    install_hook(config_of(home), "claude")
    path = home.home / FILES["claude"]
    (command,) = set(commands_in(path))
    whole = path.read_text()
    for broken in (
        command.replace("/python", "/no-python"),
        command.replace("hook.py", "no-hook.py"),
        command.replace(str(home.store), str(tmp_path / "nowhere")),
    ):
        assert broken != command
        fire(broken, CLAUDE_END, home.home)
        path.write_text(whole.replace(json.dumps(command), json.dumps(broken)))
        status = status_of(home, "claude")
        assert (status.installed, status.alive, status.is_current) == (True, False, False)
        assert "helix hooks install claude" in status.todo
        check = check_of(home, "claude")
        assert not check.is_ok
        assert "helix hooks install claude" in check.todo
        assert install_hook(config_of(home), "claude")
        assert path.read_text() == whole


def test_another_store_is_told_and_taken_over(home: Workbench, tmp_path: Path) -> None:
    install_hook(config_of(home), "codex")
    home.store = tmp_path / "other"
    status = status_of(home, "codex")
    assert (status.alive, status.is_current) == (True, False)
    assert "another store" in status.notes[0]
    assert not check_of(home, "codex").is_ok
    install_hook(config_of(home), "codex")
    assert status_of(home, "codex").is_current
    fire(commands_in(home.home / FILES["codex"])[0], CODEX_STOP, home.home)
    assert len(Spool(home.store / "spool.jsonl").read()) == 1


def test_doctor_is_fine_without_hooks_and_with_living_ones(home: Workbench) -> None:
    assert all(check_of(home, flavor).is_ok for flavor in FLAVORS)
    install_hook(config_of(home), "grok")
    checks = {item["name"]: item for item in home.helix("doctor", "--json").json["checks"]}
    assert "alive" in checks["hooks grok"]["detail"]
    assert "not installed" in checks["hooks claude"]["detail"]
    # Where no hook could be installed, having none is fine all the same.
    home.store = home.store.with_name("$store")
    assert check_of(home, "codex").is_ok
    with pytest.raises(UsageError, match="cannot stand"):
        install_hook(config_of(home), "codex")


@pytest.mark.parametrize(
    ("flavor", "file", "setting"),
    [
        ("claude", "settings.local.json", '{"disableAllHooks": true}'),
        ("codex", "config.toml", "[features]\nhooks = false\n"),
    ],
)
def test_hooks_that_are_switched_off_are_dead(
    home: Workbench, flavor: str, file: str, setting: str
) -> None:
    install_hook(config_of(home), flavor)
    assert status_of(home, flavor).alive
    (home.home / f".{flavor}" / file).write_text(setting)
    status = status_of(home, flavor)
    assert (status.installed, status.alive, status.is_current) == (True, False, True)
    assert file in status.notes[0]
    assert "uninstall" in check_of(home, flavor).todo


def test_mistakes_are_told_and_change_nothing(home: Workbench) -> None:
    said = home.helix("hooks", "install", "emacs", check=False)
    assert said.code == 2
    assert "claude, codex, grok" in said.err
    path = home.home / FILES["claude"]
    path.write_text('{"hooks": [],}')
    before = snapshot(home.home)
    said = home.helix("hooks", "install", "claude", check=False)
    assert said.code == 78
    assert str(path) in said.err
    with pytest.raises(HookFileError):
        uninstall_hook(config_of(home), "claude")
    assert snapshot(home.home) == before
    status = status_of(home, "claude")
    assert not status.installed
    assert "no valid JSON" in status.notes[0]
    assert not check_of(home, "claude").is_ok
    config = home.home / "bad.toml"
    config.write_text("[memory]\nflush_on_hook = 3\n")
    assert home.helix("hooks", "status", "--config", str(config), check=False).code == 78


def test_flush_on_hook_stands_in_the_command(home: Workbench) -> None:
    home.config = home.home / "helix.toml"
    home.config.write_text("[memory]\nflush_on_hook = true\n")
    install_hook(config_of(home), "claude")
    (command,) = set(commands_in(home.home / FILES["claude"]))
    assert "helix_tui flush --spooled" in command
    assert f"--config {home.config}" in command
    assert status_of(home, "claude").is_current
    assert status_of(home, "claude").alive
    home.config = None
    assert not status_of(home, "claude").is_current
