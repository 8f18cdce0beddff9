"""What the further agents' own ways become: failures, copies, sub-agents, what nobody asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helix_tui.capture.adapters.droid.reader import model_of
from helix_tui.capture.adapters.gemini import GeminiAdapter
from helix_tui.capture.adapters.gemini.parts import printed
from helix_tui.schema import SessionEvent
from helix_tui.tools import tool_class
from tests.conftest import Workbench
from tests.copilot_log import CopilotLog
from tests.droid_log import DroidLog
from tests.gemini_log import GeminiLog, framed
from tests.more_agents import LOGS, assert_counted_alike
from tests.pi_log import PiLog, usage
from tests.qwen_log import QwenLog


def only(bench: Workbench, kind: str) -> list[SessionEvent]:
    """The events of a kind in the one session there is."""
    (name,) = bench.sessions()
    return [event for event in bench.events(name) if event.kind == kind]


@pytest.mark.parametrize("flavor", LOGS)
class TestEveryAgent:
    """What holds whichever agent wrote the log."""

    def test_a_failed_command_is_a_failure_whatever_the_flag_says(
        self, bench: Workbench, flavor: str
    ) -> None:
        log = LOGS[flavor]()
        log.prompt()
        log.step("no such file", 2)
        log.step("fine")
        log.reply()
        log.write(bench.home)
        bench.sweep()
        failed, fine = only(bench, "tool_result")
        assert (failed.is_error, failed.exit_code, failed.text) == (True, 2, "no such file")
        assert (fine.is_error, fine.text) == (False, "fine")
        assert [event.tool_class for event in only(bench, "tool_call")] == ["shell", "shell"]
        assert_counted_alike(bench)

    def test_folder_model_and_tokens_are_told(self, bench: Workbench, flavor: str) -> None:
        log = LOGS[flavor]()
        log.prompt()
        log.reply()
        log.spend(100, 40, 30, 10)
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert session.cwd == "/work/app"
        assert session.model == log.model.replace("4.6", "4-6")
        assert (session.cost.cache_read, session.cost.reasoning) == (40, 10)
        assert_counted_alike(bench)

    def test_a_project_that_is_excluded_stays_out(self, bench: Workbench, flavor: str) -> None:
        log = LOGS[flavor]()
        log.prompt()
        log.reply()
        log.write(bench.home)
        config = bench.home / "helix.toml"
        config.write_text(f'[sources.{flavor}]\nexclude = ["/work/*"]\n')
        bench.helix("sweep", "--config", str(config))
        assert bench.sessions() == {}


class TestCopilot:
    """Copilot CLI's events."""

    def test_sub_agents_are_sessions_of_their_own(self, bench: Workbench) -> None:
        log = CopilotLog()
        log.prompt()
        call = log.call("task", {"prompt": "look"})
        log.agent = call
        log.event("subagent.started", toolCallId=call, agentDisplayName="explorer")
        log.event("user.message", content="look", source=f"agent-{log.session}")
        log.step("no", 1)
        log.agent = ""
        log.result(call, "looked")
        log.write(bench.home)
        bench.sweep()
        child = bench.sessions()[f"copilot:{log.session}.{call}"]
        assert (child.parent, child.prompts) == (f"copilot:{log.session}", 1)
        assert (child.tool_errors, child.cwd) == (1, "/work/app")
        assert_counted_alike(bench, "copilot")

    def test_a_sub_agent_has_the_model_that_it_was_started_with(self, bench: Workbench) -> None:
        log = CopilotLog()
        log.prompt()
        call = log.call("task", {"prompt": "look"})
        log.agent = call
        log.event("subagent.started", toolCallId=call, agentName="scout", model="gpt-5.5-mini")
        log.event("assistant.message", messageId="m1", content="Seen.", outputTokens=3)
        log.agent = ""
        log.result(call, "looked")
        log.event("assistant.message", messageId="m2", content="Done.", outputTokens=2)
        log.write(bench.home)
        bench.sweep()
        models = {name.rpartition(":")[2]: one.model for name, one in bench.sessions().items()}
        assert models[f"{log.session}.{call}"] == "gpt-5.5-mini"
        assert models[log.session] == "claude-sonnet-4-6"
        assert_counted_alike(bench, "copilot")

    def test_what_the_client_and_skills_say_is_no_prompt(self, bench: Workbench) -> None:
        log = CopilotLog()
        log.prompt("do it")
        log.event("user.message", content="<system_reminder>x</system_reminder>", source="system")
        log.event("user.message", content="a skill", source="skill-docs")
        log.prompt("and that", delivery="steering")
        log.reply()
        log.write(bench.home)
        bench.sweep()
        assert [event.text for event in only(bench, "prompt")] == ["do it", "and that"]

    def test_an_answer_that_is_logged_without_its_words_is_an_answer(
        self, bench: Workbench
    ) -> None:
        log = CopilotLog()
        log.prompt("Say which port it takes")
        log.answer("", out=30)
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert (session.ended, session.outcome, session.left_open) == ("reply", "unknown", [])

    def test_runs_add_up_and_begin_anew_behind_a_compaction(self, bench: Workbench) -> None:
        log = CopilotLog()
        log.prompt()
        log.reply()
        log.spend(100, 50, 3)
        log.reply()
        log.spend(10)
        log.compact()
        log.reply()
        log.spend(7)
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert (session.cost.input, session.cost.cache_read) == (110 + 20 + 7, 50 + 10)
        assert session.cost.output == 3 * 7 + 3 + 4
        assert session.compactions == 1
        assert_counted_alike(bench, "copilot")

    def test_a_denied_call_is_refused_and_a_name_is_a_title(self, bench: Workbench) -> None:
        log = CopilotLog()
        log.prompt()
        call = log.call()
        error = {"message": "Denied by preToolUse hook", "code": "denied"}
        log.event("tool.execution_complete", toolCallId=call, success=False, error=error)
        path = log.write(bench.home)
        path.with_name("workspace.yaml").write_text("id: x\nname: Mend the parser\n")
        bench.sweep()
        (result,) = only(bench, "tool_result")
        assert result.fault == "refusal"
        assert "Mend the parser" in [event.text for event in only(bench, "other")][-1]


