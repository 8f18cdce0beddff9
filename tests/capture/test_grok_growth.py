"""A Grok session grows in several files at once, and its chat is rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from helix_tui.capture.adapters import Again
from helix_tui.capture.adapters.grok.reader import GrokReader
from helix_tui.schema import Session
from tests.capture.alike import assert_counted_alike
from tests.conftest import Workbench
from tests.grok_log import CHAT, EVENTS, FOLDER, PARTS, SUMMARY, UPDATES, GrokLog, usage

SESSION = f"grok:{FOLDER}"


def texts(bench: Workbench, *kinds: str) -> list[str]:
    return [event.text for event in bench.events(SESSION) if event.kind in kinds]


def but_for_raw(sessions: dict[str, Session]) -> dict[str, Session]:
    return {name: replace(session, raw_bytes=0) for name, session in sessions.items()}


def assert_equals_one_sweep(bench: Workbench, at_once: Path) -> None:
    """Whatever was read when, the end is the same as of one sweep."""
    bench.sweep(at_once)
    assert but_for_raw(bench.sessions()) == but_for_raw(bench.sessions(at_once))
    assert bench.events(SESSION) == bench.events(SESSION, at_once)


def compact(log: GrokLog) -> None:
    """Replaces the chat by a summary, as a compaction does."""
    log.chat = []
    summary = [{"type": "text", "text": "a summary of it all"}]
    log.row("user", content=summary, synthetic_reason="compaction_meta")
    log.update("auto_compact_completed", tokens_before=90_000)


class TestRewrittenChat:
    """A compaction takes words out of the chat; nothing captured goes, nothing comes twice."""

    def test_what_was_captured_stays(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.turn("two")
        log.write(bench.home)
        bench.sweep()
        compact(log)
        log.turn("three")
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "three"]
        assert texts(bench, "reply") == ["done with: one", "done with: two", "done with: three"]
        session = bench.session()
        assert (session.tool_calls, session.compactions) == (3, 1)
        assert_counted_alike(bench)

    def test_what_only_the_updates_still_have_comes_in_once(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.turn("two")
        compact(log)
        log.turn("three")
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "three"]
        assert texts(bench, "reply") == ["done with: one", "done with: two", "done with: three"]
        assert texts(bench, "thinking") == ["about: one", "about: two", "about: three"]
        assert_counted_alike(bench)
        log.turn("four")
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "three", "four"]
        assert bench.session().tool_calls == 4
        assert_counted_alike(bench)

    def test_what_is_written_while_the_updates_are_read_again(
        self, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = GrokLog()
        log.turn("one")
        log.turn("two")
        compact(log)
        log.turn("three")
        log.write(bench.home)
        asked = GrokReader.again

        def again(reader: GrokReader, part: str) -> Again | None:
            wanted = asked(reader, part)
            if part == "updates" and wanted:
                log.turn("four")
                log.write(bench.home, UPDATES)
            return wanted

        with monkeypatch.context() as patch:
            patch.setattr(GrokReader, "again", again)
            bench.sweep()
        assert log.prompts == 4
        log.write(bench.home)
        bench.sweep()
        assert bench.session().cost.output == 20
        assert texts(bench, "prompt") == ["one", "two", "three", "four"]
        assert_counted_alike(bench)

    def test_both_ways_give_the_same_figures(self, bench: Workbench, tmp_path: Path) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        log.step("no", outcome="error", exit_code=1)
        log.write(bench.home)
        bench.sweep()
        compact(log)
        log.reply("Sorry.")
        log.end_turn()
        log.turn("three")
        log.write(bench.home)
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        for store in (bench.store, at_once):
            session = bench.sessions(store)[SESSION]
            assert (session.prompts, session.tool_calls, session.tool_errors) == (3, 3, 1)
            assert session.cost.output == 15

    def test_compactions_are_counted_without_updates_too(self, bench: Workbench) -> None:
        log = GrokLog()
        compact(log)
        log.turn("after it")
        log.write(bench.home, without=UPDATES)
        bench.sweep()
        assert bench.session().compactions == 1

    def test_chat_that_loses_its_last_rows_to_a_rewind(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        rows = list(log.chat)
        log.turn("two")
        log.write(bench.home)
        bench.sweep()
        log.chat = rows
        log.update("rewind_marker", target_prompt_index=1)
        log.write(bench.home)
        bench.sweep()
        log.turn("two, otherwise")
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "two, otherwise"]


class TestChatThatLostItsEnd:
    """What the updates have behind the last row of the chat comes in, and comes in once."""

    def test_turns_behind_the_end(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        rows = len(log.chat)
        log.turn("two")
        log.turn("three")
        del log.chat[rows:]
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "three"]
        assert texts(bench, "thinking") == ["about: one", "about: two", "about: three"]
        assert texts(bench, "reply") == ["done with: one", "done with: two", "done with: three"]
        assert texts(bench, "tool_result") == [
            "output of: one",
            "output of: two",
            "output of: three",
        ]
        assert_counted_alike(bench)
        assert bench.sweep().bytes_read == 0

    @pytest.mark.parametrize("version", [0, 1])
    @pytest.mark.parametrize("is_over", [False, True])
    def test_chat_that_lags_a_turn_behind(
        self, bench: Workbench, tmp_path: Path, version: int, is_over: bool
    ) -> None:
        log = GrokLog(version=version)
        log.turn("one")
        log.write(bench.home)
        bench.sweep()
        log.turn("two")
        if not is_over:
            log.updates.pop()
        log.write(bench.home, UPDATES)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two"]
        assert bench.session().tool_calls == 2
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two"]
        assert texts(bench, "thinking") == ["about: one", "about: two"]
        assert texts(bench, "reply") == ["done with: one", "done with: two"]
        assert_counted_alike(bench)
        if version:
            assert_equals_one_sweep(bench, tmp_path / "at-once")

    @pytest.mark.parametrize("version", [0, 1])
    @pytest.mark.parametrize("kept", range(5))
    def test_cut_within_the_last_turn(
        self, bench: Workbench, tmp_path: Path, version: int, kept: int
    ) -> None:
        log = GrokLog(version=version)
        log.turn("one")
        rows = len(log.chat)
        log.turn("two")
        whole = log.chat
        log.chat = whole[: rows + kept]
        log.write(bench.home)
        bench.sweep()
        for is_late in (False, True):
            if is_late:
                log.chat = whole
                log.write(bench.home)
                bench.sweep()
            assert texts(bench, "prompt") == ["one", "two"]
            assert texts(bench, "thinking") == ["about: one", "about: two"]
            assert texts(bench, "tool_result") == ["output of: one", "output of: two"]
            assert texts(bench, "reply") == ["done with: one", "done with: two"]
            assert_counted_alike(bench)
        if version:
            assert_equals_one_sweep(bench, tmp_path / "at-once")

    def test_what_the_chat_says_twice_in_a_turn(self, bench: Workbench, tmp_path: Path) -> None:
        log = GrokLog()
        log.prompt("one")
        for _ in range(2):
            log.reply("Again.")
            log.step("ok")
        log.reply("Again.")
        log.end_turn()
        whole = log.chat
        log.chat = whole[:5]
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "reply") == ["Again."] * 3
        log.chat = whole
        log.write(bench.home)
        bench.sweep()
        assert_equals_one_sweep(bench, tmp_path / "at-once")

    def test_an_answer_that_is_still_being_given_waits(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        rows = len(log.chat)
        log.think("hm")
        log.reply("so be it")
        del log.chat[rows:]
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "thinking", "reply") == ["about: one", "done with: one"]
        log.end_turn()
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "thinking") == ["about: one", "hm"]
        assert texts(bench, "reply") == ["done with: one", "so be it"]

    def test_a_broken_off_turn_before_others(self, bench: Workbench, tmp_path: Path) -> None:
        log = GrokLog()
        log.turn("one")
        del log.chat[2:]
        log.turn("two")
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "thinking") == ["about: one", "about: two"]
        assert texts(bench, "reply") == ["done with: one", "done with: two"]
        assert_counted_alike(bench)

    def test_a_turn_whose_beginning_was_compacted_away(self, bench: Workbench) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        log.step("before")
        compact(log)
        log.step("behind")
        log.reply("Both done.")
        log.end_turn()
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two"]
        assert texts(bench, "reply") == ["done with: one", "Both done."]
        assert texts(bench, "tool_result") == ["output of: one", "before", "behind"]

    def test_telemetry_that_comes_behind(self, bench: Workbench, tmp_path: Path) -> None:
        log = GrokLog()
        log.turn("one")
        rows = len(log.chat)
        log.prompt("two")
        log.step("no", outcome="error")
        log.end_turn()
        del log.chat[rows:]
        log.write(bench.home, without=EVENTS)
        bench.sweep()
        assert bench.session().tool_errors == 0
        log.write(bench.home)
        bench.sweep()
        assert bench.session().tool_errors == 1
        assert_counted_alike(bench)
        assert_equals_one_sweep(bench, tmp_path / "at-once")


class TestLateFacts:
    """What is known only later is told of what was read before."""

    def test_outcome_times_and_cost_of_a_call_come_later(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        log.step("no", outcome="error", status="failed", exit_code=3)
        log.reply("Sorry.")
        log.end_turn(usage(out=7))
        folder = log.write(bench.home, CHAT, SUMMARY)
        for late in (UPDATES, EVENTS):
            (folder / late).touch()
        bench.sweep()
        session = bench.session()
        assert (session.prompts, session.tool_calls, session.tool_errors) == (2, 2, 0)
        log.write(bench.home, UPDATES)
        bench.sweep()
        assert bench.session().tool_errors == 1
        log.write(bench.home, EVENTS)
        bench.sweep()
        result = [event for event in bench.events(SESSION) if event.kind == "tool_result"][-1]
        assert (result.is_error, result.exit_code, result.ts is not None) == (True, 3, True)
        assert_counted_alike(bench)
        assert_equals_one_sweep(bench, tmp_path / "at-once")

    def test_telemetry_that_clears_a_call(self, bench: Workbench, tmp_path: Path) -> None:
        log = GrokLog()
        log.prompt()
        log.step("Error: but not really", status="failed", exit_code=1)
        log.write(bench.home, SUMMARY, UPDATES, CHAT)
        bench.sweep()
        assert bench.session().tool_errors == 1
        log.write(bench.home)
        bench.sweep()
        assert bench.session().tool_errors == 0
        assert_equals_one_sweep(bench, tmp_path / "at-once")

    @pytest.mark.parametrize("first", PARTS[1:])
    def test_any_part_may_lag_behind(self, bench: Workbench, tmp_path: Path, first: str) -> None:
        log = GrokLog()
        log.write(bench.home)
        for number in range(4):
            log.turn(f"turn {number}")
            log.write(bench.home, SUMMARY, first)
            bench.sweep()
            if number % 2:
                log.write(bench.home)
                bench.sweep()
        assert_counted_alike(bench)
        assert_equals_one_sweep(bench, tmp_path / "at-once")

    def test_chat_comes_when_the_updates_have_spoken(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = GrokLog()
        log.turn("one")
        log.turn("two")
        log.write(bench.home, without=CHAT)
        bench.sweep()
        assert bench.session().prompts == 2
        log.write(bench.home)
        bench.sweep()
        assert (bench.session().prompts, bench.session().tool_calls) == (2, 2)
        assert texts(bench, "reply") == ["done with: one", "done with: two"]
        assert_counted_alike(bench)

    def test_summary_that_comes_last_names_the_session(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = GrokLog(session_kind="subagent", parent_session_id="elsewhere")
        log.turn()
        log.write(bench.home, without=SUMMARY)
        bench.sweep()
        log.write(bench.home)
        bench.sweep()
        assert bench.session().parent == "grok:elsewhere"
        assert_equals_one_sweep(bench, tmp_path / "at-once")


class TestCuts:
    """What is being said may be cut anywhere, also within a reply."""

    @pytest.mark.parametrize("missing", ["", CHAT])
    def test_reply_in_chunks(self, bench: Workbench, tmp_path: Path, missing: str) -> None:
        log = GrokLog()
        log.turn("one")
        log.prompt("two")
        log.reply("many words that come one by one and slowly")
        log.end_turn()
        folder = log.write(bench.home, without=missing)
        whole = log.content(UPDATES)
        for cut in range(len(whole) // 2, len(whole), 777):
            (folder / UPDATES).write_bytes(whole[:cut])
            bench.sweep()
        (folder / UPDATES).write_bytes(whole)
        bench.sweep()
        assert texts(bench, "reply") == [
            "done with: one",
            "many words that come one by one and slowly",
        ]
        assert_counted_alike(bench)
        assert_equals_one_sweep(bench, tmp_path / "at-once")


class TestRecall:
    """What was evicted is read again from the folder, joined as before."""

    @pytest.mark.parametrize("name", ["", "a-folder-of-another-name"])
    def test_evicted_session_is_shown_as_it_was(
        self, bench: Workbench, tmp_path: Path, name: str
    ) -> None:
        log = GrokLog()
        log.turn("one")
        compact(log)
        log.turn("two")
        log.step("no", outcome="error", exit_code=3)
        log.write(bench.home, name=name)
        kept = tmp_path / "kept"
        bench.sweep(kept)
        bench.config = bench.home.parent / "config.toml"
        bench.config.write_text(
            "[retention]\nraw_soft_cap_bytes = 1\nraw_hard_cap_bytes = 2\n", "utf-8"
        )
        bench.sweep()
        assert bench.session().raw == "evicted"
        assert bench.events(SESSION) == bench.events(SESSION, kept)


def unnumber(log: GrokLog, *, in_updates: bool) -> None:
    """Takes the numbers off the prompts, as in what older versions wrote."""
    for row in log.chat:
        row.pop("prompt_index", None)
    for line in log.updates if in_updates else ():
        if line["params"]["update"]["sessionUpdate"] == "user_message_chunk":
            line["params"]["update"].pop("_meta", None)


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("in_updates", [False, True])
class TestCompactedWithoutNumbers:
    """Prompts of a chat without numbers are told apart by what they say."""

    def test_nothing_comes_twice(
        self, bench: Workbench, tmp_path: Path, version: int, in_updates: bool
    ) -> None:
        log = GrokLog(version=version)
        log.turn("one")
        log.turn("two")
        unnumber(log, in_updates=in_updates)
        log.write(bench.home)
        bench.sweep()
        compact(log)
        log.turn("three")
        unnumber(log, in_updates=in_updates)
        log.write(bench.home)
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        for store in (bench.store, at_once):
            events = bench.events(SESSION, store)
            said = {
                kind: [event.text for event in events if event.kind == kind]
                for kind in ("prompt", "thinking", "reply")
            }
            assert said == {
                "prompt": ["one", "two", "three"],
                "thinking": ["about: one", "about: two", "about: three"],
                "reply": ["done with: one", "done with: two", "done with: three"],
            }

    def test_a_second_compaction(self, bench: Workbench, version: int, in_updates: bool) -> None:
        log = GrokLog(version=version)
        log.turn("one")
        for text in ("two", "three"):
            compact(log)
            log.turn(text)
            unnumber(log, in_updates=in_updates)
            log.write(bench.home)
            bench.sweep()
        log.turn("four")
        compact(log)
        log.turn("five")
        unnumber(log, in_updates=in_updates)
        log.write(bench.home)
        bench.sweep()
        assert texts(bench, "prompt") == ["one", "two", "three", "four", "five"]


def test_a_turn_that_goes_on_does_not_have_the_chat_read_again(bench: Workbench) -> None:
    log = GrokLog()
    for number in range(9):
        log.turn(f"prompt {number}")
    log.prompt("and now?")
    log.write(bench.home)
    bench.sweep()
    for word in ("I", " am", " thinking"):
        before = len(log.content(UPDATES))
        log.chunk("agent_message", word)
        log.write(bench.home)
        assert bench.sweep().bytes_read == len(log.content(UPDATES)) - before + len(
            log.content(SUMMARY)
        )


@pytest.mark.parametrize("left", range(1, 12))
def test_row_written_again_behind_what_is_left_of_it(bench: Workbench, left: int) -> None:
    log = GrokLog(version=0)
    log.turn("one")
    folder = log.write(bench.home, without=UPDATES)
    rows = log.content(CHAT).split(b"\n")
    (folder / CHAT).write_bytes(b"\n".join([rows[0][:left] + rows[0], *rows[1:]]))
    bench.sweep()
    assert texts(bench, "prompt") == ["one"]
