"""Which part of a command line runs what, and whose status a status is."""

from __future__ import annotations

import pytest

from helix_tui.digest.runs.call import runs_of
from helix_tui.digest.runs.recognise import kind_of, plan_of
from helix_tui.digest.runs.started import never_began


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("npx tsc --noEmit", ["tsc"]),
        ("uv run --with rich pytest -q", ["pytest"]),
        ("poetry run python -m pytest", ["pytest"]),
        ("pnpm --filter @app/web exec vitest run", ["vitest"]),
        ("yarn workspace web lint", ["yarn lint"]),
        ("bun run lint && bun test", ["bun lint", "bun test"]),
        ("npm --prefix web run build", ["npm build"]),
        ("make -j4 -C sub check", ["make check"]),
        ("just test", ["just test"]),
        ("docker compose exec -T app pytest", ["pytest"]),
        ("docker compose exec app sh -c 'cd /app && pytest -q | tail -3'", ["pytest"]),
        ("timeout 60 env CI=1 npm test", ["npm test"]),
        ("(cd web && npx eslint .)", ["eslint"]),
        ("FOO=1 cargo +nightly test -p core", ["cargo test"]),
        ("git -C /srv/app push origin main", ["git push"]),
        ("./gradlew test --info", ["gradle"]),
        ("rtk pytest", ["pytest"]),
        ("which pytest", []),
        ("pip install pytest ruff", []),
        ("cat pytest.ini; grep -rn jest docs", []),
        ("echo pytest", []),
        ("pytest --version", []),
        ("git commit -m \"$(cat <<'EOF'\nrun pytest; then make test\nEOF\n)\"", ["git commit"]),
        ("cat > run.sh <<'EOF'\npytest -q\nEOF\nruff check .", ["ruff"]),
    ],
)
def test_runs_are_recognised(command: str, names: list[str]) -> None:
    assert [part.name for part in plan_of(command).parts] == names


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("check", "check"),
        ("ci", "check"),
        ("check:lint", "lint"),
        ("verify-build", "build"),
        ("test:all", "test"),
        ("format:check", "format"),
        ("dev", None),
    ],
)
def test_a_script_is_of_the_kind_that_its_name_tells_most_of(script: str, kind: str | None) -> None:
    assert kind_of(script) == kind


@pytest.mark.parametrize(
    ("command", "exit_code", "states"),
    [
        ("pytest; true", 0, ["unknown"]),
        ("pytest || true", 0, ["unknown"]),
        ("pytest || exit 1", 0, ["passed"]),
        ("pytest | tail -1", 0, ["unknown"]),
        ("set -o pipefail; pytest | tail -1", 0, ["passed"]),
        ("set -e; pytest; ls", 0, ["passed"]),
        ("ruff check . && mypy . && pytest", 0, ["passed", "passed", "passed"]),
        ("cd app && pytest", 1, ["failed"]),
        ("if pytest; then ls; fi", 0, ["unknown"]),
        ("pytest &", 0, ["unknown"]),
        ("! pytest", 0, ["unknown"]),
    ],
)
def test_a_status_counts_where_it_is_the_programs_own(
    command: str, exit_code: int, states: list[str]
) -> None:
    assert [run.state for run in runs_of(command, "dots", exit_code, False)] == states


def test_a_status_that_the_command_prints_counts() -> None:
    for code, state in (("0", "passed"), ("2", "failed")):
        runs = runs_of('pytest -q; echo "exit: $?"', f"dots\nexit: {code}", 0, False)
        assert [run.state for run in runs] == [state]
    runs = runs_of('pytest -q | tail -1; echo "exit: $?"', "dots\nexit: 0", 0, False)
    assert [run.state for run in runs] == ["unknown"]


def test_what_ran_behind_and_tells_that_what_stands_before_passed() -> None:
    runs = runs_of(
        "npm run lint && npx jest 2>&1 | tail -5", "Test Suites: 2 passed, 2 total", 0, False
    )
    assert {run.name: run.state for run in runs} == {"npm lint": "passed", "jest": "passed"}


def test_what_stands_behind_a_failure_did_not_run() -> None:
    runs = runs_of("ruff check . && pytest", "Found 2 errors.", 1, True)
    assert [(run.name, run.state, run.failed) for run in runs] == [("ruff", "failed", 2)]


