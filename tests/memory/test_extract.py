"""What the extractive distiller keeps, and what it passes over."""

from __future__ import annotations

import pytest

from helix_tui.engine.pieces import gather
from helix_tui.memory.extract import extract
from helix_tui.memory.prose import lines_of, sentences_of, shortened
from helix_tui.schema.memory import Distilled
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
        assert found.context[0] == "Asked: `please make the import of alpha work and run the tests`"
        assert "1 commit" in found.context[1]
        assert "Committed: `fix: the import of alpha`" in found.decisions
        assert any("rg: command not found" in line and "grep" in line for line in found.lessons)
        assert "The agent: `The problem was that the path had no alpha in it.`" in found.lessons

    def test_an_answer_belongs_to_what_was_asked_last_also_by_a_command(
        self, bench: Workbench
    ) -> None:
        log = ClaudeLog()
        log.prompt("please look at the comment on the pull request of today")
        log.step()
        log.reply("The comment asks for a test of the importer, which is there now.")
        log.prompt("<command-name>/todos</command-name><command-args>all</command-args>")
        log.step()
        log.reply("Three things are left to be done in this project: tests, docs and the release.")
        found = distilled(bench, log)
        assert found is not None
        first, *_ = found.key_exchanges
        assert first.startswith("The user: `please look at the comment")
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
        assert "The agent: `write the release notes for alpha`" in found.actions
        assert found.actions[0] == "To be answered: `Shall I push?`"

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
