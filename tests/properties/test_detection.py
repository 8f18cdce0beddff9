"""Candidates are blind to the order, cuts and copies in which logs come, and to eviction."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.claude_log import ClaudeLog, moment
from tests.conftest import Workbench
from tests.engine.trouble_log import CORRECTIONS, ERRORS, detected

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "12"))
SESSIONS = tuple(f"{letter * 8}-0000-4000-8000-000000000000" for letter in "abcd")
_numbers = itertools.count()
Log = tuple[ClaudeLog, str]


@st.composite
def logs(draw: st.DrawFn) -> list[Log]:
    """Logs of a few sessions and sub-agents that fail alike, in several folders and branches."""
    made: list[Log] = []
    for number in range(draw(st.integers(2, 5))):
        session = draw(st.sampled_from(SESSIONS))
        agent = draw(st.sampled_from((None, None, "agent1")))
        log = ClaudeLog(
            session=session,
            cwd=draw(st.sampled_from(("/work/app", "/work/web"))),
            branch=draw(st.sampled_from(("main", "fix"))),
            agent=agent,
            start=draw(st.sampled_from((0, 50, 1_000_000))),
        )
        for turn in range(draw(st.integers(1, 5))):
            _step(draw, log, f"{number}-{turn}")
        made.append((log, f"agent-{agent}-log{number}" if agent else f"log{number}"))
    if draw(st.booleans()):
        made.append(_resumed(made[0][0]))
    return made


def _step(draw: st.DrawFn, log: ClaudeLog, name: str) -> None:
    """A prompt, correction, failure or success, each of a uuid that no other file has."""
    kind = draw(st.sampled_from(("task", "correction", "error", "error", "fine", "question")))
    own = {"uuid": f"{log.session[:2]}-{log.agent}-{name}-{log.second}"}
    if kind == "task":
        log.prompt("add a cache to the importer and cover it with tests", **own)
    elif kind == "correction":
        log.prompt(draw(st.sampled_from(CORRECTIONS)), **own)
    elif kind == "question":
        log.reply("Should I also change the schema?", **own)
    else:
        said = draw(st.sampled_from(ERRORS)) if kind == "error" else "fine"
        command = draw(st.sampled_from(("rg x", "make test", "uv run pytest")))
        call = f"call-{name}-{log.session[:2]}-{log.agent}-{log.second}"
        log.call(given={"command": command}, call=call, **own)
        log.result(call, said, is_error=kind == "error", uuid=f"{own['uuid']}-r")


def _resumed(log: ClaudeLog) -> Log:
    """Another session that begins with all of one and goes on."""
    copy = ClaudeLog(session="eeeeeeee-0000-4000-8000-000000000000", cwd=log.cwd)
    copy.records = [{**record, "sessionId": copy.session} for record in log.records]
    copy.second = log.second + 100
    copy.prompt("go on with that", uuid="resumed", timestamp=moment(copy.second))
    return copy, "resumed"


def fresh(folder: Path) -> Workbench:
    """A home in which nearly every session counts, so that some do only when they have grown."""
    bench = Workbench(folder / str(next(_numbers)))
    configure(bench, "")
    return bench


def configure(bench: Workbench, more: str) -> None:
    bench.config = bench.home / "helix.toml"
    bench.config.write_text(
        "[detect.quality]\nmin_events = 4\nmin_tool_calls = 1\nrequire_task = false\n" + more
    )


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(), data=st.data())
def test_any_arrival_ends_as_one_sweep(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("detection")
    at_once, growing = fresh(folder), fresh(folder)
    for log, name in made:
        log.write(at_once.home, name=name)
    at_once.sweep()
    if data.draw(st.booleans(), "evicting"):
        configure(growing, "[retention]\nraw_soft_cap_bytes = 0\nraw_hard_cap_bytes = 0\n")
    arrivals = data.draw(st.permutations([*made, *made]))
    for log, name in arrivals[: data.draw(st.integers(0, len(arrivals)))]:
        path = log.write(growing.home, name=name)
        whole = path.read_bytes()
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
        growing.sweep()
        if data.draw(st.booleans(), "asked between"):
            detected(growing)
    for log, name in data.draw(st.permutations(made)):
        log.write(growing.home, name=name)
    growing.sweep()
    found = detected(growing)
    assert found == detected(at_once)
    assert all(check.is_ok for check in growing.engine().doctor())
    # A copy that sorts behind its original, and sweeps that find nothing, change nothing.
    log, name = data.draw(st.sampled_from(made))
    log.write(growing.home, project="-z-copy", name=name)
    growing.sweep()
    growing.sweep()
    assert detected(growing) == found
    shutil.rmtree(folder)


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(), data=st.data())
def test_forgetting_leaves_what_the_others_give(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("detection")
    bench, without = fresh(folder), fresh(folder)
    for log, name in made:
        log.write(bench.home, name=name)
    bench.sweep()
    listed = sorted(name for name in bench.sessions() if "." not in name)
    if not listed:
        return
    gone = data.draw(st.sampled_from(listed))
    bench.engine().forget(gone)
    for log, name in made:
        if f"claude:{log.session}" != gone:
            log.write(without.home, name=name)
    without.sweep()
    assert json.loads(detected(bench)) == json.loads(detected(without))
    assert gone not in detected(bench)
    assert all(check.is_ok for check in bench.engine().doctor())
    shutil.rmtree(folder)
