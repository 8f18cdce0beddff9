"""Real logs of the further agents, against the separate counters: whole, damaged, copied, mixed."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.corpus.counted import but_for_raw_bytes
from tests.corpus.damage import damage, poisoned, scramble
from tests.more_agents import COUNTERS, LOGS, assert_counted_alike

SMALL = 300_000
ROUNDS = int(os.environ.get("HELIX_SEEDS", "1"))


def copy_real(shared: Path, home: Path, flavor: str, largest: int | None = None) -> list[Path]:
    """Puts the real logs of an agent into a home, all or the small ones."""
    real = shared / "corpus" / "more" / flavor
    copies: list[Path] = []
    for original in sorted(path for path in real.rglob("*") if path.is_file()):
        if largest is None or original.stat().st_size <= largest:
            copy = home / original.relative_to(real)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(original.read_bytes())
            copies.append(copy)
    return copies


def write_ours(home: Path) -> None:
    """A session of ours for each agent, so that a small real set is not all there is."""
    for make in LOGS.values():
        log = make()
        for number in range(4):
            log.prompt(f"ask {number}")
            log.step("no such file", 1)
            log.step()
            log.reply(f"answer {number}")
        log.spend(100, 10, 20, 5)
        log.write(home)


def test_every_figure_of_every_session_equals_the_counters(bench: Workbench, shared: Path) -> None:
    for flavor in COUNTERS:
        copy_real(shared, bench.home, flavor)
    bench.sweep()
    assert_counted_alike(bench)
    assert bench.sweep().bytes_read == 0
    usage = bench.helix("usage", "--by", "session", "--json").json
    assert sum(row["output"] for row in usage["rows"]) == usage["total"]["output"]


def sweep_unharmed(bench: Workbench) -> None:
    """A sweep in which no adapter failed and after which the store is sound."""
    report = bench.sweep()
    assert [p for p in report.listed_problems if "adapter failed" in p.reason] == []
    assert all(check.is_ok for check in bench.engine().doctor())
    assert bench.sweep().bytes_read == 0


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("flavor", COUNTERS)
def test_damaged_logs_keep_every_readable_line(
    bench: Workbench, shared: Path, flavor: str, seed: int
) -> None:
    chance = random.Random(seed)
    write_ours(bench.home)
    copy_real(shared, bench.home, flavor, SMALL)
    for path in sorted(bench.home.rglob("*.jsonl")):
        path.write_bytes(damage(path.read_bytes(), chance))
    sweep_unharmed(bench)
    assert_counted_alike(bench, flavor)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_bad_lines_cost_themselves(bench: Workbench, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    sound = Workbench(tmp_path / "sound")
    for one in (sound, bench):
        write_ours(one.home)
    sound.sweep()
    for path in sorted(bench.home.rglob("*.jsonl")):
        path.write_bytes(poisoned(path.read_bytes(), chance))
    sweep_unharmed(bench)
    for name in sound.sessions():
        kept = Counter((event.kind, event.text) for event in bench.events(name))
        said = Counter(
            (event.kind, event.text)
            for event in sound.events(name)
            if event.kind not in ("system", "other")
        )
        assert said <= kept, name


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_other_bytes_never_fail_an_adapter(bench: Workbench, seed: int) -> None:
    chance = random.Random(seed)
    write_ours(bench.home)
    for path in sorted(path for path in bench.home.rglob("*") if path.is_file()):
        path.write_bytes(scramble(path.read_bytes(), chance))
    sweep_unharmed(bench)
    bench.helix("sessions", "--json")


def test_copies_and_order_change_no_figure(bench: Workbench, tmp_path: Path) -> None:
    write_ours(bench.home)
    bench.sweep()
    before = but_for_raw_bytes(bench, bench.store)
    for path in sorted(path for path in bench.home.rglob("*") if path.is_file()):
        twin = path.with_name(f"session-z-{path.name}")
        if path.name == "events.jsonl":
            twin = path.parent.with_name("copied") / path.name
            twin.parent.mkdir()
        shutil.copyfile(path, twin)
    bench.sweep()
    assert but_for_raw_bytes(bench, bench.store) == before
    other = Workbench(tmp_path / "other")
    for path in sorted((p for p in bench.home.rglob("*") if p.is_file()), reverse=True):
        copy = other.home / path.relative_to(bench.home)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
        other.sweep()
    assert but_for_raw_bytes(other, other.store) == before
