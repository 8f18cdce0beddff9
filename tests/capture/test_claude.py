"""Each trap of Claude Code's format, as a log that a user could have."""

from __future__ import annotations

from pathlib import Path

from tests.claude_log import ClaudeLog, as_line, moment, usage
from tests.conftest import Workbench
from tests.truth.claude_counter import TOKEN_FIELDS, count_home

SESSION = "claude:11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


def assert_counted_alike(bench: Workbench) -> None:
    """The separate counter sees the same sessions with the same figures."""
    truth = count_home(bench.home)
    found = bench.sessions()
    assert found.keys() == truth.keys()
    for name, expected in truth.items():
        session = found[name]
        for fact in ("parent", "prompts", "tool_calls", "tool_errors", "cwd", "branch"):
            assert getattr(session, fact) == getattr(expected, fact), (name, fact)
        for field in TOKEN_FIELDS:
            assert getattr(session.cost, field) == getattr(expected, field), (name, field)


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
            "<command-message>init</command-message>\n<command-name>/init</command-name>",
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


class TestSubAgents:
    """A sub-agent is a child session, wherever its records lie."""

    def test_beside_and_below_the_session(self, bench: Workbench) -> None:
        parent = ClaudeLog()
        parent.prompt()
        parent.call("Task")
        parent.write(bench.home)
        beside = ClaudeLog(agent="aaa")
        beside.prompt("look around")
        beside.reply(usage=usage(out=50))
        beside.write(bench.home)
        below = ClaudeLog(agent="bbb")
        below.prompt("look deeper")
        below.reply()
        below.write(bench.home, project=f"-work-app/{parent.session}/subagents")
        deep = ClaudeLog(agent="ccc")
        deep.prompt("deeper still")
        deep.write(bench.home, project=f"-work-app/{parent.session}/subagents/workflows/w1")
        bench.sweep()
        sessions = bench.sessions()
        assert sessions.keys() == {
            SESSION,
            *(f"{SESSION}.{name}" for name in ("aaa", "bbb", "ccc")),
        }
        assert all(
            session.parent == SESSION for name, session in sessions.items() if name != SESSION
        )
        assert sessions[SESSION].cost.output == 5
        assert_counted_alike(bench)

    def test_inline_sidechains_are_named_after_their_root(self, bench: Workbench) -> None:
        log = ClaudeLog()
        main = log.prompt()
        root = log.prompt("look around", isSidechain=True, parentUuid=main["uuid"])
        answer = log.reply(isSidechain=True, parentUuid=root["uuid"])
        log.reply("more", isSidechain=True, parentUuid=answer["uuid"])
        other = log.prompt("and there", isSidechain=True, parentUuid=main["uuid"])
        log.reply("back", parentUuid=main["uuid"])
        path = log.write(bench.home)
        bench.sweep()
        children = {name: item for name, item in bench.sessions().items() if item.parent}
        assert children.keys() == {f"{SESSION}.{root['uuid']}", f"{SESSION}.{other['uuid']}"}
        assert children[f"{SESSION}.{root['uuid']}"].events == 3
        assert_counted_alike(bench)
        # the chain is remembered between two tails
        log.records.clear()
        log.reply("late", isSidechain=True, parentUuid=answer["uuid"])
        path.write_bytes(path.read_bytes() + log.text())
        bench.sweep()
        assert bench.sessions()[f"{SESSION}.{root['uuid']}"].events == 4

    def test_parent_without_a_file_is_named_and_not_invented(self, bench: Workbench) -> None:
        orphan = ClaudeLog(agent="abc")
        orphan.prompt("Warmup")
        orphan.write(bench.home)
        bench.sweep()
        session = bench.session()
        assert (session.id, session.parent) == (f"{SESSION}.abc", SESSION)

    def test_agent_ids_repeat_across_parents(self, bench: Workbench) -> None:
        for number, parent in enumerate((ClaudeLog().session, OTHER)):
            agent = ClaudeLog(session=parent, agent="abc")
            agent.prompt()
            agent.write(bench.home, project=f"-p{number}")
        bench.sweep()
        assert len(bench.sessions()) == 2

    def test_progress_copies_are_neither_stored_nor_counted(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        nested = {"type": "assistant", "message": {"id": "sub", "usage": usage(out=99)}}
        last = log.add("progress", data={"type": "agent_progress", "message": nested})
        log.write(bench.home)
        bench.sweep()
        session = bench.session()
        assert (session.events, session.cost.output) == (1, 0)
        assert (
            bench.helix("sessions", "--json").json["sessions"][0]["ended_at"] == last["timestamp"]
        )
        assert_counted_alike(bench)


class TestCopies:
    """Records that stand in several files are one."""

    def test_the_least_path_says_where_an_event_stands(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = ClaudeLog()
        early = log.prompt("early", timestamp=moment(0))
        late = log.prompt("late", timestamp=moment(300))
        log.records = [early]
        log.write(bench.home, project="-z")
        bench.sweep()
        for number in range(2, 9):
            log.write(bench.home, project=f"-p{number}")
        log.records = [late, early]
        log.write(bench.home, project="-p1")
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        assert bench.events(SESSION) == bench.events(SESSION, at_once)
        assert [event.text for event in bench.events(SESSION)] == ["late", "early"]

    def test_resumed_file_repeats_its_session(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.step()
        log.write(bench.home)
        log.reply("resumed")
        log.write(bench.home, name="resumed-copy")
        bench.sweep()
        assert bench.session().events == 4
        assert_counted_alike(bench)

    def test_fork_has_its_own_events_and_no_tokens_of_its_origin(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.reply(message="m1")
        log.write(bench.home)
        fork = ClaudeLog(session=OTHER)
        fork.records = [{**record, "sessionId": OTHER} for record in log.records]
        fork.second = 10
        fork.reply("the other way", message="m2")
        fork.write(bench.home)
        bench.sweep()
        sessions = bench.sessions()
        assert sessions[SESSION].cost.output == 5
        assert sessions[f"claude:{OTHER}"].cost.output == 5
        assert sessions[f"claude:{OTHER}"].events == 3
        assert_counted_alike(bench)


class TestShape:
    """What a session is, and what only looks like one."""

    def test_bookkeeping_alone_is_no_session(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.bare(type="summary", summary="An old talk", leafUuid="x")
        log.bare(type="file-history-snapshot", messageId="m", snapshot={})
        log.prompt("<command-name>/model</command-name>")
        log.write(bench.home)
        report = bench.sweep()
        assert (report.discovered, bench.sessions()) == (1, {})
        log.prompt("now a question")
        log.write(bench.home)
        bench.sweep()
        assert bench.session().prompts == 1

    def test_files_that_only_look_like_sessions_stay_out(self, bench: Workbench) -> None:
        claude = bench.home / ".claude"
        project = claude / "projects" / "-work-app"
        (project / "s1" / "subagents" / "workflows").mkdir(parents=True)
        (claude / "transcripts").mkdir()
        looks = as_line({"type": "user", "session_id": "x", "message": {"content": "hi"}})
        for place in (
            claude / "history.jsonl",
            claude / "transcripts" / "ses_1.jsonl",
            project / "stream.jsonl",
            project / "sessions-index.json",
            project / "s1" / "subagents" / "workflows" / "journal.jsonl",
        ):
            place.write_bytes(looks)
        assert bench.sweep().discovered == 1  # stream.jsonl: opened, and no session in it
        assert bench.sessions() == {}

    def test_first_folder_and_last_model_are_by_time(self, bench: Workbench) -> None:
        log = ClaudeLog(cwd="/work/second", branch="late")
        log.second = 50
        log.prompt()
        log.reply(model="newest")
        log.second = 10
        log.cwd, log.branch = "/work/first", "early"
        log.prompt("earlier in time, later in the file")
        log.reply(model="older")
        log.write(bench.home)
        bench.sweep()
        session = bench.session()
        assert (session.cwd, session.branch, session.model) == ("/work/first", "early", "newest")
        assert session.first_ts is not None
        assert bench.helix("sessions", "--json").json["sessions"][0]["started_at"] == moment(11)
        assert_counted_alike(bench)

    def test_backward_times_keep_the_files_order(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.second = 50
        log.prompt("one")
        log.second = 10
        log.prompt("two")
        log.second = 60
        log.prompt("three")
        log.write(bench.home)
        bench.sweep()
        assert [event.text for event in bench.events(SESSION)] == ["one", "two", "three"]

    def test_compaction_is_an_event_of_its_own(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.add("system", subtype="compact_boundary", content="Conversation compacted")
        log.add("system", subtype="api_error", error={"status": 529}, retryAttempt=1)
        log.write(bench.home)
        bench.sweep()
        assert bench.session().compactions == 1
        events = bench.events(SESSION)
        assert [event.kind for event in events] == ["prompt", "compaction", "system"]
        assert '"status":529' in events[2].text

    def test_unknown_records_are_kept_as_other(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.add("hologram", payload={"x": 1})
        log.write(bench.home)
        bench.sweep()
        kinds = [(event.kind, event.text) for event in bench.events(SESSION)]
        assert kinds[1] == ("other", 'hologram: {"payload":{"x":1}}')

    def test_unusual_types_of_fields_are_taken_leniently(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt(gitBranch=7)
        log.add(
            "assistant", message={"id": 5, "content": "plain text", "usage": {"output_tokens": 3}}
        )
        log.write(bench.home)
        report = bench.sweep()
        assert report.new_problems == 0
        assert [event.kind for event in bench.events(SESSION)] == ["prompt", "reply"]
        assert_counted_alike(bench)
