"""Manners of the command line: completion, pipes, names that do not exist."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

from helix_tui.cli.main import app
from helix_tui.cli.registry import GROUPS
from tests.claude_log import ClaudeLog
from tests.conftest import Ran, Workbench

HOSTILE = "mend \\$(touch /tmp/helix-was-here) `id` \"it\" 'now'"


@pytest.fixture
def worked(bench: Workbench) -> Workbench:
    for number, title in enumerate(("mend the parser", "mend the lexer", HOSTILE)):
        log = ClaudeLog(session=f"{number}abc1234-0000-4000-8000-000000000000")
        log.prompt(title)
        log.reply(message=f"m{number}", cwd="/work/api")
        log.write(bench.home, project=f"-work-{number}")
    bench.sweep()
    return bench


def completed(bench: Workbench, line: str, shell: str = "bash") -> list[str]:
    """What a shell is offered behind a line."""
    words = line.split(" ")
    variables = {
        "_HELIX_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
    }
    environ = {"PATH": os.environ["PATH"], **bench.environ, **variables}
    code = "import sys; sys.argv[0] = 'helix'; from helix_tui.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return [name for name in done.stdout.splitlines() if name]


class TestCompletion:
    """Names that exist, behind the key for it."""

    def test_sessions_by_the_beginning_of_either_name(self, worked: Workbench) -> None:
        store = f"--store {worked.store}"
        whole = "1abc1234-0000-4000-8000-000000000000"
        assert completed(worked, f"helix show {store} 1a") == [whole]
        assert completed(worked, f"helix show {store} claude:1a") == [f"claude:{whole}"]
        assert completed(worked, f"helix show {store} zzz") == []

    def test_agents_and_repositories(self, worked: Workbench) -> None:
        store = f"--store {worked.store}"
        assert completed(worked, f"helix sessions {store} --flavor cl") == ["claude"]
        repos = worked.engine().known_names()[1]
        assert completed(worked, f"helix usage {store} --repo ") == repos

    def test_candidates_and_patterns(self, demo: Workbench) -> None:
        store = f"--store {demo.store}"
        (candidate,) = completed(demo, f"helix reject {store} push-rej")
        demo.helix("approve", candidate, "--yes")
        assert completed(demo, f"helix catalog show {store} push") == [candidate]

    def test_nothing_without_a_store(self, bench: Workbench) -> None:
        assert completed(bench, f"helix show --store {bench.store} a") == []
        assert not bench.store.exists()

    def test_no_title_is_evaluated_by_a_shell(self, worked: Workbench) -> None:
        offered = "\n".join(completed(worked, f"helix show --store {worked.store} 2a", "zsh"))
        assert "mend touch /tmp/helix-was-here id it now" in offered
        assert not set("$`\\") & set(offered.partition("((")[2])


class TestPipes:
    """What other programs get."""

    def test_cells_have_tabs_between_them_and_no_padding(self, worked: Workbench) -> None:
        head, *rows = worked.helix("sessions").out.splitlines()
        assert head.split("\t")[:4] == ["title", "repo", "ended", "session"]
        assert all(row.count("\t") == head.count("\t") for row in rows)
        assert all(cell == cell.strip() for row in rows for cell in row.split("\t"))

    def test_lines_of_detect_end_where_their_words_do(self, demo: Workbench) -> None:
        lines = demo.helix("detect").out.splitlines()
        assert len(lines) > 5
        assert all(line == line.rstrip() for line in lines)

    @pytest.mark.parametrize(
        "arguments", [["detect", "--all", "--json"], ["sessions"], ["--sweep"], ["report"]]
    )
    def test_head_ends_it_quietly(self, demo: Workbench, arguments: list[str]) -> None:
        demo.helix("--sweep", check=False)
        code = "import sys; sys.argv[0] = 'helix'; from helix_tui.cli.main import main; main()"
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments, "--store", str(demo.store)],
            env={"PATH": os.environ["PATH"], **demo.environ},
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        noise = [line for line in done.stderr.splitlines() if "bundled sample" not in line]
        assert (done.returncode, noise) == (0, [])


class TestNames:
    """What is not there is said, with what is."""

    def unknown(self, bench: Workbench, *arguments: str) -> Ran:
        return bench.helix(*arguments, "--flavor", "cloude", "--repo", "nowhere")

    @pytest.mark.parametrize("command", ["sessions", "usage", "detect"])
    def test_an_unknown_agent_and_repository(self, worked: Workbench, command: str) -> None:
        ran = self.unknown(worked, command, "--json")
        assert "no session is of the agent cloude; there are claude." in ran.err
        assert "no session is of the repository nowhere; there are" in ran.err
        assert ran.json

    def test_known_ones_say_nothing(self, worked: Workbench) -> None:
        assert worked.helix("sessions", "--flavor", "claude").err == ""


def test_problems_are_told_by_file(bench: Workbench) -> None:
    log = ClaudeLog(session="a")
    log.prompt("mend it")
    path = log.write(bench.home)
    with path.open("a") as file:
        file.write('{"a": \\x}\n' * 3)
    out = bench.helix("--sweep", check=False).out
    assert out.count(str(path)) == 1
    assert "at 3 places, the first at byte" in out


def test_a_command_is_made_alone_when_it_is_asked_for(bench: Workbench) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    context = typer.Context(group)
    assert group.get_command(context, "sessions") is not None
    assert list(group.commands) == ["sessions"]
    # What `--help` says of each without making it is what it says of itself.
    told = " ".join(bench.helix("--help").out.split())
    for name in (name for names in GROUPS.values() for name in names):
        command = group.get_command(context, name)
        assert command is not None
        assert f"{name} {command.get_short_help_str(limit=100)}" in told
