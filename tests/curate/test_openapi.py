"""The page for those who write a hub says what is really sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.hub.decisions import body_of, decisions_of, objection
from helix_tui.curate.hub.hub import PERMANENT
from helix_tui.curate.page.pattern import PatternStatus
from helix_tui.schema.candidate import CandidateState
from helix_tui.schema.review import JournalLine, PatternRef, Snapshot
from tests.curate.decision_lines import approve, reject, undo
from tests.curate.json_schema import Checker

DOCS = Path(__file__).parent.parent.parent / "docs"
DOCUMENT: dict[str, Any] = yaml.safe_load((DOCS / "hub.openapi.yaml").read_text())
CHECKER = Checker(DOCUMENT)
OPERATION: dict[str, Any] = DOCUMENT["paths"]["/decisions"]["post"]
BODY: dict[str, Any] = OPERATION["requestBody"]["content"]["application/json"]["schema"]

ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}", fullmatch=True)
counts = st.integers(0, 1 << 40)
times = st.sampled_from(["2026-03-01T00:00:00.000Z", "2026-03-01", "2026-03-01T00:00:00+02:00"])
snapshots = st.builds(
    Snapshot,
    sessions=counts,
    frequency=counts,
    flavors=st.lists(ids, max_size=4),
    repos=counts,
    cost_impact=counts,
    score=st.floats(allow_nan=False, allow_infinity=False),
    state=st.sampled_from(get_args(CandidateState)),
    first_seen=st.none() | times,
    last_seen=st.none() | times,
)
patterns = st.builds(
    PatternRef,
    id=ids,
    version=st.sampled_from(["1.0.0", "0.1.12", "12.3.456"]),
    status=st.sampled_from(get_args(PatternStatus)),
    distribution_ready=st.booleans(),
)
lines = st.builds(
    JournalLine,
    id=ids,
    seq=st.integers(1, 1 << 40),
    at=times,
    author=st.text(max_size=200),
    action=st.sampled_from(["approve", "reject"]),
    candidate=ids,
    note=st.text(),
    snapshot=st.none() | snapshots,
    pattern=st.none() | patterns,
)


@settings(max_examples=80, deadline=None)
@given(line=lines, undoing=lines)
def test_every_body_that_may_leave_is_as_described(line: JournalLine, undoing: JournalLine) -> None:
    taken_back = JournalLine(
        id=undoing.id, seq=2, at=undoing.at, author=undoing.author, action="undo", undoes=line.id
    )
    for decision in decisions_of([line, taken_back]):
        if not objection(decision):
            body = body_of(decision)
            assert body.isascii()
            assert CHECKER.mistakes(json.loads(body), BODY) == []


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_ordinary_bodies_are_as_described(number: int) -> None:
    decision = decisions_of([approve(1), reject(2), undo(3, 1)])[number]
    assert objection(decision) == ""
    assert CHECKER.mistakes(json.loads(body_of(decision)), BODY) == []


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "maybe"},
        {"seq": "1"},
        {"seq": True},
        {"note": "what somebody said"},
        {"id": "../x"},
        {"evidence": {}},
        {"retracts": "a"},
    ],
)
def test_the_description_refuses_what_is_otherwise(change: dict[str, Any]) -> None:
    body = json.loads(body_of(decisions_of([approve(1)])[0]))
    assert CHECKER.mistakes({**body, **change}, BODY)


def test_every_reference_points_somewhere() -> None:
    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if "$ref" in part:
                CHECKER.named(part["$ref"])
            for inner in part.values():
                walk(inner)
        elif isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(DOCUMENT)


def test_says_which_answers_are_final() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    (header,) = OPERATION["parameters"]
    assert (header["name"], header["in"], header["required"]) == (
        "Idempotency-Key",
        "header",
        True,
    )
    told = " ".join(
        f"{status} {answer['description']}"
        for status, answer in OPERATION["responses"].items()
        if "iven up" in answer["description"]
    )
    page = (DOCS / "hub.md").read_text()
    for status in PERMANENT:
        assert str(status) in told
        assert str(status) in page
