"""What Claude Code's records mean: usage, prompts and tools, each trap as a user's log."""

from __future__ import annotations

from tests.capture.alike import OTHER, SESSION, assert_counted_alike
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench


class TestUsage:
    """Tokens are counted once per message, at the maximum of each field."""

    def test_several_lines_of_a_message_count_once(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.assistant({"type": "thinking", "thinking": "hm"}, message="m1", usage=usage(out=3))
        log.reply("yes", message="m1", usage=usage(out=9))
        log.call(message="m1", usage=usage(fresh=4, out=9))
        log.write(bench.home)
        bench.sweep()
        cost = bench.session().cost
        assert (cost.input, cost.output, cost.cache_read, cost.cache_write) == (10, 9, 100, 20)
        assert_counted_alike(bench)

    def test_shared_message_counts_for_the_earliest_session(self, bench: Workbench) -> None:
        late = ClaudeLog(session=OTHER, start=500)
        late.prompt()
        late.reply(message="shared", usage=usage(out=7))
        late.write(bench.home)
        bench.sweep()
        assert bench.session().cost.output == 7
        early = ClaudeLog()
        early.prompt()
        early.reply(message="shared", usage=usage(out=4))
        early.write(bench.home)
        bench.sweep()
        assert {name: session.cost.output for name, session in bench.sessions().items()} == {
            SESSION: 7,
            f"claude:{OTHER}": 0,
        }
        assert_counted_alike(bench)

    def test_message_passes_on_when_its_holder_turns_out_to_have_begun_earlier(
        self, bench: Workbench
    ) -> None:
        first = ClaudeLog(start=100)
        first.prompt()
        first.reply(message="shared")
        first.write(bench.home)
        second = ClaudeLog(session=OTHER, start=200)
        second.prompt()
        second.reply(message="shared")
        second.write(bench.home)
        bench.sweep()
        assert bench.sessions()[SESSION].cost.output == 5
        earlier = ClaudeLog(session=OTHER, start=0)
        earlier.add("user", uuid="before", message={"role": "user", "content": "begin"})
        earlier.write(bench.home, name="resumed")
        bench.sweep()
        assert bench.sessions()[SESSION].cost.output == 0
        assert bench.sessions()[f"claude:{OTHER}"].cost.output == 5
        assert_counted_alike(bench)
        assert bench.helix("doctor").code == 0

    def test_message_without_id_counts_by_its_record(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        for _ in range(2):
            record = log.reply()
            del record["message"]["id"]
        log.write(bench.home)
        bench.sweep()
        assert bench.session().cost.output == 10
        assert_counted_alike(bench)

    def test_absurd_counts_do_not_break_the_store(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        for _ in range(2000):
            log.reply(usage=usage(out=10**18, fresh=-5))
        log.reply(usage=usage(out=10**30))
        log.reply(usage={"output_tokens": 12.0, "input_tokens": "7"})
        log.write(bench.home)
        assert bench.sweep().new_problems == 0
        assert bench.session().cost.input == 10
        assert bench.helix("usage", "--json").json["total"]["output"] > 10**15

    def test_synthetic_messages_cost_nothing_and_are_no_replies(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.reply("API Error: 529", model="<synthetic>", isApiErrorMessage=True)
        log.write(bench.home)
        bench.sweep()
        session = bench.session()
        assert (session.model, session.cost.output) == (None, 0)
        assert [event.kind for event in bench.events(session.id)] == ["prompt", "system"]


class TestPrompts:
    """Only what a person wrote is a prompt."""

    def test_injected_text_is_no_prompt(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("a real question")
        log.prompt("Caveat: the messages below…", isMeta=True)
        log.prompt("This session is being continued…", isCompactSummary=True)
        for text in (
            "<command-name>/clear</command-name>",
            "<local-command-stdout>ok</local-command-stdout>",
            "<system-reminder>mind</system-reminder>",
            "<task-notification>done</task-notification>",
            "<bash-input>ls</bash-input>",
            "<bash-stdout>a b</bash-stdout>",
        ):
            log.prompt(text)
        log.prompt([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 1
        assert_counted_alike(bench)

    def test_editor_context_and_pictures_belong_to_one_prompt(self, bench: Workbench) -> None:
        log = ClaudeLog()
        picture = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 50}
        log.prompt(
            [
                {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
                {"type": "image", "source": picture},
                {"type": "text", "text": "why is this red?"},
            ]
        )
        log.write(bench.home)
        bench.sweep()
        events = bench.events(SESSION)
        assert {event.kind: event.text for event in events} == {
            "system": "<ide_opened_file>a.py</ide_opened_file>",
            "prompt": "[image]\n\nwhy is this red?",
        }
        assert_counted_alike(bench)

    def test_queued_command_is_a_prompt_and_a_notification_is_none(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        queued = {"type": "queued_command", "commandMode": "prompt", "prompt": "and the docs too"}
        log.add("attachment", attachment=queued)
        note = {"type": "queued_command", "commandMode": "task-notification", "prompt": "done"}
        log.add("attachment", attachment=note)
        log.add("attachment", attachment={"type": "hook_success", "content": "fine"})
        log.bare(
            type="queue-operation", operation="enqueue", sessionId=log.session, content="again"
        )
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 2
        prompts = [event.text for event in bench.events(SESSION) if event.kind == "prompt"]
        assert prompts == ["fix the failing test", "and the docs too"]
        assert_counted_alike(bench)

    def test_text_beside_a_result_is_no_prompt(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.call(call="t1")
        log.prompt(
            [
                {"type": "tool_result", "tool_use_id": "t1", "content": "no"},
                {"type": "text", "text": "stop that"},
            ]
        )
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 1
        assert_counted_alike(bench)


class TestTools:
    """Calls and results are joined, errors are what the agent flags."""

    def test_results_know_their_tool_and_exit_code(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.call("Bash", call="t1", given={"command": "rg x"})
        log.result("t1", "Exit code 127\nrg: command not found", is_error=True)
        log.call("Read", call="t2", given={"file_path": "a.py"})
        log.result("t2", [{"type": "text", "text": "one"}, {"type": "image", "source": {}}])
        log.call("mcp__tracker__list", call="t3")
        log.write(bench.home)
        bench.sweep()
        session = bench.session()
        assert (session.tool_calls, session.tool_errors) == (3, 1)
        shown = [
            (event.kind, event.tool, event.tool_class, event.is_error, event.exit_code)
            for event in bench.events(SESSION)[1:]
        ]
        assert shown == [
            ("tool_call", "Bash", "shell", False, None),
            ("tool_result", "Bash", "shell", True, 127),
            ("tool_call", "Read", "read", False, None),
            ("tool_result", "Read", "read", False, None),
            ("tool_call", "mcp__tracker__list", "mcp", False, None),
        ]
        assert bench.events(SESSION)[4].text == "one\n[image]"
        assert_counted_alike(bench)

    def test_the_same_error_twice_stays_two(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        for _ in range(2):
            log.step("make", "Exit code 2\nno rule", is_error=True)
        log.write(bench.home)
        bench.sweep()
        assert bench.session().tool_errors == 2

    def test_content_is_kept_word_for_word_but_for_signatures(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("drei Äpfel 🍎\u2028und mehr")
        thinking = {"type": "thinking", "thinking": "consider", "signature": "c2lnbmF0dXJl"}
        log.assistant(thinking)
        log.call(given={"command": "echo 'Ü'", "timeout": 5})
        log.write(bench.home)
        bench.sweep()
        texts = [event.text for event in bench.events(SESSION)]
        assert texts[:2] == ["drei Äpfel 🍎\u2028und mehr", "consider"]
        assert texts[2] == '{"command":"echo \'Ü\'","timeout":5}'
