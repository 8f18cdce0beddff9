"""A file is there as it was or as it shall be, and nothing is left beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helix_tui.errors import StoreError
from helix_tui.files import durable
from helix_tui.files.durable import remove_durably, remove_leftovers, write_atomically


def ended_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_writes_and_replaces_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_atomically(path, b"one", 0o644)
    write_atomically(path, b"two", 0o644)
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]
    remove_durably(path)
    remove_durably(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o644)])
def test_the_umask_has_its_say(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "a", b"", 0o644)
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_a_link_is_replaced_and_what_it_points_to_stays(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("kept")
    (tmp_path / "a").symlink_to(tmp_path / "target")
    write_atomically(tmp_path / "a", b"new", 0o644)
    assert (tmp_path / "target").read_text() == "kept"
    assert not (tmp_path / "a").is_symlink()


def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for path in (tmp_path / "a", tmp_path / "none" / "b"):
        with pytest.raises(StoreError, match="cannot be written"):
            write_atomically(path, b"x", 0o644)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_leftovers_of_the_dead_go_and_those_of_the_living_stay(tmp_path: Path) -> None:
    dead = tmp_path / f".a.md.{ended_process()}-0.helix~"
    own = tmp_path / f".a.md.{os.getpid()}-999999.helix~"
    living = tmp_path / f".a.md.{os.getppid()}-0.helix~"
    strangers = [tmp_path / ".a.md.swp", tmp_path / "a.md~", tmp_path / ".helix~"]
    for path in (dead, own, living, *strangers):
        path.write_text("half")
    assert sorted(remove_leftovers(tmp_path)) == sorted([dead, own])
    assert sorted(tmp_path.iterdir()) == sorted([living, *strangers])
    os.utime(living, (0, 0))
    assert remove_leftovers(tmp_path) == [living]


def test_a_process_killed_while_writing_leaves_the_old_file_and_a_leftover(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    script = (
        "import os, signal, sys; from pathlib import Path; from helix_tui.files import durable\n"
        "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "durable.write_atomically(Path(sys.argv[1]), b'new', 0o644)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, path], check=False).returncode == -9
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2
    assert len(remove_leftovers(tmp_path)) == 1
    assert not durable._being_written