def test_a_script_shows_each_run_whose_summary_is_seen() -> None:
    output = (
        "> app@1.0.0 ci\n> eslint . && jest\n\n✖ 2 problems (0 errors, 2 warnings)\n"
        "Test Suites: 1 failed, 3 passed, 4 total\nTests: 2 failed, 9 passed, 11 total\n"
    )
    runs = runs_of("npm run ci 2>&1 | tail -20", output, 0, False)
    assert [(run.name, run.state) for run in runs] == [("jest", "failed"), ("eslint", "passed")]


@pytest.mark.parametrize(
    ("command", "output", "status", "names"),
    [
        ("git push", "To x\nerror: failed to push some refs to 'x'\n", 1, ["git push"]),
        (
            "pnpm test",
            " ✓ src/cart.test.ts (63 tests) 41ms\n\n Test Files  1 passed (1)\n"
            "      Tests  63 passed (63)\n",
            0,
            ["vitest"],
        ),
        ("npm run check", "Error: no such table\n", 1, ["npm check"]),
    ],
)
def test_a_line_that_any_program_may_print_names_no_runner(
    command: str, output: str, status: int, names: list[str]
) -> None:
    assert [run.name for run in runs_of(command, output, status, status != 0)] == names


def test_a_script_that_fails_without_a_cause_is_a_failure_itself() -> None:
    runs = runs_of(
        "make check", "3 passed in 0.10s\nmake: *** [Makefile:3: check] Error 1", 2, True
    )
    assert ("make check", "failed") in [(run.name, run.state) for run in runs]


def test_a_filter_that_matches_nothing_ran_no_test() -> None:
    runs = runs_of(
        "npx jest -t none 2>&1 | tail -3", "No tests found, exiting with code 0", 0, False
    )
    assert runs[0].state == "failed"
    assert runs[0].reason.startswith("nothing was run")


@pytest.mark.parametrize(
    ("command", "output", "state"),
    [
        (
            "git commit -m x | tail -2",
            "[main 1a2b3c4] x\n 1 file changed, 1 insertion(+)",
            "passed",
        ),
        ("git commit -qm x | tail -2", "", "unknown"),
        ("git commit -m x | tail -2", "nothing to commit, working tree clean", "failed"),
        ("git push 2>&1 | tail -1", "   1a2b3c4..5d6e7f8  main -> main", "passed"),
        ("git push 2>&1 | tail -1", "Everything up-to-date", "passed"),
        ("git push 2>&1 | tail -2", " ! [remote rejected] main -> main (protected)", "failed"),
    ],
)
def test_commits_and_pushes_count_when_git_says_so(command: str, output: str, state: str) -> None:
    assert [run.state for run in runs_of(command, output, 0, False)] == [state]


def test_what_was_committed_stays_so_whatever_fails_behind_it() -> None:
    output = "[main 1a2b3c4] x\n 1 file changed\nerror: cannot pull with rebase: unstaged changes."
    runs = runs_of("git commit -m x && git pull --rebase && git push", output, 128, True)
    states = {run.name: run.state for run in runs}
    assert states["git commit"] == "passed"
    assert states.get("git push") != "passed"


def test_what_git_status_prints_beside_a_commit_is_not_the_commits() -> None:
    output = "nothing added to commit but untracked files present\n[main 1a2b3c4] x"
    runs = runs_of("git status && git add a && git commit -m x", output, 0, False)
    assert [run.state for run in runs] == ["passed"]


def test_a_commit_that_a_hook_rejects_names_the_cause() -> None:
    output = "✖ 3 problems (3 errors, 0 warnings)\nhusky - pre-commit script failed (code 1)"
    runs = runs_of("git commit -m x", output, 1, True)
    commit = next(run for run in runs if run.name == "git commit")
    assert commit.state == "failed"
    assert "3 errors" in commit.reason


def test_a_build_is_known_by_its_own_line_where_the_command_is_cut_off() -> None:
    shown = "dist/app.js  812 kB\n✓ built in 3.25s\nService worker built: dist/sw.js"
    runs = runs_of("pnpm --filter web build 2>&1 | tail -3", shown, 0, False)
    assert [(run.runner, run.state, run.script) for run in runs] == [
        ("vite build", "passed", "pnpm build")
    ]


