"""Rollouts and folders that grow, cut anywhere and in any order, end as if read at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.claude_log import Json
from tests.codex_log import CHILD, THREAD, CodexLog, OldCodexLog, headed, wrapped
from tests.conftest import Workbench
from tests.grok_log import CHAT, EVENTS, PARTS, SUMMARY, UPDATES, GrokLog, usage
from tests.properties.outcomes import Outcome, fresh, outcome
from tests.truth import codex_counter, grok_counter

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "8"))
WORDS = st.sampled_from(("fix it", "drei Äpfel 🍎", "go on", "why?\u2028so"))
OUTPUTS = st.sampled_from(("ok", wrapped(1, "no"), headed(2, "Ü"), "aborted by user after 1s"))


@st.composite
def rollouts(draw: st.DrawFn) -> list[CodexLog]:
    """A rollout of one of the forms, and perhaps one that goes on from it."""
    form = draw(st.sampled_from((CodexLog, CodexLog, OldCodexLog)))
    log = form()
    for _ in range(draw(st.integers(1, 4))):
        _codex_turn(draw, log)
    relation = draw(st.sampled_from(("none", "fork", "agent")))
    if relation == "none" or form is OldCodexLog:
        return [log]
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD}}}
    meta: Json = {"forked_from_id": THREAD} if relation == "fork" else {"source": spawn}
    child = CodexLog(session=CHILD, start=10_000, **meta)
    if relation == "fork":
        child.replay(log, stamp=draw(st.sampled_from((0.001, None))))
    child.second += 20
    for _ in range(draw(st.integers(1, 2))):
        _codex_turn(draw, child)
    return [log, child]


def _codex_turn(draw: st.DrawFn, log: CodexLog) -> None:
    log.turn(draw(st.sampled_from(("gpt-5.1", "gpt-5.2"))))
    text = draw(WORDS)
    if isinstance(log, OldCodexLog):
        log.message("user", text)
    else:
        log.prompt(text)
    for _ in range(draw(st.integers(0, 2))):
        log.step(draw(OUTPUTS))
    if draw(st.booleans()):
        log.reply(draw(WORDS))
    log.spend(fresh=draw(st.integers(0, 50)), out=draw(st.integers(0, 9)))
    if draw(st.integers(0, 3)) == 0:
        log.add("compacted", {"message": "a summary"})


@settings(max_examples=EXAMPLES, deadline=None)
@given(made=rollouts(), data=st.data())
def test_rollouts(
    tmp_path_factory: pytest.TempPathFactory, made: list[CodexLog], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("growth")
    at_once, growing = fresh(folder), fresh(folder)
    for log in made:
        log.write(at_once.home)
    at_once.sweep()
    bytes_read = 0
    for log in data.draw(st.permutations(made)):
        path = log.write(growing.home)
        whole = path.read_bytes()
        for cut in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4))):
            path.write_bytes(whole[:cut])
            bytes_read += growing.sweep().bytes_read
        path.unlink()
        log.write(growing.home, is_compressed=data.draw(st.booleans()))
        bytes_read += growing.sweep().bytes_read
    assert outcome(growing) == outcome(at_once)
    assert bytes_read == sum(len(log.text()) for log in made)
    assert figures(at_once) == {
        name: (c.prompts, c.tool_calls, c.tool_errors, c.input, c.output)
        for name, c in codex_counter.count_home(at_once.home).items()
    }


@st.composite
def folders(draw: st.DrawFn) -> GrokLog:
    """A session with any of its parts, but always one that speaks."""
    log = GrokLog(version=draw(st.sampled_from((0, 1))))
    for number in range(draw(st.integers(1, 4))):
        log.version = draw(st.sampled_from((log.version, 1)))
        log.prompt(f"{draw(WORDS)} {number}")
        for _ in range(draw(st.integers(0, 2))):
            outcome = draw(st.sampled_from(("success", "error", None)))
            status = draw(st.sampled_from(("completed", "failed")))
            log.step(draw(WORDS), outcome=outcome, status=status, exit_code=None)
        if draw(st.booleans()):
            log.think(f"think {number}")
            log.reply(f"{draw(WORDS)} answer {number}")
        if draw(st.booleans()):
            log.end_turn(usage(fresh=draw(st.integers(0, 50)), out=draw(st.integers(0, 9))))
    return log


@settings(max_examples=EXAMPLES, deadline=None)
@given(log=folders(), missing=st.sampled_from(("", *PARTS)), data=st.data())
def test_folders(
    tmp_path_factory: pytest.TempPathFactory, log: GrokLog, missing: str, data: st.DataObject
) -> None:
    content = {part: log.content(part) for part in PARTS if part != missing}
    assert_grows_alike(tmp_path_factory.mktemp("growth"), log, content, data)


@settings(max_examples=EXAMPLES, deadline=None)
@given(log=folders(), data=st.data())
def test_folders_that_lost_the_end_of_a_file(
    tmp_path_factory: pytest.TempPathFactory, log: GrokLog, data: st.DataObject
) -> None:
    content = {part: log.content(part) for part in PARTS}
    for part in data.draw(st.sampled_from(((CHAT,), (CHAT, UPDATES), (CHAT, EVENTS)))):
        content[part] = content[part][: data.draw(st.integers(0, len(content[part])))]
    assert_grows_alike(tmp_path_factory.mktemp("growth"), log, content, data)


def assert_grows_alike(
    folder: Path, log: GrokLog, content: dict[str, bytes], data: st.DataObject
) -> None:
    """Files that grow at their own pace, in any order, end as if read at once."""
    at_once, growing = fresh(folder), fresh(folder)
    places = [log.write(bench.home) for bench in (at_once, growing)]
    for place in places:
        for part in PARTS:
            (place / part).unlink()
    for part, whole in content.items():
        (places[0] / part).write_bytes(whole)
    at_once.sweep()
    place = places[1]
    if SUMMARY in content:
        (place / SUMMARY).write_bytes(content[SUMMARY])
    parts = [part for part in (EVENTS, UPDATES, CHAT) if part in content]
    cuts = {
        part: sorted(
            data.draw(st.lists(st.integers(0, len(content[part])), min_size=3, max_size=3))
        )
        for part in parts
    }
    for moment in range(3):
        for part in parts:
            (place / part).write_bytes(content[part][: cuts[part][moment]])
        growing.sweep()
    for part in data.draw(st.permutations(parts)):
        (place / part).write_bytes(content[part])
        growing.sweep()
    # The oldest rows have no number of their prompt, and may go by the name of an update.
    shown = without_fingerprints if log.summary["chat_format_version"] == 0 else outcome
    assert shown(growing) == shown(at_once)
    assert growing.sweep().bytes_read == 0
    assert figures(at_once) == {
        name: (c.prompts, c.tool_calls, c.tool_errors, c.input, c.output)
        for name, c in grok_counter.count_home(at_once.home).items()
    }


def without_fingerprints(bench: Workbench) -> Outcome:
    """All that a user can see but the names of events."""
    sessions, events = outcome(bench)
    for session in sessions.values():
        session["digest"] = None
    return sessions, {name: [event[1:] for event in said] for name, said in events.items()}


def figures(bench: Workbench) -> dict[str, tuple[int, ...]]:
    """What the separate counters count as well."""
    return {
        name: (s.prompts, s.tool_calls, s.tool_errors, s.cost.input, s.cost.output)
        for name, s in bench.sessions().items()
    }
