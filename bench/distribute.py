"""A plan over 50 repositories and 200 patterns, before anything is written and behind it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from bench.corpus import WORK
from bench.measure import clean_environ, run
from bench.row import Row
from helix_tui.config import load
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern, PatternEvidence, Provenance
from helix_tui.engine.distribute.distribution import Distribution
from helix_tui.schema.distribute import DistributeRequest

_REPOS, _PATTERNS = 50, 200
_LINES = 150
_AIM = 2.0


def distribute_rows() -> Iterator[Row]:
    """The plan in a process of its own, the apply, and the plan that finds nothing to do."""
    folder = WORK / "distribute"
    shutil.rmtree(folder, ignore_errors=True)
    home, config = folder / "home", _furnished(folder)
    options = ["--config", str(config), "--store", str(folder / "store")]
    command = [sys.executable, "-m", "helix_tui", "distribute", "plan", "--json", *options]
    walls = [run(command, clean_environ(home)).wall for _ in range(3)]
    yield Row("distribute", "plan, 50 repos, 200 patterns", min(walls), "aim", _AIM, 1.0)
    with patch.dict(os.environ, {"HOME": str(home)}):
        distribution = Distribution(load(config, folder / "store", {"HOME": str(home)}), list)
        began = time.perf_counter()
        written = distribution.apply(DistributeRequest()).written
        taken = time.perf_counter() - began
        assert len(written) == _REPOS, f"{len(written)} files written"
        yield Row("distribute", "apply", taken, "aim", 2 * _AIM, 1.0)
    walls = [run(command, clean_environ(home)).wall for _ in range(3)]
    yield Row("distribute", "plan, nothing to do", min(walls), "aim", _AIM, 1.0)


def _furnished(folder: Path) -> Path:
    for name in (".claude", ".codex", ".grok"):
        (folder / "home" / name).mkdir(parents=True)
    names = [f"repo{number}" for number in range(_REPOS)]
    for number, name in enumerate(names):
        root = folder / name
        (root / ".git").mkdir(parents=True)
        text = "".join(f"- Rule {line} of {name}.\n" for line in range(_LINES))
        (root / "AGENTS.md").write_text(text)
        if number % 2:
            (root / "CLAUDE.md").write_text("@AGENTS.md\n")
    catalog = folder / "catalog"
    catalog.mkdir()
    for number in range(_PATTERNS):
        pattern = made_pattern(number, f"repo:{names[number % _REPOS]}", f"tool-{number}")
        (catalog / f"{pattern.id}.md").write_text(write_page(pattern))
    config = folder / "config.toml"
    repos = "".join(f'{name} = "{name}"\n' for name in names)
    config.write_text(
        '[curate]\ncatalog_dir = "catalog"\nreview_log = "review/journal.jsonl"\n'
        f"[distribute.repos]\n{repos}"
    )
    return config


def made_pattern(number: int, scope: str, name: str) -> Pattern:
    """A pattern that says what to do, in a few words."""
    return Pattern(
        id=name,
        version="1.0.0",
        kind="problem",
        status="approved",
        distribution_ready=True,
        scope=scope,
        candidates=[name],
        evidence=PatternEvidence(sessions=9, frequency=20, flavors={"claude": 9}, repos=1),
        provenance=Provenance(author="Ada", at="2026-06-02", candidate=name, score=1.0),
        title=f"Run tool {number}",
        problem="It fails.",
        applies="Always.",
        guidance=f"Run `tool-{number} --check`, never `tool-{number}`.",
    )
