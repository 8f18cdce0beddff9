"""Guards in homes of the three agents: switched on by a person, asked, counted, taken out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helix_tui.engine.guard.firings import fired_by_pattern
from helix_tui.memory.hooks.command import is_guard
from tests.conftest import Workbench
from tests.once import copied, made_once

JQ = "command-not-found-jq-eea67918"
PUSH = "push-rejected-73f775e6"
FILES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "grok": ".grok/hooks/helix.json",
}
CALL: dict[str, Any] = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash"}
SAYS: dict[str, dict[str, Any]] = {
    "claude": {},
    "codex": {"turn_id": "1"},
    "grok": {"sessionId": "s", "hookEventName": "pre_tool_use"},
}
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo checked"}]}


@pytest.fixture(scope="module")
def approved_store(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    def approve(folder: Path) -> None:
        bench = Workbench(folder)
        copied(sample_store, bench.store)
        for name in (JQ, PUSH):
            bench.helix("approve", name, "--yes")

    return made_once(tmp_path_factory, "approved", approve) / "store"


@pytest.fixture
def home(bench: Workbench, approved_store: Path) -> Workbench:
    """A catalog, and agents with hooks of a person's own before calls."""
    copied(approved_store, bench.store)
    bench.home = bench.store / "sample-home"  # where the agents of the sample are
    document = {"hooks": {"PreToolUse": [THEIRS]}, "n": 3}
    (bench.home / FILES["claude"]).write_text(json.dumps(document, indent=4).replace("3", "3e0"))
    theirs = json.dumps(THEIRS).encode()
    (bench.home / FILES["codex"]).write_bytes(b'{\r\n"hooks": {"PreToolUse": [%s]}}' % theirs)
    (bench.home / ".grok/hooks").mkdir()
    (bench.home / ".grok/hooks/mine.json").write_text('{"hooks": {}}')
    return bench


def files(home: Path) -> dict[str, bytes]:
    found = [path for path in sorted(home.rglob("*")) if path.is_file()]
    return {str(path.relative_to(home)): path.read_bytes() for path in found}


def guard_of(path: Path) -> str:
    """The guard's command as an agent finds it: for the shell, behind all others."""
    group = json.loads(path.read_bytes())["hooks"]["PreToolUse"][-1]
    assert group["matcher"] == "Bash"
    (handler,) = group["hooks"]
    assert is_guard(handler["command"])
    command: str = handler["command"]
    return command


