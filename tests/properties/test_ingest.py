"""Ingest is idempotent and blind to file order, to how growth is cut, and to copies."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.claude_log import ClaudeLog, moment, usage
from tests.conftest import Workbench
from tests.properties.outcomes import Outcome, fresh, outcome
from tests.truth.claude_counter import count_home

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "12"))

SESSIONS = ("aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000")
MESSAGES = st.sampled_from(("m1", "m2", "m3", "m4"))

Log = tuple[ClaudeLog, str]


@st.composite
def logs(draw: st.DrawFn, has_conflicts: bool = False) -> list[Log]:
    """A few logs of two sessions and their sub-agents that share messages and go back in time.

    A file may hold both sessions, inline sidechains, and records without a uuid. With conflicts,
    files may say different things under one uuid.
    """
    made: list[Log] = []
    for number in range(draw(st.integers(1, 3))):
        agent = draw(st.sampled_from((None, None, "agent1")))
        log = ClaudeLog(session=draw(st.sampled_from(SESSIONS)), agent=agent)
        for _ in range(draw(st.integers(1, 7))):
            if draw(st.integers(0, 3)) == 0:
                log.session = draw(st.sampled_from(SESSIONS))
            _step(draw, log, f"log{number}", f" in {number}" if has_conflicts else "")
        made.append((log, f"log{number}"))
    return made


def _step(draw: st.DrawFn, log: ClaudeLog, name: str, said: str) -> None:
    kinds = ("prompt", "reply", "step", "meta", "mode", "progress", "bare", "inline")
    kind = draw(st.sampled_from(kinds))
    # A uuid names one record: in several files of a session it is a copy, and says the same.
    number = draw(st.integers(0, 9))
    uuid = f"u{number}-{log.session[:2]}-{log.agent}-{kind}"
    message = draw(MESSAGES) if said else f"m{number % 4}"
    at = moment((number + len(said) * len(log.records)) * 7 % 10)
    if kind == "prompt":
        log.prompt(f"question {uuid}{said}", uuid=uuid, timestamp=at)
    elif kind == "reply":
        tokens = usage(out=draw(st.integers(0, 99)), fresh=draw(st.integers(0, 99)))
        log.reply(f"{uuid}{said}", uuid=uuid, timestamp=at, message=message, usage=tokens)
    elif kind == "step":
        log.call(call=f"call-{uuid}", uuid=uuid, timestamp=at, message=message)
        answer = {
            "uuid": f"{uuid}-result",
            "timestamp": at,
            "is_error": (number + len(log.records) * bool(said)) % 2 == 0,
        }
        log.result(f"call-{uuid}", "out", **answer)
    elif kind == "meta":
        log.prompt("<command-name>/x</command-name>", uuid=uuid, timestamp=at)
    elif kind == "bare":
        log.prompt(f"again {number % 3}", uuid=None, timestamp=moment(number % 3))
    elif kind == "inline":
        # the chain lies in one file, as the agent writes it
        root = log.prompt(f"look {name}", uuid=f"{uuid}-{name}", isSidechain=True, timestamp=at)
        above = root["uuid"]
        log.reply("seen", uuid=f"{above}-1", parentUuid=above, isSidechain=True, timestamp=at)
    elif kind == "mode":
        log.bare(type="mode", mode="plan", sessionId=log.session)
    else:
        log.add("progress", data={"type": "bash_progress"}, uuid=uuid, timestamp=at)


# What depends on the order in which a session's events stand.
_ORDERED = (
    "digest",
    "texts",
    "checks",
    "ended",
    "outcome",
    "outcome_confidence",
    "outcome_reason",
    "title",
    "left_open",
)


def unordered(found: Outcome) -> object:
    figures, seen = found
    return (
        {
            name: {key: value for key, value in session.items() if key not in _ORDERED}
            for name, session in figures.items()
        },
        {name: sorted(map(str, events)) for name, events in seen.items()},
    )


def write(bench: Workbench, made: list[Log]) -> None:
    for log, name in made:
        log.write(bench.home, name=_file_name(log, name))


def _file_name(log: ClaudeLog, name: str) -> str:
    return f"agent-{log.agent}-{name}" if log.agent else name


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(has_conflicts=True), data=st.data())
def test_order_of_files_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("property")
    at_once, one_by_one = fresh(folder), fresh(folder)
    write(at_once, made)
    at_once.sweep()
    for log in data.draw(st.permutations(made)):
        write(one_by_one, [log])
        one_by_one.sweep()
    assert outcome(one_by_one) == outcome(at_once)
    assert {
        name: (s.prompts, s.tool_calls, s.tool_errors, s.cost.output, s.cost.input)
        for name, s in at_once.sessions().items()
    } == {
        name: (c.prompts, c.tool_calls, c.tool_errors, c.output, c.input)
        for name, c in count_home(at_once.home).items()
    }


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(has_conflicts=True), data=st.data())
def test_growth_may_be_cut_anywhere(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("property")
    at_once, growing = fresh(folder), fresh(folder)
    write(at_once, made)
    at_once.sweep()
    bytes_read = 0
    for log, name in made:
        path = log.write(growing.home, name=_file_name(log, name))
        whole = path.read_bytes()
        for cut in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=3))):
            path.write_bytes(whole[:cut])
            bytes_read += growing.sweep().bytes_read
        path.write_bytes(whole)
    bytes_read += growing.sweep().bytes_read
    assert outcome(growing) == outcome(at_once)
    assert bytes_read == sum(len(log.text()) for log, _ in made)


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(), data=st.data())
def test_copies_and_repeated_sweeps_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], data: st.DataObject
) -> None:
    bench = fresh(tmp_path_factory.mktemp("property"))
    write(bench, made)
    bench.sweep()
    before = outcome(bench)
    assert bench.sweep().bytes_read == 0
    log, name = data.draw(st.sampled_from(made))
    # A copy sorts behind its original: only a lesser path may say where an event stands.
    log.write(bench.home, project="-z-copy", name=_file_name(log, name))
    report = bench.sweep()
    assert report.ingested == 0
    assert outcome(bench) == before
    # A copy before its original may say where events stand, and nothing else.
    log.write(bench.home, project="-a-copy", name=_file_name(log, name))
    assert bench.sweep().ingested == 0
    assert unordered(outcome(bench)) == unordered(before)


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=logs(), again=logs())
def test_rewritten_files_add_and_never_take_away(
    tmp_path_factory: pytest.TempPathFactory, made: list[Log], again: list[Log]
) -> None:
    folder = tmp_path_factory.mktemp("property")
    rewritten, beside = fresh(folder), fresh(folder)
    write(rewritten, made)
    rewritten.sweep()
    write(rewritten, again)
    rewritten.sweep()
    write(beside, made)
    for log, name in again:
        log.write(beside.home, project="-z-again", name=_file_name(log, name))
    beside.sweep()
    assert unordered(outcome(rewritten)) == unordered(outcome(beside))
    assert rewritten.sweep().bytes_read == 0
    assert all(check.is_ok for check in rewritten.engine().doctor())
