"""Which session a record belongs to: sub-agents, copies, and what is no session."""

from __future__ import annotations

from pathlib import Path

from tests.capture.alike import OTHER, SESSION, assert_counted_alike
from tests.claude_log import ClaudeLog, as_line, moment, usage
from tests.conftest import Workbench


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
        assert session.agent_version == "2.1.0"
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
