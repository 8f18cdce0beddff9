"""Behind a sweep the catalog is settled to the journal, and looked at only where it was touched."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from filelock import FileLock

from helix_tui.config import Config
from helix_tui.curate.hub.sync import SyncReport
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.catalog.folder_differences import applied_path
from helix_tui.engine.hub import decisions
from helix_tui.engine.review import transaction
from helix_tui.engine.sweep import settled_marker
from helix_tui.engine.sweep.settled_marker import last_settled
from helix_tui.schema.review import JournalLine, Write
from tests.conftest import Workbench
from tests.decided import configure, states
from tests.engine.trouble_log import ids, write_troubled


class Approved:
    """A store with one approved pattern, and what a sweep does behind its report."""

    def __init__(self, bench: Workbench) -> None:
        write_troubled(bench)
        bench.sweep()
        self.bench = bench
        (made,) = bench.engine().verdicts.approve(ids(bench)[0], look="page").patterns
        self.page = Path(made.path)

    @property
    def config(self) -> Config:
        return self.bench.engine().config

    def lines(self) -> list[JournalLine]:
        return Journal(self.config.curate.review_log).lines().lines

    def follow(self) -> list[str]:
        return self.bench.engine().after_sweep()


@pytest.fixture
def approved(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Approved:
    # Tests do not wait until what they touched is old.
    monkeypatch.setattr(settled_marker, "_TOO_FRESH_NS", 0)
    return Approved(bench)


def test_nothing_is_made_where_nobody_decided_anything(bench: Workbench) -> None:
    bench.sweep()
    before = sorted(bench.store.rglob("*"))
    assert bench.engine().after_sweep() == []
    assert sorted(bench.store.rglob("*")) == before


def test_edit_by_hand_is_noted_by_a_sweep(approved: Approved) -> None:
    text = approved.page.read_text()
    approved.page.write_text(text.replace("## What to do\n", "## What to do\n\nAsk Kim first.\n"))
    assert approved.follow() == []
    line = approved.lines()[-1]
    assert (line.action, line.writes[0].text) == ("edit", approved.page.read_text())


def test_promotion_that_was_cut_off_is_ended_by_a_sweep(approved: Approved) -> None:
    text = approved.page.read_text()
    approved.page.unlink()
    applied_path(approved.config).unlink()
    assert approved.follow() == []
    assert approved.page.read_text() == text
    assert [line.action for line in approved.lines()] == ["approve"]


@pytest.mark.parametrize("ours_first", [True, False])
def test_pages_of_another_clone_follow_its_lines(approved: Approved, ours_first: bool) -> None:
    """Git brings the lines of both, and the other's page is not there yet."""
    approved.follow()
    bench, journal = approved.bench, approved.config.curate.review_log
    folder = approved.page.parent
    before = journal.read_bytes()
    kept = bench.home / "kept"
    shutil.copytree(bench.store, kept)
    (made,) = bench.engine().verdicts.approve(ids(bench)[1], look="page").patterns
    theirs, page = journal.read_bytes().removeprefix(before), Path(made.path)
    text = page.read_text()
    shutil.rmtree(bench.store)
    kept.rename(bench.store)
    bench.engine().verdicts.approve(ids(bench)[2], look="page")
    ours = journal.read_bytes().removeprefix(before)
    pages = sorted(folder.glob("*.md"))
    journal.write_bytes(before + (ours + theirs if ours_first else theirs + ours))
    assert approved.follow() == []
    assert page.read_text() == text
    assert sorted(folder.glob("*.md")) == sorted([*pages, page])
    assert [line.action for line in approved.lines()] == ["approve"] * 3
    page.unlink()
    approved.follow()
    line = approved.lines()[-1]
    assert (line.action, line.writes) == ("edit", [Write(page.stem, None)])


def test_lost_queue_is_made_anew_by_a_sweep(approved: Approved) -> None:
    approved.follow()
    approved.follow()
    approved.config.curate.decision_queue.unlink()
    approved.follow()
    assert approved.config.curate.decision_queue.exists()
    assert states(approved.bench) == ["queued"]


def test_untouched_files_are_not_opened_again(
    approved: Approved, monkeypatch: pytest.MonkeyPatch
) -> None:
    approved.follow()
    known = last_settled(approved.config)
    assert known is not None
    assert known.queued == 1
    opened: list[Path] = []

    def journal(path: Path) -> Journal:
        opened.append(path)
        return Journal(path)

    monkeypatch.setattr(transaction, "Journal", journal)
    approved.follow()
    assert opened == []
    # As long as it was, and with the old time: whoever edits so is noticed none the less.
    before = approved.page.stat()
    text = approved.page.read_text()
    approved.page.write_text(text.replace("## What to do\n\n", "## What to do\n\nx", 1)[:-1])
    os.utime(approved.page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert approved.page.stat().st_size == before.st_size
    approved.follow()
    assert len(opened) == 1
    assert approved.lines()[-1].action == "edit"


def test_what_was_touched_just_now_is_looked_at_again(
    approved: Approved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settled_marker, "_TOO_FRESH_NS", 3_600_000_000_000)
    approved.follow()
    assert last_settled(approved.config) is None


def test_bad_page_is_told_until_nothing_changes_and_never_touched(approved: Approved) -> None:
    approved.page.write_text("no pattern at all\n")
    (said,) = approved.follow()
    assert approved.page.name in said
    assert approved.follow() == []
    assert approved.page.read_text() == "no pattern at all\n"
    assert [line.action for line in approved.lines()] == ["approve"]


def test_busy_journal_is_left_to_the_next_sweep(
    approved: Approved, caplog: pytest.LogCaptureFixture
) -> None:
    approved.page.unlink()
    applied_path(approved.config).unlink()
    log = approved.config.curate.review_log
    since = time.monotonic()
    with FileLock(log.with_name(f"{log.name}.lock")):
        assert approved.follow() == []
    assert time.monotonic() - since < 1
    assert not approved.page.exists()
    approved.follow()
    assert approved.page.exists()


def test_unwritable_catalog_is_told_and_tried_again(approved: Approved) -> None:
    folder, kept = approved.page.parent, approved.page.read_text()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    applied_path(approved.config).unlink()
    for _ in range(2):
        (said,) = approved.follow()
        assert "The catalog" in said
    folder.unlink()
    assert approved.follow() == []
    assert approved.page.read_text() == kept


def test_sending_is_bounded_in_all(approved: Approved, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = []

    def send(*_: object, budget_seconds: float, **__: object) -> SyncReport:
        budgets.append(budget_seconds)
        return SyncReport(0, 1, 0, "later")

    monkeypatch.setattr(decisions, "send", send)
    for timeout in (10, 25, 300):
        configure(
            approved.bench, f'[hub]\nurl = "https://localhost:9"\ntimeout_seconds = {timeout}\n'
        )
        assert approved.follow() == ["1 decision waits for the hub: later"]
    assert budgets == [20, 5, 1]
