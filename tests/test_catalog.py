"""The catalog that comes with Helix: sound, readable, and without a line of anybody's log."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.curate.catalog import Catalog
from helix_tui.curate.check import check
from helix_tui.curate.page import write_page
from helix_tui.curate.pattern import Pattern
from helix_tui.curate.render import render

ROOT = Path(__file__).parent.parent / "catalog"
PATTERNS = Catalog(ROOT).read().patterns


def test_nothing_is_wrong_with_it() -> None:
    assert check(ROOT) == []
    assert PATTERNS


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
        assert pattern.guidance.splitlines()[0] in render(pattern, "claude")
