"""What the headless commands load, seen from a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.claude_log import ClaudeLog
from tests.loaded import run


@pytest.mark.parametrize(
    ("arguments", "is_light"),
    [
        (["--help"], True),
        (["--version"], True),
        (["--sweep"], False),
        (["sessions", "--json"], False),
        (["search", "test"], False),
        (["status"], False),
        (["doctor"], False),
    ],
)
def test_headless_commands_never_load_the_workstation(
    tmp_path: Path, arguments: list[str], is_light: bool
) -> None:
    log = ClaudeLog()
    log.prompt()
    log.write(tmp_path)
    store = ["--store", str(tmp_path / "store")]
    assert run(["--sweep", *store], tmp_path)[0] == 0
    code, loaded = run([*arguments, *([] if is_light else store)], tmp_path)
    assert code == 0
    assert "helix_tui" in loaded
    assert "textual" not in loaded
    assert not {"mcp", "pydantic", "anyio"} & set(loaded)
    if arguments == ["--sweep"]:
        # What was never distributed costs a sweep nothing.
        assert not {name for name in loaded if "distribute" in name}
    if is_light:
        assert not loaded & {"peewee", "msgspec", "rich", "zstandard"}


def test_textual_is_installed_so_that_its_absence_means_something() -> None:
    done = subprocess.run([sys.executable, "-c", "import textual"], check=False)
    assert done.returncode == 0
