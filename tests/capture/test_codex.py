"""Codex's records become prompts, replies, calls and results, each once."""

from __future__ import annotations

import json

import pytest

from tests.capture.alike import assert_counted_alike
from tests.claude_log import Json, as_line, moment
from tests.codex_log import CHILD, THREAD, CodexLog, OldCodexLog, headed, totals, wrapped
from tests.conftest import Workbench

SESSION = f"codex:{THREAD}"
TEXT = {"type": "input_text", "text": "one"}

# An output as the record has it; how it is shown (None: word for word), its exit code, a failure?
OUTPUTS: tuple[tuple[object, str | None, int | None, bool], ...] = (
    (wrapped(0, "fine"), "fine", 0, False),
    (wrapped(1, "no"), "no", 1, True),
    (headed(0, "fine"), headed(0, "fine"), 0, False),
    (headed(127, "rg: not found"), headed(127, "rg: not found"), 127, True),
    ("Exit code: 2\nWall time: 1 seconds\nOutput:\nno rule", None, 2, True),
    ("Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1", None, 0, False),
    ("Exit code: -1\nWall time: 9 seconds\nOutput:\n", None, -1, True),
    ("Wall time: 1 s\nProcess running with session ID 7\nOutput:\n", None, None, False),
    (headed(0, "Process exited with code 1"), None, 0, False),
    ("failed in sandbox LinuxSeccomp with execution error: denied", None, None, True),
    ("plain words", "plain words", None, False),
    ("they say Exit code: 1 is bad", None, None, False),
    ('{"output":"a", "metadata":{"exit_code":3,"duration_seconds":0.1}}', "a", 3, True),
    ('{"output":"torn \\u00', None, None, False),
    ('{"output":"torn","metadata":{"exit_code":1,"duration_sec', None, None, False),
    ('{"output":"a\tb","metadata":{"exit_code":1,"duration_seconds":0.1}}', None, 1, True),
    ([TEXT, {"type": "input_image"}], "one\n[image]", None, False),
    ([{"type": "input_text", "text": headed(1, "no")}], headed(1, "no"), 1, True),
    ({"content": "no", "success": False}, "no", None, True),
    ({"content": "fine", "success": True}, "fine", None, False),
    (None, "", None, False),
)  # fmt: skip
FAILURES = (
    "failed to parse function arguments: missing field `command`",
    "error: Failed to find expected lines in app.py",
    "execution error: Io(NotFound)",
    "exec command rejected by user",
    "patch rejected by user",
    "apply_patch verification failed: no such file",
    "exec_command failed for `ls`: denied",
    "write_stdin failed: unknown process id 7",
    "unsupported call: shel",
    "unsupported custom tool call: patch",
    "command timed out after 1000 milliseconds",
    "aborted by user after 3.1s",
    "aborted",
    "err: server is gone",
    "tool call error: no such tool",
    "user rejected MCP tool call",
    "unable to locate image at `/x.png`",
    "Command blocked by PreToolUse hook: no",
    "collab spawn failed: too deep",
    "Wall time: 0.2 seconds\nOutput:\ntool call error: no such tool",
)
NO_FAILURES = (
    "aborted transactions: 0",
    "timeout is 30 seconds",
    "failed to parse 0 of 12 files",
    "error: 0, warning: 2",
    "error handling is in app.py",
    "patch failed before, see the log",
    headed(0, "execution error: none"),
    "Wall time: 0.2 seconds\nOutput:\nall is well",
)


def kinds(bench: Workbench) -> list[str]:
    return [event.kind for event in bench.events(SESSION)]


def prompts(bench: Workbench) -> list[str]:
    return [event.text for event in bench.events(SESSION) if event.kind == "prompt"]


def sweep(bench: Workbench, log: CodexLog) -> None:
    log.write(bench.home)
    assert bench.sweep().new_problems == 0


