"""`helix signature` as scripts and people use it: a line for each message, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.forked import run_helix

FIELDS = ["schema", "class", "subject", "template", "group", "benign"]


def _run(given: bytes, *options: str) -> str:
    ran = run_helix(["signature", *options], {"HOME": "/nowhere"}, given)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def _rows(given: bytes, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _run(given, "--json", *options).splitlines()]


def test_json_has_the_fixed_names() -> None:
    (row,) = _rows(b"bash: line 1: rg: command not found\n")
    assert list(row) == FIELDS
    assert row["schema"] == "helix.signature/1"
    assert (row["class"], row["subject"]) == ("command_not_found", "rg")
    assert (row["template"], row["benign"]) == ("rg: command not found", False)


def test_it_takes_the_options_of_every_command() -> None:
    given = b"bash: rg: command not found\n"
    assert _run(given, "--store", "/nowhere", "--config", "/nowhere/c.toml") == _run(given)


def test_each_message_has_a_line_and_only_lf_parts_them() -> None:
    given = "one\n\ntwo \r\x0b\x0c\x1c\x85\u2028 three\n\x00\nlast".encode()
    rows = _rows(given)
    assert len(rows) == 5
    assert [row["template"] for row in rows] == ["one", "", rows[2]["template"], "", "last"]
    assert len(_run(given).split("\n")) == 6
    assert _rows(b"") == []
    assert len(_rows(b"\n")) == 1
    assert len(_rows(b"a\n")) == len(_rows(b"a")) == 1


def test_with_nul_a_message_has_many_lines() -> None:
    rows = _rows(
        b"Exit code 127\nbash: line 1: jq: command not found\n\0\0TypeError: x\nat y\0", "-0"
    )
    assert [row["subject"] for row in rows] == ["jq", None, None]
    assert [row["template"] for row in rows][1:] == ["", "TypeError: x"]


def test_what_is_the_same_has_one_group() -> None:
    rows = _rows(
        b"bash: rg: command not found\nzsh:1: command not found: rg\nbash: jq: command not found\n"
        b"sent 3 for ann today\nsent 4 for bob today\nsent 5 for eve today\nlost 6 for eve today\n"
    )
    groups = [row["group"] for row in rows]
    assert groups[0] == groups[1] != groups[2]
    assert groups[3] == groups[4] == groups[5] != groups[6]
    assert [row["class"] for row in rows[3:]] == [None] * 4


@pytest.mark.parametrize(
    ("message", "is_benign"),
    [
        ("The user doesn't want to proceed with this tool use. STOP", True),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", True),
        ("exec command rejected by user", True),
        ("User cancelled the execution for tool `a`", True),
        ("[Request interrupted by user for tool use]", True),
        ("ls in '/a' was blocked. For security, only some folders may be listed", True),
        ("Exit code 1", True),
        ("No matches found", True),
        ("", True),
        ("Exit code 2", False),
        ("zsh:1: no matches found: *.py", False),
        ("bash: ./a: Permission denied", False),
        ("Command timed out after 2m", False),
    ],
)
def test_what_is_no_error_is_marked(message: str, is_benign: bool) -> None:
    (row,) = _rows(message.encode() + b"\n")
    assert row["benign"] is is_benign


def test_people_see_columns() -> None:
    shown = _run(b"bash: rg: command not found\nodd 3\nExit code 1\n").splitlines()
    assert [line.split()[1:] for line in shown] == [
        ["error", "command_not_found", "rg", "rg:", "command", "not", "found"],
        ["error", "-", "-", "odd", "<n>"],
        ["benign", "-", "-", "Exit", "code", "1"],
    ]
    assert len({line.index("  error") for line in shown[:2]}) == 1


def test_nothing_in_a_message_steers_the_terminal() -> None:
    shown = _run("red \x1b[31m \x9b1m \u202e bell\x07 \udcff\n".encode("utf-8", "replace"))
    assert not set(shown) & set("\x1b\x9b\u202e\x07")


def test_a_message_of_any_length_is_taken() -> None:
    given = b"error: begin " + b"x" * 3_000_000 + b"\nshort\n"
    rows = _rows(given)
    assert [row["template"][:12] for row in rows] == ["begin xxxxxx", "short"]


@settings(max_examples=8, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_have_as_many_lines_as_messages(given: bytes) -> None:
    messages = given.split(b"\n")
    expected = len(messages) - (messages[-1] == b"")
    assert len(_rows(given)) == expected


def test_actions_have_a_line_each_with_their_shape() -> None:
    given = (
        b'cd web && CI=1 npm test | tail -5\n\n{"name": "Edit", "input": {"file_path": "a.py"}}\n{'
    )
    rows = [json.loads(line) for line in _run(given, "--action").splitlines()]
    assert [row["shape"] for row in rows] == ["cd web && CI= npm run test", "", "Edit {source}", ""]
    assert rows[0] == {
        "schema": "helix.signature/1",
        "shape": "cd web && CI= npm run test",
        "tool": "shell",
        "env": ["CI"],
        "wrappers": [],
        "program": "npm",
        "verb": "run",
        "script": "test",
        "flags": [],
        "kinds": [],
        "folder": "web",
        "filters": ["tail"],
    }
    assert _run(given, "--action", "--json") == _run(given, "--action")
