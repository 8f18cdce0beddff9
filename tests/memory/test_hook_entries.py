"""Our entries in texts of every form: all else survives, character by character."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.memory.hooks.command import MARK
from helix_tui.memory.hooks.entries import (
    HookFileError,
    our_entries,
    with_entries,
    without_entries,
)

COMMAND = f"/bin/sh -c 'python hook.py --store /s' {MARK}"
NEWER = f"/bin/sh -c 'python3 hook.py --store /t' {MARK}"
EVENTS = ("SessionEnd", "PreCompact", "Stop")
OTHERS = '{"matcher": "x", "hooks": [{"type": "command", "command": "echo 1"}]}'

TEXTS = [
    "{}",
    "{}\n",
    "{ }",
    '{"a":1}',
    '{ "a": 1, "b": [] }\n',
    '{\n  "model": "opus",\n  "n": 1e3,\n  "big": 12345678901234567890E+2,\n  "u": "\\u00e9é"\n}',
    '{\r\n\t"a": {\r\n\t\t"b": [1,\r\n2]\r\n\t}\r\n}\r\n',
    '{"a": 1, "a": 2, "hooks": {}, "hooks": {"Stop": []}}',
    '{\n    "hooks": {},\n    "z": null\n}',
    '{\n    "hooks": {\n    }\n}\n',
    f'{{\n  "hooks": {{\n    "Stop": [\n      {OTHERS}\n    ],\n    "PreToolUse": []\n  }}\n}}\n',
    f'{{"hooks":{{"Stop":[{OTHERS}],"SessionEnd":[{OTHERS},{OTHERS}]}}}}',
    '{"hooks": {"Stop": [1, null, {"hooks": 7}, {"hooks": [null, {"command": 3}]}]}}',
    '\n\n  {\n"hooks"\n:\n{\n"Notification"\n:\n[]\n}\n}\n\n',
    '{"deep": ' + "[" * 200 + "]" * 200 + "}",
    '{"long": ' + "9" * 5000 + "}",
    '{"surrogate": "\\ud800", "quote": "\\" { [ , \\\\"}',
]


def without_ours(value: Any) -> Any:
    """A document without our handlers, told from the parsed value alone; empty shells stay out."""
    if isinstance(value, dict):
        if str(value.get("command", "")).endswith(MARK):
            return None
        kept = {key: without_ours(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item is not None} or None
    if isinstance(value, list):
        return [item for item in map(without_ours, value) if item is not None] or None
    return value


def parsed(text: str) -> Any:
    return json.loads(text, parse_int=str, parse_float=str)


@pytest.mark.parametrize("text", TEXTS)
def test_everything_else_survives_byte_for_byte(text: str) -> None:
    after = with_entries(text, COMMAND, EVENTS)
    assert [entry.event for entry in our_entries(after)].count("Stop") == 1
    assert {entry.event for entry in our_entries(after)} == set(EVENTS)
    assert without_ours(parsed(after)) == without_ours(parsed(text))
    left = iter(after)
    assert all(sign in left for sign in text), "a character of the text is gone or has moved"
    assert with_entries(after, COMMAND, EVENTS) == after


@pytest.mark.parametrize("text", TEXTS)
def test_taking_them_out_gives_the_text_back(text: str) -> None:
    after = without_entries(with_entries(text, COMMAND, EVENTS))
    assert our_entries(after) == []
    assert without_ours(parsed(after)) == without_ours(parsed(text))
    if '"Stop": []' not in text and '"hooks": {}' not in text and '"hooks": {\n' not in text:
        assert after in (text, text.replace("{ }", "{}"))


@pytest.mark.parametrize("text", TEXTS)
def test_an_older_entry_is_renewed_where_it_stands(text: str) -> None:
    first = with_entries(text, COMMAND, EVENTS)
    assert with_entries(first, NEWER, EVENTS) == with_entries(text, NEWER, EVENTS)
    assert {entry.command for entry in our_entries(with_entries(first, NEWER, EVENTS))} == {NEWER}


def test_an_event_that_no_longer_counts_loses_its_entry() -> None:
    older = with_entries("{}", COMMAND, (*EVENTS, "SubagentStop"))
    assert with_entries(older, COMMAND, EVENTS) == with_entries("{}", COMMAND, EVENTS)


def test_entries_that_somebody_doubled_become_one() -> None:
    once = with_entries("{}", COMMAND, ["Stop"])
    (group,) = parsed(once)["hooks"]["Stop"]
    twice = json.dumps({"hooks": {"Stop": [group, {"hooks": [group["hooks"][0]] * 2}]}})
    assert len(our_entries(twice)) == 3
    assert len(our_entries(with_entries(twice, COMMAND, ["Stop"]))) == 1


def test_only_our_handler_leaves_a_group_that_holds_others() -> None:
    ours = {"type": "command", "command": COMMAND}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "a"}, ours, {"command": "b"}]}]}})
    after = parsed(without_entries(text))
    assert after == {"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}}


def test_new_entries_are_behind_all_others_and_set_as_they_are() -> None:
    text = f'{{\n    "hooks": {{\n        "Stop": [\n            {OTHERS}\n        ]\n    }}\n}}\n'
    after = with_entries(text, COMMAND, ["Stop"])
    assert after.startswith(text[: text.index(OTHERS) + len(OTHERS)] + ",\n            {\n")
    assert parsed(after)["hooks"]["Stop"][1]["hooks"][0]["command"] == COMMAND


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no valid JSON"),
        ('{"a": 1,}', "no valid JSON"),
        ('{"a": 1} // why', "no valid JSON"),
        ('{"a": NaN}', "no valid JSON"),
        ("[]", "no JSON object"),
        ('{"hooks": []}', '"hooks" in it is no object'),
        ('{"hooks": null}', '"hooks" in it is no object'),
        ('{"hooks": {"Stop": {}}}', '"hooks.Stop" in it is no list'),
        ('{"hooks": {}, "hooks": 3}', '"hooks" in it is no object'),
        ('{"a": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_has_another_shape_is_refused(text: str, reason: str) -> None:
    with pytest.raises(HookFileError, match=reason):
        with_entries(text, COMMAND, EVENTS)


def test_an_empty_file_becomes_a_whole_one() -> None:
    assert with_entries("", COMMAND, EVENTS) == with_entries("{}\n", COMMAND, EVENTS)
    assert with_entries(" \r\n", COMMAND, EVENTS).startswith(" \r\n{")


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
_groups = st.lists(
    st.one_of(
        _values,
        st.fixed_dictionaries(
            {"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=4)}), max_size=2)}
        ),
    ),
    min_size=1,
    max_size=3,
)
_documents = st.tuples(
    st.dictionaries(st.text(max_size=4).filter(lambda key: key != "hooks"), _values, max_size=3),
    st.none() | st.dictionaries(st.sampled_from([*EVENTS, "Other"]), _groups, min_size=1),
).map(lambda pair: pair[0] | ({} if pair[1] is None else {"hooks": pair[1]}))


@given(_documents, st.sampled_from([None, 1, 2, "\t"]), st.booleans(), st.booleans())
def test_any_document_comes_back_as_it_was(
    document: dict[str, Any], indent: int | str | None, is_ascii: bool, has_returns: bool
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=is_ascii)
    text = text.replace("\n", "\r\n") if has_returns else text
    after = with_entries(text, COMMAND, EVENTS)
    assert len(our_entries(after)) == len(EVENTS)
    assert without_ours(parsed(after)) == without_ours(parsed(text))
    assert without_entries(after) == text
