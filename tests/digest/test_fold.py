"""What a session's digest says, told from logs written for it."""

from __future__ import annotations

import pytest

from helix_tui.digest.evidence import excerpts
from helix_tui.schema import Digest, Facts
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


@pytest.fixture
def log() -> ClaudeLog:
    return ClaudeLog()


def digest_of(bench: Workbench, log: ClaudeLog) -> Digest:
    log.write(bench.home)
    bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    return digest


def facts_of(bench: Workbench, log: ClaudeLog) -> Facts:
    return digest_of(bench, log).facts


class TestErrors:
    """A failed call is kept with its line, its call and what came next."""

    def test_error_has_line_call_and_the_two_actions_after(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.prompt("run it")
        log.step("rg foo", "Exit code 127\nbash: line 1: rg: command not found", is_error=True)
        log.reply("I will use grep.")
        log.step("grep -r foo .")
        log.step("ls")
        log.step("pwd")
        (error,) = facts_of(bench, log).errors
        assert "rg: command not found" in error.line
        assert (error.tool, error.exit_code, error.call) == ("Bash", 127, "$ rg foo")
        assert error.after == ["$ grep -r foo .", "$ ls"]

    def test_what_is_kept_of_a_long_output_stands_around_the_cause(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        progress = "\n".join(f"reading part {number}" for number in range(200))
        cause = "app/read.py:3: error: the table is gone"
        output = f"Exit code 2\n{progress}\n{cause}\nmake: *** [all] Error 2"
        log.prompt("build it")
        log.step("make", output, is_error=True)
        log.step("cat app/read.py")
        log.step("ls app")
        facts = facts_of(bench, log)
        (error,) = facts.errors
        assert error.line == cause
        assert "reading part 0\n" not in error.text
        (shown,) = excerpts(facts, "tool_error").values()
        assert shown.startswith("$ make\n…\nreading part 198")
        assert shown.endswith(
            f"{cause}\nmake: *** [all] Error 2\nthen $ cat app/read.py\nthen $ ls app"
        )

    def test_what_comes_next_is_found_over_the_end_of_a_sweep(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.prompt("run it")
        log.step("make", "Exit code 2\nmake: *** no targets", is_error=True)
        log.write(bench.home)
        bench.sweep()
        log.step("ls")
        log.prompt("leave it")
        (error,) = facts_of(bench, log).errors
        assert error.after == ["$ ls", "user: leave it"]

    def test_equal_errors_share_a_group_and_only_some_are_kept(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        for number in range(9):
            log.step(
                f"cat {number}", f"Exit code 1\ncat: {number}.txt: No such file", is_error=True
            )
        facts = facts_of(bench, log)
        assert list(facts.error_groups.values()) == [9]
        assert len(facts.errors) == 4
        assert facts.tools["Bash"].errors == 9

    def test_refusals_and_cascades_are_no_errors_of_the_tool(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        wrapped = "<tool_use_error>Sibling tool call errored</tool_use_error>"
        log.step("ls", wrapped, is_error=True)
        log.step("rm -rf /", "The user doesn't want to proceed with this tool use.", is_error=True)
        facts = facts_of(bench, log)
        assert (facts.refusals, facts.cascades, facts.errors) == (1, 1, [])
        assert facts.ended == "refused"

    def test_an_excerpt_is_bounded(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("x" * 5000, "Exit code 1\nError: " + "y" * 50_000, is_error=True)
        log.step("z" * 5000)
        log.step("z" * 5000)
        (error,) = facts_of(bench, log).errors
        size = sum(map(len, (error.line, error.text, error.call, *error.after)))
        assert size <= 2048


class TestRepetition:
    """Retries and loops are the same call again, in vain."""

    def test_a_retry_may_be_described_otherwise(self, bench: Workbench, log: ClaudeLog) -> None:
        for words in ("run the tests", "try once more"):
            given = {"command": "make", "description": words}
            call = log.call(given=given)["message"]["content"][0]["id"]
            log.result(call, "Exit code 2", is_error=True)
        assert facts_of(bench, log).retries == 1

    def test_a_retry_is_a_call_that_failed_before(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("make", "Exit code 2", is_error=True)
        log.step("make", "Exit code 2", is_error=True)
        log.step("make")
        log.step("make")
        assert facts_of(bench, log).retries == 2

    def test_a_loop_is_the_same_result_three_times_with_no_edit_between(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        for _ in range(4):
            log.step("git status", "clean")
        for _ in range(2):
            log.step("make", "ok")
        edit = {"file_path": "/work/app/a.py"}
        call = log.call("Edit", given=edit)["message"]["content"][0]["id"]
        log.result(call, "done")
        log.step("make", "ok")
        (loop,) = facts_of(bench, log).loops
        assert (loop.text, loop.count) == ("$ git status", 4)


class TestTables:
    """Tools, commands and files are counted whole, however many there are."""

    def test_commands_have_runs_failures_exit_codes_and_durations(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.step("make test", "ok")
        log.step("make test", "Exit code 2\nboom", is_error=True)
        tally = facts_of(bench, log).commands["make test"]
        assert (tally.runs, tally.failures, tally.exit_codes) == (2, 1, {2: 1})
        assert (tally.timed, tally.total_ms, tally.longest_ms) == (2, 2000, 1000)

    def test_only_what_succeeded_was_read_or_edited(self, bench: Workbench, log: ClaudeLog) -> None:
        for tool, path, is_error in (
            ("Read", "/home/jane/a.py", False),
            ("Edit", "/home/jane/a.py", False),
            ("Edit", "/home/jane/b.py", True),
        ):
            call = log.call(tool, given={"file_path": path})["message"]["content"][0]["id"]
            log.result(call, "text", is_error=is_error)
        files = facts_of(bench, log).files
        assert files.keys() == {"~/a.py"}
        assert (files["~/a.py"].reads, files["~/a.py"].edits) == (1, 1)

    def test_sums_stay_true_where_a_table_is_full(self, bench: Workbench, log: ClaudeLog) -> None:
        for number in range(150):
            log.step(f"command {number}")
        facts = facts_of(bench, log)
        assert len(facts.commands) <= 61
        assert sum(tally.runs for tally in facts.commands.values()) == 150

    def test_a_call_and_its_error_in_two_files_are_joined(self, bench: Workbench) -> None:
        first, second = ClaudeLog(), ClaudeLog(start=100)
        first.prompt("go")
        call = first.call(call="toolu_x")["message"]["content"][0]["id"]
        second.result(call, "Exit code 1\nno", is_error=True, uuid="other-1")
        first.write(bench.home)
        second.write(bench.home, name="second")
        bench.sweep()
        digest = bench.engine().digest(bench.session())
        assert digest is not None
        assert digest.facts.tools["Bash"].errors == 1


class TestTime:
    """A long silence is idle time."""

    def test_silence_of_more_than_five_minutes_is_idle(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.prompt("a")
        log.second += 299
        log.reply("b")
        log.second += 300
        log.prompt("c")
        assert facts_of(bench, log).active_ms == 300_000


class TestEnd:
    """How a session ended is a fact; how it went, an inference with its reason."""

    @pytest.mark.parametrize(
        ("last", "ended", "outcome"),
        [
            ("reply", "reply", "unknown"),
            ("question", "question", "unknown"),
            ("prompt", "prompt", "abandoned"),
            ("call", "tool_call", "abandoned"),
            ("error", "tool_error", "failed"),
            ("interrupted", "interrupted", "abandoned"),
            ("api_error", "api_error", "failed"),
            ("thanks", "reply", "success"),
            ("but", "reply", "partial"),
            ("still", "reply", "partial"),
        ],
    )
    def test_ends(
        self, bench: Workbench, log: ClaudeLog, last: str, ended: str, outcome: str
    ) -> None:
        log.prompt("do it")
        log.reply("I have done something.")
        if last == "reply":
            log.reply("That was it.")
        elif last == "question":
            log.reply("Shall I go on?")
        elif last == "prompt":
            log.prompt("and now the other one")
        elif last == "call":
            log.call()
        elif last == "error":
            log.step("make", "Exit code 2", is_error=True)
        elif last == "interrupted":
            log.prompt([{"type": "text", "text": "[Request interrupted by user]"}])
        elif last == "api_error":
            log.reply("API Error: 500 overloaded", model="<synthetic>", isApiErrorMessage=True)
        elif last == "thanks":
            log.prompt("Perfect, thank you!")
            log.reply("You are welcome.")
        elif last == "but":
            log.prompt("Thanks, but it crashes now")
            log.reply("Let me see.")
        elif last == "still":
            log.prompt("it still fails with the same error")
            log.reply("Let me see.")
        verdict = digest_of(bench, log).verdict
        assert (verdict.ended, verdict.outcome) == (ended, outcome)
        assert verdict.reason
        session = bench.session()
        assert (session.ended, session.outcome) == (ended, outcome)

    def test_a_check_after_the_last_edit_tells(self, bench: Workbench, log: ClaudeLog) -> None:
        log.prompt("fix it")
        call = log.call("Edit", given={"file_path": "/a.py"})["message"]["content"][0]["id"]
        log.result(call, "done")
        log.step("pytest -q", "3 passed")
        log.reply("All is well.")
        verdict = digest_of(bench, log).verdict
        assert (verdict.outcome, verdict.reason) == ("success", "the last check passed: pytest -q")

    def test_a_complaint_that_was_made_good_is_no_outcome(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.prompt("fix it")
        log.reply("Done.")
        log.prompt("it still fails")
        log.step("pytest -q", "3 passed")
        log.reply("Now it works.")
        assert digest_of(bench, log).verdict.outcome == "success"

    def test_the_question_it_ends_with_is_kept(self, bench: Workbench, log: ClaudeLog) -> None:
        log.prompt("fix it")
        log.reply(f"I did this: {'x ' * 900}\n\nShall I push it?")
        assert facts_of(bench, log).ended_text == "Shall I push it?"

    @pytest.mark.parametrize(
        ("command", "is_error", "passed"),
        [
            ("cd app && pytest -q", False, True),
            ("pytest -q && git push", True, None),
            ("git pull && pytest -q", True, False),
            ("pytest -q; ls", False, None),
            ("pytest -q || true", False, None),
            ("pytest -q | tail -3", True, None),
            ("git commit -m 'make pytest pass'", False, None),
            ("git commit -m \"$(cat <<'EOF'\nrun pytest\nEOF\n)\"", False, None),
            ("pnpm --filter @app/api test", False, True),
            ("pip install pytest", False, None),
            ("which tsc && grep -rn jest docs", False, None),
            ("bash -c 'pytest -q'", False, True),
            ("go test ./... 2>&1", True, False),
            ("npm run test:unit -- --run", True, False),
        ],
    )
    def test_a_check_is_told_by_the_status_that_is_its_own(
        self, bench: Workbench, log: ClaudeLog, command: str, is_error: bool, passed: bool | None
    ) -> None:
        log.step(command, "Exit code 1\nno" if is_error else "ok", is_error=is_error)
        assert facts_of(bench, log).last_check_passed is passed

    def test_of_two_files_the_one_that_ended_last_tells(self, bench: Workbench) -> None:
        first, second = ClaudeLog(), ClaudeLog(start=10)
        first.prompt("go")
        second.step("pytest -q", "3 passed")
        second.reply("All is well.", uuid="other-9")
        for record in second.records:
            record["uuid"] = f"second-{record['uuid']}"
        first.second = 100
        first.step("pytest -q", "Exit code 1\n1 failed", is_error=True)
        first.reply("The tests fail.")
        first.write(bench.home)
        second.write(bench.home, name="second")
        bench.sweep()
        session = bench.session()
        digest = bench.engine().digest(session)
        assert digest is not None
        assert (digest.facts.last_reply, session.outcome) == ("The tests fail.", "partial")
        assert digest.facts.active_ms <= 104_000

    def test_what_a_rewritten_log_lost_stands_where_it_was(
        self, bench: Workbench, log: ClaudeLog
    ) -> None:
        log.prompt("do it")
        log.reply("Done.")
        log.prompt("thanks")
        path = log.write(bench.home)
        bench.sweep()
        path.write_bytes(b"".join(log.lines()[:-1]))
        bench.sweep()
        facts = bench.engine().digest(bench.session())
        assert facts is not None
        assert (facts.facts.first_prompt, facts.facts.last_prompt) == ("do it", "thanks")
        assert [event.text for event in bench.events(log.session)] == ["do it", "Done.", "thanks"]

    def test_a_check_behind_a_pipe_proves_nothing(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("pytest -q | tail -3", "1 failed")
        log.reply("All is well.")
        digest = digest_of(bench, log)
        assert digest.facts.last_check_passed is None
        assert digest.verdict.outcome == "unknown"


class TestCorrections:
    """A correction is a short prompt that rejects what the agent just did."""

    @pytest.mark.parametrize(
        ("said", "is_correction"),
        [
            ("no, use the other table", True),
            ("that's wrong, revert it", True),
            ("You forgot the tests", True),
            ("still failing", True),
            ("don't touch main", True),
            ("no problem, go on", False),
            ("now add a test", False),
            ("why is the sky blue?", False),
            ("no " + "x" * 500, False),
        ],
    )
    def test_corrections(
        self, bench: Workbench, log: ClaudeLog, said: str, is_correction: bool
    ) -> None:
        log.prompt("no wait, this first message corrects nobody")
        log.step()
        log.prompt(said)
        assert facts_of(bench, log).correction_count == is_correction


class TestRuns:
    """What outputs tell, whatever the agent flags."""

    def test_a_red_check_in_a_pipe_is_a_failure(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("pytest -q 2>&1 | tail -3", "1 failed, 2 passed in 0.10s")
        facts = facts_of(bench, log)
        (run,) = facts.runs
        assert (run.name, run.state, run.passed, run.failed) == ("pytest", "failed", None, 1)
        assert facts.failures == 1
        assert facts.last_check_passed is False
        assert [error.fingerprint for error in facts.errors] == [run.fingerprint]
        assert sum(tally.errors for tally in facts.tools.values()) == 0

    def test_a_green_run_clears_a_red_one(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("pytest -q | tail -3", "1 failed, 2 passed in 0.10s")
        log.step("pytest -q | tail -3", "3 passed in 0.10s")
        log.step("pytest -q | tail -1", "")
        facts = facts_of(bench, log)
        assert {name: check.state for name, check in facts.checks.items()} == {"pytest": "passed"}

    def test_a_commit_counts_when_git_says_so(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("git commit -m x | tail -3", "nothing to commit, working tree clean")
        log.step("git commit -m x | tail -3", "[main 1a2b3c4] x\n 1 file changed")
        facts = facts_of(bench, log)
        assert facts.commits == 1
        assert [run.state for run in facts.runs] == ["failed", "passed"]

    def test_a_refusal_in_words_is_a_failure(self, bench: Workbench, log: ClaudeLog) -> None:
        log.step("touch a", "This command was forbidden by the workspace guard policy: blocked")
        facts = facts_of(bench, log)
        assert facts.failures == facts.unknown_wordings == 1
        assert facts.refused_in_words[0].about == "unknown"
