"""Every row of the table: passing, failing, through filters and through an unknown wrapper."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.runs.call import runs_of
from helix_tui.digest.runs.recognise import plan_of
from helix_tui.digest.runs.table import Runner, Script, table

RUNNERS = table().runners
SCRIPTS = tuple(table().scripts.values())
NAMES = [row.name for row in RUNNERS]
PROGRAMS = [row.program for row in SCRIPTS]
FILLER = "\n".join(f"reading part {number} of the project" for number in range(30))


def command_of(row: Runner) -> str:
    return row.commands[0]


def script_of(row: Script) -> str:
    return f"{row.program} {row.run[0]} test" if row.run else f"{row.program} test"


def state_of(command: str, output: str, exit_code: int | None = 0, name: str = "") -> str:
    runs = runs_of(command, output, exit_code, False)
    if name:
        runs = [run for run in runs if run.name == name]
    return runs[0].state if runs else "none"


def tail_of(output: str, lines: int) -> str:
    return "\n".join(output.split("\n")[-lines:])


def head_of(output: str, lines: int) -> str:
    return "\n".join(output.split("\n")[:lines])


@pytest.mark.parametrize("row", RUNNERS, ids=NAMES)
class TestRunner:
    """What each runner prints decides, whatever the status of the pipe is."""

    def test_it_is_recognised_by_each_of_its_commands(self, row: Runner) -> None:
        for command in row.commands:
            assert [part.row.name for part in plan_of(command).parts] == [row.name]  # type: ignore[union-attr]

    def test_it_passes(self, row: Runner) -> None:
        if row.sample_passed:
            output = f"{FILLER}\n{row.sample_passed}"
            assert state_of(f"{command_of(row)} 2>&1 | cat", output) == "passed"
        if row.is_silent:
            assert state_of(f"{command_of(row)} 2>&1 | cat", "") == "passed"

    def test_it_fails(self, row: Runner) -> None:
        output = f"{FILLER}\n{row.sample_failed}"
        assert state_of(f"{command_of(row)} 2>&1 | cat", output) == "failed"

    def test_its_own_status_counts(self, row: Runner) -> None:
        assert state_of(command_of(row), FILLER, 0) == "passed"
        assert state_of(command_of(row), FILLER, 1) == "failed"

    def test_a_tail_shows_the_end(self, row: Runner) -> None:
        command = f"{command_of(row)} 2>&1 | tail -5"
        failing = tail_of(f"{FILLER}\n{row.sample_failed}", 5)
        assert state_of(command, failing) == "failed"
        if row.sample_passed:
            passing = tail_of(f"{FILLER}\n{row.sample_passed}", 5)
            wanted = ("passed",) if row.needs != "whole" else ("passed", "unknown")
            assert state_of(command, passing) in wanted
        assert state_of(command, tail_of(FILLER, 5)) == "unknown"

    def test_a_head_that_is_full_hides_the_end(self, row: Runner) -> None:
        for sample in (row.sample_passed, row.sample_failed):
            shown = head_of(f"{FILLER}\n{sample}", 5)
            assert state_of(f"{command_of(row)} 2>&1 | head -5", shown) == "unknown"

    def test_a_head_that_is_not_full_hides_nothing(self, row: Runner) -> None:
        command = f"{command_of(row)} 2>&1 | head -50"
        assert state_of(command, row.sample_failed) == "failed"
        if row.sample_passed:
            assert state_of(command, row.sample_passed) == "passed"

    def test_a_number_of_lines_is_never_a_success(self, row: Runner) -> None:
        for number in ("0", "3"):
            assert state_of(f"{command_of(row)} 2>&1 | grep -c rror", number) != "passed"
            assert state_of(f"{command_of(row)} 2>&1 | wc -l", number) == "unknown"

    def test_what_a_filter_takes_out_is_not_known(self, row: Runner) -> None:
        assert state_of(f"{command_of(row)} 2>&1 | grep zzz", "") == "unknown"
        assert state_of(f"{command_of(row)} > log.txt 2>&1; wc log.txt", "") == "unknown"

    def test_an_unknown_wrapper_passes_only_with_its_line(self, row: Runner) -> None:
        command = f"rtk {command_of(row)}"
        assert state_of(command, FILLER, 0) == "unknown"
        assert state_of(command, "", 0) == "unknown"
        assert state_of(command, FILLER, 1) == "failed"
        if row.sample_passed:
            assert state_of(command, row.sample_passed, 0) == "passed"
        assert state_of(f"{command} 2>&1 | cat", row.sample_failed) == "failed"

    def test_a_time_out_is_unknown(self, row: Runner) -> None:
        output = f"Command timed out after 2m 0.0s\n{row.sample_passed}"
        assert state_of(command_of(row), output, None) == "unknown"
        assert state_of(f"timeout 5 {command_of(row)}", row.sample_passed, 124) == "unknown"

    def test_it_is_seen_in_a_script(self, row: Runner) -> None:
        if row.kind == "git":
            return
        header = f"\n> app@1.0.0 ci\n> {command_of(row)}\n\n"
        runs = runs_of("npm run ci 2>&1 | cat", f"{header}{row.sample_failed}", 0, False)
        assert (row.name, "failed") in [(run.name, run.state) for run in runs]
        if row.sample_passed:
            runs = runs_of("npm run ci 2>&1 | cat", f"{header}{row.sample_passed}", 0, False)
            assert (row.name, "passed") in [(run.name, run.state) for run in runs]


@pytest.mark.parametrize("row", SCRIPTS, ids=PROGRAMS)
class TestScript:
    """Programs that run what a project names."""

    def test_it_fails_by_its_own_line(self, row: Script) -> None:
        command = f"{script_of(row)} 2>&1 | tail -5"
        assert state_of(command, tail_of(f"{FILLER}\n{row.sample_failed}", 5)) == "failed"

    def test_it_passes_by_its_own_line_or_status(self, row: Script) -> None:
        if row.sample_passed:
            shown = tail_of(f"{FILLER}\n{row.sample_passed}", 5)
            assert state_of(f"{script_of(row)} 2>&1 | tail -5", shown) == "passed"
        assert state_of(script_of(row), FILLER, 0) == "passed"
        assert state_of(script_of(row), FILLER, 1) == "failed"

    def test_what_tells_nothing_is_unknown(self, row: Script) -> None:
        assert state_of(f"{script_of(row)} 2>&1 | tail -5", tail_of(FILLER, 5)) == "unknown"
        assert state_of(f"{script_of(row)} 2>&1 | grep -c x", "0") == "unknown"
        assert state_of(f"{script_of(row)} 2>&1 | head -5", head_of(FILLER, 5)) == "unknown"


@given(
    st.sampled_from(list(RUNNERS)),
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(1, 12),
    st.sampled_from(["tail", "head"]),
)
def test_cutting_never_makes_a_failing_run_pass(
    row: Runner, before: int, behind: int, limit: int, program: str
) -> None:
    lines = [f"part {n}" for n in range(before)] + row.sample_failed.split("\n")
    lines += [f"see log {n}" for n in range(behind)]
    shown = lines[-limit:] if program == "tail" else lines[:limit]
    command = f"{command_of(row)} 2>&1 | {program} -n {limit}"
    assert state_of(command, "\n".join(shown)) != "passed"


@given(st.sampled_from(list(RUNNERS)), st.integers(0, 200), st.integers(0, 200))
def test_what_a_harness_cuts_out_never_makes_a_failing_run_pass(
    row: Runner, start: int, size: int
) -> None:
    whole = f"{FILLER[:100]}\n{row.sample_failed}\nsee the log"
    mark = f"\n... [{size} characters truncated] ...\n"
    shown = whole[:start] + mark + whole[start + size :]
    assert state_of(f"{command_of(row)} 2>&1 | cat", shown) != "passed"


def test_a_hint_is_among_those_that_share_its_letters() -> None:
    known = table()
    assert sorted(hint for hints in known.hints.values() for hint in hints) == sorted(known.by_hint)
    assert all(stem in hint for stem, hints in known.hints.items() for hint in hints)
