"""Failures that only an output tells, and errors in an output that are nobody's failure."""

from __future__ import annotations

import pytest

from helix_tui.digest.runs.call import reading_of
from helix_tui.digest.runs.failing_lines import Row, rows
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

FILLER = "\n".join(f"reading part {number} of the project" for number in range(30))
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/srv/app/load.py", line 3, in <module>\n'
    "    import yaml\n"
    "ModuleNotFoundError: No module named 'yaml'"
)


def told(command: str, text: str, exit_code: int | None = 0) -> str:
    return reading_of(command, text, exit_code, False).told


@pytest.mark.parametrize("row", rows(), ids=[row.of for row in rows()])
class TestRow:
    """Each line by which a program gives up."""

    def test_it_tells_behind_a_pipe(self, row: Row) -> None:
        assert told("./tool run 2>&1 | tail -40", f"{FILLER}\n{row.sample}")

    def test_it_tells_nothing_against_a_status_of_the_programs_own(self, row: Row) -> None:
        assert not told("./tool run", row.sample)
        assert not told("cd app && ./tool run", row.sample)
        assert not told("set -o pipefail; ./tool run | tail -40", row.sample)

    def test_it_is_no_failure_of_what_shows_it(self, row: Row) -> None:
        for command in ("cat run.log", "kubectl logs web", "gh run view 3 --log", "rg -n x docs"):
            assert not told(f"{command} | tail -40", row.sample)

    def test_it_is_none_where_the_program_went_on(self, row: Row) -> None:
        assert not told("./tool run 2>&1 | tail -40", f"{row.sample}\nwrote 12 rows to out.csv")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("python load.py 2>&1 | tail -5", TRACEBACK),
        ("python - <<'EOF' | head -20\nimport yaml\nEOF", TRACEBACK),
        ("uv run python load.py 2>&1 | tail -1", TRACEBACK.rpartition("\n")[2]),
        ("cat app.toml; python load.py 2>&1 | tail -20", f"[app]\nname = 1\n{TRACEBACK}"),
        ("./deploy.sh web 2>&1 | tail -3", "reading web.toml\nerror: no such target: web"),
        (
            "acme plan 2>&1 | head -40",
            "╷\n│ Error: No value for variable\n│\n│   on main.tf line 3\n╵",
        ),
        ("rsync -a a/ b/ | tail -2", "rsync: connection refused by backup.local (111)"),
        ("acme up 2>&1 | tail -2", "connect ECONNREFUSED 127.0.0.1:5432"),
        ('acme build; echo "exit: $?"', "12 parts\nexit: 3"),
        (
            "echo '== api'; acme api | tail -2; echo '== web'; acme web | tail -2",
            "== api\nerror: no such part: api\n== web\n12 parts",
        ),
        ("acme build | tail -3 || echo no", "error: no such part: api"),
        ('acme build; echo "exit: $?"', "exit: 0\n12 parts\nexit: 3"),
        ("bash scripts/ci.sh | tail -9", "+ ./gradlew check\n\nBUILD FAILED in 2s\nsee the log"),
        ("acme lint | tail -2", " ERROR  No package found with name 'api'"),
        (
            "pnpm install | tail -9",
            " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install\n\n* 1 dependencies were added: a@^8",
        ),
        ("docker compose up -d db | tail -2", "Error response from daemon: no such network"),
    ],
)
def test_a_program_says_that_it_gave_up(command: str, text: str) -> None:
    assert told(command, text)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("acme build | tail -5", "error: part 3 is bad, skipping it\nDone in 3s"),
        ("acme build | tail -5", "Error: 0\nWarnings: 2"),
        ("acme build | tail -5", "12 parts, 0 errors"),
        ("acme logs-of web --help | head -5", "Error: what it prints where nothing is there"),
        ("git log --oneline | head -3", "error: say what is missing\n3f2a1bc fatal: say more"),
        ("curl -s localhost:3000/x | head -3", "Error: Cannot GET /x"),
        ("docker compose up db | tail -3", 'db | ERROR:  relation "rows" does not exist'),
        ("docker compose logs web | tail -3", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
        ("python -c 'print(open(\"log\").read())' | tail -2", "error: no such part: api"),
        ("cat notes.md; acme list", "error: no such part: api\nweb\napi"),
        ("$f = 'a.log'; Get-Content $f | Select-Object -First 9", "error: no such part: api"),
        ("acme events | tail -2", '{"error": "the hook failed with code 1"}'),
        ("acme stop || true", "error: not running"),
        ("if acme stop; then ls; fi", "error: not running"),
        ("acme serve & sleep 2", "error: not running"),
        ('grep -q x notes.md; echo "exit: $?"', "exit: 1"),
        ('timeout 5 acme serve; echo "exit: $?"', "exit: 124"),
        ("acme test | tail -1", "test_error: ok"),
    ],
)
def test_an_error_in_an_output_is_not_always_a_failure(command: str, text: str) -> None:
    assert not told(command, text)


def test_a_check_whose_summary_a_filter_cut_failed_where_an_error_is_seen() -> None:
    runs = reading_of("pytest -q 2>&1 | tail -3", TRACEBACK, 0, False).runs
    assert [(run.name, run.state) for run in runs] == [("pytest", "failed")]
    assert runs[0].reason == "ModuleNotFoundError: No module named 'yaml'"


def test_a_check_that_passed_is_not_red_for_what_its_tests_printed() -> None:
    text = f"{TRACEBACK}\n12 passed in 0.31s"
    reading = reading_of("pytest -q 2>&1 | tail -30", text, 0, False)
    assert not reading.told
    assert [run.state for run in reading.runs] == ["passed"]


def test_a_failure_behind_a_pipe_is_an_error_of_the_session(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("load the rows")
    for command in ("python load.py 2>&1 | tail -5", "cat load.log | tail -5"):
        call = log.call("Bash", given={"command": command})["message"]["content"][0]["id"]
        log.result(call, TRACEBACK)
    log.reply("The module is missing.")
    log.write(bench.home)
    bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    assert digest.facts.failures == 1
    assert [error.line for error in digest.facts.errors] == [
        "ModuleNotFoundError: No module named 'yaml'"
    ]
