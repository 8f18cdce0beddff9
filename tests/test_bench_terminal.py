"""The terminal of the bench: a real pty in which a key's effect is seen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import bare
from bench.measure import clean_environ
from bench.terminal import Terminal, Unseen


def test_sees_what_a_key_does_and_when(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(bare.__file__))]
    with Terminal(command, clean_environ(tmp_path), size=(60, 10)) as terminal:
        first = terminal.sees("counted 0.", "end of the bare app").since(terminal.began)
        assert 0 < first.ran < first.at
        took = terminal.key("j", lambda one: "counted 1." in one.text)
        assert 0 < took.at < 10
        assert len(terminal.lines) == 10
        assert terminal.lines[-1].startswith("end of the bare app")
        assert terminal.colour_of("counted")
        with pytest.raises(Unseen):
            terminal.sees("never to be seen", seconds=0.05)
    assert terminal.exit_code == 0
