"""The hook as a program: one line for an event, nothing said, and never a reason to stop."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from helix_tui.memory.hooks.spool import Spool
from helix_tui.schema.memory import SpoolLine
from tests.faults.tmpfs import fill, make_read_only, mounted
from tests.memory.spooling import CLAUDE_END, CODEX_STOP, GROK_COMPACT, HOOK, run_hook


def spooled(store: Path) -> list[SpoolLine]:
    return Spool(store / "spool.jsonl").read()


def assert_silent(done: subprocess.CompletedProcess[bytes]) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("payload", "flavor", "event"),
    [
        (CLAUDE_END, "claude", "SessionEnd"),
        (CODEX_STOP, "codex", "Stop"),
        ({**CODEX_STOP, "transcript_path": None}, "codex", "Stop"),
        ({key: CODEX_STOP[key] for key in CODEX_STOP if key != "turn_id"}, "codex", "Stop"),
        (GROK_COMPACT, "grok", "PreCompact"),
        # Grok, running a hook of Claude Code's settings, with Claude's names beside its own.
        (
            {**GROK_COMPACT, "session_id": "x", "hook_event_name": "PreCompact"},
            "grok",
            "PreCompact",
        ),
    ],
)
def test_tells_the_agent_by_what_it_says(
    tmp_path: Path, payload: dict[str, Any], flavor: str, event: str
) -> None:
    before = int(time.time() * 1000)
    assert_silent(run_hook(tmp_path, payload))
    (line,) = spooled(tmp_path)
    session = payload.get("sessionId") or payload["session_id"]
    assert (line.flavor, line.session, line.event) == (flavor, session, event)
    assert line.path == (payload.get("transcript_path") or "")
    assert before <= line.at <= int(time.time() * 1000)
    assert (tmp_path / "spool.jsonl").stat().st_mode & 0o777 == 0o600


def test_an_agent_that_does_not_tell_is_the_one_that_it_was_installed_for(tmp_path: Path) -> None:
    assert_silent(run_hook(tmp_path, {"session_id": "a"}, "--otherwise", "codex"))
    assert [line.flavor for line in spooled(tmp_path)] == ["codex"]


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe\x00", b"[" * 100_000, {}, {"session_id": 7}],
    ids=repr,
)
def test_what_names_no_session_leaves_no_line(tmp_path: Path, payload: object) -> None:
    assert_silent(run_hook(tmp_path, payload))
    assert list(tmp_path.iterdir()) == []


def test_a_payload_that_is_cut_still_tells_its_session(tmp_path: Path) -> None:
    long = json.dumps({**CODEX_STOP, "last_assistant_message": "x" * (3 << 20)}).encode()
    assert_silent(run_hook(tmp_path, long))
    (line,) = spooled(tmp_path)
    assert (line.flavor, line.session, line.event) == ("codex", CODEX_STOP["session_id"], "Stop")


def test_texts_are_bounded_and_valid(tmp_path: Path) -> None:
    odd = {
        "session_id": "a\0b\ud800\n\u2028",
        "transcript_path": "/" + "é" * 10_000,
        "hook_event_name": "x" * 1000,
    }
    assert_silent(run_hook(tmp_path, odd))
    (line,) = spooled(tmp_path)
    assert line.session == "a\ufffdb\ufffd\n\u2028"
    assert len(line.path) == 4096
    assert len(line.event) == 64
    assert (tmp_path / "spool.jsonl").read_bytes().count(b"\n") == 1


def test_keeps_silent_about_what_helix_itself_causes(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HELIX_INVOKED_BY": "helix"}
    assert_silent(run_hook(tmp_path, env=env))
    run = tmp_path / "memory" / "run"
    run.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(run)
    for cwd in (run, run / "below", link):
        assert_silent(run_hook(tmp_path, {**GROK_COMPACT, "cwd": str(cwd)}))
    assert spooled(tmp_path) == []
    assert_silent(run_hook(tmp_path, {**GROK_COMPACT, "cwd": str(run) + "-other"}))
    assert len(spooled(tmp_path)) == 1


def test_exits_well_without_a_store(tmp_path: Path) -> None:
    assert_silent(run_hook(tmp_path / "gone"))
    assert not (tmp_path / "gone").exists()
    (tmp_path / "file").write_text("")
    assert_silent(run_hook(tmp_path / "file"))
    bare = [sys.executable, "-I", "-S", str(HOOK)]
    for arguments in ([], ["--store"], ["--store", ""], ["--nothing", "x"]):
        done = subprocess.run(
            [*bare, *arguments], input=b"{}", capture_output=True, cwd=tmp_path, check=False
        )
        assert_silent(done)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_exits_well_where_the_store_is_locked(tmp_path: Path) -> None:
    (tmp_path / "spool.jsonl").touch()
    with (tmp_path / "spool.jsonl").open() as spool, (tmp_path / "store.lock").open("w") as store:
        fcntl.flock(spool, fcntl.LOCK_EX)
        fcntl.flock(store, fcntl.LOCK_EX)
        assert_silent(run_hook(tmp_path))
    assert len(spooled(tmp_path)) == 1


def test_exits_well_where_the_disk_is_full_and_tears_no_line(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1M") as disk:
        run_hook(disk)
        whole = (disk / "spool.jsonl").read_bytes()
        filler = fill(disk)
        for number in range(40):  # until the page of the spool itself is full
            assert_silent(run_hook(disk, {**CLAUDE_END, "session_id": f"{number:0200d}"}))
        filled = (disk / "spool.jsonl").read_bytes()
        assert filled.startswith(whole)
        assert filled.endswith(b"\n")
        filler.unlink()
        assert_silent(run_hook(disk, GROK_COMPACT))
        lines = spooled(disk)
        assert len(lines) == filled.count(b"\n") + 1 < 42
        assert lines[-1].flavor == "grok"


def test_exits_well_where_nothing_can_be_written(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1M") as disk:
        make_read_only(disk)
        assert_silent(run_hook(disk))


def test_exits_well_with_stdin_closed_or_never_ending(tmp_path: Path) -> None:
    command = f"exec {sys.executable} -I -S {HOOK} --store {tmp_path} <&-"
    assert_silent(subprocess.run(["sh", "-c", command], capture_output=True, check=False))
    reader, writer = os.pipe()
    try:
        os.write(writer, json.dumps(CLAUDE_END).encode())
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(HOOK), "--store", str(tmp_path)],
            stdin=reader,
            capture_output=True,
            timeout=20,
            check=False,
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert_silent(done)
    assert len(spooled(tmp_path)) == 1


def test_loads_nothing_but_five_modules_of_the_standard_library(tmp_path: Path) -> None:
    program = f"""
