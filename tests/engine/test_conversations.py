"""Resumptions, forks and copies are one conversation, however they arrive."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.capture.forked_logs import BY_AGENT, BY_PERSON, FORK, PARENT, parent_log, work
from tests.claude_log import ClaudeLog, Json
from tests.codex_log import CHILD, CodexLog
from tests.conftest import Workbench
from tests.engine.retained import set_caps
from tests.grok_log import GrokLog

FIRST, SECOND, THIRD = (f"{number * 8}-0000-4000-8000-000000000000" for number in "123")


def conversations(bench: Workbench) -> dict[str, str | None]:
    return {name: session.conversation for name, session in bench.sessions().items()}


def worked() -> ClaudeLog:
    """A session with one turn of work."""
    log = ClaudeLog(session=FIRST)
    log.prompt("rename the flag")
    log.step()
    log.reply("Renamed.")
    return log


def resumed(before: ClaudeLog, session: str, records: int | None = None) -> ClaudeLog:
    """A file with a copy of another one's records, and a turn of its own."""
    log = ClaudeLog(session=session, start=before.second + 100)
    log.records = [{**record, "sessionId": session} for record in before.records[:records]]
    log._count = 100
    log.prompt("and the docs")
    log.step()
    log.reply("Done.")
    return log


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_copies_in_any_order(bench: Workbench, order: tuple[int, ...]) -> None:
    first = worked()
    second = resumed(first, SECOND)
    third = resumed(second, THIRD)
    logs = [first, second, third]
    for number in order:
        logs[number].write(bench.home)
        bench.sweep()
    assert set(conversations(bench).values()) == {f"claude:{FIRST}"}
    bench.sweep()
    assert set(conversations(bench).values()) == {f"claude:{FIRST}"}
    at_once = bench.home.parent / "at-once"
    bench.sweep(at_once)
    assert {one.conversation for one in bench.sessions(at_once).values()} == {f"claude:{FIRST}"}


def test_copy_of_a_prompt_alone(bench: Workbench) -> None:
    first = worked()
    first.write(bench.home)
    resumed(first, SECOND, records=1).write(bench.home)
    bench.sweep()
    assert conversations(bench)[f"claude:{SECOND}"] == f"claude:{FIRST}"


def test_notice_that_a_client_repeats_joins_nothing(bench: Workbench) -> None:
    notice: Json = {"uuid": "caveat", "timestamp": "2026-02-01T10:00:00.000Z", "isMeta": True}
    for session in (FIRST, SECOND):
        log = ClaudeLog(session=session, start=20_000)
        log.prompt("Caveat: The messages below…", **notice)
        log.prompt(f"work on {session[0]}")
        log.reply("Done.")
        log.write(bench.home)
    bench.sweep()
    assert conversations(bench) == {f"claude:{name}": f"claude:{name}" for name in (FIRST, SECOND)}


def test_fork_that_names_what_it_was_forked_from(bench: Workbench) -> None:
    log = ClaudeLog(session=SECOND, start=500)
    log.prompt("and the docs", forkedFrom={"sessionId": FIRST, "messageUuid": "x"})
    log.reply("Done.")
    log.write(bench.home)
    bench.sweep()
    assert conversations(bench) == {f"claude:{SECOND}": f"claude:{SECOND}"}
    worked().write(bench.home)
    bench.sweep()
    assert set(conversations(bench).values()) == {f"claude:{FIRST}"}


def test_work_on_an_accepted_plan_goes_on_with_the_planning(bench: Workbench) -> None:
    worked().write(bench.home)
    log = ClaudeLog(session=SECOND, start=500)
    log.prompt([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    log.prompt(
        "Implement the following plan:\n\n# Rename all flags\n\nIf you need specific details, read "
        f"the full transcript at: /home/me/.claude/projects/-work-app/{FIRST}.jsonl"
    )
    log.reply("Done.")
    log.write(bench.home)
    bench.sweep()
    session = bench.sessions()[f"claude:{SECOND}"]
    assert (session.conversation, session.title) == (f"claude:{FIRST}", "Rename all flags")
    digest = bench.engine().digest(session)
    assert digest is not None
    assert (digest.facts.interruptions, digest.facts.interrupted) == (0, [])


@pytest.mark.parametrize("fields", [BY_PERSON, BY_AGENT])
def test_codex_fork(bench: Workbench, fields: Json) -> None:
    parent = parent_log()
    parent.write(bench.home)
    fork = CodexLog(CHILD, start=parent.second + 100, **fields)
    fork.replay(parent)
    fork.second += 100
    work(fork, "go on")
    fork.write(bench.home)
    bench.sweep()
    assert conversations(bench)[FORK] == PARENT


def test_grok_fork(bench: Workbench) -> None:
    log = GrokLog()
    log.turn("one")
    log.write(bench.home)
    fork = GrokLog("22222222-2222-7222-8222-222222222222")
    fork.summary.update(parent_session_id=log.session, session_kind="fork")
    fork.turn("two")
    fork.write(bench.home)
    bench.sweep()
    assert len(conversations(bench)) == 2
    assert set(conversations(bench).values()) == {f"grok:{log.session}"}


def test_children_belong_to_the_conversation(bench: Workbench) -> None:
    first = worked()
    first.write(bench.home)
    resumed(first, SECOND).write(bench.home)
    child = ClaudeLog(session=SECOND, agent="a1", start=900)
    child.prompt("look for flags")
    child.reply("None.")
    child.write(bench.home)
    bench.sweep()
    assert set(conversations(bench).values()) == {f"claude:{FIRST}"}


def test_conversation_outlives_its_raw_bytes(bench: Workbench) -> None:
    first = worked()
    first.write(bench.home)
    bench.sweep()
    set_caps(bench, 0)
    bench.sweep()
    resumed(first, SECOND).write(bench.home)
    bench.sweep()
    assert conversations(bench)[f"claude:{SECOND}"] == f"claude:{FIRST}"


def test_who_forgets_what_joined_two_parts_them(bench: Workbench) -> None:
    first = worked()
    first.write(bench.home)
    second = resumed(first, SECOND)
    second.write(bench.home)
    third = ClaudeLog(session=THIRD, start=5000)
    third.prompt("more", forkedFrom={"sessionId": SECOND})
    third.reply("Done.")
    third.write(bench.home)
    bench.sweep()
    assert set(conversations(bench).values()) == {f"claude:{FIRST}"}
    bench.helix("forget", f"claude:{SECOND}")
    bench.sweep()
    names = (f"claude:{FIRST}", f"claude:{THIRD}")
    assert conversations(bench) == {name: name for name in names}
