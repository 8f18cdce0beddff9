"""Damaged copies of real logs: no crash, no hang, and no readable line is lost."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helix_tui.events import SweepReport
from tests.conftest import Workbench
from tests.corpus.counted import COUNTERS, assert_equals_truth
from tests.corpus.damage import cut_off, damage, poisoned, scramble

SECONDS = 120
LOGS = {"claude": ".claude/projects", "codex": ".codex", "grok": ".grok/sessions"}
NOT_LOGS = ("history.jsonl", "session_index.jsonl", "usage.json")
# How many rounds of each kind of damage: more than these few are for a machine with time.
ROUNDS = int(os.environ.get("HELIX_SEEDS", "1"))
# How often a whole home of each agent is damaged: once, or more where there is time.
DAMAGES = (
    {"claude": 3, "codex": 2, "grok": 2}
    if "HELIX_EXAMPLES" in os.environ
    else dict.fromkeys(LOGS, 1)
)

# Logs of megabytes are damaged where there is time.
LARGEST = None if "HELIX_EXAMPLES" in os.environ else 800_000

Change = Callable[[bytes, random.Random], bytes]


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


def logs(shared: Path, flavor: str, largest: int | None = None) -> list[Path]:
    """The files of sessions, of all or of small ones; of a folder all, or none."""
    found = sorted((shared / "corpus" / "home" / LOGS[flavor]).rglob("*"))
    files = [path for path in found if path.is_file() and path.name not in NOT_LOGS]
    large = {path for path in files if largest is not None and path.stat().st_size > largest}
    folders = {path.parent for path in large} if flavor == "grok" else set()
    return [path for path in files if path not in large and path.parent not in folders]


def copy_changed(
    bench: Workbench,
    shared: Path,
    flavor: str,
    change: Change,
    chance: random.Random,
    largest: int | None = None,
) -> None:
    """Puts logs into a home, each changed."""
    for original in logs(shared, flavor, largest):
        copy = bench.home / original.relative_to(shared / "corpus" / "home")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(change(original.read_bytes(), chance))


def as_it_is(content: bytes, chance: random.Random) -> bytes:
    return content


def sweep_unharmed(bench: Workbench) -> SweepReport:
    """A sweep in which no adapter failed and after which the store is sound."""
    report = bench.sweep()
    assert [p for p in report.listed_problems if "adapter failed" in p.reason] == []
    assert all(check.is_ok for check in bench.engine().doctor())
    assert bench.sweep().bytes_read == 0
    return report


def words(bench: Workbench) -> dict[str, Counter[tuple[str, str]]]:
    """What was said and done, by session."""
    return {
        name: Counter(
            (event.kind, event.text)
            for event in bench.events(name)
            if event.kind not in ("system", "other")
        )
        for name in bench.sessions()
    }


@pytest.mark.parametrize(
    ("flavor", "seed"),
    [(flavor, seed) for flavor, few in DAMAGES.items() for seed in range(few * ROUNDS)],
)
def test_damaged_home_keeps_every_readable_line(
    bench: Workbench, shared: Path, flavor: str, seed: int
) -> None:
    copy_changed(bench, shared, flavor, damage, random.Random(seed))
    assert sweep_unharmed(bench).new_problems > 0
    assert_equals_truth(bench, bench.home)


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("flavor", COUNTERS)
def test_bad_lines_cost_themselves(
    bench: Workbench, shared: Path, tmp_path: Path, flavor: str, seed: int
) -> None:
    sound = Workbench(tmp_path / "sound")
    chance = random.Random(seed)
    for home in (sound, bench):
        copy_changed(home, shared, flavor, as_it_is, chance, largest=50_000)
    sound.sweep()
    for path in sorted(bench.home.rglob("*.jsonl")):
        # Where the updates are all there is, a bad one may be part of what is said.
        if path.name != "updates.jsonl" or (path.parent / "chat_history.jsonl").exists():
            path.write_bytes(poisoned(path.read_bytes(), chance))
    assert sweep_unharmed(bench).new_problems > 0
    kept = words(bench)
    for name, said in words(sound).items():
        assert said <= kept[name], name


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("flavor", COUNTERS)
def test_other_bytes_never_fail_an_adapter(
    bench: Workbench, shared: Path, flavor: str, seed: int
) -> None:
    copy_changed(bench, shared, flavor, scramble, random.Random(seed), largest=LARGEST)
    sweep_unharmed(bench)
    bench.helix("sessions", "--json")


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_compressed_rollouts_keep_what_was_readable(
    bench: Workbench, shared: Path, seed: int
) -> None:
    chance = random.Random(seed)
    (original,) = (shared / "corpus" / "home" / ".codex").rglob("*.zst")
    for number, change in enumerate((cut_off, scramble, damage)):
        folder = bench.home / ".codex" / "sessions" / "2026" / "01" / f"0{number + 1}"
        folder.mkdir(parents=True)
        # Each under a name of its own: one name is one rollout, wherever it lies.
        copy = folder / f"rollout-2026-01-0{number + 1}T00-00-00-{original.name[-45:]}"
        copy.write_bytes(change(original.read_bytes(), chance))
    assert sweep_unharmed(bench).new_problems > 0
    (session,) = bench.sessions().values()
    assert session.events > 0


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("flavor", COUNTERS)
def test_damage_between_two_sweeps_loses_nothing_captured(
    bench: Workbench, shared: Path, flavor: str, seed: int
) -> None:
    chance = random.Random(seed)
    copy_changed(bench, shared, flavor, as_it_is, chance, largest=LARGEST)
    bench.sweep()
    before = bench.sessions()
    copy_changed(bench, shared, flavor, damage, chance, largest=LARGEST)
    sweep_unharmed(bench)
    after = bench.sessions()
    assert before.keys() <= after.keys()
    for name, session in before.items():
        assert after[name].events >= session.events
        assert after[name].cost.output >= session.cost.output
