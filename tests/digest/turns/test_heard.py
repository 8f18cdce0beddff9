"""Which words in a log are a person's, whatever way they took."""

from __future__ import annotations

import json

import pytest

from helix_tui.digest.turns.heard import (
    heard_in,
    said_instead_of_result,
    said_while_refusing,
)
from helix_tui.schema import OTHER, PROMPT, REPLY, SYSTEM


def queued(content: str, operation: str = "enqueue") -> str:
    return f"queue-operation: {json.dumps({'operation': operation, 'content': content})}"


@pytest.mark.parametrize(
    "head",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it"
        " was a file edit, the new_string was NOT written to the file). To tell you how to proceed,"
        " the user said:\n",
        "The user doesn't want to proceed with this tool use. The tool use was rejected. The user"
        " provided the following reason for the rejection:  ",
        "Error: User rejected the tool call with feedback: ",
        "exec command rejected by user: ",
    ],
)
def test_words_of_a_refusal_are_told_from_the_harness(head: str) -> None:
    heard = said_while_refusing(f"{head}keep the old name")
    assert heard is not None
    assert (heard.via, heard.text) == ("refusal", "keep the old name")


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. STOP what you are doing and wait.",
        "all good; the user said: hello",
        "",
    ],
)
def test_a_refusal_without_words_says_nothing(text: str) -> None:
    assert said_while_refusing(text) is None


@pytest.mark.parametrize(
    "words",
    ["please copy the icon to the other folder too", "that failed before, so don't run it again"],
)
def test_words_may_stand_alone_in_the_place_of_a_result(words: str) -> None:
    heard = said_instead_of_result(words, "shell", None)
    assert heard is not None
    assert heard.via == "refusal"


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("please copy the icon too", "shell", 1),
        ("please copy the icon too", "read", None),
        ("bash: rg: command not found", "shell", None),
        ("fatal: not a git repository", "shell", None),
        ("Error: the file is not there", "shell", None),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", "edit", None),
        ("String to replace not found in file.", "edit", None),
        ("Pattern not found: the second hunk", "edit", None),
        ("The new text must be other than the old", "edit", None),
        ("no", "shell", None),
        ("one\ntwo words\nthree words\nfour words", "shell", None),
    ],
)
def test_what_programs_and_tools_print_is_nobodys_word(
    text: str, kind: str, code: int | None
) -> None:
    assert said_instead_of_result(text, kind, code) is None


def test_what_is_queued_is_heard_once() -> None:
    heard = heard_in(OTHER, None, queued("use the new branch"), False)
    assert heard is not None
    assert (heard.via, heard.text) == ("queued", "use the new branch")
    assert heard_in(OTHER, None, queued("use the new branch", "remove"), False) is None


@pytest.mark.parametrize(
    "content", ['{"task_id":"b1","description":"tests"}', "<task-notification>x", "", "  "]
)
def test_what_a_client_queues_is_no_turn(content: str) -> None:
    assert heard_in(OTHER, None, queued(content), False) is None


def test_a_damaged_record_of_the_queue_is_no_turn() -> None:
    assert heard_in(OTHER, None, 'queue-operation: {"operation":', False) is None


def test_text_beside_a_result_is_a_turn_and_elsewhere_is_not() -> None:
    heard = heard_in(SYSTEM, "user", "it is in the other folder", True)
    assert heard is not None
    assert heard.via == "beside a result"
    assert heard_in(SYSTEM, "user", "it is in the other folder", False) is None
    assert heard_in(SYSTEM, "user", "<system-reminder>x</system-reminder>", True) is None
    assert heard_in(REPLY, "assistant", "it is in the other folder", True) is None


@pytest.mark.parametrize("kind", [PROMPT, SYSTEM])
def test_a_slash_command_is_a_turn_with_its_arguments(kind: int) -> None:
    text = "<command-name>/plan</command-name>\n<command-args>keep it small</command-args>"
    heard = heard_in(kind, "user", text, False)
    assert heard is not None
    assert (heard.via, heard.command, heard.text) == ("command", "/plan", "keep it small")


def test_commands_of_the_client_ask_for_nothing() -> None:
    assert heard_in(SYSTEM, "user", "<command-name>/clear</command-name>", False) is None
    assert heard_in(PROMPT, "user", "/compact", False) is None


def test_a_path_is_no_command() -> None:
    heard = heard_in(PROMPT, "user", "/work/app/parser.py is wrong", False)
    assert heard is not None
    assert heard.via == "prompt"


def test_what_a_client_makes_of_a_long_session_is_no_turn() -> None:
    text = "This session is being continued from a previous conversation that ran out of context."
    assert heard_in(PROMPT, "user", text, False) is None
