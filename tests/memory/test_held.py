"""What an entry tells only where it held: causes, cures, answers, states of pushes."""

from __future__ import annotations

import msgspec

from helix_tui.engine.memory.tree_changes import TreeChanges
from helix_tui.engine.memory.wrapped_request import request_in
from helix_tui.memory.distill.by_agents import found_by_agents
from helix_tui.memory.distill.came_back import came_back
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.cured import cures_told
from helix_tui.memory.distill.exchanges import key_exchanges
from helix_tui.memory.distill.handed_over import handed_over
from helix_tui.memory.distill.learned import decisions
from helix_tui.schema import CommandTally, ErrorGroup, Facts, Recovery
from helix_tui.schema.digest import ErrorFact, RunFact
from helix_tui.schema.memory import AgentAnswer, Exchange, Piece


def piece(*turns: Exchange, facts: Facts | None = None, **more: object) -> Piece:
    head = ("s", "claude", "s", "app", "main", "/work", 1, 2, True)
    return msgspec.structs.replace(Piece(*head, list(turns), facts or Facts(), []), **more)


def error(at: int, line: str) -> ErrorFact:
    return ErrorFact(at, at, "Bash", 1, "g", line, line, "pytest", [])


def test_an_error_that_is_met_again_was_not_mended_before() -> None:
    facts = Facts()
    facts.errors = [error(1, "no row 3"), error(2, "no row 5"), error(3, "other words")]
    assert came_back(facts) == {1}
    red = [RunFact(at, at, "pytest", "failed", failed=count) for at, count in ((7, 2), (8, 2))]
    red.append(RunFact(9, 9, "pytest", "failed", failed=1))
    assert came_back(msgspec.structs.replace(Facts(), runs=red)) == {7}


def test_a_way_that_failed_otherwise_is_no_cure() -> None:
    facts = Facts()
    facts.groups["g"] = ErrorGroup("no module named rows", "shell", 1, "pytest")
    way = "ROWS=1 pytest"
    facts.recoveries = [Recovery(1, 1, "g", "set ROWS", way, way, failed="pytest")]
    assert len(list(cures_told(piece(facts=facts)))) == 1
    facts.commands[way] = CommandTally(2, 1)
    assert list(cures_told(piece(facts=facts))) == []


def test_a_question_in_the_middle_of_the_work_stands_with_its_answer() -> None:
    first = (
        "The tests of the reader hold the order of rows: without them a file whose header stands "
        "second would be read upside down, and nobody would see it before the import."
    )
    last = "The importer is finished and committed, and the old reader was removed from the tree."
    asked = "what do these tests of the reader hold?"
    turns = (
        Exchange(1, "write the importer anew", "The importer reads rows in two steps now.", 9, 4),
        Exchange(2, asked, last, 9, 3, first=first, asked_event=2),
    )
    lines = list(key_exchanges(piece(*turns), "write the importer anew", []))
    (answer,) = [line for line in lines if asked in line]
    assert "order of rows" in answer
    assert "committed" not in answer


def test_a_question_is_no_choice_and_few_words_behind_a_menu_stand_with_it() -> None:
    menu = "It went in elsewhere.\n\n1. Name that one\n2. Leave it out\n\nWhich would you prefer?"
    turns = (Exchange(1, "why has it no number?", menu, 2), Exchange(2, "link the PR", "Done.", 1))
    (line,) = decisions(piece(*turns))
    assert "`Name that one`, `Leave it out`, the user: `link the PR`" in line
    turns = (Exchange(1, "run it", menu, 2), Exchange(2, "can you use 18 instead", "No.", 1))
    assert list(decisions(piece(*turns))) == []


def test_pushes_are_told_as_they_came_out() -> None:
    states = (("git commit", "passed"), ("git push", "passed"), ("git commit", "passed"))
    runs = [RunFact(at, at, name, state) for at, (name, state) in enumerate(states)]  # type: ignore[arg-type]
    facts = msgspec.structs.replace(Facts(), runs=runs, commits=2)
    assert any(
        "committed, pushed but for the last commit" in line
        for line in context(piece(facts=facts), "")
    )
    facts.runs.append(RunFact(9, 9, "git push", "failed"))
    lines = list(context(piece(facts=facts), ""))
    assert any("the last push failed, 1 earlier push passed" in line for line in lines)


def test_a_rebased_commit_has_the_hash_that_git_shows_since() -> None:
    tree = TreeChanges()
    tree.result("1", "[main 4e4af59] rows: read twice\n 2 files changed\n", has_failed=False)
    tree.result("2", "Successfully rebased and updated refs/heads/main.", has_failed=False)
    assert [one.hash for one in tree.commits()] == [""]
    tree.result("3", "a1b2c3d (HEAD -> main) rows: read twice", has_failed=False)
    assert [one.hash for one in tree.commits()] == ["a1b2c3d"]


def test_the_request_stands_at_the_end_of_a_wrapper() -> None:
    head = "# Rules\n\n" + "Work with care and say what you do. " * 40
    assert request_in(f"{head}\n\n# User Request\n\nmend the importer first\n") == (
        "mend the importer first"
    )
    assert request_in("# Task\n\nmend it") == "# Task\n\nmend it"
    skill = "Do it well.\n\nBase directory for this skill: ~/skills/mend\n\nthe first open one\n"
    assert request_in(skill) == "mend: the first open one"


def test_what_a_sub_agent_found_is_told_unless_the_session_does() -> None:
    text = "The reader drops the second header because its loop begins behind the blank line."
    made = piece(agents=[AgentAnswer("Look into the reader", text)])
    (line,) = found_by_agents(made, [])
    assert line.startswith("A sub-agent (`Look into the reader`): `The reader drops")
    assert list(found_by_agents(made, [text])) == []
    assert list(found_by_agents(piece(agents=[AgentAnswer("Fix it", text)]), [])) == []


def test_what_stands_among_open_ends_is_not_left_to_the_person_again() -> None:
    reply = "Two things need your eyes:\n\n- The name of the sender is guessed\n- The link is old"
    made = piece(Exchange(1, "write it", reply, 3, 2))
    assert len(list(handed_over(made))) == 1
    opened = ["Remains: `The name of the sender is guessed`", "Remains: `The link is old`"]
    assert list(handed_over(made, opened)) == []
