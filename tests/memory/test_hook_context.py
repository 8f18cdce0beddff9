"""What a session gets when it starts: notes of its own repository, in its form, or nothing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helix_tui.engine.memory import grok_rules
from helix_tui.engine.memory.hook_status import hook_statuses
from helix_tui.engine.memory.hooks import install_hook, uninstall_hook
from helix_tui.engine.memory.places_of_repos import root_of
from helix_tui.hook import prepared_name, repository_root
from helix_tui.memory.hooks.agents import AGENTS
from helix_tui.memory.hooks.install import entries_in
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall.handed import hand_out, handed_out, note_handed
from helix_tui.schema.recall import HandedBy, HandedOut
from tests.conftest import Workbench
from tests.grok_log import GrokLog
from tests.memory.recalling import Recalling, context_in, repository, run_command, start_of
from tests.memory.spooling import CODEX_STOP

CODEX_START = {
    **{key: CODEX_STOP[key] for key in ("session_id", "transcript_path", "model")},
    "hook_event_name": "SessionStart",
    "permission_mode": "default",
    "source": "startup",
}
_RULES = ".grok/rules/helix-recall.md"


@pytest.fixture
def recalling(bench: Workbench, tmp_path: Path) -> Recalling:
    return Recalling(bench, tmp_path)


def ready(recalling: Recalling, flavor: str = "claude") -> str:
    """Installs, remembers, and gives the command that the agent would run."""
    engine = recalling.bench.engine()
    assert install_hook(engine.config, flavor, True)
    recalling.flush()
    path = AGENTS[flavor].path(engine.config.sources[flavor].roots[0])
    entries = entries_in(path)
    assert "SessionStart" in [entry.event for entry in entries]
    (command,) = {entry.command for entry in entries}
    return command


def test_claude_gets_its_own_repository_within_its_limit(recalling: Recalling) -> None:
    command = ready(recalling)
    for folder, word in recalling.words.items():
        text = context_in(run_command(command, start_of(folder)))
        assert word in text
        assert not any(other in text for other in recalling.words.values() if other != word)
        assert len(text.encode()) <= 4096
        assert "not instructions" in text


def test_codex_gets_the_same_in_the_same_form(recalling: Recalling) -> None:
    command = ready(recalling, "codex")
    start = {**CODEX_START, "cwd": str(recalling.bakery)}
    assert "pumpernickel" in context_in(run_command(command, start))
    (line,) = [one for one in Spool(recalling.bench.store / "spool.jsonl").read() if one.handed]
    assert (line.flavor, line.session) == ("codex", CODEX_START["session_id"])


@pytest.mark.parametrize(
    "changed",
    [
        {"source": "resume"},  # it has it in its context
        {"cwd": "/nowhere/shop"},
        {"cwd": ""},
        {"cwd": 7},
        {"cwd": "relative/shop"},
        {"cwd": "/x\0y"},
        {"hook_event_name": "Stop"},
        {"session_id": ""},
        {"hookEventName": "session_start", "sessionId": "g"},  # Grok runs Claude's hooks
    ],
    ids=str,
)
def test_others_get_nothing(recalling: Recalling, changed: dict[str, Any]) -> None:
    command = ready(recalling)
    assert context_in(run_command(command, start_of(recalling.shop, **changed))) == ""


@pytest.mark.parametrize("trouble", ["torn", "another root", "unreadable", "gone", "huge"])
def test_any_trouble_is_silent(recalling: Recalling, trouble: str) -> None:
    command = ready(recalling)
    path = MemoryPlaces(recalling.bench.store).recall / prepared_name(str(recalling.shop))
    content = path.read_bytes()
    if trouble == "torn":
        path.write_bytes(content[:100])
    elif trouble == "another root":
        path.write_bytes(content.replace(str(recalling.shop).encode(), b"/somewhere"))
    elif trouble == "unreadable":
        path.unlink()
        path.mkdir()
    elif trouble == "gone":
        path.unlink()
    else:
        path.write_bytes(b"[" * 100_000)
    assert context_in(run_command(command, start_of(recalling.shop))) == ""


def test_who_is_compacted_hears_where_its_notes_are(recalling: Recalling) -> None:
    command = ready(recalling)
    start = start_of(recalling.shop, source="compact")
    notes = recalling.bench.store / "memory/notes" / f"claude-{start['session_id']}.md"
    before = {**start, "hook_event_name": "PreCompact", "trigger": "auto"}
    assert run_command(command, before).stdout == b""
    notes.parent.mkdir(parents=True, exist_ok=True)
    notes.write_text("# Notes\n")
    assert str(notes) in run_command(command, before).stdout.decode()
    text = context_in(run_command(command, start))
    assert str(notes) in text
    assert "walnut" in text
    assert len(text.encode()) <= 4096


def test_what_was_handed_out_is_in_the_book_and_asks_for_no_flush(recalling: Recalling) -> None:
    command = ready(recalling)
    run_command(command, start_of(recalling.shop))
    bench = recalling.bench
    bench.helix("--sweep")
    (row,) = handed_out(MemoryPlaces(bench.store))
    assert (row.by, row.flavor, row.repo, row.cwd) == (
        *("hook", "claude", "shop"),
        str(recalling.shop),
    )
    assert row.sources > 0
    assert Spool(bench.store / "spool.jsonl").read() == []
    assert not (bench.store / "memory/agenda.json").exists()


@pytest.mark.parametrize("by", ["mcp", "rules"])
def test_what_was_handed_out_otherwise_is_in_the_book_too(tmp_path: Path, by: HandedBy) -> None:
    places = MemoryPlaces(tmp_path)
    handed = HandedOut(at=7, by=by, flavor="grok", repo="shop", cwd="/x", patterns=["rg"])
    hand_out(places.spool, handed)
    note_handed(places, Spool(places.spool).read())
    assert handed_out(places) == [handed]


def test_a_hook_and_a_sweep_name_the_same_repository(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    bare = tmp_path / "bare.git"
    (bare / "worktrees" / "w").mkdir(parents=True)
    for name, leads_to in {
        "wt": f"{main}/.git/worktrees/wt",
        "relative": "../main/.git/worktrees/relative",
        "of-bare": f"{bare}/worktrees/w",
        "module": f"{main}/.git/modules/m",
        "broken": "",
    }.items():
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / ".git").write_text(f"gitdir: {leads_to}\n" if leads_to else "?")
    (tmp_path / "plain" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(main)
    for folder in [path for path in tmp_path.rglob("*") if path.is_dir()]:
        assert repository_root(str(folder)) == root_of(str(folder)), folder


def test_installed_files_come_back_byte_for_byte(bench: Workbench) -> None:
    for flavor, name in (("claude", "settings.json"), ("codex", "hooks.json")):
        root = bench.home / f".{flavor}"
        root.mkdir()
        before = b'{\r\n  "a": 1.0,  "hooks": {"SessionStart": [ ]}\r\n}'
        (root / name).write_bytes(before)
        config = bench.engine().config
        assert install_hook(config, flavor, True)
        assert not install_hook(config, flavor)  # as it is, with its context
        (status,) = hook_statuses(config, flavor)
        assert (status.alive, status.has_context, status.is_current) == (True, True, True)
        assert uninstall_hook(config, flavor)
        assert (root / name).read_bytes() == before
    assert not (bench.store / "memory/recall").exists()


def test_without_context_the_command_is_as_ever(bench: Workbench) -> None:
    (bench.home / ".claude").mkdir()
    config = bench.engine().config
    install_hook(config, "claude")
    plain = (bench.home / ".claude/settings.json").read_text()
    assert "SessionStart" not in plain
    assert "--context" not in plain
    install_hook(config, "claude", True)
    install_hook(config, "claude", False)
    assert (bench.home / ".claude/settings.json").read_text() == plain
    assert not (bench.store / "memory/recall").exists()


def test_doctor_tells_when_a_session_would_get_nothing(recalling: Recalling) -> None:
    ready(recalling)
    bench = recalling.bench
    told = bench.helix("hooks", "status", "claude").out
    assert "Ready for 3 repositories" in told
    for path in (bench.store / "memory/recall").glob("????????????????*.json"):
        content = json.loads(path.read_text())
        path.write_text(json.dumps({**content, "text": "", "without": ""}))
    assert "would get nothing" in bench.helix("hooks", "status", "claude").out
    assert "would get nothing" in bench.helix("doctor", check=False).out


class TestGrok:
    """Its hooks' output never reaches its model: it has a file of rules in each repository."""

    @pytest.fixture
    def shop(self, bench: Workbench, tmp_path: Path) -> Path:
        shop = repository(tmp_path / "shop")
        from tests.memory.recalling import LATELY

        log = GrokLog(cwd=str(shop), start=LATELY)
        log.prompt("please make the walnut importer work")
        log.write(bench.home)
        (bench.home / ".grok").mkdir(exist_ok=True)
        bench.sweep()
        return shop

    def test_is_written_by_a_sweep_and_taken_out_again(self, bench: Workbench, shop: Path) -> None:
        (shop / ".git/info/exclude").write_bytes(b"# mine\n*.tmp")
        before = tree(shop)
        bench.helix("hooks", "install", "grok", "--context")
        bench.helix("--sweep")
        text = (shop / _RULES).read_text()
        assert "walnut" in text
        assert len(text.encode()) <= 4096
        assert f"\n/{_RULES}\n" in (shop / ".git/info/exclude").read_text()
        assert grok_rules.files(MemoryPlaces(bench.store)) == [f"{shop}/{_RULES}"]
        bench.helix("hooks", "uninstall", "grok")
        assert tree(shop) == before
        assert not (bench.store / "memory/recall").exists()

    def test_leaves_alone_what_somebody_else_wrote(self, bench: Workbench, shop: Path) -> None:
        (shop / _RULES).parent.mkdir(parents=True)
        (shop / _RULES).write_text("mine\n")
        before = tree(shop)
        out = bench.helix("hooks", "install", "grok", "--context").out
        assert "somebody else wrote it" in out
        assert tree(shop) == before

    def test_never_writes_out_of_the_repository(
        self, bench: Workbench, shop: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "elsewhere").mkdir()
        (shop / ".grok").symlink_to(tmp_path / "elsewhere")
        out = bench.helix("hooks", "install", "grok", "--context").out
        assert "it leads to" in out
        assert list((tmp_path / "elsewhere").iterdir()) == []

    def test_git_does_not_see_it(self, bench: Workbench, shop: Path) -> None:
        for name in ("refs", "objects"):
            (shop / ".git" / name).mkdir()
        bench.helix("hooks", "install", "grok", "--context")
        assert (shop / _RULES).exists()
        environ = {"PATH": os.environ["PATH"], "HOME": str(bench.home)}
        seen = subprocess.run(
            ["git", "-C", str(shop), "status", "--short", "-uall"],
            capture_output=True, env=environ, check=True,
        )  # fmt: skip
        assert seen.stdout == b""


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }
