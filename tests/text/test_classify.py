"""One failure is one class with one subject, whatever tool, shell or agent tells of it."""

from __future__ import annotations

import re

import pytest

from helix_tui.text.literal import literal_of
from helix_tui.text.signature.classes import MEANINGS, ROWS, ClassRow
from helix_tui.text.signature.classify import classify
from helix_tui.text.signature.signature import signature
from tests.text.more_wordings import SAME as MORE
from tests.text.wordings import MENTIONS, SAME

SAYINGS = [
    (name, subject, line) for name, subject, lines in SAME + MORE for line in lines.split("\n")
]


@pytest.mark.parametrize(("name", "subject", "line"), SAYINGS)
def test_a_failure_has_one_class_and_subject_however_it_is_said(
    name: str, subject: str, line: str
) -> None:
    assert classify(line) == (name, subject)
    assert signature(line, "shell")[3:] == (name, subject)


@pytest.mark.parametrize("line", MENTIONS)
def test_what_only_speaks_of_an_error_has_no_class(line: str) -> None:
    assert classify(line) == ("", "")


def test_every_class_is_explained_and_can_be_told() -> None:
    assert {row.name for row in ROWS} == set(MEANINGS)
    assert all(re.fullmatch(r"[a-z]+(?:_[a-z]+)*", name) for name in MEANINGS)
    assert {"command_not_found", "module_not_found", "file_not_found"} <= MEANINGS.keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.pattern[:30]}")
def test_a_row_of_the_table_is_sound(row: ClassRow) -> None:
    pattern = re.compile(row.pattern, re.IGNORECASE)
    assert not row.word or row.word in row.pattern.lower().replace("(?:", "")
    assert re.fullmatch("[a-z]*", row.word)
    assert not (row.subject and "s" in pattern.groupindex)
    # A quantifier without a bound could make a text slow.
    plain = re.sub(r"\\.", "", row.pattern)
    assert not re.search(r"[*+](?!\+)|\{\d+,\}", re.sub(r"\[[^]]*\]|\{\d+,\d+\}\+", "", plain))


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"^a{1,3}bc(?:d|e) f gh\b", " f gh"),
        (r"no such (?:x)?file\.?$", "no such "),
        (r"ab[\]c]def", "def"),
        (r"^(?:one|two)$", ""),
        (r"one two|three", ""),
        (r"Error\[E\d\]: ", "error[e"),
        (r"colou?r red", "r red"),
    ],
)
def test_a_literal_is_in_every_match_of_its_pattern(pattern: str, literal: str) -> None:
    assert literal_of(pattern) == literal


GONE = "execution error: No such file or directory (os error 2)"
COMMANDS = [
    ("rg -n x src", "rg"),
    ('["rg","-n","x"]', "rg"),
    ('["bash","-lc","cd /app && rg -n x"]', "rg"),
    ("bash -lc 'rg --files | head'", "rg"),
    ("FOO=1 BAR='a b' rg x", "rg"),
    ("sudo -E rg x", "sudo"),
    ("timeout 10 rg x", "timeout"),
    ("time rg x", "rg"),
    ("cd /app && rg x", "rg"),
    ("cd /app; export A=1; rg x | wc -l", "rg"),
    ("set -e\nrg x", "rg"),
    ("bash ./run.sh --fast", "run.sh"),
    ("(rg x)", "rg"),
    ("", ""),
    ("cd /app", ""),
]


@pytest.mark.parametrize(("command", "program"), COMMANDS)
def test_a_program_that_an_error_does_not_name_is_taken_from_the_command(
    command: str, program: str
) -> None:
    assert classify(GONE, "shell", None, command) == ("command_not_found", program)


def test_an_exit_code_tells_a_missing_program_where_nothing_was_said() -> None:
    assert classify("", "shell", 127, "rg x") == ("command_not_found", "rg")
    assert classify("Exit code 127", "shell", 127, "rg x") == ("command_not_found", "rg")
    assert classify("", "shell", 127) == ("", "")
    assert classify("", "shell", 1, "rg x") == ("", "")
    assert classify("something odd", "shell", 127, "rg x") == ("", "")
