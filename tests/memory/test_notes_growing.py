"""The rule on a session that grows, event by event, against a second computation of it.

The reference here reads the agents' raw logs for usage, knows nothing of meters and watches, and
starts over at every event.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from helix_tui.memory.notes.rule import decide
from helix_tui.memory.notes.watch import RequestUsage, Watch, follow
from helix_tui.schema import KINDS, StoredEvent
from helix_tui.schema.memory import MemorySettings
from tests.conftest import Workbench

PLACES = {"claude": ".claude/projects/-x", "codex": ".codex/sessions/2026/03/09"}
MODEL = ("reply", "thinking", "tool_call")
pytestmark = pytest.mark.shared


class Known(NamedTuple):
    """What the raw log says was in a request: by message, or by time."""

    by_message: dict[str, int]
    dated: list[tuple[int, int]]


def raw_usage(path: Path) -> Known:
    by_message: dict[str, int] = {}
    dated: list[tuple[int, int]] = []
    total = 0
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        message = record.get("message") or {}
        if record.get("type") == "assistant" and not record.get("isSidechain"):
            usage = message.get("usage") or {}
            names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            size = sum(usage.get(name) or 0 for name in (*names, "output_tokens"))
            if size:
                by_message[message["id"]] = max(size, by_message.get(message["id"], 0))
        payload = record.get("payload") or {}
        if payload.get("type") == "token_count" and payload.get("info"):
            now = payload["info"]["total_token_usage"]["total_tokens"]
            if now != total:
                dated.append((millis(record["timestamp"]), now - total))
            total = now
    return Known(by_message, dated)


def millis(stamp: str) -> int:
    from datetime import datetime

    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


class Step(NamedTuple):
    """An event as the reference sees it."""

    kind: str
    text: str
    message: str | None
    call: str | None
    ts: int
    is_interruption: bool


def context_at(steps: list[Step], known: Known) -> int:
    """The newest usage that is known, and what came behind it; without one, an estimate."""
    best, behind = 0, 0
    start = max((at for at, step in enumerate(steps) if step.kind == "compaction"), default=0)
    for at in range(len(steps) - 1, start - 1, -1):
        step = steps[at]
        size = known.by_message.get(step.message or "")
        if size:
            first = min(n for n, one in enumerate(steps) if one.message == step.message)
            best, behind = size, first + 1
            rest = [one for one in steps[behind:] if one.message != step.message]
            return best + sum(-(-len(one.text) // 4) for one in rest if one.kind != "other")
    now = steps[-1].ts
    dated = [(ts, size) for ts, size in known.dated if ts <= now]
    if dated and (steps[start].kind != "compaction" or dated[-1][0] >= steps[start].ts):
        ts, best = dated[-1]
        rest = [one for one in steps if one.ts > ts]
    else:
        rest = steps[start:]
    return best + sum(-(-len(one.text) // 4) for one in rest if one.kind != "other")


def pending_at(steps: list[Step]) -> bool:
    """Whether the last thing that the model began is not over."""
    for at in range(len(steps) - 1, -1, -1):
        if steps[at].is_interruption:
            return False
        if steps[at].kind == "tool_call":
            break
        if steps[at].kind in MODEL and steps[at].message is not None:
            break
    else:
        return False
    answered = {step.call for step in steps if step.kind == "tool_result"}
    turn = last_turn(steps)
    return any(step.kind == "tool_call" and step.call not in answered for step in turn)


def last_turn(steps: list[Step]) -> list[Step]:
    """What the model last said in one go."""
    spoken = [at for at, step in enumerate(steps) if step.kind in MODEL]
    if not spoken:
        return []
    last = steps[spoken[-1]]
    if last.message:
        return [step for step in steps if step.message == last.message]
    given = [
        at for at, step in enumerate(steps[: spoken[-1]]) if step.kind in ("prompt", "tool_result")
    ]
    return [step for step in steps[given[-1] if given else 0 :] if step.kind in MODEL]


def expected(
    steps: list[Step], known: Known, settings: MemorySettings
) -> Iterator[tuple[bool, int]]:
    """What is to be decided at each event, and the context there."""
    base: int | None = None
    calls = 0
    is_rebuilt = False
    for at in range(len(steps)):
        here = steps[: at + 1]
        size = context_at(here, known)
        calls += steps[at].kind == "tool_call"
        compacted = [n for n, step in enumerate(here) if step.kind == "compaction"]
        if compacted and is_rebuilt is False and compacted[-1] == at:
            is_rebuilt = True
        is_counted = is_rebuilt and any(
            known.by_message.get(step.message or "") for step in here[compacted[-1] :]
        )
        if base is not None:
            # What the agent counted between two events was the context of that moment, too.
            since = steps[at - 1].ts if at else 0
            counted = [tokens for ts, tokens in known.dated if since < ts < steps[at].ts]
            base = size if is_rebuilt else min(base, size, *counted)
        if is_counted:
            is_rebuilt = False
        is_held = pending_at(here)
        if base is None:
            is_due = size >= settings.minimum_tokens_to_init and not is_held
        else:
            turn = last_turn(here)
            is_due = (
                size - base >= settings.minimum_tokens_between_update
                and not is_held
                and (
                    calls >= settings.tool_calls_between_updates
                    or not any(step.kind == "tool_call" for step in turn)
                )
            )
        if is_due:
            base, calls = size, 0
        yield is_due, size


def decided(
    events: list[StoredEvent], known: Known, settings: MemorySettings
) -> Iterator[tuple[bool, int]]:
    """What the rule decides at each event, each update a new watch that goes on from the last."""
    watch, is_begun = Watch(), False
    requests = [RequestUsage(*one) for one in known.dated]
    for event in events:
        before = [one for one in requests if one.ts < (event.ts or 0)]
        behind = [one for one in requests if one.ts == event.ts]
        requests = requests[len(before) + len(behind) :]
        for one in before:
            watch.meter.know(one.tokens)
        follow(watch, [event], known.by_message, behind)
        seen = watch.seen()
        is_due = decide(is_begun, seen, settings).action != "wait"
        yield is_due, seen.context_tokens
        if is_due:
            watch = Watch(watch.meter.updated(), seen.has_calls_in_last_turn)
            is_begun = True


def load(bench: Workbench, shared: Path, flavor: str) -> tuple[list[StoredEvent], Known]:
    (folder,) = (shared / "corpus" / "growing" / flavor).iterdir()
    log = bench.home / PLACES[flavor] / f"{folder.name}.jsonl"
    log.parent.mkdir(parents=True)
    shutil.copyfile(sorted(folder.iterdir())[-1], log)
    bench.sweep()
    reading = bench.engine().open_transcript(bench.session().id)
    return list(reading.stored(0)), raw_usage(log)


@pytest.mark.parametrize("flavor", PLACES)
@pytest.mark.parametrize(
    "limits", [(10_000, 5_000, 3), (2_000, 500, 1), (25_000, 12_000, 8), (30_000, 1, 50)]
)
def test_decides_at_every_event_as_the_raw_log_calls_for(
    bench: Workbench, shared: Path, flavor: str, limits: tuple[int, int, int]
) -> None:
    events, known = load(bench, shared, flavor)
    init, between, calls = limits
    settings = MemorySettings(
        minimum_tokens_to_init=init,
        minimum_tokens_between_update=between,
        tool_calls_between_updates=calls,
    )
    steps = [as_step(event) for event in events]
    found = list(decided(events, known, settings))
    wanted = list(expected(steps, known, settings))
    assert len(found) == len(events)
    differing: list[Any] = [
        (at, KINDS[events[at].kind], one, two)
        for at, (one, two) in enumerate(zip(found, wanted, strict=True))
        if one != two
    ]
    assert differing == []
    assert sum(is_due for is_due, _ in found) > 3


def as_step(event: StoredEvent) -> Step:
    return Step(
        KINDS[event.kind],
        event.text,
        event.message_id,
        event.call_id,
        event.ts or 0,
        event.fault == "interruption",
    )