def call(home: Workbench, guard: str, command: str, **fields: Any) -> bytes:
    """Runs a guard as an agent does before a command."""
    done = subprocess.run(
        ["/bin/sh", "-c", guard],
        input=json.dumps({**CALL, **fields, "tool_input": {"command": command}}).encode(),
        capture_output=True,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": str(home.home)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def rules(home: Workbench) -> list[dict[str, Any]]:
    path = home.store / "guard/rules.json"
    return json.loads(path.read_bytes())["rules"] if path.exists() else []


def status_of(home: Workbench, flavor: str) -> dict[str, Any]:
    (row,) = home.helix("hooks", "status", flavor, "--json").json["hooks"]
    assert isinstance(row, dict)
    return row


@pytest.mark.parametrize("flavor", FILES)
def test_install_deny_count_uninstall(home: Workbench, flavor: str) -> None:
    before = files(home.home)
    said = home.helix("catalog", "set", JQ, "--guard", "deny")
    assert "guard: deny `jq -r`" in said.out
    assert "3 failed and 0 passed" in said.out
    assert files(home.home) == before
    home.helix("hooks", "install", flavor)
    assert not status_of(home, flavor)["guard"]["installed"]
    assert "--guard` has" in home.helix("hooks", "status", flavor).out
    said = home.helix("hooks", "install", flavor, "--guard")
    assert "answers by 1 rule" in said.out
    row = status_of(home, flavor)
    assert row["guard"] == {"installed": True, "alive": True, "rules": 1}
    assert (row["alive"], row["current"], row["notes"]) == (True, True, [])
    assert row["events"] == ["SessionEnd", "PreCompact", "Stop"]
    assert not home.helix("hooks", "install", flavor, "--json").json["changed"]
    guard = guard_of(home.home / FILES[flavor])
    of_agent = SAYS[flavor]
    denied = call(home, guard, "cat a.json | jq -r .x", **of_agent)
    assert b"use `grep` instead of `jq`." in denied
    assert call(home, guard, "echo 'jq -r'; jq .", **of_agent) == b""
    assert status_of(home, flavor)["spooled"] == 1
    home.helix("flush", "--spooled")
    assert fired_by_pattern(home.store) == {JQ: {f"{flavor}:s": 1}}
    assert not (home.store / "spool.jsonl").exists()
    assert home.helix("hooks", "uninstall", flavor, "--guard", "--json").json["changed"]
    row = status_of(home, flavor)
    assert (row["installed"], row["guard"]["installed"]) == (True, False)
    home.helix("hooks", "install", flavor, "--guard")
    home.helix("uninstall")
    assert files(home.home) == before


def test_only_what_a_person_switched_on_and_never_more_than_the_catalog_says(
    home: Workbench,
) -> None:
    assert rules(home) == []
    home.helix("catalog", "set", JQ, "--guard", "deny", "--scope", "repo:shop")
    (rule,) = rules(home)
    assert (rule["pattern"], rule["shape"], rule["repos"]) == (JQ, "jq -r", ["shop"])
    home.helix("catalog", "set", JQ, "--guard", "ask", "--shape", "jq --raw-output .name x.json")
    (rule,) = rules(home)
    assert (rule["answer"], rule["shape"]) == ("ask", "jq --raw-output {config}")
    page = home.store / "catalog" / f"{JQ}.md"
    page.write_text(page.read_text().replace("guard: ask", "guard: deny"))
    home.helix("discuss", PUSH, "--note", "takes the edit in")
    assert [rule["answer"] for rule in rules(home)] == ["deny"]
    home.helix("catalog", "set", JQ, "--guard", "off")
    assert rules(home) == []
    home.helix("catalog", "set", JQ, "--guard", "deny")
    home.helix("reject", JQ)
    assert rules(home) == []
    home.helix("undo")
    assert len(rules(home)) == 1


def test_a_shape_that_mostly_passes_decides_nothing(home: Workbench) -> None:
    refused = home.helix("catalog", "set", PUSH, "--guard", "deny", check=False)
    assert refused.code == 2
    assert "`git push` does not decide it" in refused.err
    assert "14 failed and 14 passed" in refused.err
    home.helix("catalog", "set", PUSH, "--guard", "ask")
    assert [rule["answer"] for rule in rules(home)] == ["ask"]
    home.helix("hooks", "install", "codex", "--guard")
    assert "codex cannot ask" in home.helix("hooks", "status", "codex").out
    assert call(home, guard_of(home.home / FILES["codex"]), "git push", turn_id="1") == b""
    home.helix("catalog", "set", PUSH, "--guard", "deny", "--shape", "git push --force")
    assert [rule["shape"] for rule in rules(home)] == ["git push --force"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--guard", "forbid"), "cannot 'forbid'"),
        (("--guard", "deny", "--shape", "a && b"), "no one command"),
        (("--guard", "deny", "--scope", "path:src/**, repo:shop"), "some files"),
        (("--shape", "jq"), "--guard"),
    ],
)
def test_what_cannot_be_guarded_is_refused(
    home: Workbench, options: tuple[str, ...], said: str
) -> None:
    done = home.helix("catalog", "set", JQ, *options, check=False)
    assert done.code == 2
    assert said in done.err
    assert rules(home) == []


def test_trouble_passes_for_the_agent_and_is_told_to_the_person(home: Workbench) -> None:
    home.helix("catalog", "set", JQ, "--guard", "deny")
    home.helix("hooks", "install", "claude", "--guard")
    guard = guard_of(home.home / FILES["claude"])
    path = home.store / "guard/rules.json"
    for content in (b"{", b'{"rules":[]}'):
        path.write_bytes(content)
        assert call(home, guard, "jq -r .x") == b""
        row = status_of(home, "claude")
        assert not row["guard"]["alive"]
        assert "lets every call pass" in " ".join(row["notes"])
        doctor = home.helix("doctor", check=False)
        assert str(path) in doctor.out
        assert "helix hooks install claude" in doctor.out
    home.helix("hooks", "install", "claude")
    assert call(home, guard, "jq -r .x") != b""
    settings = home.home / FILES["claude"]
    text = settings.read_text()
    settings.write_text(text.replace("/guard.py", "/gone.py"))
    assert call(home, guard_of(settings), "jq -r .x") == b""
    assert "denies nothing" in " ".join(status_of(home, "claude")["notes"])
    shutil.rmtree(home.store)
    assert call(home, guard, "jq -r .x") == b""
