"""What the hub takes for a decision, and what it answers to all else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.hub_server.judge import MOST_BYTES, Decision, Refusal, judge
from tests.curate.decision_lines import approve, reject, undo

FIELDS: dict[str, Any] = {
    "schema": "helix.decision/1",
    "id": "k1",
    "candidate": "module-not-found-pytest-1a2b3c4d",
    "verdict": "approved",
    "at": "2026-03-01T09:30:00.000Z",
    "seq": 12,
}


def judged(
    key: str = "k1", kind: str = "application/json", **changed: object
) -> Decision | Refusal:
    fields = {name: value for name, value in {**FIELDS, **changed}.items() if value is not None}
    return judge(key, kind, json.dumps(fields).encode())


def test_takes_what_the_client_sends() -> None:
    for decision in decisions_of([approve(1, "a"), reject(2, "b"), undo(3, 1)]):
        taken = judge(decision.id, "application/json", body_of(decision).encode())
        assert isinstance(taken, Decision)
        assert (taken.id, taken.verdict) == (decision.id, decision.verdict)


def test_ignores_fields_that_it_does_not_know() -> None:
    assert isinstance(judged(later={"more": [1]}), Decision)
    assert isinstance(judged(kind="Application/JSON; charset=utf-8"), Decision)


@pytest.mark.parametrize(
    ("status", "changed"),
    [
        (415, {"kind": "text/plain"}),
        (415, {"kind": ""}),
        (400, {"key": ""}),
        (422, {"key": "k2"}),
        (422, {"verdict": "maybe"}),
        (422, {"verdict": "retracted"}),
        (422, {"retracts": "k0"}),
        (422, {"candidate": "../../etc/passwd"}),
        (422, {"candidate": "a\n"}),
        (422, {"at": "yesterday"}),
        (422, {"seq": 0}),
        (422, {"seq": 1 << 70}),
        (422, {"seq": "1"}),
        (422, {"schema": "helix.decision/2"}),
        (422, {"author": "x" * 121}),
        (422, {"id": None}),
        (413, {"more": "x" * MOST_BYTES}),
    ],
)
def test_says_what_is_wrong(status: int, changed: dict[str, Any]) -> None:
    refused = judged(**changed)
    assert isinstance(refused, Refusal)
    assert refused.status == status
    assert refused.detail.endswith(".")


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(body: bytes) -> None:
    answer = judge("k1", "application/json", body)
    assert isinstance(answer, Decision) or answer.status in (400, 422)


def test_what_is_nested_deeply_is_refused() -> None:
    assert judge("k1", "application/json", b"[" * 60_000).status in (400, 422)  # type: ignore[union-attr]
