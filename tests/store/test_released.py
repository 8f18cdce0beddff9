"""A store of each released schema opens, or says how to go on, and loses nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from helix_tui.store.shape import SCHEMA_VERSION
from tests.conftest import Workbench
from tests.store.released.make import write_home
from tests.store.released.samples import NAMES, OLDER, SESSIONS, unpack

# What follows from whether raw bytes are there; an old digest of evicted ones says less of a gate.
_OF_RAW_BYTES = ("raw", "raw_bytes", "gate")
# What is told by outputs alone is not known of a session whose outputs were gone before.
_OF_OUTPUTS = ("failures", "checks", "left_open")
# From here on digests of what is evicted say it.
_TOLD_OF_OUTPUTS = "0007"
# Where the logs are gone nobody can tell any more; from 0011 on it is kept.
_OF_LOGS = ("agent_version",)
# The outcome follows from them; it stays what it was.
_OF_OUTCOME = ("outcome", "outcome_confidence", "outcome_reason")
# Sessions that were evicted before there was search have no texts; one of them is a sub-agent's.
_UNSEARCHED = ("0002", "0004-without-0003")


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """What this version makes of the logs that the samples were made of."""
    bench = Workbench(tmp_path_factory.mktemp("today"))
    write_home(bench.home)
    bench.sweep()
    return bench


def figures(bench: Workbench) -> dict[str, dict[str, object]]:
    found = {name: msgspec.to_builtins(session) for name, session in bench.sessions().items()}
    return {
        name: {
            key: value
            for key, value in session.items()
            if key not in (*_OF_RAW_BYTES, *_OF_OUTPUTS, *_OF_LOGS, *_OF_OUTCOME)
        }
        for name, session in found.items()
    }


def test_every_schema_has_a_sample() -> None:
    released = {int(name[:4]) for name in NAMES}
    assert released >= set(range(1, SCHEMA_VERSION))


@pytest.mark.parametrize("name", NAMES)
class TestSample:
    """The logs that it was made of are gone: what it holds is nowhere else."""

    @pytest.mark.parametrize("way", ["--sweep", "doctor --repair"])
    def test_is_brought_up_to_date_and_loses_nothing(
        self, bench: Workbench, today: Workbench, name: str, way: str
    ) -> None:
        unpack(name, bench.store)
        assert bench.helix(*way.split(), check=False).code in (0, 1)  # 1: its logs are gone
        bench.sweep()
        assert not list(bench.store.glob("damaged-*"))
        assert figures(bench) == figures(today)
        for session in bench.sessions().values():
            assert bench.engine().digest(session) is not None
            told = (session.failures, session.checks, session.left_open)
            if session.raw == "full":
                assert bench.events(session.id) == today.events(session.id)
                as_today = today.sessions()[session.id]
                assert told == (as_today.failures, as_today.checks, as_today.left_open)
                assert [getattr(session, name) for name in _OF_OUTCOME] == [
                    getattr(as_today, name) for name in _OF_OUTCOME
                ]
            elif name >= _TOLD_OF_OUTPUTS:
                as_today = today.sessions()[session.id]
                assert told == (as_today.failures, as_today.checks, as_today.left_open)
            else:
                assert told == (None, None, None)
                assert session.outcome in ("unknown", today.sessions()[session.id].outcome)
        assert {one.raw for one in bench.sessions().values()} == (
            {"full"} if name == "0001" else {"full", "evicted"}
        )
        assert len(bench.found("lint")) == len(SESSIONS) - (name in _UNSEARCHED)
        assert [check for check in bench.engine().doctor() if not check.is_ok] == []


@pytest.mark.parametrize("name", OLDER)
def test_until_then_everybody_says_what_to_do(bench: Workbench, name: str) -> None:
    unpack(name, bench.store)
    for command in (["sessions"], ["status"], ["detect"], ["--sweep", "--dry-run"]):
        ran = bench.helix(*command, check=False)
        assert (ran.code, "Run `helix --sweep`" in ran.err) == (74, True), ran.err
    said = bench.helix("doctor", check=False)
    assert (said.code, "Run `helix --sweep`" in said.out) == (3, True)


@pytest.mark.parametrize("name", OLDER)
def test_one_that_is_not_as_its_version_left_it_is_repaired(
    bench: Workbench, today: Workbench, name: str
) -> None:
    unpack(name, bench.store)
    _execute(bench.store, "ALTER TABLE session RENAME COLUMN repo TO place")
    ran = bench.helix("--sweep", check=False)
    assert (ran.code, "Run `helix doctor --repair`" in ran.err) == (74, True), ran.err
    assert bench.helix("doctor", check=False).code == 3
    bench.helix("doctor", "--repair")
    bench.sweep()
    assert figures(bench).keys() == figures(today).keys()
    assert [check for check in bench.engine().doctor() if not check.is_ok] == []


def _execute(store: Path, statement: str) -> None:
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        database.execute(statement)
