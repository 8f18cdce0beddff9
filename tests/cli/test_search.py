"""`helix search` as scripts and people use it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.claude_log import ClaudeLog
from tests.cli.terminal import through_terminal
from tests.conftest import Workbench

SESSION = f"claude:{ClaudeLog().session}"


def test_json_has_the_fixed_names(swept: Workbench) -> None:
    found = swept.helix("search", "fail", "--json").json
    assert list(found) == ["schema", "query", "hits", "total", "pending"]
    assert (found["schema"], found["query"]) == ("helix.search/1", "fail")
    assert (found["total"], found["pending"]) == (1, 0)
    (hit,) = found["hits"]
    names = (
        "session title flavor repo outcome started_at ended_at score matches kind ts snippet "
        "snippets"
    )
    assert list(hit) == names.split()
    assert (hit["session"], hit["flavor"], hit["repo"]) == (SESSION, "claude", "app")
    assert (hit["kind"], hit["snippet"]) == ("prompt", "why does it fail?")
    assert hit["ts"] == "2026-02-02T02:40:01.000Z"
    assert hit["snippets"] == [
        {"kind": "prompt", "ts": hit["ts"], "text": "why does it fail?", "marks": [[12, 16]]}
    ]
    assert hit["score"] > 0


def test_people_see_where_it_was(swept: Workbench) -> None:
    shown = swept.helix("search", '"no rule"').out
    assert SESSION in shown
    assert "error    Exit code 2 no rule" in shown
    assert "1 match" in shown


def test_nothing_found_is_said(swept: Workbench) -> None:
    ran = swept.helix("search", "nowhere")
    assert (ran.code, ran.out) == (0, "Nothing found.\n")
    assert swept.helix("search", "nowhere", "--json").json["hits"] == []


@pytest.mark.parametrize("words", [["&&"], [""], ["-fail"], ["--", "-v"], []])
def test_nothing_to_look_for_exits_with_2(swept: Workbench, words: list[str]) -> None:
    ran = swept.helix("search", "--store", str(swept.store), *words, check=False)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        (["why", "fail"], True),
        (["fail", "-verbose"], True),
        (["fail", "-why"], False),
        (["-why", "--limit", "3", "fail"], False),
        (["--no-fail"], False),
        (['"does it"', "fixed"], True),
        (["fai*", "--repo", "app"], True),
        (["fail", "--repo", "web"], False),
        (["fail", "--flavor", "claude", "--since", "2020-01-01"], True),
        (["fail", "--since", "7d"], False),
        (["fail", "--outcome", "abandoned"], False),
    ],
)
def test_words_and_filters(swept: Workbench, words: list[str], is_found: bool) -> None:
    found = swept.helix("search", "--json", *words).json
    assert bool(found["hits"]) == is_found


def test_without_a_store_it_says_so(bench: Workbench) -> None:
    ran = bench.helix("search", "x", check=False)
    assert (ran.code, ran.out) == (74, "")
    assert "There is no store" in ran.err


def test_output_fits_eighty_columns(bench: Workbench) -> None:
    log = ClaudeLog(agent="a" * 60, cwd=f"/work/{'long-name-' * 9}")
    log.prompt(f"{'word ' * 30} needle {'東京都' * 30} {'x' * 300}")
    log.write(bench.home)
    bench.sweep()
    shown = through_terminal(bench, ["search", "needle"]).decode()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "needle" in plain
    from rich.cells import cell_len

    assert max(map(cell_len, plain.splitlines())) <= 80


def test_the_report_comes_before_the_index(bench: Workbench) -> None:
    """Nobody waits: the report is out while the process still has the store."""
    log = ClaudeLog()
    log.prompt("look")
    log.write(bench.home)
    slow = (
        "import time, helix_tui.engine.sweep.sweep as sweep\n"
        "sweep.index_pending = lambda *_: time.sleep(30)\n"
        "from helix_tui.cli.main import main; main()\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", slow, "--sweep", "--json", "--store", str(bench.store)],
        env={"PATH": os.environ["PATH"], **bench.environ},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    started = time.monotonic()
    assert '"search_pending": 1' in running.stdout.readline()
    assert time.monotonic() - started < 25
    assert running.poll() is None
    running.kill()
    running.wait()
    running.stdout.close()
    waiting = bench.helix("search", "look")
    assert waiting.out.startswith("Nothing found.\n1 session is not indexed")
    bench.helix("--sweep")
    assert SESSION in bench.helix("search", "look").out


def test_interrupted_while_it_indexes(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("look")
    log.write(bench.home)
    slow = (
        "import time, helix_tui.engine.sweep.sweep as sweep\n"
        "def index(database, layout, cancelled):\n"
        "    while not cancelled(): time.sleep(0.01)\n"
        "sweep.index_pending = index\n"
        "from helix_tui.cli.main import main; main()\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", slow, "--sweep", "--json", "--store", str(bench.store)],
        env={"PATH": os.environ["PATH"], **bench.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert bench.sweep().search_pending == 1
    assert len(bench.found("look")) == 1


def test_people_are_told_that_sessions_wait(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("look")
    log.write(bench.home)
    assert "Search: 1 session to index" in bench.helix("--sweep").out
    assert "Search:" not in bench.helix("--sweep").out
