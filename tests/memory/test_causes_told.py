"""Causes, cures and corrections of an entry: with what they stand on, and none that was undone."""

from __future__ import annotations

from helix_tui.memory.distill.cured import cures_told
from helix_tui.memory.distill.learned import decisions, lessons
from helix_tui.memory.distill.turns_told import FIRM
from helix_tui.schema import ErrorGroup, Facts, Recovery
from helix_tui.schema.memory import Exchange, Piece, Told


def piece(*turns: Exchange, facts: Facts | None = None, told: list[Told] | None = None) -> Piece:
    head = ("s", "claude", "s", "app", "main", "/work", 1, 2, True)
    made = Piece(*head, list(turns), facts or Facts(), [])
    made.told.extend(told or [])
    return made


def test_a_cause_stands_with_the_sentence_that_it_goes_on_from() -> None:
    reply = (
        "The second header stands behind a blank line. That's why the importer never sees it in "
        "the files of last year."
    )
    (line,) = lessons(piece(Exchange(1, "the import fails", reply, 5, 1)))
    assert line.startswith("The agent: `The second header stands behind a blank line. That's why")


def test_that_a_cause_was_found_is_no_cause() -> None:
    reply = "I have identified the root cause of the red import. The problem is in lines 7-9."
    assert list(lessons(piece(Exchange(1, "the import fails", reply, 5, 1)))) == []


def cured(error: str, failed: str, remedy: str, passed: str) -> list[str]:
    facts = Facts()
    facts.groups["g"] = ErrorGroup(error, "shell", 1, failed)
    facts.recoveries = [Recovery(1, 1, "g", "run it first", remedy, passed, failed=failed)]
    return list(cures_told(piece(facts=facts)))


def test_a_step_that_has_nothing_to_do_with_the_error_cured_nothing() -> None:
    assert cured("rows.json: invalid options", "pnpm lint", "pnpm install", "pnpm lint") == []
    error = "client is stale: generate the client anew"
    (line,) = cured(error, "git commit", "pnpm run generate:client", "git commit")
    assert "pnpm run generate:client" in line


def test_how_it_should_look_and_not_to_understand_corrects_nothing() -> None:
    looks = Told("correction", "rows v2 | Mon Apr 20 | 14:30 | hello there", FIRM + 1)
    lost = Told("correction", "wait, I don't understand this answer at all", FIRM + 1)
    wrong = Told("correction", "no, the second header is not a row of the file", FIRM + 1)
    (line,) = lessons(piece(told=[looks, lost, wrong]))
    assert "second header" in line


def test_a_choice_that_later_work_changed_is_not_told() -> None:
    first = "Rows with an empty owner column use the stored title as default instead of a blank."
    later = "Rows with an empty owner column now have the generic title as their default."
    turns = (
        Exchange(1, "mind empty owners", first, 5, 1),
        Exchange(2, "make the name generic", later, 5, 1),
    )
    assert list(decisions(piece(*turns))) == []
    assert len(list(decisions(piece(turns[0])))) == 1
