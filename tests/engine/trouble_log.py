"""Small sessions that something recurs in, and what `helix detect` says of them."""

from __future__ import annotations

import json
from pathlib import Path

from helix_tui.cli.commands.detect_json import candidates_json
from helix_tui.schema.candidate import CandidateFilter
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

EVERYTHING = CandidateFilter(is_all=True)
ERRORS = (
    "/bin/bash: line 1: rg: command not found",
    "ModuleNotFoundError: No module named 'yaml'",
    "fatal: unable to access the remote: Could not resolve host: git.example.com",
    "widget 17 refused to spin: gear <a> is stuck",
    "widget 23 refused to spin: gear <b> is stuck",
)
# What the ids of the candidates of the first three begin with.
RG, YAML, HOST = "command-not-found-rg", "module-not-found-yaml", "host-unresolved"
CORRECTIONS = (
    "no, don't commit anything, I told you to leave commits to me",
    "stop, that's wrong: use pnpm, not npm",
)


def name_of(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def troubled(number: int, *, rounds: int = 1, agent: str | None = None) -> ClaudeLog:
    """A real coding session: it fails, is corrected and recovers; the number says how."""
    log = ClaudeLog(session=name_of(number), start=number * 4000, agent=agent)
    log.cwd = f"/work/{('app', 'web', 'api')[number % 3]}"
    for turn in range(rounds):
        log.prompt(f"please make the import of part {turn} work and run the tests")
        log.step("ls src", "app.py")
        error = ERRORS[(number + turn) % len(ERRORS)]
        # Only where it is missing: what another session runs is there.
        program = "rg" if "rg: command" in error else "scan"
        log.step(f"{program} import src/{turn}", f"Exit code 127\n{error}", is_error=True)
        log.step(f"grep -rn import src/{turn}", "src/app.py:1:import os")
        log.step("cat src/app.py", "import os")
        log.reply("Done, it works now.")
        log.prompt(CORRECTIONS[(number + turn) % len(CORRECTIONS)])
        log.step("git status", "clean")
        log.reply("All right.")
    return log


def write_troubled(bench: Workbench, count: int = 8) -> None:
    for number in range(count):
        troubled(number, rounds=1 + number % 3).write(bench.home)
    agent = troubled(2, agent="abc")
    agent.write(bench.home)


def detected(bench: Workbench, store: Path | None = None) -> str:
    """All candidates, as `helix detect --all --json` prints them."""
    found = bench.engine(store).candidates.detect(EVERYTHING)
    assert not found.stale
    return json.dumps(candidates_json(found), indent=1)


def ids(bench: Workbench) -> list[str]:
    return [one.candidate.id for one in bench.engine().candidates.detect(EVERYTHING).ranked]


def set_quality(bench: Workbench, **knobs: int | bool) -> None:
    """Knobs of the quality gate, as a person sets them."""
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in knobs.items())
    bench.config = bench.home / "helix.toml"
    bench.config.write_text(f"[detect.quality]\n{lines}")