import sys
import fcntl, json, os, stat, time
known = set(sys.modules)
sys.path.insert(0, {str(HOOK.parent)!r})
import hook
hook.main(["--store", {str(tmp_path)!r}])
print(",".join(sorted(set(sys.modules) - known - {{"hook", "__future__"}})))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=json.dumps(CLAUDE_END),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
    assert len(spooled(tmp_path)) == 1


def test_starts_a_flush_that_goes_on_by_itself(tmp_path: Path) -> None:
    flusher = tmp_path / "flusher"
    flusher.write_text(
        "#!/bin/sh\n"
        "sleep 1\n"
        'echo "$@ $(cat) $(pwd) $(ps -o sid= -p $$ | tr -d " ") $$" > "$1.part"\n'
        'mv "$1.part" "$1"\n'
    )
    flusher.chmod(0o755)
    said = tmp_path / "said"
    started = time.monotonic()
    done = run_hook(tmp_path, CLAUDE_END, "--flush", str(flusher), str(said), "--spooled")
    took = time.monotonic() - started
    assert_silent(done)
    assert not said.exists(), f"the hook waited for it: {took:.1f} s"
    deadline = time.monotonic() + 20
    while not said.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    words = said.read_text().split()
    assert words[:3] == [str(said), "--spooled", "/"]
    assert words[3] == words[4], "it is in a session of its own"


def test_end_of_a_turn_is_spooled_and_starts_no_flush(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    stop = {**CLAUDE_END, "hook_event_name": "Stop"}
    assert_silent(run_hook(tmp_path, stop, "--flush", "/usr/bin/touch", str(touched)))
    time.sleep(0.2)
    assert not touched.exists()
    assert len(spooled(tmp_path)) == 1


def test_starts_no_flush_for_what_was_not_spooled(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    assert_silent(run_hook(tmp_path, {}, "--flush", "/usr/bin/touch", str(touched)))
    assert_silent(run_hook(tmp_path, CLAUDE_END, "--flush", "/nowhere/program"))
    time.sleep(0.2)
    assert not touched.exists()
    assert len(spooled(tmp_path)) == 1
