"""Journal and catalog after several curators: what was written, and that it agrees."""

from __future__ import annotations

from helix_tui.curate.catalog.check import check
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project
from helix_tui.schema.review import JournalLine
from tests.conftest import Workbench


def lines_of(bench: Workbench) -> list[JournalLine]:
    read = Journal(bench.store / "review" / "journal.jsonl").lines()
    assert read.damaged == []
    return read.lines


def assert_agreement(bench: Workbench) -> None:
    lines = lines_of(bench)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    catalog = bench.store / "catalog"
    assert {path.stem: path.read_text() for path in catalog.glob("[a-z]*.md")} == {
        name: files.text for name, files in project(lines).items()
    }
    assert check(catalog) == []
    assert not any(line.action == "edit" for line in lines)
