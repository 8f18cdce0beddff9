"""Damaged copies of real logs: no crash, no hang, and no readable line is lost."""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.corpus.test_home import assert_equals_truth

SECONDS = 120
SMALL = 400_000


def cut(content: bytearray, chance: random.Random) -> None:
    """A stretch is missing."""
    start = chance.randrange(len(content))
    del content[start : start + chance.randrange(1, 3000)]


def flip(content: bytearray, chance: random.Random) -> None:
    """A byte has another value."""
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def double(content: bytearray, chance: random.Random) -> None:
    """A line stands there twice."""
    lines = content.split(b"\n")
    number = chance.randrange(len(lines))
    lines.insert(number, lines[number])
    content[:] = b"\n".join(lines)


def tear(content: bytearray, chance: random.Random) -> None:
    """A line was cut off and then written again behind what was left of it."""
    lines = content.split(b"\n")
    number = chance.randrange(len(lines))
    line = lines[number]
    lines[number] = line[: chance.randrange(len(line) + 1)] + line
    content[:] = b"\n".join(lines)


def blank(content: bytearray, chance: random.Random) -> None:
    """A crash left a run of NULs."""
    start = chance.randrange(len(content))
    content[start:start] = bytes(chance.randrange(1, 5000))


Damage = Callable[[bytearray, random.Random], None]
DAMAGES: tuple[Damage, ...] = (cut, flip, double, tear, blank)


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """A sweep that does not end is a failure."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"no end after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_home_keeps_every_readable_line(bench: Workbench, shared: Path, seed: int) -> None:
    chance = random.Random(seed)
    projects = shared / "corpus" / "home" / ".claude" / "projects"
    for original in sorted(projects.rglob("*.jsonl")):
        if original.stat().st_size > SMALL:
            continue
        content = bytearray(original.read_bytes())
        for _ in range(chance.randrange(1, 6)):
            if content:
                chance.choice(DAMAGES)(content, chance)
        copy = bench.home / ".claude" / "projects" / original.relative_to(projects)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    report = bench.sweep()
    assert report.new_problems > 0
    assert_equals_truth(bench, bench.home)
    assert bench.helix("doctor").code == 0


@pytest.mark.parametrize("seed", range(3))
def test_damage_between_two_sweeps_loses_nothing_captured(
    bench: Workbench, shared: Path, seed: int
) -> None:
    chance = random.Random(seed)
    home = shared / "corpus" / "home" / ".claude" / "projects" / "-src-experiments-claude_p"
    copies = bench.home / ".claude" / "projects" / "-x"
    shutil.copytree(home, copies)
    bench.sweep()
    before = bench.sessions()
    for log in copies.rglob("*.jsonl"):
        log.chmod(0o600)
        content = bytearray(log.read_bytes())
        chance.choice(DAMAGES)(content, chance)
        log.write_bytes(content)
    bench.sweep()
    after = bench.sessions()
    assert before.keys() <= after.keys()
    for name, session in before.items():
        assert after[name].events >= session.events
        assert after[name].cost.output >= session.cost.output
    assert bench.helix("doctor").code == 0
