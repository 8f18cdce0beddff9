"""Versions say what changed, and replaced ones stay readable."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.page.mistakes import BadHistoryError
from helix_tui.curate.page.pattern import Excerpt, Hint, Pattern
from helix_tui.curate.page.versions import (
    Change,
    bump,
    change_of,
    compare_versions,
    history_line,
    next_version,
    read_history,
)
from tests.curate.made_patterns import made_evidence, made_pattern

PATTERN = made_pattern()
CHANGES: list[tuple[dict[str, Any], Change]] = [
    ({}, "none"),
    ({"version": "9.0.0"}, "none"),
    ({"provenance": replace(PATTERN.provenance, author="Bob", score=9.0)}, "none"),
    ({"evidence": made_evidence(sessions=13)}, "patch"),
    ({"candidates": [*PATTERN.candidates, "other"]}, "patch"),
    ({"title": "Another"}, "patch"),
    ({"problem": "Another"}, "patch"),
    ({"why": "Another"}, "patch"),
    ({"signal": "another"}, "patch"),
    ({"scope": "repo:another"}, "minor"),
    ({"rung": "skill"}, "minor"),
    ({"rule": "Another"}, "minor"),
    ({"allowed": "Because."}, "patch"),
    ({"guard": "deny"}, "minor"),
    ({"shape": "npm install"}, "minor"),
    ({"excerpts": [Excerpt(session="s", fingerprint="f", text="x")]}, "patch"),
    ({"rendering": {"grok": Hint(wording="Another", target="AGENTS.md")}}, "patch"),
    ({"status": "deprecated"}, "patch"),
    ({"distribution_ready": False}, "patch"),
    ({"related": ["other"]}, "patch"),
    ({"superseded_by": "other"}, "patch"),
    ({"sections": {"Notes": "x"}}, "patch"),
    ({"extra": {"owner": "x"}}, "patch"),
    ({"guidance": "Another"}, "minor"),
    ({"guidance": "Another", "title": "Another"}, "minor"),
    ({"kind": "success"}, "major"),
    ({"error_class": "another"}, "major"),
    ({"subject": "another"}, "major"),
    ({"applies": "Another"}, "major"),
    ({"does_not_apply": "Another", "guidance": "Another"}, "major"),
    ({"rendering": {"grok": Hint(scope=["src/**"])}}, "major"),
]


@pytest.mark.parametrize(("fields", "change"), CHANGES)
def test_a_change_is_worth_what_the_page_on_patterns_says(
    fields: dict[str, Any], change: Change
) -> None:
    assert change_of(PATTERN, replace(PATTERN, **fields)) == change


def test_every_field_is_worth_something() -> None:
    tried = {name for fields, _ in CHANGES for name in fields}
    assert tried | {"id", "supersedes"} == set(Pattern.__struct_fields__)


@pytest.mark.parametrize(
    ("change", "version"),
    [("none", "1.9.9"), ("patch", "1.9.10"), ("minor", "1.10.0"), ("major", "2.0.0")],
)
def test_a_bump_resets_what_is_smaller(change: Change, version: str) -> None:
    assert bump("1.9.9", change) == version


@pytest.mark.parametrize(
    ("by_hand", "becomes"),
    [("1.0.0", "1.1.0"), ("1.0.5", "1.1.0"), ("1.1.0", "1.1.0"), ("3.0.0", "3.0.0")],
)
def test_a_version_raised_enough_by_hand_stays(by_hand: str, becomes: str) -> None:
    after = replace(PATTERN, guidance="Another", version=by_hand)
    assert next_version(PATTERN, after) == becomes


def test_what_did_not_change_keeps_its_version() -> None:
    assert next_version(PATTERN, PATTERN) == PATTERN.version


def test_versions_are_compared_as_numbers() -> None:
    assert compare_versions("1.10.0", "1.9.0") > 0
    assert compare_versions("1.9.0", "1.10.0") < 0
    assert compare_versions("1.9.0", "1.9.0") == 0


@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=4))
def test_history_gives_every_page_back(texts: list[str]) -> None:
    lines = [
        history_line(text, f"1.0.{number}", f"1.0.{number + 1}", "2026-05-31", "Ada\u2028")
        for number, text in enumerate(texts)
    ]
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    entries = read_history("".join(lines))
    assert [entry.text for entry in entries] == texts
    assert [entry.version for entry in entries] == [f"1.0.{n}" for n in range(len(texts))]


def test_bad_lines_of_a_history_are_all_named() -> None:
    good = history_line("page\n", "1.0.0", "1.0.1", "2026-05-31", "Ada")
    text = good + '{"version": 1}\n\n' + good[:20] + "\n" + "[" * 100_000 + "\n"
    with pytest.raises(BadHistoryError) as refused:
        read_history(text, "a")
    assert [line for line, _ in refused.value.mistakes] == [2, 4, 5]
    assert "a.history.jsonl:2: this is no version: " in str(refused.value)
