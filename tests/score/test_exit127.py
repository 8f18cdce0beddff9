"""Exit 127 from text: what is stripped, and how results are counted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from score.exit127 import Result, judge, without_code

ORACLE = (sys.executable, str(Path(__file__).with_name("oracle.py")))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Exit code 127\nbash: fd: command not found", "bash: fd: command not found"),
        ("Exit code: 127\nWall time: 1 s\nOutput:\nx", "Wall time: 1 s\nOutput:\nx"),
        ("Wall time: 1 s\nProcess exited with code 127\nOutput:\nx", "Wall time: 1 s\nOutput:\nx"),
        ("exit: 127\nsh: 1: fd: not found", "sh: 1: fd: not found"),
        ("exit status 127", "exit status "),
        ("make: *** [all] Error 127", "make: *** [all] Error "),
        ("error Command failed with exit code 127.", "error Command failed with exit code ."),
        ("listening on 127.0.0.1, row 127", "listening on 127.0.0.1, row 127"),
    ],
)
def test_strips_the_code_and_nothing_else(text: str, left: str) -> None:
    assert without_code(text) == left


def test_strips_the_code_from_metadata() -> None:
    assert "127" not in without_code('{"output":"x","metadata":{"exit_code":127,"seconds":0.1}}')


def test_counts_hits_misses_and_false_alarms(tmp_path: Path) -> None:
    results = [
        Result("codex", "bash: fd: command not found", 127),
        Result("codex", "docs say:\ncommand not found", 1),
        Result("codex", "fd?", 127),
        Result("grok", "all is well", 1),
    ]
    tallies, wrong = judge(results, tmp_path, ORACLE)
    codex = tallies["codex"]
    assert (codex.hits, codex.predicted, codex.true) == (1, 2, 2)
    assert (tallies["grok"].predicted, tallies["grok"].true) == (0, 0)
    assert len(wrong) == 2
