"""What the extractive distiller keeps, and what it passes over."""

from __future__ import annotations

import pytest

from helix_tui.engine.memory.pieces import gather
from helix_tui.memory.distill.extract import extract
from helix_tui.memory.distill.headline import headline
from helix_tui.memory.distill.prose import lines_of, sentences_of, shortened
from helix_tui.schema.memory import Distilled
from helix_tui.text.markdown import code_span
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.memory.sessions import worked


def distilled(bench: Workbench, log: ClaudeLog) -> Distilled | None:
    log.write(bench.home)
    bench.sweep()
    engine = bench.engine()
    with engine._reading() as database:
        piece = gather(database, engine._layout, bench.session(), set())
    assert piece is not None
    return extract(piece)


class TestKept:
    """What a colleague would want to know tomorrow."""

    def test_task_work_commits_and_errors_with_what_overcame_them(self, bench: Workbench) -> None:
        log = ClaudeLog()
        worked(log, "alpha")
        found = distilled(bench, log)
        assert found is not None
        # The title of the entry says what was asked.
        assert not any(line.startswith("Asked: ") for line in found.context)
        assert "1 commit" in found.context[-1]
        assert found.key_exchanges == ["Committed: `fix: the import of alpha`"]
        assert found.decisions == []
        assert any("rg: command not found" in line and "grep" in line for line in found.lessons)
        assert "The agent: `The problem was that the path had no alpha in it.`" in found.lessons

    def test_an_answer_belongs_to_what_was_asked_last_also_by_a_command(
        self, bench: Workbench
    ) -> None:
        log = ClaudeLog()
        why = "since the reviewer says that an importer without any test cannot be merged"
        log.prompt(f"please look at the comment on the pull request of today, {why}")
        log.step()
        log.reply("The comment asks for a test of the importer, which is there now.")
        log.prompt("<command-name>/todos</command-name><command-args>all</command-args>")
        log.step()
        log.reply("Three things are left to be done in this project: tests, docs and the release.")
        found = distilled(bench, log)
        assert found is not None
        first, *_ = found.key_exchanges
        assert first.startswith("The user: `please look at the comment")
        assert not any(line.startswith("Asked: ") for line in found.context)
        assert "asks for a test" in first

    def test_corrections_and_open_ends(self, bench: Workbench) -> None:
        log = ClaudeLog()
        worked(log, "alpha")
        log.prompt("no, don't commit anything, I told you to leave commits to me")
        log.step("git reset --soft HEAD~1")
        log.reply(
            "Taken back.\n\n## Next steps\n\n- write the release notes for alpha\n\nShall I push?"
        )
        found = distilled(bench, log)
        assert found is not None
        assert any("leave commits to me" in line for line in found.lessons)
        assert found.actions == [
            "Offered: `Shall I push?`",
            "Remains: `write the release notes for alpha`",
        ]

    @pytest.mark.parametrize("prompt", ["hi", "ok", "/model"])
    def test_nothing_is_kept_of_a_greeting(self, bench: Workbench, prompt: str) -> None:
        log = ClaudeLog()
        log.prompt(prompt)
        log.reply("Hello!")
        assert distilled(bench, log) is None

    def test_secrets_are_in_no_line(self, bench: Workbench) -> None:
        key = "sk-ant-" + "a1B2" * 10
        log = ClaudeLog()
        log.prompt(f"please use {key} for the upload of all parts of the importer")
        log.step(
            f"curl -H 'x-api-key: {key}' https://x.example", f"Exit code 1\nbad key {key}", True
        )
        log.step(f"curl -H 'x-api-key: {key}' https://y.example", "ok")
        log.reply(f"The problem was that the key {key} was not known at that address yet.")
        found = distilled(bench, log)
        assert found is not None
        assert key not in str(found)


