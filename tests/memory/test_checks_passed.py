"""Which checks an entry says passed: those whose last run did, each in its folder."""

from __future__ import annotations

from helix_tui.engine.memory.checks_passed import checks_passed
from helix_tui.engine.memory.verdicts import is_over_nothing, never_began
from helix_tui.schema import CheckFact, CommandTally, Facts, RunFact
from helix_tui.schema.digest import ErrorFact


def facts_of(*runs: tuple[str, str, str]) -> Facts:
    """Facts of runs, each a command, the check that it is and what came of it."""
    facts = Facts()
    for at, (command, name, state) in enumerate(runs, 1):
        facts.runs.append(RunFact(at, at, name, state, kind="test"))  # type: ignore[arg-type]
        facts.checks[name] = CheckFact(state, at, at)  # type: ignore[arg-type]
        tally = facts.commands.get(command, CommandTally())
        failures = tally.failures + (state == "failed")
        facts.commands[command] = CommandTally(tally.runs + 1, failures)
    return facts


def test_what_was_green_and_is_red_at_last_did_not_pass() -> None:
    assert checks_passed(facts_of(("pytest -q", "pytest", "passed"))) == ["pytest -q"]
    red = facts_of(("pytest -q", "pytest", "passed"), ("pytest -q", "pytest", "failed"))
    assert checks_passed(red) == []


def test_of_two_folders_one_counts_where_it_never_failed() -> None:
    facts = facts_of(
        ("cd /work/app/api && pytest -q", "pytest", "failed"),
        ("cd /work/app/web && pytest -q", "pytest", "passed"),
    )
    assert checks_passed(facts) == ["cd app/web && pytest -q"]


def test_a_folder_in_which_an_agent_stays_is_the_same() -> None:
    facts = facts_of(
        ("cd /work/app && pytest -q", "pytest", "failed"),
        ("pytest -q", "pytest", "passed"),
    )
    assert checks_passed(facts) == ["pytest -q"]


def test_what_only_lists_or_rewrites_is_no_check() -> None:
    facts = facts_of(
        ("pytest --collect-only -q", "pytest", "passed"),
        ("ruff format", "ruff format", "passed"),
        ("ruff format --check", "ruff format", "passed"),
    )
    assert checks_passed(facts) == ["ruff format --check"]


def test_where_no_whole_check_ran_the_parts_that_passed_are_told() -> None:
    part = facts_of(("pytest tests/test_rows.py -q", "pytest", "passed"))
    assert checks_passed(part) == ["pytest tests/test_rows.py -q"]
    both = facts_of(
        ("pytest tests/test_rows.py -q", "pytest", "passed"), ("pytest -q", "pytest", "passed")
    )
    assert checks_passed(both) == ["pytest -q"]


def test_another_check_of_the_script_that_passed_says_nothing_of_one_behind_a_filter() -> None:
    facts = facts_of(
        ("mise run lint", "golangci-lint", "passed"),
        ("mise run lint:full 2>&1 | grep -i rows", "mise lint:full", "unknown"),
    )
    facts.runs[0].script = "mise lint"
    facts.runs[1].script = "mise lint:full"
    assert checks_passed(facts) == ["mise run lint"]


def test_a_run_over_no_files_passed_nothing() -> None:
    facts = facts_of(("biome check", "biome", "passed"))
    facts.runs[-1].reason = "Checked 0 files in 5ms."
    assert is_over_nothing(facts.runs[-1])
    assert checks_passed(facts) == []


def test_a_check_that_its_surroundings_kept_from_running_judged_nothing() -> None:
    facts = facts_of(("cargo fmt --check", "cargo fmt", "failed"))
    facts.runs[-1].reason = "exit status 1"
    assert not never_began(facts, facts.runs[-1])
    line = "error: could not download file: dns error: no such host"
    facts.errors.append(ErrorFact(1, 1, "shell", 1, "g", line, line, "cargo fmt", []))
    assert never_began(facts, facts.runs[-1])
    facts.runs[-1].failed = 2
    assert not never_began(facts, facts.runs[-1])


def test_beside_checks_that_run_no_test_those_that_were_run_by_themselves_count() -> None:
    facts = facts_of(
        ("ruff check .", "ruff", "passed"),
        ("pytest tests/test_rows.py", "pytest", "passed"),
    )
    assert checks_passed(facts) == ["ruff check .", "pytest tests/test_rows.py"]
    whole = facts_of(("pytest -q", "pytest", "passed"), ("pytest tests/a.py", "pytest", "passed"))
    assert checks_passed(whole) == ["pytest -q"]
    cut = facts_of(('pytest -k "rows|names" -q', "pytest", "passed"))
    assert checks_passed(cut) == []
