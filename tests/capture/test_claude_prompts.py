"""Claude Code: commands, words beside a client's, and what was queued are prompts."""

from __future__ import annotations

from typing import Any

from tests.capture.alike import assert_counted_alike
from tests.claude_log import ClaudeLog, moment
from tests.conftest import Workbench


def prompts(bench: Workbench) -> list[str]:
    return [event.text for event in bench.events(bench.session().id) if event.kind == "prompt"]


def asked(bench: Workbench) -> tuple[str, str]:
    """The first and the last prompt of the session as its digest has them."""
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    return digest.facts.first_prompt, digest.facts.last_prompt


def queue(log: ClaudeLog, operation: str, **fields: Any) -> None:
    """A record of the queue, which has no envelope but the session and its time."""
    log.second += 1
    log.bare(
        type="queue-operation",
        operation=operation,
        timestamp=moment(log.second),
        sessionId=log.session,
        **fields,
    )


class TestCommands:
    """A slash command is a prompt, unless the client carries it out by itself."""

    def test_command_with_arguments(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt(
            "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
            "<command-args>the last commit</command-args>"
        )
        log.prompt("<command-name>/clear</command-name>\n<command-args></command-args>")
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 1
        assert asked(bench) == ("/review the last commit", "/review the last commit")
        assert_counted_alike(bench)

    def test_words_behind_a_reminder(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("<system-reminder>mind the rules</system-reminder>\n\nrename the flag")
        log.prompt("<ide_opened_file>a.py</ide_opened_file> and the docs")
        log.write(bench.home)
        bench.sweep()
        assert asked(bench) == ("rename the flag", "and the docs")
        assert_counted_alike(bench)


class TestQueue:
    """What was typed while the agent worked is a prompt, once."""

    def test_handed_over_in_the_middle_of_the_work(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("add a test")
        queue(log, "enqueue", content='{"task_id":"b1","description":"Run tests"}')
        queue(log, "enqueue", content="use pnpm for that")
        typed_at = log.second
        log.reply("on it")
        queue(log, "remove")
        log.reply("done")
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test", "use pnpm for that"]
        queued = next(e for e in bench.events(bench.session().id) if e.text == "use pnpm for that")
        assert queued.ts is not None
        assert queued.ts % 60_000 == int(moment(typed_at)[17:19]) * 1000
        assert_counted_alike(bench)

    def test_delivered_as_a_prompt_of_its_own(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("add a test")
        queue(log, "enqueue", content=[{"type": "text", "text": "and one for the flag"}])
        queue(log, "dequeue")
        log.prompt([{"type": "text", "text": "and one for the flag"}])
        queue(log, "remove")
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test", "and one for the flag"]
        assert_counted_alike(bench)

    def test_attached_as_well(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("add a test")
        queue(log, "enqueue", content="in the new file")
        queue(log, "remove")
        log.add("attachment", attachment={"type": "queued_command", "prompt": "in the new file"})
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test", "in the new file"]

    def test_taken_back_to_be_edited(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("add a test")
        queue(log, "enqueue", content="in the new file")
        queue(log, "popAll")
        queue(log, "remove")
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test"]

    def test_however_a_log_grows(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("add a test")
        queue(log, "enqueue", content="use pnpm for that")
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test"]
        queue(log, "remove")
        log.reply("done")
        log.write(bench.home)
        bench.sweep()
        assert prompts(bench) == ["add a test", "use pnpm for that"]
        grown = bench.events(bench.session().id)
        at_once = bench.home.parent / "at-once"
        bench.sweep(at_once)
        assert bench.events(bench.session().id, at_once) == grown


class TestSubAgents:
    """A sub-agent is called what it was started for."""

    def test_description_of_the_call(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("look around")
        given = {"description": "Find unused flags", "prompt": "You are bob. Look everywhere."}
        log.call("Task", call="toolu_task", given=given)
        log.result("toolu_task", [{"type": "text", "text": "None.\nagentId: a24095b (resume it)"}])
        child = ClaudeLog(agent="a24095b")
        child.prompt("You are bob. Look everywhere.")
        child.reply("None.")
        log.write(bench.home)
        child.write(bench.home)
        bench.sweep()
        titles = {session.parent: session.title for session in bench.sessions().values()}
        assert titles == {
            None: "look around: Find unused flags",
            f"claude:{log.session}": "Find unused flags",
        }
        assert_counted_alike(bench)

    def test_without_a_result_its_prompt_names_it(self, bench: Workbench) -> None:
        child = ClaudeLog(agent="a24095b")
        child.prompt("Look for unused flags.")
        child.reply("None.")
        child.write(bench.home)
        bench.sweep()
        assert bench.session().title == "Look for unused flags."


class TestSummaries:
    """A summary is the title of the session that has the record that it sums up to."""

    def test_before_its_record(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("rename it")
        log.bare(type="summary", summary="Old work elsewhere", leafUuid="not-here")
        log.bare(type="summary", summary="Rename the flag everywhere", leafUuid="the-leaf")
        log.add("assistant", uuid="the-leaf", message={"role": "assistant", "content": "Done."})
        log.write(bench.home)
        bench.sweep()
        assert bench.session().title == "Rename the flag everywhere"
