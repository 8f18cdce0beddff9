"""The catalog that comes with Helix: example pages that are sound, and that decide nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.check import check
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.distribute.words import rule_faults
from helix_tui.engine.distribute.taught_text import taught_text
from helix_tui.engine.distribute.teachings import rule_of
from helix_tui.sample import write_sample
from helix_tui.schema.candidate import CandidateFilter
from tests.conftest import Workbench
from tests.once import copied, made_once

PROJECT = Path(__file__).parent.parent
ROOT = PROJECT / "catalog" / "examples"
PATTERNS = Catalog(ROOT).read().patterns


def test_nothing_is_wrong_with_it() -> None:
    assert check(ROOT) == []
    assert PATTERNS


@pytest.fixture
def newcomer(
    bench: Workbench, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Workbench:
    """A fresh clone on a machine with agents' logs, in which shipped pages would be met again."""

    def sweep(folder: Path) -> None:
        made = Workbench(folder)
        shutil.copytree(PROJECT / "catalog", folder / "checkout" / "catalog")
        made.config = Path(shutil.copy(PROJECT / "config.toml", folder / "checkout"))
        write_sample(made.home)
        made.sweep()

    place = made_once(tmp_path_factory, "newcomer", sweep)
    copied(place / "store", bench.store)
    copied(place / "checkout", tmp_path / "checkout")
    bench.config = tmp_path / "checkout" / "config.toml"
    bench.home = place / "home"
    return bench


def told(bench: Workbench, *command: str) -> dict[str, Any]:
    """What a command of that clone says to scripts."""
    return bench.helix(*command, "--json", "--config", str(bench.config)).json


def test_newcomer_finds_every_candidate_open(newcomer: Workbench) -> None:
    found = newcomer.engine().candidates.detect(CandidateFilter(is_all=True))
    listed = {ranked.candidate.id for ranked in found.ranked}
    assert listed & PATTERNS.keys(), "no shipped page is about what this home shows"
    decided = {name: reviewed.verdict for name, reviewed in found.reviewed.items()}
    assert {verdict for name, verdict in decided.items() if name in listed} <= {"open"}


def test_examples_are_neither_listed_nor_in_the_journal(newcomer: Workbench) -> None:
    assert told(newcomer, "catalog", "list")["patterns"] == []
    checked = told(newcomer, "catalog", "check")
    assert (checked["errors"], checked["warnings"], checked["unknown"]) == (0, 0, [])
    assert not newcomer.engine().config.curate.review_log.exists()


def test_page_approved_beside_the_examples_is_the_only_one(newcomer: Workbench) -> None:
    name = min(PATTERNS)
    made = told(newcomer, "approve", name)["patterns"]
    assert [one["action"] for one in made] == ["created"]
    folder = newcomer.engine().config.curate.catalog_dir
    assert {path.name for path in folder.iterdir()} == {
        *("README.md", "INDEX.md", "examples"),
        f"{name}.md",
    }


def test_page_of_before_is_still_approved(newcomer: Workbench) -> None:
    name = min(PATTERNS)
    folder = newcomer.engine().config.curate.catalog_dir
    shutil.copy(ROOT / f"{name}.md", folder)
    verdicts = {
        one["id"]: one["verdict"] for one in told(newcomer, "detect", "--all")["candidates"]
    }
    assert [one for one, verdict in verdicts.items() if verdict != "open"] == [name]


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
class TestEveryPattern:
    """What a reader may expect of each page."""

    def test_shows_counts_and_no_text_of_a_log(self, pattern: Pattern) -> None:
        assert pattern.evidence.sessions >= 3
        assert not pattern.excerpts
        assert not pattern.evidence.repo_names
        assert pattern.provenance.guidance in ("advice", "person")

    def test_tells_problem_when_what_and_why(self, pattern: Pattern) -> None:
        for words in (pattern.problem, pattern.applies, pattern.guidance, pattern.why):
            assert len(words) > 20

    def test_is_written_as_helix_writes_it(self, pattern: Pattern) -> None:
        assert (ROOT / f"{pattern.id}.md").read_text() == write_page(pattern)

    def test_can_be_handed_to_an_agent(self, pattern: Pattern) -> None:
        (taught, *_) = taught_text(pattern, "claude")
        assert rule_of(pattern).splitlines()[0] in taught.text
        assert not rule_faults(rule_of(pattern))
