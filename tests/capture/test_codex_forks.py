"""A fork's or sub-agent's rollout begins with its parent's history, which stays the parent's."""

from __future__ import annotations

import pytest

from tests.capture.alike import assert_counted_alike
from tests.capture.forked_logs import (
    BY_AGENT,
    BY_PERSON,
    FORK,
    LAST,
    PARENT,
    SPAWN,
    parent_log,
    work,
)
from tests.claude_log import Json
from tests.codex_log import CHILD, GRANDCHILD, THREAD, CodexLog, totals
from tests.conftest import Workbench


def begin_at_once(log: CodexLog, text: str) -> None:
    """The child's first prompt in the burst itself, as a sub-agent gets it; work comes later."""
    for number in range(-4, 0):
        log.second -= 0.999
        if number == -4:
            log.event("task_started")
        elif number == -3:
            log.add("turn_context", {"cwd": log.cwd, "model": "gpt-5.2-mini"})
        elif number == -2:
            log.message("user", text)
        else:
            log.event("user_message", message=text)
    log.second += 2
    log.step()
    log.spend(fresh=50, out=5)


def texts(bench: Workbench, session: str) -> list[str]:
    return [event.text for event in bench.events(session) if event.kind in ("prompt", "reply")]


def assert_each_spent_its_own(bench: Workbench) -> None:
    """What parent and child cost together is what was really spent."""
    sessions = bench.sessions()
    spent = {name: (s.cost.input, s.cost.output) for name, s in sessions.items()}
    assert spent == {PARENT: (400, 40), FORK: (50, 5)}
    assert_counted_alike(bench)