class TestForms:
    """A rollout of either form is a session with its facts."""

    def test_new_form(self, bench: Workbench) -> None:
        log = CodexLog()
        log.turn()
        log.prompt()
        log.item("reasoning", summary=[{"type": "summary_text", "text": "look"}], content=None)
        log.step(headed(0, "fine"))
        last = log.reply("Done.")
        sweep(bench, log)
        session = bench.session()
        assert session.id == SESSION
        assert (session.cwd, session.branch, session.model) == (
            "/work/app",
            "main",
            "gpt-5.2-codex",
        )
        assert kinds(bench) == ["prompt", "thinking", "tool_call", "tool_result", "reply"]
        listed = bench.helix("sessions", "--json").json["sessions"][0]
        assert (listed["started_at"], listed["ended_at"]) == (moment(1), last["timestamp"])
        assert_counted_alike(bench)

    def test_old_form_has_items_without_times(self, bench: Workbench) -> None:
        log = OldCodexLog()
        log.message("user", "<environment_context>\n<cwd>/work/old</cwd>\n</environment_context>")
        log.message("user", "fix it")
        log.step(wrapped(0, "fine"))
        log.message("assistant", "Done.")
        log.message("user", "fix it")
        log.message("assistant", "Done.")
        sweep(bench, log)
        assert kinds(bench) == [
            "system",
            "prompt",
            "tool_call",
            "tool_result",
            "reply",
            "prompt",
            "reply",
        ]
        session = bench.session()
        assert (session.cwd, session.prompts, session.branch) == ("/work/old", 2, "main")
        assert_counted_alike(bench)

    def test_old_form_names_its_folder_in_words_too(self, bench: Workbench) -> None:
        log = OldCodexLog()
        context = "Current working directory: /work/older\nApproval policy: never"
        log.message("user", f"<environment_context>\n{context}\n</environment_context>")
        log.message("user", "fix it")
        sweep(bench, log)
        assert bench.session().cwd == "/work/older"
        assert_counted_alike(bench)

    def test_torn_first_line_leaves_the_name_of_the_file(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        path = log.write(bench.home)
        first, *rest = log.lines()
        path.write_bytes(first[:50] + b"\n" + b"".join(rest))
        assert bench.sweep().new_problems == 1
        assert (bench.session().id, bench.session().prompts) == (SESSION, 1)
        assert_counted_alike(bench)

    def test_first_line_written_again_behind_a_torn_one(self, bench: Workbench) -> None:
        log = CodexLog(session=CHILD)
        log.prompt()
        path = log.write(bench.home, name="rollout-without-id")
        first, *rest = log.lines()
        path.write_bytes(first[:50] + first + b"".join(rest))
        assert bench.sweep().new_problems == 1
        assert (bench.session().id, bench.session().cwd) == (f"codex:{CHILD}", "/work/app")

    def test_reverted_thread_without_meta_is_named_after_its_thread(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        del log.records[0]
        log.write(bench.home, name=f"rollout-2026-02-02T10-00-00-{THREAD}_{CHILD}")
        bench.sweep()
        assert bench.session().id == SESSION

    def test_source_may_be_a_name_or_an_object(self, bench: Workbench) -> None:
        sources: list[object] = ["cli", {"subagent": "review"}, {"subagent": {"x": "y"}}, None, 7]
        for number, source in enumerate(sources):
            log = CodexLog(session=f"{THREAD[:-1]}{number}", source=source)
            log.prompt()
            sweep(bench, log)
        assert {session.parent for session in bench.sessions().values()} == {None}
        assert len(bench.sessions()) == len(sources)

    def test_resumed_rollout_names_itself_again(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        for number in range(3):
            log.cwd = f"/work/later{number}"
            log.meta()
            log.prompt(f"go on {number}")
        sweep(bench, log)
        session = bench.session()
        assert (session.prompts, session.cwd) == (4, "/work/app")
        assert_counted_alike(bench)

    def test_meta_of_another_session_says_nothing_of_this_one(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.cwd = "/a/parent"
        log.second = -100
        log.meta(session=CHILD)
        sweep(bench, log)
        assert (bench.session().id, bench.session().cwd) == (SESSION, "/work/app")

    def test_unknown_records_are_kept_as_other(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.add("hologram", {"x": 1})
        log.item("levitation_call", height=3)
        log.add("world_state", {"files": 2})
        sweep(bench, log)
        others = [event.text for event in bench.events(SESSION) if event.kind == "other"]
        assert others == ['{"x":1}', '{"type":"levitation_call","height":3}', '{"files":2}']

    def test_client_notes_without_a_copy_are_kept_as_system(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.event("thread_name_updated", name="a name")
        sweep(bench, log)
        assert kinds(bench) == ["prompt", "system"]

    def test_bookkeeping_alone_is_no_session(self, bench: Workbench) -> None:
        log = CodexLog()
        log.message("user", "<environment_context><cwd>/x</cwd></environment_context>")
        log.tokens(None)
        sweep(bench, log)
        assert bench.sessions() == {}

    def test_files_that_only_look_like_rollouts_stay_out(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        path = log.write(bench.home)
        for place in ("history.jsonl", "rollout-x.jsonl"):
            (bench.home / ".codex" / place).write_bytes(log.text())
        path.rename(path.with_suffix(".txt"))
        assert bench.sweep().discovered == 0


class TestTools:
    """Calls and outputs are joined; only the output's text says whether a call failed."""

    def test_outputs_of_every_dialect(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        for output, *_ in OUTPUTS:
            log.step(output)
        sweep(bench, log)
        results = bench.events(SESSION)[2::2]
        for result, (output, text, exit_code, is_error) in zip(results, OUTPUTS, strict=True):
            assert result.kind == "tool_result"
            assert (result.exit_code, result.is_error) == (exit_code, is_error), output
            assert result.text == (output if text is None else text)
        assert bench.session().tool_errors == sum(is_error for *_, is_error in OUTPUTS)

    def test_what_the_harness_says_of_a_failure_and_what_programs_say(
        self, bench: Workbench
    ) -> None:
        log = CodexLog()
        log.prompt()
        for words in (*FAILURES, *NO_FAILURES):
            log.step(words)
        sweep(bench, log)
        failed = [event.text for event in bench.events(SESSION) if event.is_error]
        assert failed == list(FAILURES)
        assert_counted_alike(bench)

    def test_calls_of_every_dialect_are_joined_with_their_outputs(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.step("fine", "exec_command", {"cmd": "ls"})
        log.item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2")
        log.output("c2", wrapped(0, "Success."), "custom_tool_call")
        action = {"type": "exec", "command": ["ls", "-l"]}
        log.item("local_shell_call", id="ls_1", call_id=None, status="completed", action=action)
        log.output("ls_1", wrapped(1, "no"))
        log.item("local_shell_call", call_id="c3", action=action)
        log.output("c3", "fine", "local_shell_call")
        log.step("fine", "mcp__tracker__list")
        log.item("tool_search_call", call_id="c4", arguments={"query": "mail"}, execution="client")
        log.item("tool_search_output", call_id="c4", tools=[{"name": "send_mail"}])
        sweep(bench, log)
        shown = [(e.kind, e.tool, e.call_id, e.is_error) for e in bench.events(SESSION)[1:]]
        first, mcp = (f"call_{THREAD[:8]}_{number}" for number in (1, 2))
        assert shown == [
            ("tool_call", "exec_command", first, False),
            ("tool_result", "exec_command", first, False),
            ("tool_call", "apply_patch", "c2", False),
            ("tool_result", "apply_patch", "c2", False),
            ("tool_call", "local_shell", "ls_1", False),
            ("tool_result", "local_shell", "ls_1", True),
            ("tool_call", "local_shell", "c3", False),
            ("tool_result", "local_shell", "c3", False),
            ("tool_call", "mcp__tracker__list", mcp, False),
            ("tool_result", "mcp__tracker__list", mcp, False),
            ("tool_call", "tool_search", "c4", False),
            ("tool_result", "tool_search", "c4", False),
        ]
        texts = [event.text for event in bench.events(SESSION)]
        assert texts[3] == "*** Begin Patch"
        assert texts[5] == '{"type":"exec","command":["ls","-l"]}'
        assert texts[12] == '[{"name":"send_mail"}]'
        assert_counted_alike(bench)

    def test_web_searches_have_no_id_and_are_each_a_call(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        for _ in range(2):
            log.event("web_search_end", call_id="ws_1", query="weather")
            action = {"type": "search", "query": "weather"}
            log.item("web_search_call", status="completed", action=action)
        sweep(bench, log)
        assert (bench.session().tool_calls, bench.session().events) == (2, 3)
        assert bench.events(SESSION)[1].tool == "web_search"
        assert_counted_alike(bench)

    def test_namespace_belongs_to_the_name(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        call = {"name": "list", "namespace": "mcp__tracker__", "call_id": "c", "arguments": "{}"}
        log.item("function_call", **call)
        sweep(bench, log)
        assert bench.events(SESSION)[1].tool == "mcp__tracker__list"

    def test_garbage_names_and_damaged_arguments_are_kept_as_they_are(
        self, bench: Workbench
    ) -> None:
        log = CodexLog()
        log.prompt()
        log.step("unsupported call: ripgrep?", "ripgrep?", '{"command": ["ls"')
        log.step("unsupported call: shell<|channel|>", "shell<|channel|>")
        sweep(bench, log)
        events = bench.events(SESSION)
        assert [event.tool for event in events[1::2]] == ["ripgrep?", "shell<|channel|>"]
        assert events[1].text == '{"command": ["ls"'

    def test_failure_at_an_mcp_server_is_told_by_an_event(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        results: dict[str, Json] = {
            "gone": {"Err": "server is gone"},
            "failed": {"Ok": {"content": [], "isError": True}},
            "fine": {"Ok": {"content": [], "isError": False}},
            "quiet": {"Ok": {"content": []}},
        }
        for call, result in results.items():
            log.call("mcp__tracker__list", call)
            log.event("mcp_tool_call_end", call_id=call, result=result)
            log.output(call, "some words")
        sweep(bench, log)
        failed = {event.call_id for event in bench.events(SESSION) if event.is_error}
        assert failed == {"gone", "failed"}
        assert_counted_alike(bench)

    def test_patch_that_could_not_be_applied(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2")
        log.event("patch_apply_end", call_id="c2", success=False, stderr="no")
        log.output("c2", "some words", "custom_tool_call")
        sweep(bench, log)
        assert bench.events(SESSION)[-1].is_error

    def test_the_same_error_twice_stays_two(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.step(wrapped(1, "no"))
        log.step(wrapped(1, "no"))
        sweep(bench, log)
        assert bench.session().tool_errors == 2


class TestPrompts:
    """A prompt is what a person sent, once."""

    @pytest.mark.parametrize("form", [CodexLog, OldCodexLog])
    def test_injected_messages_are_none(self, bench: Workbench, form: type[CodexLog]) -> None:
        log = form()
        injected = (
            "# AGENTS.md instructions for /work/app\n\nBe kind.",
            "<user_instructions>\nBe kind.\n</user_instructions>",
            "<environment_context>\n<cwd>/work/app</cwd>\n</environment_context>",
            "<permissions instructions>none</permissions instructions>",
            "<turn_aborted>\nstopped\n</turn_aborted>",
        )
        for text in injected:
            log.message("user", text)
        log.message("developer", "Be brief.")
        log.message("assistant", "Hello.")
        sweep(bench, log)
        assert kinds(bench) == ["system"] * 6 + ["reply"]
        assert_counted_alike(bench)

    def test_prompt_of_an_editor_stands_behind_its_heading(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt("# Context from my IDE setup:\n\nfile\n\n## My request for Codex:\nfix it\n")
        sweep(bench, log)
        assert prompts(bench) == ["fix it"]
        assert_counted_alike(bench)

    def test_pictures_are_named_and_their_data_left_out(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt("look", images=["data:image/png;base64,AAAA"], local_images=["/x.png"])
        log.prompt("", images=["data:image/png;base64,AAAA"])
        sweep(bench, log)
        assert prompts(bench) == ["look\n\n[image]\n\n[image]", "[image]"]
        assert_counted_alike(bench)

    def test_other_kinds_of_user_messages_are_none(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.event("user_message", message="<user_instructions>", kind="user_instructions")
        log.event("user_message", message="<environment_context>", kind="environment_context")
        log.event("user_message", message="and that", kind="plain")
        log.event("user_message", message="  ")
        sweep(bench, log)
        assert prompts(bench) == ["fix the failing test", "and that"]
        assert_counted_alike(bench)

    def test_the_same_words_later_are_another_prompt(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt("go on")
        log.prompt("go on")
        sweep(bench, log)
        assert bench.session().prompts == 2
        assert_counted_alike(bench)


class TestTurns:
    """What changes from turn to turn, and how turns end."""

    def test_model_and_folder_may_change(self, bench: Workbench) -> None:
        log = CodexLog(cwd="/work/first")
        log.turn("gpt-5.1", "/work/first")
        log.prompt()
        log.turn("gpt-5.2", "/work/second")
        log.prompt("and there")
        log.spend(fresh=10, out=5)
        sweep(bench, log)
        assert (bench.session().model, bench.session().cwd) == ("gpt-5.2", "/work/first")
        (row,) = bench.helix("usage", "--by", "model", "--json").json["rows"]
        assert (row["key"], row["output"]) == ("gpt-5.2", 5)
        assert_counted_alike(bench)

    def test_aborted_turn_is_an_event(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.event("turn_aborted", reason="interrupted")
        log.message("user", "<turn_aborted>\nThe person stopped it.\n</turn_aborted>")
        sweep(bench, log)
        assert kinds(bench) == ["prompt", "system", "system"]
        assert '"reason":"interrupted"' in bench.events(SESSION)[1].text

    def test_compaction_does_not_repeat_what_it_replaces(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.reply()
        history = [record["payload"] for record in log.records if record["type"] != "event_msg"]
        log.add("compacted", {"message": "a summary", "replacement_history": history})
        log.event("context_compacted")
        log.prompt("go on")
        sweep(bench, log)
        assert kinds(bench) == ["prompt", "reply", "compaction", "prompt"]
        assert (bench.session().compactions, bench.session().prompts) == (1, 2)
        assert_counted_alike(bench)

    def test_review_mode_is_noted(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.event("entered_review_mode", target={"type": "uncommittedChanges"})
        log.event("exited_review_mode", review_output={"findings": []})
        sweep(bench, log)
        assert kinds(bench) == ["prompt", "system", "system"]
        assert_counted_alike(bench)


class TestTokens:
    """What was spent is told by running totals alone."""

    def test_totals_become_what_each_step_cost(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.tokens(None)
        log.tokens(totals(fresh=100, out=10))
        log.tokens(totals(fresh=150, cached=80, out=25, reasoning=5))
        sweep(bench, log)
        cost = bench.session().cost
        assert (cost.input, cost.cache_read, cost.output, cost.reasoning) == (150, 80, 25, 5)
        assert_counted_alike(bench)

    def test_unchanged_totals_and_last_usage_count_nothing(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        for _ in range(5):
            log.tokens(totals(fresh=100, out=10), last=totals(fresh=900, out=900))
        sweep(bench, log)
        assert (bench.session().cost.input, bench.session().cost.output) == (100, 10)
        assert_counted_alike(bench)

    def test_falling_total_begins_a_new_epoch(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.tokens(totals(fresh=100, out=10))
        log.tokens(totals(fresh=200, out=20))
        log.tokens(totals(fresh=30, out=5))
        log.tokens(totals(fresh=30, out=5))
        log.tokens(totals(fresh=40, out=25))
        sweep(bench, log)
        assert (bench.session().cost.input, bench.session().cost.output) == (240, 45)
        assert_counted_alike(bench)

    def test_epochs_with_the_same_totals_are_two(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        for total in (100, 200, 100, 200):
            log.tokens(totals(fresh=total))
        sweep(bench, log)
        assert bench.session().cost.input == 400
        assert_counted_alike(bench)

    def test_written_cache_is_not_input(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.tokens({**totals(fresh=100, cached=40), "cache_write_input_tokens": 30})
        sweep(bench, log)
        cost = bench.session().cost
        assert (cost.input, cost.cache_read, cost.cache_write) == (70, 40, 30)
        assert_counted_alike(bench)

    def test_figures_that_are_none_are_taken_as_nothing(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt()
        log.tokens(totals(fresh=5, out=3))
        log.event("token_count", info={"total_token_usage": {"input_tokens": "many"}})
        log.event("token_count", info="none")
        log.event("token_count", info={"total_token_usage": {**totals(fresh=9, out=1 << 70)}})
        sweep(bench, log)
        assert bench.session().cost.output <= 1 << 41


def test_records_of_unusual_types_are_taken_leniently(bench: Workbench) -> None:
    log = CodexLog(git="main", agent_nickname=7, instructions=[])
    log.prompt()
    log.item("message", role="assistant", content="plain text")
    log.item("message", role="assistant", content=[{"type": "output_text", "text": 5}, "word"])
    log.item("function_call", name=7, arguments=[1], call_id="c1")
    log.records.append({"timestamp": 5, "type": "event_msg", "payload": []})
    path = log.write(bench.home)
    path.write_bytes(path.read_bytes() + as_line({"type": ["x"], "payload": {"type": 3}}))
    assert bench.sweep().new_problems == 0
    assert bench.session().prompts == 1
    assert [event.text for event in bench.events(SESSION)][1] == "plain text"


def test_totals_that_stand_there_once_more_are_not_spent_again(bench: Workbench) -> None:
    log = CodexLog()
    log.turn()
    log.prompt("hello")
    for _ in range(3):
        log.spend(fresh=10, out=5)
    path = log.write(bench.home)
    path.write_bytes(path.read_bytes() * 2)
    bench.sweep()
    session = bench.session()
    assert (session.prompts, session.cost.input, session.cost.output) == (1, 30, 15)


def test_thread_is_called_what_the_index_says_last(bench: Workbench) -> None:
    log = CodexLog()
    log.prompt("rename the flag")
    log.reply()
    log.write(bench.home)
    index = bench.home / ".codex" / "session_index.jsonl"
    names = [("Flag rename", "2026-03-10T15:48:35.9Z"), ("All flags", "2026-03-11T15:48:35.9Z")]
    text = ""
    for name, at in names:
        text += json.dumps({"id": log.session, "thread_name": name, "updated_at": at}) + "\n"
        index.write_text(text)
        bench.sweep()
        assert bench.session().title == name
    index.write_text(text + "not JSON\n")
    assert bench.sweep().new_problems == 1
    assert bench.session().title == "All flags"
