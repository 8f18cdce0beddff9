"""Made sessions for lists of them."""

from __future__ import annotations

import msgspec

from helix_tui.schema import Cost, Session

_FLAVORS = ("claude", "codex", "grok")
_OUTCOMES = ("success", "failed", "unknown")


def made_session(number: int, **more: object) -> Session:
    flavor = _FLAVORS[number % 3]
    session = Session(
        id=f"{flavor}:{number:08d}-native",
        flavor=flavor,
        native_id=f"{number:08d}-native",
        parent=None,
        repo=f"repo-{number % 5}",
        cwd="/work/app",
        branch="main",
        model="some-model",
        first_ts=1_790_000_000_000,
        last_ts=1_790_000_000_000 - number * 60_000,
        events=10,
        prompts=1,
        tool_calls=4,
        tool_errors=number % 2,
        compactions=0,
        raw_bytes=1_000,
        raw="full",
        ended=None,
        outcome=_OUTCOMES[number % 3],
        outcome_confidence=None,
        outcome_reason=None,
        is_analyzed=True,
        gate=None,
        is_pinned=False,
        cost=Cost(10, 5, usd=number / 10, usd_priced=number / 10),
    )
    return msgspec.structs.replace(session, **more)
