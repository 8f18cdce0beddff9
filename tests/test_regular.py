"""Files of others that are none: nobody waits for a pipe, a socket or a device."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helix_tui.errors import StoreError
from helix_tui.regular import open_regular, read_regular, read_regular_text
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        # By a short name: the whole of a long path does not fit.
        before = Path.cwd()
        os.chdir(path.parent)
        made.bind(path.name)
        os.chdir(before)


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": bind,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture(params=sorted(ODD))
def odd(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "odd"
    ODD[request.param](path)
    return path


@pytest.fixture
def all_closed() -> Iterator[None]:
    """Holds that whatever is opened is closed, also where it is refused."""
    before = len(os.listdir("/proc/self/fd"))
    yield
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.usefixtures("all_closed")
def test_what_is_no_file_says_so(odd: Path) -> None:
    for read in (read_regular, read_regular_text):
        with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
            read(odd)


@pytest.mark.usefixtures("all_closed")
def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes("é\r\nb\xff".encode("latin-1"))
    link.symlink_to(file)
    assert read_regular(link) == file.read_bytes()
    assert read_regular(link, 2) == file.read_bytes()[:2]
    assert read_regular_text(link, "replace") == file.read_text("utf-8", errors="replace")
    with pytest.raises(OSError), open_regular(link, follows_links=False):  # noqa: PT011
        pass


SETTINGS = {
    "claude": (".claude/settings.json", ".claude/settings.local.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "grok": (".grok/hooks.json", ".grok/config.toml"),
}


@pytest.mark.parametrize("flavor", sorted(SETTINGS))
def test_a_pipe_in_the_place_of_settings_holds_nobody_up(bench: Workbench, flavor: str) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    for name in SETTINGS[flavor]:
        (bench.home / name).parent.mkdir(exist_ok=True)
        os.mkfifo(bench.home / name)
    bench.helix("--sweep", check=False)
    assert bench.helix("status").code == 0
    assert bench.helix("doctor", check=False).code in (0, 3)
    assert bench.helix("hooks", "status", check=False).code in (0, 3, 74)


def test_hooks_leave_a_pipe_alone_and_say_what_it_is(bench: Workbench) -> None:
    (bench.home / ".claude").mkdir()
    settings = bench.home / ".claude" / "settings.json"
    os.mkfifo(settings)
    for action in ("install", "uninstall"):
        ran = bench.helix("hooks", action, "claude", check=False)
        assert ran.code == 78
        assert "settings.json cannot be read: not a regular file" in ran.err
    assert settings.is_fifo()


def test_a_pipe_among_what_a_person_keeps_is_told(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    bench.helix("--sweep")
    for name in ("memory/daily/2026-02-01.md", "review/journal.jsonl"):
        (bench.store / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(bench.store / name)
    for words in (["compile"], ["detect"], ["undo"]):
        ran = bench.helix(*words, check=False)
        assert ran.code == 74, ran.out + ran.err
        assert "not a regular file" in ran.err


def test_compiling_where_nothing_can_be_written_says_so(unprivileged: Path) -> None:
    bench = Workbench(unprivileged)
    daily = bench.store / "memory" / "daily"
    daily.mkdir(parents=True)
    (daily / "2026-02-01.md").write_text("# 2026-02-01\n")
    knowledge = bench.store / "memory" / "knowledge"
    knowledge.mkdir()
    for folder in (knowledge, bench.store / "memory", bench.store):
        folder.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot be written") as raised:
            bench.engine().memory.compile(is_now=True)
    finally:
        for folder in (bench.store, bench.store / "memory", knowledge):
            folder.chmod(0o700)
    assert raised.value.exit_code == 74
