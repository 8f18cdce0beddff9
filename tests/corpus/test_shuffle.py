"""Copies, other names, other places and another order of sweeps change no figure."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.codex_log import CHILD, CodexLog, compressed
from tests.conftest import Workbench
from tests.corpus.counted import assert_equals_truth, but_for_raw_bytes
from tests.grok_log import GrokLog

LARGEST = 100_000
Copy = Callable[[Path, Path, random.Random], None]


@pytest.fixture
def home(bench: Workbench) -> Path:
    """Logs of ours that have families and, where it is there, the small ones of a real home."""
    real = Path(os.environ.get("HELIX_SHARED", "nowhere"), "corpus", "home").absolute()
    for original in sorted(real.rglob("*")):
        if original.is_file() and original.stat().st_size <= LARGEST:
            copy = bench.home / original.relative_to(real)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(original.read_bytes())
    for folder in bench.home.glob(".grok/sessions/*/*/"):
        if not (folder / "chat_history.jsonl").exists():
            shutil.rmtree(folder)  # its chat was large
    write_families(bench.home)
    return bench.home


def write_families(home: Path) -> None:
    """A session of each agent, with one that goes on from it."""
    claude = ClaudeLog()
    claude.prompt()
    claude.step()
    claude.write(home)
    codex = CodexLog()
    codex.turn()
    codex.prompt()
    codex.step()
    codex.spend(fresh=100, out=10)
    codex.write(home)
    fork = CodexLog(session=CHILD, start=5000, forked_from_id=codex.session)
    fork.replay(codex)
    fork.second += 30
    fork.prompt("another way")
    fork.spend(fresh=50, out=5)
    fork.write(home)
    grok = GrokLog()
    grok.turn("one")
    grok.turn("two")
    grok.write(home)


def copy_codex(home: Path, path: Path, chance: random.Random) -> None:
    """A rollout is archived as well, lies in another day, has another name, is compressed."""
    codex = home / ".codex"
    whole, plain = path.read_bytes(), path.name.removesuffix(".zst")
    choice = chance.randrange(4)
    if choice == 0:
        to = codex / "archived_sessions" / path.name
    elif choice == 1:
        to = codex / "sessions" / "2031" / "01" / "01" / path.name
    elif choice == 2:
        to = path.with_name(f"rollout-2031-01-01T00-00-00-{chance.getrandbits(64):x}-{path.name}")
    else:
        to = path.with_name(f"{plain}.zst")
        whole = whole if path.suffix == ".zst" else compressed(whole)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(whole)


def copy_grok(home: Path, path: Path, chance: random.Random) -> None:
    """A folder that names its session lies under another folder or another name."""
    if not (path / "summary.json").exists():
        return
    above = path.parent if chance.randrange(2) else path.parent.with_name("%2Fanother%2Fplace")
    shutil.copytree(path, above / f"copy-{chance.getrandbits(32):x}")


def copy_claude(home: Path, path: Path, chance: random.Random) -> None:
    """A file lies there in two pieces as well."""
    lines = path.read_bytes().splitlines(keepends=True)
    at = chance.randrange(len(lines) + 1)
    prefix = "" if not path.name.startswith("agent-") else "agent-"
    for number, piece in enumerate((lines[:at], lines[at:])):
        (path.parent / f"{prefix}z-piece{number}-{path.name}").write_bytes(b"".join(piece))


def logs(home: Path) -> list[tuple[Path, Copy]]:
    found: list[tuple[Path, Copy]] = []
    found += [(path, copy_codex) for path in (home / ".codex").rglob("rollout-*.jsonl*")]
    found += [(path, copy_grok) for path in (home / ".grok" / "sessions").glob("*/*/")]
    # An inline sidechain is named after its root: its chain lies in one file.
    found += [
        (path, copy_claude)
        for path in (home / ".claude" / "projects").glob("*/*.jsonl")
        if b'"isSidechain":true' not in path.read_bytes() or path.name.startswith("agent-")
    ]
    return sorted(found, key=lambda log: log[0])


def test_copies_change_no_figure(bench: Workbench, home: Path) -> None:
    bench.sweep()
    before = but_for_raw_bytes(bench, bench.store)
    assert_equals_truth(bench, home)
    chance = random.Random(1)
    for path, copy in logs(home):
        copy(home, path, chance)
    bench.sweep()
    assert but_for_raw_bytes(bench, bench.store) == before
    assert_equals_truth(bench, home)
    at_once = bench.home.parent / "at-once"
    bench.sweep(at_once)
    assert but_for_raw_bytes(bench, at_once) == before
    assert bench.sweep().bytes_read == 0


def test_order_of_arrival_changes_no_figure(bench: Workbench, home: Path, tmp_path: Path) -> None:
    bench.sweep()
    before = but_for_raw_bytes(bench, bench.store)
    shuffled = Workbench(tmp_path / "shuffled")
    arriving = [path for path, _ in logs(home)]
    rest = [path for path in (home / ".claude" / "projects").glob("*/*") if path not in arriving]
    chance = random.Random(2)
    for wave in range(4):
        for path in (*arriving, *rest):
            if chance.randrange(4) <= wave or wave == 3:
                to = shuffled.home / path.relative_to(home)
                to.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    shutil.copytree(path, to, dirs_exist_ok=True)
                else:
                    shutil.copy2(path, to)
        shuffled.sweep()
    assert but_for_raw_bytes(shuffled, shuffled.store) == before


def test_renamed_logs_are_the_same_sessions(bench: Workbench, home: Path) -> None:
    bench.sweep()
    before = but_for_raw_bytes(bench, bench.store)
    for number, (path, copy) in enumerate(logs(home)):
        names_itself = copy is not copy_grok or (path / "summary.json").exists()
        if names_itself and not path.name.startswith("agent-"):
            prefix = "rollout-" if copy is copy_codex else ""
            path.rename(path.with_name(f"{prefix}{number}-{path.name}"))
    bench.sweep()
    assert but_for_raw_bytes(bench, bench.store) == before
    assert_equals_truth(bench, home)
