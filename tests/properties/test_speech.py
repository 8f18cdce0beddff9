"""What people say is grouped alike, whether all at once or as sessions come, change and go."""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.tables import sql
from tests.engine.trouble_log import detected

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "12"))
REPOS = ("app", "app", "web")
SAID = (
    "no, don't commit that, I do the commits",
    "never commit without asking me",
    "please log a linear issue for this",
    "create a linear ticket",
    "add tests for the new importer",
    "can you add a few tests",
    "write the design doc first",
    "commit and push",
)
_numbers = itertools.count()
# The places in SAID of what is said in a session, and its repository.
Talk = tuple[str, tuple[int, ...]]
talks = st.tuples(
    st.sampled_from(REPOS),
    st.lists(st.sampled_from(range(len(SAID))), min_size=1, max_size=4).map(tuple),
)


def write(bench: Workbench, number: int, talk: Talk) -> None:
    """One session in which somebody speaks between pieces of work."""
    repo, said = talk
    name = f"{number:08d}-0000-4000-8000-000000000000"
    log = ClaudeLog(session=name, cwd=f"/work/{repo}", start=number * 3600)
    log.prompt(f"make part {number} of it work", uuid=f"{number}-task")
    for turn, at in enumerate(said):
        log.step("make build", "fine")
        log.reply("Done.")
        log.prompt(SAID[at], uuid=f"{number}-{turn}-{at}")
    log.step("make build", "fine")
    log.write(bench.home)


def fresh(folder: Path) -> Workbench:
    bench = Workbench(folder / str(next(_numbers)))
    bench.config = bench.home / "helix.toml"
    bench.config.write_text("[detect.quality]\nmin_events = 4\nmin_tool_calls = 1\n")
    return bench


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    steps=st.lists(
        st.lists(st.tuples(st.integers(0, 6), talks | st.none()), min_size=3, max_size=6),
        min_size=2,
        max_size=4,
    )
)
def test_as_it_comes_and_goes_and_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[int, Talk | None]]]
) -> None:
    folder = tmp_path_factory.mktemp("speech")
    growing, at_once = fresh(folder), fresh(folder)
    now: dict[int, Talk] = {}
    gone: set[int] = set()
    for step in steps:
        for number, talk in step:
            if talk is not None and number not in gone:
                # A log only ever grows, and stays where it is.
                repo, said = now.get(number, (talk[0], ()))
                now[number] = repo, said + talk[1]
                write(growing, number, now[number])
            elif number in now:
                growing.sweep()
                growing.engine().forget(f"claude:{number:08d}-0000-4000-8000-000000000000")
                del now[number]
                gone.add(number)
        growing.sweep()
    for number, talk in now.items():
        write(at_once, number, talk)
    at_once.sweep()
    assert detected(growing) == detected(at_once)
    assert seals(growing) == seals(at_once)
    assert all(check.is_ok for check in growing.engine().doctor())
    shutil.rmtree(folder)


def seals(bench: Workbench) -> object:
    """What is kept of each candidate that is said, but for the sessions' numbers in a store."""
    return sql(
        bench,
        "SELECT c.id, c.data FROM candidate c JOIN saying s ON s.bucket = c.bucket ORDER BY c.id",
    )
