"""Planted and held-out patterns: catalogs are whole and fair, and a perfect detector scores 1."""

from __future__ import annotations

import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from score.held_out import CATALOGS, load_catalog
from score.planted import CHECKS, Outcome, Trial, details_of, figures_of, run_trial, session_units

ORACLE = (sys.executable, str(Path(__file__).with_name("oracle.py")))
SHARED = os.environ.get("HELIX_SHARED")
needs_shared = pytest.mark.skipif(not SHARED, reason="HELIX_SHARED is not set")


@pytest.fixture(params=CATALOGS)
def catalog(request: pytest.FixtureRequest) -> Any:
    return load_catalog(request.param)


def test_there_are_six_catalogs_of_a_dozen_patterns(catalog: Any) -> None:
    assert len(CATALOGS) == 6
    assert len(catalog.PATTERNS) >= 12


def test_ids_are_unique_and_say_the_kind(catalog: Any) -> None:
    ids = [row[0] for row in catalog.PATTERNS]
    assert len(ids) == len(set(ids))
    for name, kind, signal, *_ in catalog.PATTERNS:
        assert name.startswith("fix-") == (kind == "success") == (signal == "recovery")
        assert name.startswith("user-") == (signal == "user_correction")


def test_pairs_name_patterns(catalog: Any) -> None:
    ids = {row[0] for row in catalog.PATTERNS}
    assert {name for pair in catalog.PAIRS for name in pair} <= ids


def test_titles_fit_their_own_words(catalog: Any) -> None:
    names = catalog.draw_names(random.Random(1))
    for _id, _kind, _signal, _flavors, title, regexes, _make in catalog.PATTERNS:
        filled = [
            re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), x) for x in (title, *regexes)
        ]
        assert any(re.search(regex, filled[0]) for regex in filled[1:]), filled


def test_every_flavor_has_an_error_for_its_trivial_sessions(catalog: Any) -> None:
    for flavor in catalog.FLAVORS:
        assert any(flavor in row[3] and row[2] == "tool_error" for row in catalog.PATTERNS)


def test_noise_is_plenty(catalog: Any) -> None:
    assert len({row[2] for row in catalog.ONE_OFFS}) >= 60
    assert len(catalog.LURES) >= 3
    assert len(catalog.BENIGN) >= 10
    assert len(catalog.LURE_PROMPTS) >= 10


def test_perfect_figures_reach_every_goal() -> None:
    figures = dict.fromkeys(("found", "whole", "purity", "cross_recall", "separation", "rank"), 1.0)
    figures |= dict.fromkeys(("false_top20", "cross_false", "trivial_leak", "doubled"), 0.0)
    report = {
        "figures": {**figures, "score": 1.0},
        "false_top20": {},
        "patterns": [{"pattern": "a", "candidate": "1", "jaccard": 0.5}, {"pattern": "b"}],
        "pairs": {"a / b": False},
        "others": [{"rank": 3, "what": "noise", "title": "grep"}],
    }
    outcomes = [Outcome(seed, report, dict.fromkeys(CHECKS, True)) for seed in (1, 2)]
    assert all(figure.is_good is not False for figure in figures_of(outcomes))
    assert details_of(outcomes) == [
        "false (noise): grep, 2 of 2 seeds",
        "not apart: a / b, 2 of 2 seeds",
        "not found: b, 2 of 2 seeds",
        "not whole: a, 2 of 2 seeds",
    ]


def test_another_list_in_one_seed_misses_the_goal() -> None:
    report = {"figures": {}, "false_top20": {"noise": 2, "stray": 1}, "patterns": [], "pairs": {}}
    outcome = Outcome(1, report, {"again": False})
    assert outcome.figures["false_top20"] == 3


def test_grok_sessions_are_folders(tmp_path: Path) -> None:
    for name in (".claude/projects/p/a.jsonl", ".grok/sessions/c/s/x.json", ".grok/sessions/c/s/y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    units = [str(unit.relative_to(tmp_path)) for unit in session_units(tmp_path)]
    assert units == [".claude/projects/p/a.jsonl", ".grok/sessions/c/s"]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", [None, *CATALOGS])
def test_a_perfect_detector_scores_one(name: str | None) -> None:
    trial = Trial(name, seed=1, sessions=150, command=ORACLE)
    outcome = run_trial(Path(str(SHARED)) / "tools" / "planted", trial)
    assert outcome.figures["score"] == 1
    assert outcome.same == dict.fromkeys(CHECKS, True)
