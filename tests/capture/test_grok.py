"""A Grok session's files are joined: words from the chat, times and costs from the updates."""

from __future__ import annotations

import pytest

from tests.capture.alike import assert_counted_alike
from tests.claude_log import START, Json, moment
from tests.conftest import Workbench
from tests.grok_log import CHAT, CHILD, EVENTS, FOLDER, PARTS, SUMMARY, UPDATES, GrokLog, usage

SESSION = f"grok:{FOLDER}"


def sweep(bench: Workbench, log: GrokLog, without: str = "") -> None:
    log.write(bench.home, without=without)
    assert bench.sweep().new_problems == 0


def shown(bench: Workbench, session: str = SESSION) -> list[tuple[str, str]]:
    """What was said and done; the title is no part of that."""
    return [
        (event.kind, event.text)
        for event in bench.events(session)
        if not event.text.startswith("title: ")
    ]


def prompts(bench: Workbench) -> list[str]:
    return [text for kind, text in shown(bench) if kind == "prompt"]


class TestParts:
    """Each file adds what it knows; none has to be there but one that speaks."""

    def test_whole_session(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.turn("two")
        sweep(bench, log)
        session = bench.session()
        assert (session.id, session.cwd, session.branch) == (SESSION, "/work/app", "main")
        assert session.model == "grok-build-1"
        assert [kind for kind, _ in shown(bench)] == [
            "prompt",
            "thinking",
            "tool_call",
            "tool_result",
            "reply",
        ] * 2
        first = next(event for event in bench.events(SESSION) if event.kind == "tool_result")
        assert (first.tool, first.exit_code, first.is_error) == ("bash", 0, False)
        assert first.ts is not None
        assert (session.cost.input, session.cost.cache_read, session.cost.output) == (20, 200, 10)
        assert_counted_alike(bench)

    @pytest.mark.parametrize("missing", PARTS)
    def test_each_missing_in_turn(self, bench: Workbench, missing: str) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        log.step("no", outcome="error", status="failed", exit_code=1)
        log.reply("Sorry.")
        log.end_turn()
        sweep(bench, log, without=missing)
        session = bench.session()
        assert session.id == SESSION
        assert (session.prompts, session.tool_calls, session.cwd) == (2, 2, "/work/app")
        assert session.tool_errors == (missing != UPDATES or log.events != [])
        assert session.cost.output == (0 if missing == UPDATES else 10)
        said = [text for kind, text in shown(bench) if kind == "reply"]
        assert said == ["done with: one", "Sorry."]
        assert_counted_alike(bench)

    @pytest.mark.parametrize("part", [CHAT, UPDATES])
    def test_one_that_speaks_is_enough(self, bench: Workbench, part: str) -> None:
        log = GrokLog()
        log.turn()
        log.write(bench.home, part)
        bench.sweep()
        session = bench.session()
        assert (session.id, session.prompts, session.tool_calls) == (SESSION, 1, 1)
        assert session.cwd == "/work/app"
        assert_counted_alike(bench)

    def test_summary_alone_and_what_only_looks_like_a_session(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        folder = log.write(bench.home, SUMMARY)
        (folder.parent / "prompt_history.jsonl").write_bytes(log.content(CHAT))
        (folder / "terminal").mkdir()
        (folder / "terminal" / CHAT).write_bytes(log.content(CHAT))
        bench.sweep()
        assert bench.sessions() == {}

    def test_parts_may_come_in_any_order(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.step("no", outcome="error", exit_code=1)
        for part in (CHAT, EVENTS, UPDATES, SUMMARY):
            log.write(bench.home, part)
            bench.sweep()
        assert bench.session().tool_errors == 1
        assert all(e.ts for e in bench.events(SESSION) if e.kind in ("prompt", "tool_result"))
        assert bench.sweep().bytes_read == 0
        assert_counted_alike(bench)

    def test_without_any_times_the_summarys_are_the_sessions(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        log.write(bench.home, SUMMARY, CHAT)
        bench.sweep()
        listed = bench.helix("sessions", "--json").json["sessions"][0]
        assert (listed["started_at"], listed["ended_at"]) == (moment(0), moment(900))
        assert_counted_alike(bench)


class TestForms:
    """Rows and updates of all ages."""

    @pytest.mark.parametrize("missing", ["", UPDATES])
    def test_old_rows_new_rows_and_both(self, bench: Workbench, missing: str) -> None:
        for number, versions in enumerate(((0, 0), (1, 1), (0, 1))):
            log = GrokLog(session=f"{FOLDER[:-1]}{number}")
            for version in versions:
                log.version = version
                log.turn(f"with version {version}")
            log.write(bench.home, without=missing)
        bench.sweep()
        for session in bench.sessions().values():
            assert (session.prompts, session.tool_calls, session.tool_errors) == (2, 2, 0)
            assert [kind for kind, _ in shown(bench, session.id)].count("reply") == 2
        tools = {e.tool for s in bench.sessions() for e in bench.events(s) if "tool" in e.kind}
        assert tools == {"bash"}
        assert_counted_alike(bench)

    def test_summary_in_camel_case(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        words = {"created_at": "createdAt", "updated_at": "updatedAt", "head_branch": "headBranch"}
        log.summary = {words.get(key, key): value for key, value in log.summary.items()}
        sweep(bench, log)
        assert (bench.session().branch, bench.session().cwd) == ("main", "/work/app")
        assert_counted_alike(bench)

    def test_oldest_updates_have_no_envelope(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        log.updates = [update["params"] for update in log.updates]
        sweep(bench, log, without=CHAT)
        assert (bench.session().prompts, bench.session().cost.output) == (1, 5)
        assert_counted_alike(bench)

    def test_time_of_an_update_is_when_it_was_made(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        for update in log.updates:
            update["timestamp"] = START + 9_000_000
        sweep(bench, log)
        assert bench.session().last_ts == int((START + log.second) * 1000)
        assert_counted_alike(bench)

    def test_unknown_records_are_kept_as_other(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn()
        log.row("hologram", height=1)
        log.update("levitation", height=2)
        log.event("teleported", height=3)
        sweep(bench, log)
        others = [text for kind, text in shown(bench) if kind == "other"]
        assert sorted(text.split('"height":')[1][0] for text in others) == ["1", "2", "3"]
        assert_counted_alike(bench)

    def test_calls_of_the_provider_itself(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt()
        log.row("backend_tool_call", kind={"tool_type": "web_search", "id": "ws1", "query": "x"})
        log.row("backend_tool_call", kind={"tool_type": "x_search", "query": "x"})
        log.row("backend_tool_call", kind={"tool_type": "x_search", "query": "x"})
        sweep(bench, log)
        tools = [event.tool for event in bench.events(SESSION) if event.kind == "tool_call"]
        assert tools == ["web_search", "x_search", "x_search"]
        assert_counted_alike(bench)


class TestPrompts:
    """A prompt is what a person sent."""

    def test_injected_rows_are_none_and_interjections_are(self, bench: Workbench) -> None:
        log = GrokLog()
        log.row("system", content="You are Grok.")
        log.row("user", content=[{"type": "text", "text": "<user_info>\nOS: linux\n</user_info>"}])
        log.row("user", content="<git_status>clean</git_status>")
        log.prompt()
        for reason in ("system_reminder", "auto_continue", "task_completed", "unknown"):
            log.row("user", content=[{"type": "text", "text": "go"}], synthetic_reason=reason)
        log.row("user", content="stop that", synthetic_reason="interjection")
        log.row("user", content=[{"type": "image", "url": "data:image/png;base64,AAAA"}])
        sweep(bench, log, without=UPDATES)
        assert prompts(bench) == ["fix the failing test", "stop that", "[image]"]
        assert_counted_alike(bench)

    @pytest.mark.parametrize("missing", ["", CHAT])
    def test_hidden_and_shell_chunks_are_none(self, bench: Workbench, missing: str) -> None:
        log = GrokLog()
        log.turn()
        log.chunk("user_message", "injected", _meta={"hideFromScrollback": True})
        log.chunk("user_message", "ls", piece={"_meta": {"bash_command": "ls"}})
        log.chunk("user_message", "beside", stamps={"hideFromScrollback": True})
        sweep(bench, log, without=missing)
        assert prompts(bench) == ["fix the failing test"]
        assert_counted_alike(bench)

    def test_the_same_words_again_are_another_prompt(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("go on")
        log.turn("go on")
        sweep(bench, log)
        assert prompts(bench) == ["go on", "go on"]

    def test_chunks_are_put_together(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt("ein längerer Satz 🍎")
        log.think("one thought")
        log.reply("and an answer of many words")
        sweep(bench, log, without=CHAT)
        assert shown(bench) == [
            ("prompt", "ein längerer Satz 🍎"),
            ("thinking", "one thought"),
            ("reply", "and an answer of many words"),
        ]


class TestOutcomes:
    """The telemetry's word on a call counts most, then the update's, then the text's."""

    @pytest.mark.parametrize("is_old", [False, True])
    def test_who_is_believed(self, bench: Workbench, is_old: bool) -> None:
        log = GrokLog(version=0 if is_old else 1)
        log.prompt()
        fine: list[Json] = [
            {"outcome": "success", "status": "failed", "exit_code": 1},
            {"outcome": "followup"},
            {"outcome": None, "status": "completed", "exit_code": 0, "output": "Error: a quote"},
            {"outcome": "success", "output": "Error: a quote"},
        ]
        failed: list[Json] = [
            {"outcome": "error", "status": "completed", "exit_code": 0},
            {"outcome": "permission_rejected"},
            {"outcome": "hook_denied"},
            {"outcome": "invalid_tool"},
            {"outcome": None, "status": "failed", "exit_code": None},
            {"outcome": None, "status": "completed", "exit_code": 2},
        ]
        good = [log.step(**facts) for facts in fine]
        bad = [log.step(**facts) for facts in failed]
        for call, text in (("plain", "fine"), ("told", "Error: no such file")):
            log.call(call=call)
            log.row("tool" if is_old else "tool_result", tool_call_id=call, content=text)
        sweep(bench, log)
        results = [event for event in bench.events(SESSION) if event.kind == "tool_result"]
        assert {e.call_id for e in results if e.is_error} == {*bad, "told"}
        assert {e.call_id for e in results if not e.is_error} == {*good, "plain"}
        assert bench.session().tool_errors == len(bad) + 1
        assert_counted_alike(bench)

    def test_second_row_of_the_workspace_is_no_second_call(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt()
        call = log.step("no", outcome="error", exit_code=1)
        log.event("tool_completed", tool_call_id=call, outcome="success", source="workspace")
        sweep(bench, log)
        assert (bench.session().tool_calls, bench.session().tool_errors) == (1, 1)
        assert_counted_alike(bench)

    def test_turn_that_was_cancelled_is_noted(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt()
        log.event("turn_ended", outcome="cancelled", cancellation_category="user")
        sweep(bench, log)
        assert [kind for kind, _ in shown(bench)] == ["prompt", "system"]


class TestUsage:
    """What a turn cost is told when it ends, the last word counts, and only once."""

    def test_turn_that_completes_twice_counts_once(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt()
        log.end_turn(usage(fresh=10, out=5), "p1")
        log.end_turn(usage(fresh=30, read=100, out=9, reasoning=2), "p1")
        log.prompt("more")
        log.end_turn(usage(fresh=1, read=0, out=1), "p2")
        sweep(bench, log)
        cost = bench.session().cost
        assert (cost.input, cost.cache_read, cost.output, cost.reasoning) == (31, 100, 10, 2)
        assert_counted_alike(bench)

    def test_size_of_the_context_is_not_summed(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt()
        log.chunk("agent_message", "hello", stamps={"totalTokens": 90_000})
        log.end_turn(usage(fresh=1, read=0, out=1, cacheCreationTokens=1))
        sweep(bench, log)
        cost = bench.session().cost
        assert (cost.input, cost.cache_write, cost.output) == (0, 1, 1)
        assert_counted_alike(bench)


class TestFamilies:
    """Forks copy what was, sub-agents have a parent; nothing is counted twice."""

    def test_fork_has_its_own_turns_only(self, bench: Workbench) -> None:
        parent = GrokLog()
        parent.turn("one")
        parent.turn("two")
        parent.write(bench.home)
        fork = GrokLog(
            session=CHILD,
            start=5000,
            session_kind="fork",
            parent_session_id=FOLDER,
            forked_at=moment(5000),
            inherited_prefix_len=len(parent.chat),
        )
        fork.chat = list(parent.chat)
        for update in parent.updates:
            params = {**update["params"], "sessionId": CHILD}
            fork.updates.append({**update, "timestamp": START + 5000, "params": params})
        fork.prompts = 2
        fork.turn("another way")
        fork.write(bench.home)
        bench.sweep()
        sessions = bench.sessions()
        forked = sessions[f"grok:{CHILD}"]
        assert (forked.parent, forked.prompts, forked.tool_calls) == (None, 1, 1)
        assert forked.cost.output == 5
        assert sessions[SESSION].cost.output == 10
        assert [text for kind, text in shown(bench, forked.id) if kind == "prompt"] == [
            "another way"
        ]
        assert forked.first_ts is not None
        assert forked.first_ts >= (START + 5000) * 1000

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_parent_is_told_by_either_side(self, bench: Workbench, order: tuple[int, int]) -> None:
        named = GrokLog(session=CHILD, session_kind="subagent", parent_session_id=FOLDER)
        named.turn("look around")
        spawned = GrokLog(session=f"{CHILD[:-1]}3")
        spawned.turn("look there")
        parent = GrokLog()
        parent.turn()
        parent.update(
            "subagent_spawned", subagent_id="s", child_session_id=spawned.session,
            parent_session_id=FOLDER,
        )  # fmt: skip
        for first in order:
            for log in ((parent,), (named, spawned))[first]:
                log.write(bench.home)
                bench.sweep()
        sessions = bench.sessions()
        assert {name: s.parent for name, s in sessions.items()} == {
            SESSION: None,
            f"grok:{CHILD}": SESSION,
            f"grok:{spawned.session}": SESSION,
        }
        assert_counted_alike(bench)

    def test_child_without_a_folder_is_not_invented(self, bench: Workbench) -> None:
        parent = GrokLog()
        parent.turn()
        parent.update("subagent_spawned", subagent_id="s", child_session_id=CHILD)
        sweep(bench, parent)
        assert bench.sessions().keys() == {SESSION}


class TestExcluded:
    """A project's sessions stay out, by the name of their folder or by what is in it."""

    @pytest.mark.parametrize("project", ["", "long-path-0123456789abcdef"])
    def test_until_the_glob_is_gone(self, bench: Workbench, project: str) -> None:
        bench.config = bench.home.parent / "config.toml"
        bench.config.write_text('[sources.grok]\nexclude = ["/work/private*"]\n', "utf-8")
        private = GrokLog(session=CHILD, cwd="/work/private/app")
        private.turn("a secret")
        private.write(bench.home, project=project)
        log = GrokLog()
        log.turn()
        log.write(bench.home)
        for _ in range(2):
            assert bench.sweep().new_problems == 0
            assert bench.sessions().keys() == {SESSION}
        bench.config.write_text("")
        assert bench.sweep().ingested == 1
        assert bench.sessions()[f"grok:{CHILD}"].prompts == 1


def test_records_of_unusual_types_are_taken_leniently(bench: Workbench) -> None:
    log = GrokLog()
    log.turn()
    log.row("assistant", content={"text": 5}, tool_calls="none")
    log.row("user", content=7, prompt_index="two")
    log.update("tool_call_update", toolCallId=5, rawOutput=["x"], content="words")
    log.update("turn_completed", prompt_id=7, usage={"inputTokens": "many", "outputTokens": 2.0})
    log.event("tool_completed", tool_call_id=[1], outcome=None)
    log.summary["inherited_prefix_len"] = "none"
    log.summary["info"]["cwd"] = 7
    sweep(bench, log)
    assert (bench.session().prompts, bench.session().tool_calls) == (1, 1)


@pytest.mark.parametrize("depth", [200, 900, 100_000])
@pytest.mark.parametrize("part", PARTS)
def test_what_is_nested_too_deeply_costs_itself_only(
    bench: Workbench, part: str, depth: int
) -> None:
    log = GrokLog()
    log.turn("one")
    path = log.write(bench.home) / part
    deep = b'{"type":"odd","x":%b}' % (b"[" * depth + b"]" * depth)
    path.write_bytes(deep if part == SUMMARY else deep + b"\n" + path.read_bytes())
    bench.sweep()
    assert (bench.session().prompts, bench.session().tool_calls) == (1, 1)
    problems = bench.engine().status().listed_problems
    assert all(problem.offset == 0 for problem in problems)
