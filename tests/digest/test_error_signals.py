"""Errors as signals: each rule fires, and what only looks like an error does not."""

from __future__ import annotations

import pytest

from helix_tui.digest.signals import signals_of
from tests.agents import FLAVORS, ClaudeStory, Story, story
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.digest.signals import facts_in, signals_in
from tests.digest.told_session import Told

ERRORS = {"tool_error", "env_missing", "edit_mismatch", "permission", "repeated_error"}
NOT_FOUND = {
    "claude": "String to replace not found in file.\nString: a",
    "codex": "Failed to find expected lines in /work/app/parser.py:\na",
    "grok": "The string to replace was not found in the file, use the read_file tool.",
}


BIOME = """src/a.ts:12:3 lint/style/useConst  FIXABLE  ━━━━━━━━━━

  ✖ This let declares a variable that is only assigned once.

Checked 2 files in 12ms. No fixes applied.
Found 1 error.
"""


@pytest.mark.parametrize(
    ("command", "check", "step"),
    [
        ("npx biome check src", "lint", "biome check"),
        ("npx tsc --noEmit && npx biome check src", "lint", "biome check"),
        ("npm run lint", "lint", "npm run lint"),
        ("npm run check", "check", "npm run check"),
    ],
)
def test_what_biome_says_is_a_linters_however_it_is_run(
    command: str, check: str, step: str
) -> None:
    (error,) = (one for one in signals_of(Told().run(command, BIOME, 1).facts()) if one.check)
    assert (error.error_class, error.subject) == ("lint_error", "useConst")
    assert (error.check, error.step) == (check, step)


@pytest.fixture
def log() -> ClaudeStory:
    return ClaudeStory()


@pytest.fixture(params=FLAVORS)
def told(request: pytest.FixtureRequest) -> Story:
    """A session of each agent."""
    return story(request.param)


