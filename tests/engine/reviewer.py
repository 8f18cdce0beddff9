"""A person with a swept store who gives verdicts and edits pages."""

from __future__ import annotations

import shutil
from pathlib import Path

from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.page.page import read_page, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.schema.board import Outcome, Reviewed
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.schema.review import JournalLine
from tests.conftest import Workbench
from tests.engine.trouble_log import ids, troubled, write_troubled


class Reviewer:
    """A person with a store, a catalog and an editor."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        write_troubled(bench)
        bench.sweep()
        self.catalog = bench.store / "catalog"
        self.ids = {one.rpartition("-")[0]: one for one in ids(bench)}

    def lines(self) -> list[JournalLine]:
        return Journal(self.bench.store / "review" / "journal.jsonl").lines().lines

    def standing(self) -> dict[str, Reviewed]:
        board = self.bench.engine().candidates.board(CandidateFilter(is_all=True))
        return {one.ranked.candidate.id: one for one in board.reviewed}

    def verdicts_by_id(self) -> dict[str, tuple[str, str, str]]:
        return {
            name: (one.verdict, one.review.pattern, one.review.merged_into)
            for name, one in self.standing().items()
        }

    def page(self, name: str) -> Path:
        return self.catalog / f"{self.ids[name]}.md"

    def pattern(self, name: str) -> Pattern:
        return read_page(self.page(name).read_text(), self.ids[name])

    def put(self, pattern: Pattern) -> None:
        (self.catalog / f"{pattern.id}.md").write_text(write_page(pattern))

    def files(self) -> dict[str, tuple[bytes, int]]:
        return {
            path.name: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in self.catalog.iterdir()
        }

    def grow(self, count: int = 16) -> None:
        """More sessions in which the same goes wrong."""
        for number in range(8, count):
            troubled(number, rounds=1 + number % 3).write(self.bench.home)
        self.bench.sweep()
        self.bench.engine().after_sweep()

    def lose_the_store(self) -> None:
        for path in self.bench.store.glob("store.db*"):
            path.unlink()
        shutil.rmtree(self.bench.store / "packs")
        self.bench.sweep()
        self.bench.engine().after_sweep()

    def approve(self, name: str, **wish: str) -> Outcome:
        wish.setdefault("look", "page")
        return self.bench.engine().verdicts.approve(self.ids[name], **wish)  # type: ignore[arg-type]