@pytest.mark.parametrize(
    ("line", "state"),
    [("Result: 24 passed, 2 excluded", "passed"), ("Result: 23/24 passed", "failed")],
)
def test_what_mix_prints_since_it_counts_what_passed(line: str, state: str) -> None:
    assert [run.state for run in runs_of("mix test | tail -2", line, 0, False)] == [state]


def test_a_download_is_no_fault_that_go_vet_finds() -> None:
    runs = runs_of("go vet ./... 2>&1 | tail -5", "go: downloading go1.25.3", 0, False)
    assert [run.state for run in runs] == ["passed"]


def test_of_several_scripts_the_one_that_is_named_failed() -> None:
    output = (
        "$ tool\n$ other --noEmit\n"
        "[ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL] @app/mails@0.1.0 format:check: `tool --check .`\n"
        "Exit status 1\n[ELIFECYCLE] Command failed with exit code 1."
    )
    each = [f"pnpm --filter @app/mails {name} 2>&1 | tail -2" for name in ("lint", "format:check")]
    runs = runs_of(" && ".join(each), output, 0, False)
    assert [(run.name, run.state) for run in runs] == [
        ("pnpm format:check", "failed"),
        ("pnpm lint", "unknown"),
    ]


@pytest.mark.parametrize(
    ("filtering", "lines", "state"),
    [
        ("Select-Object -Last 10", 3, "passed"),
        ("select -Last 10", 3, "passed"),
        ("Select-Object -First 10", 3, "passed"),
        ("Select-Object -First 4", 3, "unknown"),
        ("Out-String", 30, "passed"),
        ("Where-Object { $_ }", 3, "unknown"),
    ],
)
def test_filters_of_powershell_cut_as_others_do(filtering: str, lines: int, state: str) -> None:
    shown = "\n".join([*("look" for _ in range(lines)), "ok  \texample.com/app\t0.4s"])
    shown = shown if state == "passed" or "Where" in filtering else "\n".join(["look"] * 4)
    runs = runs_of(f"go test ./... 2>&1 | {filtering}", shown, 0, False)
    assert [run.state for run in runs] == [state]


@pytest.mark.parametrize(
    "output",
    [
        "At line:1 char:9\nThe token '&&' is not a valid statement separator in this version.",
        "\n> app@1.0.0 check\n> tidy check --write\n\nerror: unknown option '--write'\n",
    ],
)
def test_a_command_that_is_not_understood_checked_nothing(output: str) -> None:
    (run,) = runs_of("cd app && npm run check", output, 1, True)
    assert run.state == "failed"
    assert never_began(run.reason)


def test_a_check_behind_a_command_that_was_misused_did_not_run() -> None:
    runs = runs_of(
        "npm run format -- --hard && npx biome check .", "error: unknown option '--hard'", 1, True
    )
    assert "failed" not in [run.state for run in runs]


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("git stash && npx eslint . | tail -3; git stash pop", []),
        ("git stash -u; npx eslint .; git stash apply && npx eslint .", ["eslint"]),
        ("git stash list && npx eslint .", ["eslint"]),
        ("git stash pop && npx eslint .", ["eslint"]),
    ],
)
def test_a_run_tells_nothing_of_work_that_was_put_aside(command: str, names: list[str]) -> None:
    assert [run.name for run in runs_of(command, "", 0, False)] == names


def test_options_behind_a_script_are_not_of_the_shell() -> None:
    assert [part.name for part in plan_of("bash -n deploy.sh").parts] == ["shell syntax"]
    assert plan_of("bash deploy.sh --count -n 3").parts == ()


def test_a_line_of_two_runners_is_of_the_one_that_the_command_names() -> None:
    shown = "Checked 9 files in 12ms. No fixes applied.\nFound 2 errors.\n"
    runs = runs_of("npx biome lint src; npm run check", shown, 1, True)
    assert "ruff" not in [run.name for run in runs]


def test_the_package_that_failed_tells_of_a_script_whose_head_is_cut() -> None:
    shown = "FAIL\nFAIL\texample.com/app/store\t1.5s\nFAIL\n[test:db] ERROR task failed"
    runs = runs_of("mise run test:db 2>&1 | tail -4", shown, 0, False)
    assert ("go test", "failed") in [(run.name, run.state) for run in runs]