class TestToolErrors:
    """Status and exit code tell an error; words never do."""

    def test_a_failed_command(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("terraform plan", "Error: Unsupported argument", 1)
        (error,) = signals_in(bench, told)["tool_error"]
        assert (error.tool_class, error.count) == ("shell", 1)
        assert "Unsupported argument" in error.text
        assert error.before == "$ terraform plan"

    @pytest.mark.parametrize(
        ("command", "check"),
        [
            ("npm run check", "check"),
            ("make verify", "check"),
            ("npm run check:lint", "types"),
            ("npm run dev", "types"),
        ],
    )
    def test_a_script_that_is_named_a_check_is_one_whichever_of_its_parts_is_red(
        self, bench: Workbench, log: ClaudeStory, command: str, check: str
    ) -> None:
        log.ask()
        log.run(command, "src/a.ts(3,7): error TS2322: Type 'a' is not assignable.", 2)
        (error,) = signals_in(bench, log)["tool_error"]
        assert (error.check, error.step) == (check, command)

    def test_words_alone_are_no_error(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("cat docs/faq.md", "If you see `rg: command not found`, install it.")
        told.run("cat build.log", "Error: Unsupported argument")
        assert not ERRORS & signals_in(bench, told).keys()

    @pytest.mark.parametrize(
        ("command", "output"),
        [
            ("grep -rn parse src", ""),
            ("cd app && grep -q parse a.py", ""),
            ("cat a.py | grep parse", ""),
            ("rg -n parse", ""),
            ("diff old.txt new.txt", "1c1\n< a\n---\n> b"),
            ("git diff --exit-code", "diff --git a/x b/x\n@@ -1 +1 @@"),
            ("cmp a b", "a b differ: byte 1, line 1"),
            ("test -f setup.cfg", ""),
            ("[ -d dist ]", ""),
            ("pgrep -f server", ""),
            ("git merge-base --is-ancestor main HEAD", ""),
            ("git -C /work/app config gc.auto; echo '---'; git config --global fetch.prune", "---"),
            # Other statements may have said much before the last one only answered.
            ("ls src; grep -rn parse src", "parser.py\nlexer.py"),
            ("grep -c parse a.py", "0"),
            ("git log --oneline | head -3; git grep -n parse", "abc one\ndef two"),
        ],
    )
    def test_an_answer_is_no_error(
        self, bench: Workbench, told: Story, command: str, output: str
    ) -> None:
        told.ask()
        told.run(command, output, 1)
        assert not ERRORS & signals_in(bench, told).keys()

    @pytest.mark.parametrize(
        ("command", "output", "code"),
        [
            ("grep -rn '(' src", "grep: Unmatched ( or \\(", 2),
            ("make all && grep -q ok out.log", "make: *** No rule to make target 'all'.", 1),
            ("grep -q parse a.py && ./deploy", "deploy: cannot reach the host", 1),
            ("diff a b && ./deploy", "deploy: cannot reach the host", 1),
        ],
    )
    def test_what_a_searching_command_may_hide_is_one(
        self, bench: Workbench, log: ClaudeStory, command: str, output: str, code: int
    ) -> None:
        log.ask()
        log.run(command, output, code)
        assert ERRORS & signals_in(bench, log).keys()

    def test_an_excused_failure_is_none(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("make lint || true", "lint: 3 problems")
        told.run("rm build.log 2>/dev/null || echo none", "none")
        assert not ERRORS & signals_in(bench, told).keys()

    def test_an_exit_of_one_without_a_word_is_none(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("./has-changes", "", 1)
        assert not ERRORS & signals_in(bench, told).keys()

    def test_another_silent_exit_goes_by_its_program(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("./server --once", "", 134)
        (error,) = signals_in(bench, told)["tool_error"]
        assert error.template == "`server` exit 134"

    def test_cascades_are_none(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        said = "<tool_use_error>Sibling tool call errored</tool_use_error>"
        log.use("Bash", {"command": "ls"}, said, is_error=True)
        assert not ERRORS & signals_in(bench, log).keys()


class TestPlannedRed:
    """A test that was just written fails first; that is how it is meant."""

    RED = "FAILED tests/test_parser.py::test_empty - AssertionError: assert 1 == 2\n1 failed"

    def test_a_new_test_that_fails_is_no_error(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit("/work/app/tests/test_parser.py")
        told.run("pytest -q tests/test_parser.py", self.RED, 1)
        facts = facts_in(bench, told)
        assert not ERRORS & signals_in(bench, told).keys()
        assert (facts.checks_failed, facts.last_check_passed) == (1, False)

    def test_the_code_behind_it_that_fails_is_one(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit("/work/app/tests/test_parser.py")
        told.edit("/work/app/parser.py")
        told.run("pytest -q tests/test_parser.py", self.RED, 1)
        assert "tool_error" in signals_in(bench, told)

    def test_red_again_after_the_code_was_written_is_one(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask()
        told.edit("/work/app/tests/test_parser.py")
        told.run("pytest -q", self.RED, 1)
        told.edit("/work/app/parser.py")
        told.run("pytest -q", self.RED, 1)
        (error,) = signals_in(bench, told)["tool_error"]
        planned, failed = facts_in(bench, told).errors
        assert (planned.is_planned, failed.is_planned) == (True, False)
        assert (error.count, error.fingerprints) == (1, [failed.fingerprint])

    def test_to_end_in_one_is_not_to_end_in_an_error(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("terraform plan", "Error: Unsupported argument", 1)
        told.ask("now a test")
        told.edit("/work/app/tests/test_parser.py")
        told.run("pytest -q tests/test_parser.py", self.RED, 1)
        assert facts_in(bench, told).ended == "tool_error"
        assert "abandoned" not in signals_in(bench, told)

    @pytest.mark.parametrize("file", [".golangci.yml", "eslint.config.js", "biome.json"])
    def test_a_linter_whose_rules_were_just_written_is_meant_to_find_something(
        self, bench: Workbench, told: Story, file: str
    ) -> None:
        red = "src/a.ts:1:1: error eslint(sort-keys): Object keys should be sorted\nFound 1 error"
        told.ask()
        told.edit(f"/work/app/{file}")
        told.run("npm run lint", red, 1)
        assert not ERRORS & signals_in(bench, told).keys()
        told.edit("/work/app/src/a.ts")
        told.run("npm run lint", red, 1)
        assert not ERRORS & signals_in(bench, told).keys()
        told.run("npm run lint", "Found 0 warnings and 0 errors.", 0)
        told.edit("/work/app/src/a.ts")
        told.run("npm run lint", red, 1)
        (error,) = signals_in(bench, told)["tool_error"]
        assert (error.count, facts_in(bench, told).planned_reds) == (1, 2)

    def test_what_is_no_fault_in_code_is_never_planned_by_rules(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask()
        told.edit("/work/app/eslint.config.js")
        told.run("npm run lint", "Error: Cannot find module 'eslint-plugin-x'", 1)
        assert "env_missing" in signals_in(bench, told)

    def test_a_missing_module_is_never_planned(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit("/work/app/tests/test_parser.py")
        told.run("pytest -q", "E   ModuleNotFoundError: No module named 'yaml'\n1 error failed", 1)
        assert "env_missing" in signals_in(bench, told)


class TestRepeatedErrors:
    """The same signature three times in one session."""

    def test_three_times(self, bench: Workbench, told: Story) -> None:
        told.ask()
        for port in (3000, 3001, 3002):
            told.run(f"./serve {port}", f"Error: listen EADDRINUSE: address in use :::{port}", 1)
        (error,) = signals_in(bench, told)["repeated_error"]
        assert error.count == 3

    def test_twice_is_not_enough(self, bench: Workbench, told: Story) -> None:
        told.ask()
        for port in (3000, 3001):
            told.run(f"./serve {port}", f"Error: listen EADDRINUSE: address in use :::{port}", 1)
        assert "repeated_error" not in signals_in(bench, told)

    def test_three_different_ones_are_not_one(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("terraform plan", "Error: Unsupported argument", 1)
        told.run("helm lint", "function 'x' not defined in chart", 1)
        told.run("gh run watch", "please run gh auth login", 4)
        assert "repeated_error" not in signals_in(bench, told)

    def test_a_copied_log_does_not_multiply_it(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.run("terraform plan", "Error: Unsupported argument", 1)
        for name in ("copy-1", "copy-2", "copy-3"):
            log.write(bench.home, name=name)
        assert "repeated_error" not in signals_in(bench, log)


class TestMissing:
    """A missing executable or module; one that was only looked for is not missed."""

    def test_an_executable(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("jq .name package.json", "bash: line 1: jq: command not found", 127)
        (missing,) = signals_in(bench, told)["env_missing"]
        assert (missing.error_class, missing.subject) == ("command_not_found", "jq")

    def test_one_that_only_the_command_names(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("jq .name package.json", "", 127)
        (missing,) = signals_in(bench, told)["env_missing"]
        assert missing.subject == "jq"

    def test_a_module(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.run("python3 run.py", "ModuleNotFoundError: No module named 'yaml.nodes'", 1)
        (missing,) = signals_in(bench, told)["env_missing"]
        assert (missing.error_class, missing.subject) == ("module_not_found", "yaml.nodes")

    @pytest.mark.parametrize(
        ("command", "output", "code"),
        [
            ("which jq", "", 1),
            ("which jq", "which: no jq in (/usr/bin:/bin)", 1),
            ("command -v jq", "", 1),
            ("command -v jq", "", 127),
            ("type jq", "bash: line 1: type: jq: not found", 1),
            ("hash jq", "bash: line 1: hash: jq: not found", 1),
            ("ls && which jq", "a.py", 1),
            ("jq --version || echo missing", "missing", 0),
        ],
    )
    def test_asking_whether_it_is_there_misses_nothing(
        self, bench: Workbench, told: Story, command: str, output: str, code: int
    ) -> None:
        told.ask()
        told.run(command, output, code)
        assert not ERRORS & signals_in(bench, told).keys()

    def test_what_was_called_to_be_used_is_missed(self, bench: Workbench, told: Story) -> None:
        """Only asking for the version, an agent took it for granted that the program is there."""
        told.ask()
        told.run("jq --version", "bash: line 1: jq: command not found", 127)
        assert "env_missing" in signals_in(bench, told)


class TestEditMismatch:
    """The harness could not apply an edit; a file that a formatter changed is another matter."""

    def test_text_not_found(self, bench: Workbench, told: Story) -> None:
        told.ask()
        flavor = type(told).__name__.removesuffix("Story").lower()
        told.edit(error=NOT_FOUND[flavor])
        (misfit,) = signals_in(bench, told)["edit_mismatch"]
        assert (misfit.tool_class, misfit.error_class) == ("edit", "edit_no_match")

    def test_a_changed_file_is_an_error_and_no_mismatch(
        self, bench: Workbench, log: ClaudeStory
    ) -> None:
        log.ask()
        log.edit(error="File has been modified since read, either by the user or by a linter.")
        found = signals_in(bench, log)
        assert "edit_mismatch" not in found
        assert [error.error_class for error in found["tool_error"]] == ["file_changed"]


class TestPermission:
    """The system's refusal is an error; the harness's is a signal of its own, a person's none."""

    @pytest.mark.parametrize(
        "said", ["touch: cannot touch '/etc/x': Permission denied", "Operation not permitted"]
    )
    def test_the_system_refuses(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.run("touch /etc/x", said, 1)
        found = signals_in(bench, told)
        assert len(found["permission"]) == 1
        assert "permission_policy" not in found

    def test_the_rules_of_the_harness_refuse(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        said = "Permission to use Bash with command rm -rf x has been denied."
        log.use("Bash", {"command": "rm -rf x"}, said, is_error=True)
        found = signals_in(bench, log)
        assert found["permission_policy"][0].count == 1
        assert not ERRORS & found.keys()
        digest = bench.engine().digest(bench.session())
        assert digest is not None
        assert digest.facts.failures == 1
        assert [error.line for error in digest.facts.errors] == [said]
        assert digest.verdict.ended == "tool_error"

    @pytest.mark.parametrize(
        ("flavor", "said"),
        [
            ("claude", "The user doesn't want to proceed with this tool use."),
            ("codex", "exec command rejected by user"),
            ("grok", "User cancelled the execution for tool `run_terminal_command`"),
        ],
    )
    def test_a_person_refuses(self, bench: Workbench, flavor: str, said: str) -> None:
        log = story(flavor)
        log.ask()
        if isinstance(log, ClaudeLog):
            log.step("rm -rf x", said, is_error=True)
        else:
            log.run("rm -rf x", said, 1)
        found = signals_in(bench, log)
        assert not (ERRORS | {"permission_policy"}) & found.keys()
