"""What sessions signal by records, by how they end, by how long things take, and by success."""

from __future__ import annotations

import pytest

from tests.agents import FLAVORS, ClaudeStory, CodexStory, Story, story
from tests.conftest import Workbench
from tests.digest.signals import facts_in, signals_in

RED = "FAILED tests/test_parser.py::test_empty - AssertionError: assert 1 == 2\n1 failed"


@pytest.fixture
def log() -> ClaudeStory:
    return ClaudeStory()


@pytest.fixture(params=FLAVORS)
def told(request: pytest.FixtureRequest) -> Story:
    """A session of each agent."""
    return story(request.param)


class TestRecords:
    """Interruptions, compactions and failures of the model's interface have records."""

    def test_an_interruption(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.call(given={"command": "npm install left-pad"})
        log.prompt([{"type": "text", "text": "[Request interrupted by user]"}])
        (stop,) = signals_in(bench, log)["interruption"]
        assert stop.subject == "npm install"

    def test_steering_is_none(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("make", "ok")
        log.ask("and use the new table while you are at it")
        log.run("make", "ok")
        assert "interruption" not in signals_in(bench, log)

    @pytest.mark.parametrize(("reason", "is_signal"), [("interrupted", True), ("replaced", False)])
    def test_a_turn_that_another_replaced_is_none(
        self, bench: Workbench, reason: str, is_signal: bool
    ) -> None:
        codex = CodexStory()
        codex.ask()
        codex.run("make", "ok")
        codex.event("turn_aborted", reason=reason)
        assert ("interruption" in signals_in(bench, codex)) is is_signal

    @pytest.mark.parametrize(("times", "is_signal"), [(1, False), (2, True)])
    def test_a_context_that_was_full_more_than_once(
        self, bench: Workbench, log: ClaudeStory, times: int, is_signal: bool
    ) -> None:
        log.ask()
        for _ in range(times):
            log.run("make", "ok")
            log.add("system", subtype="compact_boundary", content="Conversation compacted")
        assert ("compaction" in signals_in(bench, log)) is is_signal

    def test_the_model_cannot_be_reached(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.reply("API Error: 529 overloaded", model="<synthetic>", isApiErrorMessage=True)
        (failure,) = signals_in(bench, log)["api_error"]
        assert failure.text.startswith("API Error: 529")

    def test_words_about_it_are_none(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.reply("API Error: 529 is what the log says.")
        assert "api_error" not in signals_in(bench, log)


class TestAbandoned:
    """A session that ends in an error or an open question; who went on, grouping knows."""

    def test_an_error_at_the_end(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("ls", "a.py")
        told.ask("and now the plan")
        told.run("terraform plan", "Error: Unsupported argument", 1)
        (left,) = signals_in(bench, told)["abandoned"]
        assert left.subject == "error"

    def test_an_open_question(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.say("I looked at it.")
        told.ask("and the lexer?")
        told.say("Shall I change both?")
        (left,) = signals_in(bench, told)["abandoned"]
        assert left.subject == "question"

    def test_with_nobody_there_it_is_only_over(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("terraform plan", "Error: Unsupported argument", 1)
        assert "abandoned" not in signals_in(bench, told)

    def test_nor_is_a_question_to_nobody(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.say("Shall I change both?")
        assert "abandoned" not in signals_in(bench, told)

    def test_an_error_that_was_answered_is_none(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("terraform plan", "Error: Unsupported argument", 1)
        told.say("The argument is not supported; I leave it at that.")
        assert "abandoned" not in signals_in(bench, told)


class TestSlowCommands:
    """How long commands take that take long; what is too long, grouping decides."""

    def test_long_runs_are_told_with_all_their_times(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("make image", "ok", takes=90)
        told.run("make image", "ok", takes=10)
        (slow,) = signals_in(bench, told)["slow_command"]
        assert slow.subject == "make image"
        assert [round(value, -3) // 1000 for value in slow.values] in ([91, 11], [92, 12])
        (run,) = facts_in(bench, told).slow
        assert (slow.first_ts, slow.fingerprints) == (run.ts, [run.fingerprint])

    def test_short_ones_are_not(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("make image", "ok", takes=5)
        assert "slow_command" not in signals_in(bench, told)


class TestSuccesses:
    """What went well: errors overcome, green at once, work that was kept."""

    def test_a_changed_action_overcomes_an_error(self, bench: Workbench, told: Story) -> None:
        told.ask()
        rejected = "! [rejected] main -> main (fetch first)\nerror: failed to push some refs"
        told.run("git push", rejected, 1)
        told.run("git pull --rebase", "Successfully rebased")
        told.run("git push", "main -> main")
        (cure,) = signals_in(bench, told)["recovery"]
        assert (cure.verb, cure.text) == ("git pull", "$ git pull --rebase")
        assert cure.error_class == "push_rejected"

    def test_another_program_in_the_place_of_a_missing_one(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask()
        told.run("rg -n parse src", "bash: line 1: rg: command not found", 127)
        told.run("grep -rn parse src", "src/a.py:1: parse")
        (cure,) = signals_in(bench, told)["recovery"]
        assert cure.verb == "use grep"

    @pytest.mark.parametrize(
        ("failed", "passed", "verb"),
        [
            ("pytest tests/a.py", "pytest tests/a.py -p no:xdist", "add -p"),
            ("pytest tests/a.py", "uv run pytest tests/a.py", "run it with uv run"),
            ("./serve --port 80", "./serve --port 80; curl -s localhost", None),
            ("cat a b.txt", "cat 'a b.txt'", "quote it"),
        ],
    )
    def test_what_was_changed_is_said_in_words(
        self, bench: Workbench, log: ClaudeStory, failed: str, passed: str, verb: str | None
    ) -> None:
        log.ask()
        log.run(failed, "Error: cannot do that here", 2)
        log.run(passed, "ok")
        cures = signals_in(bench, log).get("recovery", [])
        assert [cure.verb for cure in cures] == [verb or ""]

    def test_it_has_the_time_of_the_error(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("sleep 1", "")
        log.second -= 30  # what ran at the same time may be on record late
        log.run("cat a b.txt", "Error: cannot do that here", 2)
        log.run("cat 'a b.txt'", "ok")
        (cure,) = signals_in(bench, log)["recovery"]
        (error,) = facts_in(bench, log).errors
        assert cure.first_ts == error.ts

    def test_a_flake_passes_unchanged(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("make image", "connection reset by peer", 1)
        told.run("cat Makefile", "image:")
        told.run("make image", "ok")
        (cure,) = signals_in(bench, told)["recovery"]
        assert (cure.change, cure.verb) == ("again", "")

    def test_what_was_no_error_is_not_overcome(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("./has-changes src", "", 1)
        told.run("make clean", "ok")
        told.run("./has-changes src", "yes")
        assert "recovery" not in signals_in(bench, told)

    def test_another_use_of_the_program_overcomes_nothing(
        self, bench: Workbench, log: ClaudeStory
    ) -> None:
        log.ask()
        log.run("./deploy staging", "no route to staging", 1)
        log.run("./deploy docs", "ok")
        assert "recovery" not in signals_in(bench, log)

    def test_what_a_person_took_over_is_none(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("git push", "error: failed to push some refs", 1)
        log.ask("I pulled, try again")
        log.run("git push", "main -> main")
        (cure,) = signals_in(bench, log)["recovery"]
        assert (cure.change, cure.verb) == ("again", "")

    def test_green_at_once(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.run("pytest -q", "3 passed")
        (passed,) = signals_in(bench, told)["first_pass"]
        assert passed.subject == "pytest"

    def test_not_where_no_check_was_run(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.run("cat parser.py", "pass")
        told.say("All tests pass.")
        assert "first_pass" not in signals_in(bench, told)

    def test_not_where_nothing_was_edited(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("pytest -q", "3 passed")
        assert "first_pass" not in signals_in(bench, log)

    def test_not_where_it_was_red_before(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for code in (1, 0):
            log.edit()
            log.run("pytest -q", RED if code else "3 passed", code)
        assert "first_pass" not in signals_in(bench, log)

    def test_a_correction_takes_it_back(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.run("pytest -q", "3 passed")
        told.say("Done.")
        told.ask("no, that's not what I asked for")
        assert "first_pass" not in signals_in(bench, told)

    def test_work_that_was_committed(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("git add -A && git commit -m 'parse lists'", "[main abc] parse lists")
        assert signals_in(bench, told)["kept_work"][0].count == 1

    @pytest.mark.parametrize(
        "command",
        [
            "git revert --no-edit HEAD",
            "cd /work/app && git revert HEAD",
            "git reset --soft HEAD~1",
            "git reset --hard HEAD^",
            "git reset HEAD~",
        ],
    )
    def test_what_was_taken_back_was_not_kept(
        self, bench: Workbench, told: Story, command: str
    ) -> None:
        told.ask()
        told.run("git commit -am wip", "[main abc] wip")
        told.run(command, "HEAD is now at def")
        assert "kept_work" not in signals_in(bench, told)

    @pytest.mark.parametrize(
        "command", ["git reset --hard", "git reset HEAD a.py", "git restore a.py"]
    )
    def test_other_resets_take_nothing_back(
        self, bench: Workbench, log: ClaudeStory, command: str
    ) -> None:
        log.ask()
        log.run("git commit -am wip", "[main abc] wip")
        log.run(command, "")
        assert "kept_work" in signals_in(bench, log)

    def test_what_was_committed_after_a_reset_is_kept(
        self, bench: Workbench, log: ClaudeStory
    ) -> None:
        log.ask()
        log.run("git reset --hard HEAD~1", "HEAD is now at def")
        log.run("git commit -am wip", "[main abc] wip")
        assert "kept_work" in signals_in(bench, log)

    def test_a_commit_that_failed_kept_nothing(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("git commit -am wip", "husky - pre-commit hook exited with code 1", 1)
        assert "kept_work" not in signals_in(bench, told)


def test_what_is_searched_and_signalled_has_no_secret(bench: Workbench, log: ClaudeStory) -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    log.ask()
    log.run(f"curl -H 'Authorization: token {key}' x", f"Error: bad credentials {key}", 1)
    log.ask(f"no, don't use {key}")
    facts = facts_in(bench, log)
    assert key not in str(facts)
    assert key not in str(signals_in(bench, log))
