"""What notes say of errors and checks: nothing that is not seen is told as failed."""

from __future__ import annotations

from helix_tui.memory.notes.errors import errors_of
from helix_tui.memory.notes.runs import added_files, last_check_passed
from helix_tui.schema import Facts
from helix_tui.schema.digest import CommandTally, ErrorGroup, Moment, Recovery, RunFact

FILTERED = 'npx tsc --noEmit 2>&1 | grep -i "footer"'


def group(line: str, command: str, last_ts: int) -> ErrorGroup:
    return ErrorGroup(line=line, tool_class="shell", exit_code=1, command=command, last_ts=last_ts)


def test_a_filter_that_finds_nothing_is_no_error_and_what_it_found_before_is_over() -> None:
    groups = {
        "a": group("footer.tsx:1:2 - error TS1: no types", FILTERED, 1),
        "b": group("(no output)", FILTERED, 2),
    }
    (line,) = errors_of(Facts(groups=groups))
    assert line.endswith(", overcome")
    assert "no output" not in line


def test_what_only_failed_otherwise_is_not_overcome() -> None:
    groups = {"a": group("just: command not found", "just fmt", 1)}
    over = Recovery(1, 1, "a", "use cargo fmt", "cargo fmt", "cargo fmt")
    further = Recovery(1, 1, "a", "use cargo fmt", "cargo fmt", "cargo fmt", is_further=True)
    assert next(errors_of(Facts(groups=groups, recoveries=[over]))).endswith(", overcome")
    assert "overcome" not in next(errors_of(Facts(groups=groups, recoveries=[further])))


def test_a_claim_is_told_as_failed_where_the_check_stays_red() -> None:
    claim = Moment(7, 1, "ruff check --isolated", about="ruff")
    green = RunFact(8, 2, "ruff", "passed")
    assert list(errors_of(Facts(false_claims=[claim])))
    assert not list(errors_of(Facts(false_claims=[claim], runs=[green])))


def test_a_look_of_another_shell_is_no_error() -> None:
    groups = {"a": group("FullName LastWriteTime", "Get-ChildItem .state -Recurse", 1)}
    assert not list(errors_of(Facts(groups=groups)))


def test_of_a_check_behind_a_filter_it_is_not_known_whether_it_passed() -> None:
    unknown = RunFact(1, 1, "tsc", "unknown", kind="types")
    red = RunFact(1, 1, "tsc", "failed", kind="types")
    assert last_check_passed(Facts(last_check_passed=False, runs=[red, unknown])) is None
    assert last_check_passed(Facts(last_check_passed=False, runs=[red])) is False


def test_files_that_a_command_adds_to_git_were_changed() -> None:
    commands = {
        "git add doc/a.md doc/a.html && git commit -m x": CommandTally(runs=1),
        "git add -A": CommandTally(runs=1),
        "git add src/b.py src/c…": CommandTally(runs=1),
    }
    assert added_files(Facts(commands=commands)) == ["doc/a.md", "doc/a.html", "src/b.py"]