class TestGemini:
    """Gemini CLI's documents and lines."""

    def test_a_document_and_its_lines_are_one_session(self, bench: Workbench) -> None:
        log = GeminiLog()
        log.prompt()
        log.step("no", 1)
        log.reply()
        log.write(bench.home, is_document=True)
        bench.sweep()
        before = bench.sessions()
        log.write(bench.home)
        bench.sweep()
        (name,) = bench.sessions()
        assert bench.sessions()[name].tool_calls == before[name].tool_calls == 1
        assert bench.sessions()[name].cost.output == before[name].cost.output
        assert_counted_alike(bench, "gemini")

    def test_what_was_rewound_had_happened(self, bench: Workbench) -> None:
        log = GeminiLog()
        log.prompt("one")
        back = log.prompt("two")
        log.reply("done")
        log.rewind(back)
        log.prompt("three")
        log.write(bench.home)
        bench.sweep()
        assert [event.text for event in only(bench, "prompt")] == ["one", "two", "three"]
        assert_counted_alike(bench, "gemini")

    def test_a_summary_in_place_of_all_is_a_compaction(self, bench: Workbench) -> None:
        log = GeminiLog()
        row = log.prompt("one")
        log.reply()
        summary = {"id": "s", "type": "user", "content": [{"text": "<state_snapshot>x"}]}
        log.set(messages=[row, summary], summary="Mend it")
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert (session.prompts, session.compactions) == (1, 1)

    def test_a_sub_agent_lies_in_its_parents_folder(self, bench: Workbench) -> None:
        log = GeminiLog()
        log.prompt()
        log.reply()
        path = log.write(bench.home)
        child = GeminiLog("abcdef01-sub")
        child.reply()
        folder = path.parent / log.session
        folder.mkdir()
        (folder / "abcdef01-sub.jsonl").write_bytes(child.text())
        bench.sweep()
        assert bench.sessions()["gemini:abcdef01-sub"].parent == f"gemini:{log.session}"
        assert_counted_alike(bench, "gemini")

    @pytest.mark.parametrize("by", ["root", "projects"])
    def test_the_folder_is_told_beside_the_chats(self, bench: Workbench, by: str) -> None:
        log = GeminiLog(cwd="/work/b")
        log.records = [row for row in log.records if "$set" not in row]
        log.prompt()
        chats = log.write(bench.home).parent
        if by == "root":
            (chats.parent / ".project_root").write_text("/work/b\n")
        else:
            known = json.dumps({"projects": {"/work/b": "elsewhere"}})
            (bench.home / ".gemini" / "projects.json").write_text(known)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert session.cwd == "/work/b"
        assert_counted_alike(bench, "gemini")

    @pytest.mark.parametrize(
        ("settings", "days"),
        [
            (None, 30),
            ("no JSON", 30),
            ({"general": {"sessionRetention": {"enabled": False}}}, None),
            ({"general": {"sessionRetention": {"maxAge": "2w"}}}, 14),
            ({"general": {"sessionRetention": {"enabled": True, "maxAge": "12h"}}}, 1),
            ({"general": 3}, 30),
        ],
    )
    def test_when_it_deletes(self, settings: Any, days: int | None) -> None:
        text = settings if isinstance(settings, str) else json.dumps(settings)
        given = {} if settings is None else {"settings.json": text.encode()}
        assert GeminiAdapter().cleanup_days(given) == days

    def test_a_cancelled_call_was_refused_or_broken_off(self, bench: Workbench) -> None:
        log = GeminiLog()
        log.prompt()
        for reason in ("User denied execution.", "Operation cancelled"):
            call = log.call()
            log.result(call, error=f"[Operation Cancelled] Reason: {reason}")
            log.records[-2]["toolCalls"][0]["status"] = "cancelled"
        log.write(bench.home)
        bench.sweep()
        faults = [event.fault for event in only(bench, "tool_result")]
        assert faults == ["refusal", "interruption"]

    @pytest.mark.parametrize("text", ["", "two\nlines", "Exit Code: 3 of ours\n"])
    def test_what_a_command_printed_is_all_that_is_left(self, text: str) -> None:
        assert printed("run_shell_command", framed(text, 1)).rstrip("\n") == text.rstrip("\n")
        assert printed("read_file", "Output: x") == "Output: x"