class TestForks:
    """A person goes on from another session: no child, and nothing of it counted twice."""

    @pytest.mark.parametrize("stamp", [0.001, None])
    def test_fork_has_its_own_turns_only(self, bench: Workbench, stamp: float | None) -> None:
        parent = parent_log()
        parent.write(bench.home)
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent, stamp=stamp)
        fork.second += 30
        work(fork, "another way")
        fork.write(bench.home)
        bench.sweep()
        assert bench.sessions()[FORK].parent is None
        assert texts(bench, FORK) == ["another way", "done: another way"]
        assert bench.sessions()[FORK].tool_calls == 1
        assert_each_spent_its_own(bench)

    def test_order_of_reading_does_not_matter(self, bench: Workbench) -> None:
        parent = parent_log()
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent)
        fork.second += 30
        work(fork, "another way")
        fork.write(bench.home)
        bench.sweep()
        assert bench.session().cost.input == 50
        parent.write(bench.home)
        bench.sweep()
        assert_each_spent_its_own(bench)

    def test_fork_that_counts_from_zero(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent)
        fork.second += 30
        fork.turn()
        fork.prompt("another way")
        fork.tokens(totals(fresh=50, out=5))
        fork.write(bench.home)
        bench.sweep()
        assert_each_spent_its_own(bench)

    def test_parent_that_was_compacted_before(self, bench: Workbench) -> None:
        parent = CodexLog()
        parent.prompt()
        parent.tokens(totals(fresh=300, out=30))
        parent.add("compacted", {"message": "a summary"})
        parent.tokens(totals(fresh=100, out=10))
        parent.write(bench.home)
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent)
        fork.second += 30
        fork.turn()
        fork.prompt("another way")
        fork.tokens(totals(fresh=150, out=15))
        fork.write(bench.home)
        bench.sweep()
        assert bench.sessions()[FORK].compactions == 0
        assert_each_spent_its_own(bench)

    def test_fork_without_a_turn_of_its_own_is_no_session(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent)
        fork.write(bench.home)
        bench.sweep()
        assert bench.sessions().keys() == {PARENT}
        assert_counted_alike(bench)

    def test_growth_of_a_fork_is_cut_within_its_history(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        fork = CodexLog(session=CHILD, start=5000, **BY_PERSON)
        fork.replay(parent)
        fork.second += 30
        work(fork, "another way")
        path = fork.write(bench.home)
        whole = path.read_bytes()
        for cut in range(400, len(whole), 1111):
            path.write_bytes(whole[:cut])
            bench.sweep()
        path.write_bytes(whole)
        bench.sweep()
        assert texts(bench, FORK) == ["another way", "done: another way"]
        assert_each_spent_its_own(bench)


class TestSubAgents:
    """An agent sends another one to work: a child session, with or without its history."""

    @pytest.mark.parametrize("stamp", [0.001, None])
    def test_history_and_first_prompt_come_in_one_burst(
        self, bench: Workbench, stamp: float | None
    ) -> None:
        parent = parent_log()
        parent.write(bench.home)
        child = CodexLog(session=CHILD, start=5000, **BY_AGENT)
        child.replay(parent, stamp=stamp)
        begin_at_once(child, "look around")
        child.write(bench.home)
        bench.sweep()
        assert bench.sessions()[FORK].parent == PARENT
        assert texts(bench, FORK) == ["look around"]
        assert bench.sessions()[FORK].model == "gpt-5.2-mini"
        assert_each_spent_its_own(bench)

    def test_ordinals_tell_where_the_child_begins(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        start = len(parent.records) + 1
        child = CodexLog(
            session=CHILD, start=5000, subagent_history_start_ordinal=start, **BY_AGENT
        )
        child.records[0]["ordinal"] = 0
        child.ordinal = 1
        child.replay(parent, stamp=0.5)
        child.second -= 1  # no pause between the copies and the child's own work
        work(child, "look around")
        child.write(bench.home)
        bench.sweep()
        assert texts(bench, FORK) == ["look around", "done: look around"]
        assert_each_spent_its_own(bench)

    def test_turn_without_a_start(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        child = CodexLog(session=CHILD, start=5000, **BY_AGENT)
        child.replay(parent)
        child.second += 5
        work(child, "look around", has_start=False)
        child.write(bench.home)
        bench.sweep()
        assert texts(bench, FORK) == ["look around", "done: look around"]
        assert_each_spent_its_own(bench)

    @pytest.mark.parametrize(
        "meta",
        [{"source": SPAWN}, {"parent_thread_id": THREAD}, {"source": SPAWN, "forked_from_id": ""}],
    )
    def test_child_without_any_history(self, bench: Workbench, meta: Json) -> None:
        parent_log().write(bench.home)
        child = CodexLog(session=CHILD, start=5000, **meta)
        begin_at_once(child, "look around")
        child.write(bench.home)
        bench.sweep()
        assert bench.sessions()[FORK].parent == PARENT
        assert texts(bench, FORK) == ["look around"]
        assert_each_spent_its_own(bench)

    def test_generations_each_keep_their_own(self, bench: Workbench) -> None:
        parent = parent_log()
        parent.write(bench.home)
        child = CodexLog(session=CHILD, start=5000, **BY_AGENT)
        child.replay(parent)
        child.second += 5
        work(child, "look around")
        child.write(bench.home)
        last = CodexLog(
            session=GRANDCHILD, start=9000, forked_from_id=CHILD, parent_thread_id=CHILD
        )
        last.replay(child)
        begin_at_once(last, "look closer")
        last.write(bench.home)
        bench.sweep()
        sessions = bench.sessions()
        assert {name: s.parent for name, s in sessions.items()} == {
            PARENT: None,
            FORK: PARENT,
            LAST: FORK,
        }
        assert [s.cost.input for _, s in sorted(sessions.items())] == [400, 50, 50]
        assert texts(bench, LAST) == ["look closer"]
        assert_counted_alike(bench)

    def test_parent_without_a_file_is_named_and_not_invented(self, bench: Workbench) -> None:
        child = CodexLog(session=CHILD, start=5000, **BY_AGENT)
        child.replay(parent_log())
        begin_at_once(child, "look around")
        child.write(bench.home)
        bench.sweep()
        assert (bench.session().id, bench.session().parent) == (FORK, PARENT)
        assert bench.session().cost.input == 50
