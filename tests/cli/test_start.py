"""Which words open the workstation at once, and that nothing is loaded for others' sake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helix_tui.cli.start import Opening, opening_of
from tests.conftest import Workbench

_LOADED = (
    "import sys\n"
    "from helix_tui.cli.start import main\n"
    "try:\n    main()\n"
    "except SystemExit as end:\n    print(end.code + 0, 'typer' in sys.modules)\n"
)


@pytest.mark.parametrize(
    ("words", "opening"),
    [
        ("", Opening()),
        ("--demo", Opening(is_demo=True)),
        ("--team --store s", Opening(store=Path("s"), is_team=True)),
        ("--config c.toml --store s", Opening(Path("c.toml"), Path("s"))),
        ("--store s --demo", Opening(store=Path("s"), is_demo=True)),
    ],
)
def test_plain_words_open_it(words: str, opening: Opening) -> None:
    assert opening_of(words.split()) == opening


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["status"],
        ["--store"],
        ["--store", ""],
        ["--store", "-v"],
        ["--store=s"],
        ["--demo", "--team"],
        ["--demo", "--demo"],
        ["--store", "a", "--store", "b"],
        ["--demo", "--sweep"],
        ["--", "--demo"],
        ["-v"],
    ],
    ids=" ".join,
)
def test_all_else_is_for_the_options(words: list[str]) -> None:
    assert opening_of(words) is None


def test_to_open_it_loads_nothing_that_reads_options(bench: Workbench) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, env=bench.environ
    )
    assert done.stdout.split() == ["2", "False"], done.stderr
    assert "the workstation needs a terminal" in done.stderr