def test_qwen_has_no_prompt_but_a_persons(bench: Workbench) -> None:
    log = QwenLog()
    log.prompt("go")
    log.prompt("keep on until it is done", provenance="goal_runtime")
    log.reply()
    log.row("system", subtype="custom_title", systemPayload={"customTitle": "Mend it"})
    log.row("system", subtype="parent_session", systemPayload={"parentSessionId": "p"})
    log.write(bench.home)
    bench.sweep()
    (session,) = bench.sessions().values()
    assert (session.prompts, session.parent) == (1, "qwen:p")
    assert_counted_alike(bench, "qwen")


class TestPi:
    """Pi's tree of entries."""

    def test_a_fork_repeats_its_parent_for_nothing(self, bench: Workbench) -> None:
        log = PiLog()
        log.prompt("one")
        log.reply()
        fork = log.fork("019d0000-0000-7000-8000-000000000002", start=1000)
        fork.prompt("another way")
        fork.reply()
        log.write(bench.home)
        fork.write(bench.home)
        bench.sweep()
        both = bench.sessions()
        assert [both[f"pi:{one.session}"].prompts for one in (log, fork)] == [1, 1]
        assert [both[f"pi:{one.session}"].cost.output for one in (log, fork)] == [7, 7]
        assert_counted_alike(bench, "pi")

    def test_every_branch_counts_and_so_does_what_was_paid(self, bench: Workbench) -> None:
        log = PiLog()
        first = log.prompt("one")
        log.answer([{"type": "text", "text": "a"}], usage(10, 0, 5, usd=0.25))
        log.last = first["id"]
        log.answer([{"type": "text", "text": "b"}], usage(10, 0, 5, usd=0.5), stop="aborted")
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert [event.text for event in only(bench, "reply")] == ["a", "b"]
        assert session.cost.usd == 0.75
        assert [event.fault for event in only(bench, "system")] == ["interruption"]

    def test_entries_without_ids_are_the_same_once_they_have_some(self, bench: Workbench) -> None:
        log = PiLog()
        log.prompt("one")
        log.step("no", 1)
        whole = log.records
        log.records = [{k: v for k, v in r.items() if k not in ("parentId",)} for r in whole]
        for row in log.records[1:]:
            del row["id"]
        log.write(bench.home)
        bench.sweep()
        before = bench.sessions()
        log.records = whole
        log.write(bench.home)
        bench.sweep()
        assert {name: one.events for name, one in bench.sessions().items()} == {
            name: one.events for name, one in before.items()
        }


class TestDroid:
    """Droid's log and the document beside it."""

    def test_reminders_and_notices_are_no_prompts(self, bench: Workbench) -> None:
        log = DroidLog()
        log.prompt("do it")
        log.say("user", [{"type": "text", "text": "Token limit reached."}], visibility="user_only")
        log.write(bench.home)
        bench.sweep()
        assert [event.text for event in only(bench, "prompt")] == ["do it"]

    def test_sums_that_grow_count_once(self, bench: Workbench) -> None:
        log = DroidLog()
        log.prompt()
        log.reply()
        log.write(bench.home)
        bench.sweep()
        log.reply()
        log.write(bench.home)
        bench.sweep()
        (session,) = bench.sessions().values()
        assert (session.cost.input, session.cost.output) == (40, 14)

    def test_a_code_in_words_counts_where_no_field_has_it(self, bench: Workbench) -> None:
        log = DroidLog()
        log.prompt()
        log.result(log.call(), "no\n\n[Process exited with code 1]")
        log.write(bench.home)
        bench.sweep()
        (result,) = only(bench, "tool_result")
        assert (result.is_error, result.exit_code, result.text) == (True, 1, "no")
        assert_counted_alike(bench, "droid")

    def test_a_model_of_ones_own_has_its_makers_name(self) -> None:
        assert model_of("custom:GLM-5.1-[Proxy]-0") == "GLM-5.1"
        assert model_of("claude-opus-4-8") == "claude-opus-4-8"


def test_variables_name_other_homes(bench: Workbench, tmp_path: Path) -> None:
    log = GeminiLog()
    log.prompt()
    log.write(tmp_path / "elsewhere")
    bench.helix("sweep", GEMINI_CLI_HOME=str(tmp_path / "elsewhere"))
    assert list(bench.sessions()) == [f"gemini:{log.session}"]


@pytest.mark.parametrize(
    ("flavor", "tool", "kind"),
    [
        ("copilot", "powershell", "shell"),
        ("copilot", "github-mcp-server-get_file", "mcp"),
        ("gemini", "replace", "edit"),
        ("gemini", "mcp_docs_read", "mcp"),
        ("qwen", "edit", "edit"),
        ("pi", "read", "read"),
        ("droid", "Execute", "shell"),
    ],
)
def test_tools_have_one_class_each(flavor: str, tool: str, kind: str) -> None:
    assert tool_class(flavor, tool) == kind
