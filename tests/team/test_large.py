"""A bucket of very many conversations is brought up by what changed: as if all of it were read."""

from __future__ import annotations

import os
import random
import time
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helix_tui.detect.keys import bucket
from helix_tui.engine.team.grouping import Grouped, regroup_team
from helix_tui.schema import quality
from helix_tui.schema.large import Large
from helix_tui.schema.quality import DetectSettings
from helix_tui.schema.signal import Signal
from helix_tui.schema.team import TeamRow
from helix_tui.store.detection.candidates import unpack_brief, unpack_candidate
from helix_tui.team.database import TeamDatabase
from helix_tui.team.roles import DERIVED
from helix_tui.text.hashing import hash64
from tests.team.carrying import carrying
from tests.team.made_rows import START, as_bytes, made_row
from tests.team.postgresql import Member, TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
_HOUR = 3_600_000
_numbers = count(1)
_revisions = count(1)
_large = msgspec.msgpack.Decoder(Large).decode
_ALL = ", ".join(
    f"helix.{name}"
    for name in (
        *("session", "session_key", "signal", "fold", "words", "changed", "tombstone"),
        *(name for name in DERIVED if name != "seen"),
    )
)
_steps = st.one_of(
    st.tuples(st.just("push"), st.integers(0, 11), st.integers(0, 10_000)),
    st.tuples(st.just("forget"), st.integers(0, 11), st.just(0)),
    st.tuples(st.just("group"), st.just(0), st.just(0)),
)


@pytest.fixture(scope="module")
def keeper(server: Any) -> Member:
    return TeamStore.made(server, "large").member("kim", is_keeper=True)


def row_of(origin: str, session: int, seed: int) -> TeamRow:
    """A session, of which the seed decides what failed in it, and whose events it repeats."""
    chance = random.Random(seed)
    began = START + chance.randrange(30 * 24) * _HOUR
    row = made_row(origin, f"claude:{session}", revision=next(_revisions), first_ts=began)
    found: dict[str, list[Signal]] = {}
    for signal in _signals(chance, origin, began, session):
        found.setdefault(str(bucket(signal)), []).append(signal)
    row = msgspec.structs.replace(
        row,
        flavor=chance.choice(("claude", "codex")),
        repo=chance.choice(("1111111111111111", "2222222222222222", "3333333333333333")),
        parent=f"claude:{session - 1}.{origin}" if chance.random() < 0.2 else None,
        marks=[chance.randrange(6)] if chance.random() < 0.2 else [],
        profile=msgspec.structs.replace(row.profile, useful_calls=5),
        turns=0 if chance.random() < 0.1 else 8,
        signals=found,
        hash="",
    )
    return msgspec.structs.replace(row, hash=sha256(msgspec.json.encode(row)).hexdigest()[:32])


def _signals(chance: random.Random, origin: str, began: int, session: int) -> list[Signal]:
    found: list[Signal] = []
    for subject in ("yaml", "rich"):
        if chance.random() < 0.8:
            # Few events are common to all: now and then one repeats another's.
            event = chance.randrange(40) if chance.random() < 0.3 else 1000 * session + len(found)
            failed = Signal(
                "env_missing",
                "shell",
                "module_not_found",
                subject,
                count=1 + chance.randrange(3),
                first_ts=began + chance.randrange(_HOUR),
                last_ts=began + _HOUR,
                chars=chance.randrange(4000),
                fingerprints=[hash64(f"{origin} {event}".encode()), event],
                text=f"No module named {subject} {session}",
                shape="uv run pytest",
            )
            found.append(failed)
            if chance.random() < 0.5:
                fixed = f"uv run --with {subject} pytest"
                found.append(
                    msgspec.structs.replace(
                        failed,
                        name="recovery",
                        verb="run with",
                        text=f"$ {fixed}",
                        failed="$ uv run pytest",
                        passed=f"$ {fixed}",
                        change=f"+flag {subject}",
                        tries=2,
                        pairs=9,
                    )
                )
    if chance.random() < 0.8:
        words = chance.choice(("of the east", "of the east", "of the great west"))
        found.append(
            Signal(
                "tool_error",
                "shell",
                template=f"the gate <n> {words} is shut again today",
                first_ts=began + chance.randrange(_HOUR),
                fingerprints=[50_000 + session],
                text=f"the gate 7 {words} is shut again today",
            )
        )
    if chance.random() < 0.5:
        found.append(Signal("interruption", subject="git", first_ts=began, fingerprints=[session]))
    return found


def group(opened: TeamDatabase, *, is_hurried: bool) -> Grouped | None:
    return regroup_team(
        opened, DetectSettings(), int(time.time() * 1000) + 10**12, is_hurried=is_hurried
    )


def shown(opened: TeamDatabase) -> tuple[object, ...]:
    """All that is derived: candidates with figures and excerpts, and what is kept of many."""
    rows = opened.rows(
        "SELECT id, bucket, sessions, brief, data, excerpts FROM helix.candidate "
        "WHERE data IS NOT NULL ORDER BY id, bucket"
    )
    candidates = [
        (*place, brief and unpack_brief(brief), unpack_candidate(data), excerpts)
        for *place, brief, data, excerpts in rows
    ]
    held = opened.rows("SELECT * FROM helix.held ORDER BY bucket, root")
    large = opened.rows("SELECT bucket, data FROM helix.large_bucket ORDER BY bucket")
    return candidates, held, [(name, _large(data)) for name, data in large]


@settings(
    max_examples=int(os.environ.get("HELIX_EXAMPLES", "10")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(_steps, min_size=8, max_size=40), most=st.integers(1, 4))
def test_what_changed_gives_what_all_of_it_gives(
    keeper: Member, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int, int]], most: int
) -> None:
    """Pushed, pushed otherwise, emptied and forgotten in any order, with groupings between."""
    monkeypatch.setattr(quality, "MOST_DRAWN", most)
    origin = f"origin-{next(_numbers)}"
    keeper.store.rows(f"TRUNCATE {_ALL}")
    with carrying(keeper) as carrier, keeper.signed_in() as opened:
        carrier.enrol(origin)
        carrier.take(as_bytes(*(row_of(origin, number, number) for number in range(12))))
        group(opened, is_hurried=False)
        for kind, session, seed in steps:
            if kind == "push":
                carrier.take(as_bytes(row_of(origin, session, seed)))
            elif kind == "forget":
                carrier.bury("session", origin, f"claude:{session}.{origin}")
            else:
                group(opened, is_hurried=True)
        done = group(opened, is_hurried=True)
        assert done is not None
        if not done.waiting:
            changed = shown(opened)
            opened.rows("DELETE FROM helix.note WHERE name = 'grouped'")
            group(opened, is_hurried=False)
            for one, other in zip(changed, shown(opened), strict=True):
                assert one == other
