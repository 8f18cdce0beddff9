"""Any sequence of sweeps, growth, evictions, pins and cap changes keeps caps and digests."""

from __future__ import annotations

import itertools
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.schema import Digest, Session
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

NAMES = tuple(f"{letter * 8}-0000-4000-8000-000000000000" for letter in "abc")
_numbers = itertools.count()
EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "20"))

name = st.sampled_from(NAMES)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), name),
        st.tuples(st.just("fail"), name),
        st.tuples(st.just("copy"), name),
        st.tuples(st.just("rewrite"), name),
        st.tuples(st.just("pin"), name),
        st.tuples(st.just("unpin"), name),
        st.tuples(st.just("cap"), st.sampled_from(["0", "5000", "12000", "10000000"])),
        st.tuples(st.just("sweep"), st.just("")),
        st.tuples(st.just("retain"), st.just("")),
    ),
    max_size=12,
)


@dataclass
class World:
    """A home that changes, and a store that follows it."""

    bench: Workbench
    logs: dict[str, ClaudeLog] = field(default_factory=dict)
    cap: int = 10_000_000

    def do(self, action: str, what: str) -> None:
        if action in ("grow", "fail"):
            self._grow(what, is_error=action == "fail")
        elif action == "copy" and what in self.logs:
            self.logs[what].write(self.bench.home, project="-z-copy")
        elif action == "rewrite" and what in self.logs:
            # A shorter head makes the file another one: it is read again whole.
            log = self.logs[what]
            log.records[0] = {**log.records[0], "version": "2.1.1"}
            log.write(self.bench.home)
        elif action in ("pin", "unpin") and f"claude:{what}" in self.bench.sessions():
            self.bench.engine().pin(what, is_pinned=action == "pin")
        elif action == "cap":
            self.cap = int(what)
            self.bench.config = self.bench.home / "helix.toml"
            self.bench.config.write_text(
                f"[retention]\nraw_soft_cap_bytes = {what}\nraw_hard_cap_bytes = {what}\n"
            )
        elif action == "sweep":
            report = self.bench.sweep()
            assert report.retention.after.raw <= self.cap
            assert report.retention.plan.data_loss == []
        elif action == "retain":
            assert self.bench.engine().retain(is_dry_run=False).after.raw <= self.cap

    def _grow(self, what: str, *, is_error: bool) -> None:
        log = self.logs.setdefault(what, ClaudeLog(session=what, start=len(self.logs) * 50))
        log.prompt(f"task {len(log.records)}")
        log.step(
            f"run {len(log.records)}",
            "Exit code 1\nError: no" if is_error else "fine",
            is_error=is_error,
        )
        log.write(self.bench.home)


@settings(max_examples=EXAMPLES, deadline=None)
@given(actions=steps)
def test_any_sequence_keeps_the_caps_and_ends_like_an_undisturbed_store(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, str]]
) -> None:
    bench = Workbench(tmp_path_factory.mktemp("property") / str(next(_numbers)))
    world = World(bench)
    world.do("grow", NAMES[0])
    world.do("sweep", "")
    for action, what in [*actions, ("sweep", "")]:
        world.do(action, what)
        assert all(check.is_ok for check in bench.engine().doctor())
        # Raw bytes are gone only where there is a digest.
        for session in bench.sessions().values():
            assert session.is_analyzed
            assert bench.engine().digest(session) is not None
    assert bench.sweep().bytes_read == 0
    undisturbed = bench.store.with_name("undisturbed")
    bench.config = None
    bench.sweep(undisturbed)
    assert seen(bench, bench.store) == seen(bench, undisturbed)
    shutil.rmtree(bench.home.parent)


def seen(bench: Workbench, store: Path) -> dict[str, tuple[object, Digest | None]]:
    """Figures and digests; what was evicted and what the pieces take on disk may differ."""
    engine = bench.engine(store)
    return {
        found.id: (_figures(found), engine.digest(found))
        for found in bench.sessions(store).values()
    }


def _figures(session: Session) -> object:
    return (
        session.events,
        session.prompts,
        session.tool_calls,
        session.tool_errors,
        session.cost,
        session.first_ts,
        session.last_ts,
        session.ended,
        session.outcome,
    )
