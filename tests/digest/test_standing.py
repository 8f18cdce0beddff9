"""One state for each check: that of the last run that covers it."""

from __future__ import annotations

import pytest

from tests.digest.told_session import Told

BROKEN = "boom"
PROBLEMS = "✖ 3 problems (3 errors, 0 warnings)"


def states(told: Told) -> dict[str, str]:
    return {name: check.state for name, check in told.facts().checks.items()}


@pytest.mark.parametrize(
    ("red", "green", "state"),
    [
        ("mise run lint:style", "mise run lint", "passed"),
        ("npm run test:slow", "npm run test:all", "passed"),
        ("npm run lint:full", "npm run lint", "unknown"),
        ("npm run test:slow", "npm run test:quick", "unknown"),
        ("npm run test:slow", "npm run lint", "failed"),
        ("npm run lint", "npm run check", "passed"),
        ("npm run lint", "just lint", "failed"),
    ],
)
def test_a_red_script_has_the_state_of_the_run_that_covers_it(
    red: str, green: str, state: str
) -> None:
    told = Told().ask().run(red, BROKEN, 1).run(green, "fine")
    assert next(iter(states(told).values())) == state


def test_a_red_script_whose_later_run_shows_what_it_runs_is_that() -> None:
    told = Told().ask().run("npm run lint", BROKEN, 1).run("npm run lint", PROBLEMS, 1)
    assert states(told) == {"eslint": "failed"}


def test_a_script_of_which_nothing_is_known_is_what_it_runs() -> None:
    told = Told().ask().run("npm test", "Test Suites: 2 passed, 2 total")
    assert states(told.run("npm test 2>&1 | head -1", "hidden")) == {"jest": "passed"}


def test_of_several_scripts_in_one_call_each_is_told_by_its_kind() -> None:
    told = Told().ask().run("pnpm types", BROKEN, 1).edit()
    told.run("pnpm types; pnpm test", "Test Suites: 2 passed, 2 total")
    assert states(told) == {"pnpm types": "unknown", "jest": "passed"}


def test_a_red_check_of_which_a_filter_shows_nothing_more_is_not_known() -> None:
    told = Told().ask().run("npx tsc --noEmit", "src/a.ts(1,2): error TS2322: No.", 2).edit()
    assert states(told.run("npx tsc --noEmit | grep src/a", "", 1)) == {"tsc": "unknown"}


def test_a_red_check_stays_so_when_it_could_not_begin_later() -> None:
    told = Told().ask().run("pytest -q", "1 failed in 0.1s", 1)
    told.run("pytest --quick", "error: unrecognized arguments: --quick", 4)
    assert states(told) == {"pytest": "failed"}
