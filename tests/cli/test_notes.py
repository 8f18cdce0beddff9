"""`helix notes`: what it prints, and how it ends."""

from __future__ import annotations

from pathlib import Path

from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench
from tests.faults.tmpfs import fill, mounted

SESSION = ClaudeLog().session
NAME = f"claude:{SESSION}"


def write_log(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("mend the parser")
    log.step("pytest -q", "1 passed")
    log.reply("Mended. \x1b[31mred", usage=usage(0, 0, 12_345, 0))
    log.write(bench.home)
    bench.sweep()


def test_written_shown_and_listed(bench: Workbench) -> None:
    write_log(bench)
    assert bench.helix("notes", "--json").json == {"schema": "helix.notes/1", "notes": []}
    assert "no notes yet" in bench.helix("notes").out
    waits = bench.helix("notes", SESSION[:8], "--json").json["notes"][0]
    assert waits["action"] == "waiting"
    assert waits["text"] == ""
    assert "has no notes yet" in bench.helix("notes", SESSION[:8]).out

    done = bench.helix("notes", SESSION[:8], "--now", "--json").json
    assert done["schema"] == "helix.notes/1"
    (row,) = done["notes"]
    assert (row["session"], row["action"], row["reason"]) == (NAME, "written", "asked for")
    assert row["context_tokens"] == 12_345
    assert row["updated_at"].endswith("Z")
    assert Path(row["path"]).is_file()

    (again,) = bench.helix("notes", SESSION[:8], "--now", "--json").json["notes"]
    assert (again["action"], again["updated_at"]) == ("unchanged", row["updated_at"])
    (listed,) = bench.helix("notes", "--json").json["notes"]
    assert (listed["session"], listed["title"]) == (NAME, "mend the parser")
    assert {"path", "action", "reason", "context_tokens", "updated_at"} <= listed.keys()
    shown = bench.helix("notes", SESSION[:8]).out
    assert "# Worklog" in shown
    assert "\x1b" not in shown
    table = bench.helix("notes").out
    assert NAME in table
    assert "12,345" in table
    again_in_words = bench.helix("notes", SESSION[:8], "--now").out
    assert again_in_words.startswith(f"{NAME}: unchanged (nothing new since the last update)")


def test_unknown_session(bench: Workbench) -> None:
    write_log(bench)
    for arguments in (["nobody"], ["nobody", "--now"], ["nobody", "--json"]):
        done = bench.helix("notes", *arguments, check=False)
        assert (done.code, done.out) == (66, "")


def test_now_needs_a_session(bench: Workbench) -> None:
    write_log(bench)
    assert bench.helix("notes", "--now", check=False).code == 2


def test_forgotten_with_its_session(bench: Workbench) -> None:
    write_log(bench)
    bench.helix("notes", SESSION, "--now")
    bench.helix("forget", SESSION)
    assert bench.helix("notes", "--json").json["notes"] == []
    assert list((bench.store / "memory" / "notes").iterdir()) == []


def test_full_disk(bench: Workbench) -> None:
    write_log(bench)
    with mounted(bench.store / "memory", "64k"):
        fill(bench.store / "memory")
        done = bench.helix("notes", SESSION, "--now", check=False)
        assert (done.code, done.out) == (74, "")
        assert "Free some space" in done.err
        assert list((bench.store / "memory").rglob("*.md*")) == []