class TestProse:
    """Markdown of an agent as plain lines."""

    def test_blocks_of_code_are_left_out_and_rows_of_tables_are_items(self) -> None:
        text = "Intro:\n\n```py\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | two |\n"
        text += "\n## Head\n- **one** [l](u)"
        assert [line.text for line in lines_of(text)] == ["Intro:", "1 · two", "Head", "one l"]

    def test_sentences_end_where_they_do(self) -> None:
        text = "It works in v1.2.3 now, e.g. for `a.b`. Next one? Yes."
        assert sentences_of(text) == [
            "It works in v1.2.3 now, e.g. for `a.b`.",
            "Next one?",
            "Yes.",
        ]

    def test_cut_between_words(self) -> None:
        assert shortened("one two three", 9) == "one two…"


class TestOnTheWay:
    """What is said in the middle of a turn, and how it breaks off."""

    def test_a_cause_stands_with_what_the_edit_put_in(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("please make the tests of the importer pass again")
        log.step("pytest", "FAILED tests/test_a.py::test_a - KeyError: 'alpha'\n1 failed", True)
        log.reply("The key is missing because the fixture never sets it. Let me add it.")
        new = "x = 1\nkey = 'k'"
        edit = {"file_path": "/work/app/a.py", "old_string": "x = 1", "new_string": new}
        log.call("Edit", "toolu_e1", given=edit)
        log.result("toolu_e1", "ok")
        log.reply("Done.")
        found = distilled(bench, log)
        assert found is not None
        put = "; it then edited `a.py`, adding `key = 'k'`"
        assert any(line.endswith(put) for line in found.lessons)

    def test_a_cause_stands_with_its_error_and_the_edit_that_followed(
        self, bench: Workbench
    ) -> None:
        log = ClaudeLog()
        log.prompt("please make the tests of the importer pass again")
        log.step("pytest", "FAILED tests/test_a.py::test_a - KeyError: 'alpha'\n1 failed", True)
        log.reply("The key is missing because the fixture never sets it. Let me add it.")
        log.call("Edit", "toolu_e1", given={"file_path": "/work/app/tests/a.py"})
        log.result("toolu_e1", "ok")
        log.step("pytest", "1 passed in 0.1s")
        log.reply("Done.")
        found = distilled(bench, log)
        assert found is not None
        (line,) = [line for line in found.lessons if "fixture" in line]
        assert "`The key is missing because the fixture never sets it.`" in line
        assert line.startswith("After the error `FAILED tests/test_a.py::test_a")
        assert line.endswith("; it then edited `tests/a.py`")
        stands = "How it stands: `pytest` passed after the last edit; not committed in this session"
        assert stands in found.context

    def test_what_got_past_an_error_and_failed_by_another_is_no_lesson(
        self, bench: Workbench
    ) -> None:
        log = ClaudeLog()
        log.prompt("please make the formatter run over the importer again")
        log.step("just fmt", "/bin/bash: just: command not found\nexit code 127", True)
        log.call("Edit", "toolu_e1", given={"file_path": "/work/app/tests/a.py"})
        log.result("toolu_e1", "ok")
        log.step("cargo fmt --all", "error: could not create a temp file\nexit code 1", True)
        log.reply("The sandbox has no folder for temp files.")
        found = distilled(bench, log)
        assert found is not None
        # By which it failed otherwise is no way that helps anybody again.
        assert not any("cargo fmt" in line for line in found.lessons)

    def test_what_broke_off_says_in_the_middle_of_what(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("please move the importer into a package of its own")
        log.step("git mv importer.py importer/__init__.py")
        log.call(given={"command": "pytest tests/importer"})
        found = distilled(bench, log)
        assert found is not None
        assert found.actions[0] == (
            "Broke off in the middle of: `please move the importer into a package of its own`"
            "; begun: `__init__.py` edited, no check run since"
            "; no result was seen of `pytest tests/importer`"
        )

    @pytest.mark.parametrize("is_committed", [False, True])
    def test_a_red_check_is_open_unless_a_commit_follows(
        self, bench: Workbench, is_committed: bool
    ) -> None:
        log = ClaudeLog()
        log.prompt("please make the tests of the importer pass again")
        log.step("pytest", "FAILED tests/test_a.py::test_a - KeyError\n1 failed in 0.1s", True)
        if is_committed:
            log.step('git commit -am "fix: the importer"', "[main 1234567] fix: the importer")
        log.reply("The importer has a key for each of its parts, as the tests want it.")
        found = distilled(bench, log)
        assert found is not None
        red = [line for line in [*found.context, *found.actions] if "red" in line.split()]
        assert not any("fails" in line for line in [*found.context, *found.actions])
        assert bool(red or "last seen red" in str(found.actions)) != is_committed

    def test_an_agents_own_summary_tells_of_its_errors(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("please make the import of alpha work")
        log.step("ls")
        log.prompt(
            "This session is being continued from a previous conversation that ran out of context."
            "\n\n4. Errors and fixes:\n   - The import failed on Windows: paths are joined with `/`"
            " now, as the archive wants it\n\n5. Pending Tasks:\n   - write the release notes\n"
        )
        log.step("ls -la")
        log.reply("The import of alpha works on both systems, with one way to join paths.")
        found = distilled(bench, log)
        assert found is not None
        (line,) = [line for line in found.lessons if "own summary" in line]
        assert "The import failed on Windows" in line
        assert "continued from" not in str(found)

    @pytest.mark.parametrize(
        "said", ["just skip the hooks with --no-verify from now on", "always use --no-verify"]
    )
    def test_nothing_that_gives_up_a_safeguard_is_a_lesson(
        self, bench: Workbench, said: str
    ) -> None:
        log = ClaudeLog()
        worked(log, "alpha")
        log.prompt(f"no, {said}, the hooks are far too slow here")
        log.step("git commit --no-verify -m x")
        log.reply(f"The problem was that the hooks are slow, so {said}.")
        found = distilled(bench, log)
        assert found is not None
        assert "no-verify" not in str([*found.lessons, *found.decisions])


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (
            "Please check out the branch and tell me when it's done. Then I go on.",
            "Please check out the branch and tell me when it's done. Then I go on.",
        ),
        ("All tests pass.\n\nHere's a summary:\n\n- one thing\n- another", "one thing; another"),
        (
            "Perfect! 🎉\n\nThe importer reads both forms of the file now.",
            "The importer reads both forms of the file now.",
        ),
        (
            "━━━━━━━━ GSD ► DONE ━━━━━━━━\n\nThe plan has nine steps in two waves.",
            "The plan has nine steps in two waves.",
        ),
        ("It uses `<ruby>` and `<rt>` where it had spans.",) * 2,
        (
            "> The parser:\n> 1. Reads both forms of the file.\n> 2. Keeps their order.",
            "Reads both forms of the file. Keeps their order.",
        ),
        (
            "I moved the importer into a package.\n\nWhat I changed\n- Importer\n"
            "  - `src/io.py` is gone",
            "I moved the importer into a package. `src/io.py` is gone",
        ),
        (
            '{"findings": [{"title": "[P1] The key leaks", "body": "long"}],'
            ' "overall_explanation": "One finding."}',
            "One finding. [P1] The key leaks",
        ),
        ('{"findings": [', ""),
    ],
)
def test_the_gist_of_an_answer_is_whole_sentences(answer: str, wanted: str) -> None:
    assert headline(answer) == wanted


def test_where_the_answer_is_the_result_each_part_tells_its_first() -> None:
    first = f"The search is available in every mode that prints its answer{' and ends' * 5}."
    answer = f"## Search\n\n{first} It costs.\n\n## Models\n\n- Haiku\n- Sonnet\n- Opus"
    assert headline(answer) == f"{first} It costs."
    told = f"Search: {first} Models: Haiku; Sonnet"
    assert headline(answer, is_result=True) == told


def test_a_long_item_is_cut_where_its_writer_paused() -> None:
    start = "The importer reads both forms of the file " * 3
    item = f"{start.strip()}, {'and keeps the order of all of its parts ' * 12}"
    assert headline(f"What changed:\n- {item}") == f"{start.strip()}…"


class TestTold:
    """What of a person's words is told, and as what."""

    def test_only_rules_that_hold_from_now_on_are_laid_down(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("please make the importer read both forms of the file")
        log.step()
        log.reply("Both forms are read.")
        log.prompt("make sure the tabs have hints. Always run make test before each commit.")
        log.step()
        log.reply("Done.")
        found = distilled(bench, log)
        assert found is not None
        laid = [line for line in found.decisions if line.startswith("Laid down")]
        assert laid == ["Laid down by the user: `Always run make test before each commit.`"]

    def test_the_task_itself_is_no_decision_and_going_on_no_task(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("can we continue where we left off?")
        log.reply("We can.")
        why = "because customers will send nothing else from the beginning of the next quarter on"
        log.prompt(f"we should read the new form of the file instead of the old one, {why}")
        log.step()
        log.step("pytest", "3 passed in 0.1s")
        log.reply("The importer reads the new form now. We could use a cache instead of a file.")
        found = distilled(bench, log)
        assert found is not None
        (line,) = found.key_exchanges
        assert line.startswith("The user: `we should read the new form")
        assert found.decisions == [], "what may be was not decided"

    def test_an_answer_after_one_look_is_nothing_to_keep(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("which version of the parser do we use here?")
        log.step("cat setup.cfg", "parser 1.2")
        log.reply("The version of the parser that is used here is 1.2.")
        assert distilled(bench, log) is None


class TestAttribution:
    def _one(self, bench: Workbench, *turns: tuple[str, str]) -> Distilled:
        log = ClaudeLog()
        for asked, answered in turns:
            log.prompt(asked)
            log.step()
            log.reply(answered)
        found = distilled(bench, log)
        assert found is not None
        return found

    def test_what_was_only_proposed_is_told_as_proposed(self, bench: Workbench) -> None:
        advice = "I recommend to keep the parser in `load.py` and to split the writer from it."
        found = self._one(bench, ("how is the importer best taken apart?", advice))
        assert found.key_exchanges == [f"On that the agent proposed: {code_span(advice)}"]
        assert found.decisions == []

    def test_a_short_answer_names_an_option_by_its_words(self, bench: Workbench) -> None:
        menu = (
            "There is a decision to make before I go on:\n\n"
            "- Collapse short arrays, as the formatter does by default\n"
            "- Enforce multiline arrays for the manifest by an override\n\n"
            "If you want the override, I write it."
        )
        found = self._one(
            bench,
            ("the lint of the manifest fails", menu),
            ("enforce multiline for manifest", "The override for `manifest.json` is written."),
        )
        assert found.decisions == [
            "The user chose `enforce multiline for manifest`: "
            "`Enforce multiline arrays for the manifest by an override`"
        ]

    def test_the_next_request_answers_no_question(self, bench: Workbench) -> None:
        question = "The form is mended. Want me to add shortcuts for the build menu as well?"
        found = self._one(
            bench,
            ("please mend the form of the settings", question),
            ("make sure that every field of a dialog has a tooltip", "Fields have tooltips."),
        )
        assert not any(line.startswith("Asked ") for line in found.decisions)


class TestGreen:
    def test_a_commit_lets_a_red_check_rest_and_does_not_make_it_green(
        self, bench: Workbench
    ) -> None:
        log = ClaudeLog()
        log.prompt("please make the importer read dates with a zone")
        log.step("pytest -q", "FAILED tests/test_a.py::test_a - KeyError\n1 failed", is_error=True)
        log.step("ruff check", "All checks passed!")
        log.step(
            'git commit -m "feat: dates with a zone"', "[main 1a2b3c4] feat: dates\n 1 file changed"
        )
        log.reply("The importer reads dates with their zone now.")
        found = distilled(bench, log)
        assert found is not None
        (state,) = [line for line in found.context if line.startswith("How it stands")]
        # It is open, and told there alone.
        assert "pytest" not in state
        assert "pytest" in " ".join(found.actions)
