"""Plants patterns in homes, one for each seed, and scores what `helix detect` finds in them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from score.causes import judge, seen, without_troubles
from score.figures import Board, Figure, Goal, mean
from score.held_out import load_catalog, load_planter
from score.held_out.loading import load_script
from score.helix import HELIX, Helix, shared_folder

POOL = 2
CHECKS = ("again", "other order", "raw evicted")
Place = tuple[str, tuple[str, ...]]
"""A candidate of a list: its id and its members."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One seed of one catalog."""

    catalog: str | None
    seed: int
    sessions: int
    is_stability_checked: bool = True
    command: tuple[str, ...] = HELIX


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a trial: the score's own report, and which repetitions gave the same list."""

    seed: int
    report: dict[str, Any]
    same: dict[str, bool]

    @property
    def figures(self) -> dict[str, float]:
        """The figures of the report, with the false candidates counted."""
        found: dict[str, float] = dict(self.report["figures"])
        found["false_top20"] = float(sum(self.report["false_top20"].values()))
        return found


GOALS: dict[str, Goal | None] = {
    "found": Goal(0.95),
    "whole": Goal(0.85),
    "purity": Goal(0.97),
    "cross_recall": Goal(0.9),
    "false_top20": Goal(1, is_least=False),
    "cross_false": None,
    "separation": None,
    "rank": None,
    "trivial_leak": None,
    "doubled": None,
    "score": None,
    "remedy_right": Goal(0.8),
    "remedy_wrong": Goal(0, is_least=False),
    "remedy_none": None,
    "remedy_false": Goal(0, is_least=False),
    "seen_plain": None,
    "seen_piped": None,
}
"""The last six are there only where the catalog says what overcomes its causes."""


def board(title: str, catalog: str | None, seeds: int, sessions: int) -> Board:
    """The figures over all seeds, and what was not found in how many of them."""
    trials = [Trial(catalog, seed, sessions) for seed in range(1, seeds + 1)]
    outcomes = run_trials(partial(run_trial, shared_folder() / "tools" / "planted"), trials)
    return Board(title, figures_of(outcomes), details_of(outcomes), data_of(outcomes))


def run_trials(run: Callable[[Trial], Outcome], trials: Sequence[Trial]) -> list[Outcome]:
    """All trials, in a few processes."""
    if len(trials) == 1:
        return [run(trials[0])]
    with ProcessPoolExecutor(POOL, get_context("spawn")) as pool:
        return list(pool.map(run, trials))


def run_trial(tools: Path, trial: Trial) -> Outcome:
    """Plants a home, takes it in, detects and scores, all in a folder that goes afterwards."""
    catalog = load_catalog(trial.catalog) if trial.catalog else None
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        truth, _, _ = load_planter(tools, catalog).plant(trial.seed, trial.sessions, str(home))
        helix = Helix(home, folder / "store", trial.command)
        helix.sweep()
        found = helix.detect()
        report = _report(load_script(tools / "score.py"), truth, found, catalog)
        same = _repeated(helix, folder, places(found)) if trial.is_stability_checked else {}
        return Outcome(trial.seed, report, same)


def _report(
    scorer: ModuleType, truth: dict[str, Any], found: dict[str, Any], catalog: ModuleType | None
) -> dict[str, Any]:
    """The score's own report, and where causes are planted, what their remedies are worth."""
    if catalog is None or not hasattr(catalog, "REMEDIES"):
        report: dict[str, Any] = scorer.score(truth, found)
        return report
    causes, rows = without_troubles(scorer, truth, found, catalog.TROUBLES)
    report = scorer.score(causes, rows)
    judged = judge(scorer, truth, found, report, catalog.REMEDIES)
    return {
        **report,
        "figures": {**report["figures"], **judged.figures, **seen(scorer, causes, rows)},
        "remedies": judged.tells,
    }


def _repeated(helix: Helix, folder: Path, first: list[Place]) -> dict[str, bool]:
    """Whether the list stays when the same is done again, in another order, without raw bytes."""
    again = places(helix.detect())
    other = Helix(helix.home, folder / "other", helix.command)
    origin = helix.home.rename(folder / "origin")
    units = session_units(origin)
    for half in (units[len(units) // 2 :][::-1], units[: len(units) // 2][::-1]):
        _link(half, origin, helix.home)
        other.sweep()
    ordered = places(other.detect())
    helix.evict_all()
    evicted = places(helix.detect())
    return dict(zip(CHECKS, (again == first, ordered == first, evicted == first), strict=True))


def places(found: dict[str, Any]) -> list[Place]:
    """Ids and members in the order of the list."""
    return [(c["id"], tuple(sorted(c["members"]))) for c in found["candidates"]]


def session_units(home: Path) -> list[Path]:
    """What belongs to one session each: a file, or for Grok a folder."""
    units: dict[Path, None] = {}
    for path in sorted(home.rglob("*")):
        if path.is_file():
            is_grok = path.relative_to(home).parts[0] == ".grok"
            units[path.parent if is_grok else path] = None
    return list(units)


def _link(units: Sequence[Path], origin: Path, home: Path) -> None:
    for unit in units:
        target = home / unit.relative_to(origin)
        target.parent.mkdir(parents=True, exist_ok=True)
        if unit.is_dir():
            shutil.copytree(unit, target, copy_function=os.link, dirs_exist_ok=True)
        else:
            os.link(unit, target)


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Means over the seeds against their goals, then the share of seeds that are stable."""
    rows = [
        mean(name, [outcome.figures[name] for outcome in outcomes], goal)
        for name, goal in GOALS.items()
        if name in outcomes[0].figures
    ]
    for check in CHECKS:
        same = [float(o.same[check]) for o in outcomes if check in o.same]
        if same:
            note = f"{sum(same):g} of {len(same)} seeds"
            rows.append(mean(f"same: {check}", same, Goal(1.0), note))
    return rows


def details_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Patterns that were not found whole, pairs that were mixed and false candidates, by seeds."""
    seen: dict[str, int] = {}
    for outcome in outcomes:
        for row in outcome.report["patterns"]:
            if "candidate" not in row:
                tell = f"not found: {row['pattern']}"
            elif row["jaccard"] < 0.8:
                tell = f"not whole: {row['pattern']}"
            else:
                continue
            seen[tell] = seen.get(tell, 0) + 1
        for pair, is_apart in outcome.report["pairs"].items():
            if not is_apart:
                seen[f"not apart: {pair}"] = seen.get(f"not apart: {pair}", 0) + 1
        for row in outcome.report["others"]:
            if row["rank"] <= 20 and row["what"] != "unplanted":
                tell = f"false ({row['what']}): {row['title'][:70]}"
                seen[tell] = seen.get(tell, 0) + 1
        for tell in outcome.report.get("remedies", ()):
            seen[tell] = seen.get(tell, 0) + 1
    ranked = sorted(seen.items(), key=lambda pair: (-pair[1], pair[0]))
    return [f"{tell}, {count} of {len(outcomes)} seeds" for tell, count in ranked[:40]]


def data_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """All reports, for whoever wants to look closer."""
    return {"seeds": [{"seed": o.seed, "same": o.same, **o.report} for o in outcomes]}
