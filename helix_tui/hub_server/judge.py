"""Decide whether a request is a decision that can be recorded."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec

MOST_BYTES = 64 << 10
_Id = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,120}\Z")]
_Time = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?\Z", max_length=40
    ),
]


class Decision(msgspec.Struct, frozen=True):
    """What the hub reads of a decision; the bytes that came are kept beside it.

    Fields that are not known are ignored: later versions of Helix add some.
    """

    schema: Literal["helix.decision/1"]
    id: _Id
    candidate: _Id
    verdict: Literal["approved", "rejected", "retracted"]
    at: _Time
    # A database's integer holds no more.
    seq: Annotated[int, msgspec.Meta(ge=1, le=(1 << 63) - 1)]
    author: Annotated[str, msgspec.Meta(max_length=120)] = ""
    retracts: _Id | None = None


class Refusal(NamedTuple):
    """Why a request is not recorded: the status of the answer, and a sentence for a person."""

    status: int
    detail: str


_decoder = msgspec.json.Decoder(Decision)


def judge(key: str, content_type: str, body: bytes) -> Decision | Refusal:
    """The decision that a request brings, or why it is none."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        return Refusal(415, "A decision is sent as application/json.")
    if not key:
        return Refusal(400, "The header Idempotency-Key is missing.")
    if len(body) > MOST_BYTES:
        return Refusal(413, f"A decision has at most {MOST_BYTES:,} bytes.")
    try:
        decision = _decoder.decode(body)
    except msgspec.ValidationError as error:
        return Refusal(422, f"This is no decision: {error}.")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Refusal(400, "The body is not JSON.")
    if decision.id != key:
        return Refusal(422, "The header Idempotency-Key differs from the id in the body.")
    if (decision.verdict == "retracted") != (decision.retracts is not None):
        return Refusal(422, "A retraction, and nothing else, names the decision that it retracts.")
    return decision
