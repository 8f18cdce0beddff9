"""What leaves for the team, and how often (`make team`)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from helix_tui.engine.team.row_files import preview, push_file, write_rows
from helix_tui.schema.signal import Signal
from tests.team.machine import Machine
from tests.team.postgresql import TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
_FACTS = (
    "SELECT uid, hash FROM helix.session ORDER BY uid",
    "SELECT k.uid, bucket, data FROM helix.signal JOIN helix.session_key k USING (key) "
    "ORDER BY 1, 2",
    "SELECT k.uid, data FROM helix.fold JOIN helix.session_key k USING (key) ORDER BY 1",
    "SELECT k.uid, words::text FROM helix.words JOIN helix.session_key k USING (key) ORDER BY 1",
)


def facts(store: TeamStore) -> list[object]:
    """All that was pushed, whoever's it is."""
    return [store.rows(select) for select in _FACTS]


@pytest.fixture
def machine(team_store: TeamStore, tmp_path: Path) -> Machine:
    made = Machine(tmp_path, team_store.member("kim"))
    made.bench.helix("--demo", "--sweep")
    return made


def test_all_arrives_once_however_often_it_is_pushed(
    machine: Machine, team_store: TeamStore
) -> None:
    listed = list(preview(machine.config))
    done = machine.push()
    assert (done.problem, done.held, done.pending) == ("", [], 0)
    sessions = machine.bench.sessions()
    assert done.pushed == len(listed) == len(sessions) > 20
    before = facts(team_store)
    assert {uid for uid, _ in team_store.rows(_FACTS[0])} == {
        f"{name}.{machine.origin}" for name in sessions
    }
    assert machine.push().pushed == 0
    # The record of what was sent is lost: all is sent again, and changes nothing.
    (machine.bench.store / "team" / "outbox.db").unlink()
    again = machine.push()
    assert (again.pushed, again.pending) == (0, 0)
    assert again.size > 0
    assert facts(team_store) == before


def test_signals_arrive_as_they_were(machine: Machine, team_store: TeamStore) -> None:
    machine.push()
    decode = msgspec.json.Decoder(list[Signal]).decode
    pushed = [decode(data) for (data,) in team_store.rows("SELECT data FROM helix.signal")]
    assert sum(map(len, pushed)) > 50


def test_a_file_takes_the_place_of_a_network(
    machine: Machine, team_store: TeamStore, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    written = write_rows(machine.config, path)
    assert facts(team_store)[0] == []
    done = push_file(machine.config, path)
    assert (done.pushed, done.problem) == (written.pushed, "")
    before = facts(team_store)
    assert push_file(machine.config, path).pushed == 0
    machine.push()
    assert facts(team_store) == before


def test_numbers_hold_no_words(team_store: TeamStore, tmp_path: Path) -> None:
    machine = Machine(tmp_path, team_store.member("kim"), share="numbers", names=())
    machine.bench.helix("--demo", "--sweep")
    assert machine.push().problem == ""
    decode = msgspec.json.Decoder(list[Signal]).decode
    for (data,) in team_store.rows("SELECT data FROM helix.signal"):
        for signal in decode(data):
            assert {signal.text, signal.template, signal.failed, signal.before} == {""}
    for (data,) in team_store.rows("SELECT data FROM helix.fold"):
        fold = json.loads(data)
        assert fold.keys() <= {"spent", "messages", "corrections", "runs"}
        assert all(name == "" for name, *_ in fold.get("runs", ()))
    assert set(team_store.rows("SELECT words::text FROM helix.words")) == {("",)}
    assert set(team_store.rows("SELECT repo_name FROM helix.session")) == {(None,)}
