"""What a turn is: by where it stands and what the agent does next, in any language."""

from __future__ import annotations

import pytest

from helix_tui.digest.turns.judge import Judgement, kind_of
from helix_tui.schema import TurnFact
from tests.agents import FLAVORS, ClaudeStory, Story, story
from tests.conftest import Workbench
from tests.digest.signals import facts_in

_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file). To tell you how to proceed, the"
    " user said:\n"
)


@pytest.fixture
def log() -> ClaudeStory:
    return ClaudeStory()


@pytest.fixture(params=FLAVORS)
def told(request: pytest.FixtureRequest) -> Story:
    return story(request.param)


def turns_in(bench: Workbench, log: Story) -> list[tuple[TurnFact, Judgement]]:
    return [(turn, kind_of(turn)) for turn in facts_in(bench, log).turns]


def last_of(bench: Workbench, log: Story) -> Judgement:
    return turns_in(bench, log)[-1][1]


class TestCorrections:
    def test_what_is_said_while_refusing(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.use("Bash", {"command": "npm install"}, f"{_REFUSED}mag ik niet, pnpm", is_error=True)
        log.run("pnpm install")
        turn, judged = turns_in(bench, log)[-1]
        assert (turn.via, turn.text) == ("refusal", "mag ik niet, pnpm")
        assert judged.kind == "correction"
        assert "said while refusing a call" in judged.reasons
        assert turn.before == "$ npm install"

    def test_bare_words_in_the_place_of_a_result(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.use("Bash", {"command": "git commit -m x"}, "erst noch das Bild dazu", is_error=True)
        facts = facts_in(bench, log)
        assert kind_of(facts.turns[-1]).kind == "correction"
        assert facts.refusals == 1
        assert not facts.errors

    def test_a_language_that_no_table_knows(self, bench: Workbench, told: Story) -> None:
        # Hungarian: names what was written, and the agent edits the same file again.
        told.ask("javítsd meg a hibát")
        told.edit("/work/app/parser.py")
        told.say("Kész: a parser.py módosítva, minden rendben.")
        told.ask("a parser.py maradjon úgy, ahogy volt")
        told.edit("/work/app/parser.py")
        judged = last_of(bench, told)
        assert judged.kind == "correction"
        assert "the agent edits the same file again" in judged.reasons

    def test_a_brief_word_behind_which_the_same_file_is_edited_again(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask("add a ring buffer to the driver")
        told.edit("/work/app/queue.py")
        told.say("The ring buffer is in place.")
        told.ask("heap is forbidden, static only")
        told.edit("/work/app/queue.py")
        assert last_of(bench, told).kind == "correction"

    def test_a_commit_is_made_anew_behind_it(self, bench: Workbench, told: Story) -> None:
        told.ask("commit the driver")
        told.edit("/work/app/queue.py")
        told.run("git commit -am driver")
        told.say("Committed.")
        told.ask("commits need sign-off here")
        told.run("git commit --amend -s --no-edit")
        assert last_of(bench, told).kind == "correction"

    def test_a_brief_wish_for_the_same_file_is_none(self, bench: Workbench, told: Story) -> None:
        told.ask("add a ring buffer to the driver")
        told.edit("/work/app/queue.py")
        told.say("The ring buffer is in place.")
        told.ask("please also name the buffer")
        told.edit("/work/app/queue.py")
        assert last_of(bench, told).kind == "none"

    def test_the_agent_repeats_its_action_in_another_form(
        self, bench: Workbench, told: Story
    ) -> None:
        told.ask("telepítsd a függőségeket")
        told.run("npm install")
        told.say("Megvan.")
        told.ask("ne az npm legyen, hanem a másik")
        told.run("pnpm install")
        assert last_of(bench, told).kind == "correction"

    def test_behind_an_interruption(self, bench: Workbench, log: ClaudeStory) -> None:
        log.ask()
        log.edit()
        log.prompt([{"type": "text", "text": "[Request interrupted by user]"}])
        log.ask("nur die Doku, nicht den Code")
        judged = last_of(bench, log)
        assert judged.kind == "correction"
        assert "behind an interruption" in judged.reasons

    def test_the_agent_says_that_it_was_wrong(self, bench: Workbench, told: Story) -> None:
        told.ask("why is it slow?")
        told.say("It is the cache.")
        told.ask("the cache is only used by the other service")
        told.say("You're right, I mixed the two up.")
        assert last_of(bench, told).kind == "correction"


class TestReports:
    @pytest.mark.parametrize("said", ["linting is failing now", "el build sigue fallando"])
    def test_delivered_work_that_fails(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.edit()
        told.say("Done, all fixed.")
        told.ask(said)
        told.edit()
        assert last_of(bench, told).kind == "report"

    def test_a_pasted_failure(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.edit()
        told.say("Done.")
        told.ask("$ make\napp/parser.py:3: error: unexpected token\nmake: *** [all] Error 2")
        told.edit()
        assert last_of(bench, told).kind == "report"

    def test_the_first_turn_reports_nothing(self, bench: Workbench, told: Story) -> None:
        told.ask("$ make\napp/parser.py:3: error: unexpected token\nmake: *** [all] Error 2")
        told.edit()
        assert last_of(bench, told).kind == "none"


class TestNone:
    @pytest.mark.parametrize(
        "said",
        [
            "yes please",
            "2",
            "A",
            "great, thanks",
            "no, leave it",
            "continue",
            "ja, mach weiter",
            "好的",
        ],
    )
    def test_answers(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.edit()
        told.say("I could also rename it.\nShall I?")
        told.ask(said)
        told.edit("/work/app/other.py")
        assert last_of(bench, told).kind == "none"

    @pytest.mark.parametrize(
        "said",
        [
            "Can you also add a page about the release process?",
            "now write the handler for uploads",
            "# Plan: uploads\n\n## Context\nno uploads yet, do not break it\n\n## Steps\n- x",
        ],
    )
    def test_new_tasks(self, bench: Workbench, told: Story, said: str) -> None:
        told.ask()
        told.edit()
        told.say("Done.")
        told.ask(said)
        told.edit("/work/app/uploads.py")
        assert last_of(bench, told).kind == "none"

    def test_typing_it_again_after_stopping_oneself(
        self, bench: Workbench, log: ClaudeStory
    ) -> None:
        log.ask("add a mixed scenario")
        log.prompt([{"type": "text", "text": "[Request interrupted by user]"}])
        log.ask("add a mixed scenario with several sessions")
        log.edit()
        assert last_of(bench, log).kind == "none"

    def test_what_always_holds_is_an_instruction(self, bench: Workbench, told: Story) -> None:
        told.ask()
        told.say("Which of the two?")
        told.ask("the second; from now on keep a line for it in the changelog")
        assert last_of(bench, told).kind == "instruction"


def test_every_turn_is_listed_with_what_came_after(bench: Workbench, told: Story) -> None:
    told.ask("one thing to do")
    told.run("make")
    told.ask("another thing to do")
    told.run("make test")
    turns = facts_in(bench, told).turns
    assert [turn.text for turn in turns] == ["one thing to do", "another thing to do"]
    assert turns[1].after[0] == "$ make test"
    assert turns[1].chars > 0


def test_secrets_are_not_kept(bench: Workbench, told: Story) -> None:
    told.ask()
    told.edit()
    secret = "ghp_" + "a1B2c3D4e5" * 4
    told.ask(f"not that token, use {secret} instead")
    text = "".join(turn.text + turn.own for turn in facts_in(bench, told).turns)
    assert "not that token" in text
    assert secret not in text


def test_turns_are_bounded_and_keep_the_marks(bench: Workbench, log: ClaudeStory) -> None:
    log.ask("begin")
    log.run("npm install")
    log.ask("no, don't use npm here")
    for number in range(450):
        log.say("ok")
        log.ask(f"step {number}")
    turns = facts_in(bench, log).turns
    assert len(turns) == 400
    assert turns[0].text == "no, don't use npm here"


def test_growing_logs_are_judged_alike(bench: Workbench, log: ClaudeStory) -> None:
    log.ask("tidy the parser up")
    log.edit()
    log.say("Done, the parser.py is tidy.")
    log.save(bench.home)
    bench.sweep()
    log.ask("the parser.py lost its header")
    log.save(bench.home)
    bench.sweep()
    log.edit()
    grown = [(turn.traits, turn.text) for turn in facts_in(bench, log).turns]
    fresh = ClaudeStory(session="22222222-1111-4111-8111-111111111111")
    fresh.ask("tidy the parser up")
    fresh.edit()
    fresh.say("Done, the parser.py is tidy.")
    fresh.ask("the parser.py lost its header")
    fresh.edit()
    fresh.save(bench.home)
    bench.sweep()
    at_once = bench.engine().digest(bench.sessions()[f"claude:{fresh.session}"])
    assert at_once is not None
    assert grown == [(turn.traits, turn.text) for turn in at_once.facts.turns]
