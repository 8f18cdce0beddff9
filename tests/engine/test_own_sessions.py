"""What a distiller's agent says is nobody's session, for every agent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.grok_log import GrokLog

OWN = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


def write(home: Path, flavor: str, cwd: str, session: str) -> None:
    """A short session of an agent that was started in a folder."""
    if flavor == "claude":
        claude = ClaudeLog(session, cwd)
        claude.prompt()
        claude.reply()
        claude.write(home, re.sub("[^A-Za-z0-9]", "-", cwd))
        return
    log = CodexLog(session, cwd) if flavor == "codex" else GrokLog(session, cwd)
    log.prompt()
    log.reply()
    log.write(home)


@pytest.mark.parametrize("flavor", ["claude", "codex", "grok"])
@pytest.mark.parametrize("name", ["store", "st[o]re *?"])
def test_a_session_in_the_run_folder_is_never_captured(
    bench: Workbench, flavor: str, name: str
) -> None:
    bench.store = bench.store.with_name(name)
    run = bench.store / "memory" / "run"
    run.mkdir(parents=True)
    link = bench.store.with_name("link")
    link.symlink_to(bench.store)
    write(bench.home, flavor, str(run), OWN)
    assert bench.sweep().ingested == 0
    assert bench.sessions() == {}
    bench.store = link
    assert bench.sweep().ingested == 0
    write(bench.home, flavor, str(run.parent / "elsewhere"), OTHER)
    assert bench.sweep().ingested == 1
    assert list(bench.sessions()) == [f"{flavor}:{OTHER}"]
