"""What sessions signal beside errors: each rule fires, and each of its traps does not."""

from __future__ import annotations

import pytest

from tests.agents import FLAVORS, ClaudeStory, Story, story
from tests.conftest import Workbench
from tests.digest.signals import signals_in

RED = "FAILED tests/test_parser.py::test_empty - AssertionError: assert 1 == 2\n1 failed"


@pytest.fixture
def log() -> ClaudeStory:
    return ClaudeStory()


@pytest.fixture(params=FLAVORS)
def told(request: pytest.FixtureRequest) -> Story:
    """A session of each agent."""
    return story(request.param)


class TestRetryLoops:
    """The same action and the same output three times, with no edit between."""

    def test_three_times_the_same(self, bench: Workbench, told: Story) -> None:
        told.ask()
        for _ in range(4):
            told.run("./report --all", "nothing to report")
        (loop,) = signals_in(bench, told)["retry_loop"]
        assert (loop.subject, loop.count) == ("report", 4)

    @pytest.mark.parametrize(
        "command",
        [
            "gh run view 7",
            "curl -s localhost:9000/health",
            "kubectl get pods",
            "docker ps",
            "git status",
            "git status --short",
            "sleep 5",
            "tail -5 server.log",
        ],
    )
    def test_polling_is_meant_so(self, bench: Workbench, log: ClaudeStory, command: str) -> None:
        log.ask()
        for _ in range(5):
            log.run(command, "pending")
        assert "retry_loop" not in signals_in(bench, log)

    def test_so_are_tools_that_wait(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for _ in range(5):
            log.use("BashOutput", {"bash_id": "1"}, "running")
        assert "retry_loop" not in signals_in(bench, log)

    def test_paging_is_another_action_each_time(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for page in range(5):
            log.run(f"./report --page {page}", "nothing to report")
            log.use("Read", {"file_path": "/work/app/a.py", "offset": 100 * page}, "pass")
        assert "retry_loop" not in signals_in(bench, log)

    def test_another_output_is_progress(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for number in range(5):
            log.run("./report --all", f"{number} left")
        assert "retry_loop" not in signals_in(bench, log)

    @pytest.mark.parametrize(
        "change", ["", "sed -i s/a/b/ a.py", "cat > a.py <<'EOF'\nx = 1\nEOF", "git checkout main"]
    )
    def test_an_edit_between_begins_anew(
        self, bench: Workbench, log: ClaudeStory, change: str
    ) -> None:
        log.ask()
        for _ in range(4):
            log.run("./report --all", "nothing to report")
            if change:
                log.run(change, "")
            else:
                log.edit()
        found = signals_in(bench, log).get("retry_loop", [])
        assert [loop.subject for loop in found if loop.subject == "report"] == []

    def test_what_fails_is_counted_with_its_error(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for _ in range(3):
            log.run("terraform plan", "Error: Unsupported argument", 1)
        found = signals_in(bench, log)
        assert "retry_loop" not in found
        assert "repeated_error" in found


class TestEditTestFix:
    """Edited, and the same target red, three times and more."""

    def test_three_times_red(self, bench: Workbench, told: Story) -> None:
        told.ask()
        for _ in range(3):
            told.edit()
            told.run("pytest -q tests/test_parser.py", RED, 1)
        (fix,) = signals_in(bench, told)["edit_test_fix"]
        assert (fix.subject, fix.count) == ("pytest", 3)

    def test_twice_is_work(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for _ in range(2):
            log.edit()
            log.run("pytest -q", RED, 1)
        assert "edit_test_fix" not in signals_in(bench, log)

    def test_a_pass_between_begins_anew(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for code in (1, 1, 0, 1, 1):
            log.edit()
            log.run("pytest -q", RED if code else "3 passed", code)
        assert "edit_test_fix" not in signals_in(bench, log)

    def test_another_target_each_time_is_another_matter(
        self, bench: Workbench, log: ClaudeStory
    ) -> None:
        log.ask()
        for name in ("parser", "lexer", "writer", "reader"):
            log.edit()
            log.run(f"pytest -q tests/test_{name}.py", RED, 1)
        assert "edit_test_fix" not in signals_in(bench, log)

    def test_so_is_another_test_of_the_same_run(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for name in ("empty", "long", "nested", "quoted"):
            log.edit()
            log.run("pytest -q", RED.replace("empty", name), 1)
        assert "edit_test_fix" not in signals_in(bench, log)

    def test_red_without_an_edit_is_none(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        for _ in range(4):
            log.run("pytest -q", RED, 1)
        assert "edit_test_fix" not in signals_in(bench, log)


class TestCorrections:
    """A short turn after the agent's work that rejects or redirects it."""

    @pytest.mark.parametrize(
        "said",
        [
            "no, use the other table",
            "stop committing without asking me",
            "that's wrong, revert it",
            "You forgot the tests",
            "I told you not to touch main",
            "don’t mock the database",
        ],
    )
    def test_they_are_heard(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.run("git commit -am wip", "[main abc] wip")
        told.say("I committed it.")
        told.ask(said)
        found = signals_in(bench, told)
        (heard,) = found.get("user_correction") or found["error_persistence"]
        assert heard.text == said
        assert heard.before == "$ git commit -am wip"

    @pytest.mark.parametrize(
        "said",
        [
            "no problem, looks good. next: the lexer",
            "no worries, go on",
            "no need to hurry",
            "not bad! now the writer",
            "don't worry about the docs",
            "nothing else, thanks",
            "stop words should be filtered in the index",
            "now add a test for the lexer",
            "commit this please",
            "now commit and push",
            "write a test that checks that we never print secrets",
            # Pasted from a terminal
            "No such file or directory: 'setup.cfg'",
            "no module named yaml",
            "No space left on device",
            "No matching distribution found for left-pad",
            "Wrong number of arguments (given 1, expected 2)\n" * 6,
            "```\nno, wrong\n```",
        ],
    )
    def test_what_only_sounds_like_one(self, bench: Workbench, log: ClaudeStory, said: str) -> None:
        log.ask()
        log.run("make", "ok")
        log.say("It is built.")
        log.ask(said)
        assert "user_correction" not in signals_in(bench, log)

    def test_the_first_message_corrects_nobody(self, bench: Workbench, told: Story) -> None:
        told.ask("no, stop, don't commit: that's wrong")
        told.run("make", "ok")
        assert "user_correction" not in signals_in(bench, told)

    def test_nor_does_one_after_nothing_was_done(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask("fix the parser")
        log.ask("no, wait, the lexer")
        assert "user_correction" not in signals_in(bench, log)

    def test_a_long_message_is_a_new_task(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("make", "ok")
        log.ask("no, " + "use the table of the other module, and then go on. " * 10)
        assert "user_correction" not in signals_in(bench, log)

    def test_what_may_be_one_is_kept_apart(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("npm install left-pad", "added 1 package")
        log.ask("this repo uses pnpm")
        found = signals_in(bench, log)
        assert "user_correction" not in found
        assert [one.text for one in found["user_reaction"]] == ["this repo uses pnpm"]


class TestPersistenceAndFalseClaims:
    """A claim of done that does not hold."""

    @pytest.mark.parametrize(
        "said", ["it still fails", "same error as before", "still broken", "fix it, it still fails"]
    )
    def test_still_wrong_after_done(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.edit()
        told.say("Done. The parser is fixed.")
        told.ask(said)
        (found,) = signals_in(bench, told)["error_persistence"]
        assert found.before.endswith("parser.py")

    @pytest.mark.parametrize(
        "said",
        [
            "now add a page that shows the same error in red",
            "add a retry: when it fails again, log it",
            "write a test for the case that the server still fails",
            "thanks! next: the lexer",
        ],
    )
    def test_a_new_request_is_no_persistence(
        self, bench: Workbench, log: ClaudeStory, said: str
    ) -> None:
        log.ask()
        log.edit()
        log.say("Done. The parser is fixed.")
        log.ask(said)
        assert "error_persistence" not in signals_in(bench, log)

    def test_without_a_claim_nothing_persists(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.edit()
        log.say("I changed the parser; the tests are not yet fixed.")
        log.ask("it still fails")
        assert "error_persistence" not in signals_in(bench, log)

    def test_a_check_that_fails_after_done(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.say("Done. All tests pass.")
        told.ask("run the tests once more")
        told.run("pytest -q", RED, 1)
        (claim,) = signals_in(bench, told)["false_claim"]
        assert (claim.subject, claim.before) == ("pytest", "Done. All tests pass.")

    def test_a_new_request_is_worked_on_before(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.say("Done. All tests pass.")
        told.ask("now support nested lists")
        told.edit()
        told.run("pytest -q", RED, 1)
        assert "false_claim" not in signals_in(bench, told)

    def test_what_is_red_behind_a_claim_or_a_commit_is_late(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask()
        told.edit()
        told.say("Done. All tests pass.")
        told.ask("run the linter")
        told.run("make lint", "a.py:1:1: F401 unused import\nFound 1 error.", 1)
        told.edit()
        told.run("make lint", "a.py:9:1: F841 unused variable\nFound 1 error.", 1)
        told.edit()
        told.run("git commit -am parser", "[main 12ab34c] parser\n 1 file changed")
        told.run("make lint", "a.py:4:1: F821 undefined name\nFound 1 error.", 1)
        late = {one.subject: one.late for one in signals_in(bench, told)["tool_error"]}
        assert sorted(late.values()) == [0, 1, 1]

    def test_what_is_said_on_the_way_is_no_claim(self, bench: Workbench, log: ClaudeStory) -> None:
        """Also where a sweep comes between: a turn is given back only when a person speaks."""
        log.ask()
        log.run("make", "ok")
        log.say("The lexer is done, the tests come next.")
        log.save(bench.home)
        bench.sweep()
        log.run("pytest -q", RED, 1)
        assert "false_claim" not in signals_in(bench, log)

    def test_a_claim_is_remembered_over_the_end_of_a_sweep(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask()
        told.edit()
        told.say("Done. All tests pass.")
        told.save(bench.home)
        bench.sweep()
        told.ask("run the tests once more")
        told.run("pytest -q", RED, 1)
        assert "false_claim" in signals_in(bench, told)
