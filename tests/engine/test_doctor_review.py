"""Doctor on verdicts, catalog, decisions and hub: what is wrong is named, nothing is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.curate.hub.queue import Queue
from helix_tui.engine.catalog.folder_differences import applied_path
from helix_tui.engine.health.doctor_review import check_review
from helix_tui.engine.hub.decisions import journaled_decisions, sync_all
from helix_tui.files.ledger import sealed
from helix_tui.schema import DoctorCheck
from tests.conftest import Workbench
from tests.curate.decision_lines import approve
from tests.curate.hub_server import HubServer
from tests.decided import TOKEN, configure, decide, use_hub
from tests.engine.trouble_log import ids, write_troubled


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HELIX_HUB_TOKEN", raising=False)


def wrong(bench: Workbench) -> list[DoctorCheck]:
    """What doctor finds wrong; that it leaves everything as it was is part of the promise."""
    before = {path: path.lstat().st_mtime_ns for path in bench.home.parent.rglob("*")}
    found = [check for check in check_review(bench.engine().config) if not check.is_ok]
    assert {path: path.lstat().st_mtime_ns for path in bench.home.parent.rglob("*")} == before
    assert all(check.todo for check in found)
    return found


def details(bench: Workbench) -> dict[str, str]:
    return {check.name: check.detail for check in check_review(bench.engine().config)}


@pytest.fixture
def approved(bench: Workbench) -> Path:
    """The page of an approved pattern; all is well with it."""
    write_troubled(bench)
    bench.sweep()
    (made,) = bench.engine().verdicts.approve(ids(bench)[0], look="page").patterns
    assert wrong(bench) == []
    return Path(made.path)


def test_nothing_is_wrong_where_there_is_nothing(bench: Workbench) -> None:
    assert wrong(bench) == []
    assert details(bench)["journal"] == "no verdicts yet"


class TestJournal:
    def test_damaged_and_newer_lines_are_named_by_number(self, bench: Workbench) -> None:
        decide(bench, approve(1, "a"), approve(2, "b"))
        path = bench.engine().config.curate.review_log
        lines = path.read_bytes().splitlines(keepends=True)
        newer = sealed(b'{"id":"x","seq":3,"at":"","author":"","action":"divine"}')
        path.write_bytes(lines[0].replace(b'"a"', b'"z"') + lines[1] + newer + b"\n")
        damaged, unknown = wrong(bench)
        assert damaged.detail == "damaged: line 1: its checksum does not fit"
        assert unknown.detail.startswith("not understood: line 3: it is of a newer version")

    def test_torn_tail_is_told_and_is_no_fault(self, bench: Workbench) -> None:
        decide(bench, approve(1, "a"))
        path = bench.engine().config.curate.review_log
        path.write_bytes(path.read_bytes() + b'{"id":"torn')
        assert wrong(bench) == []
        assert "cut off" in details(bench)["journal"]

    def test_journal_that_cannot_be_read_is_told_once(self, bench: Workbench) -> None:
        decide(bench)
        bench.engine().config.curate.review_log.mkdir(mode=0o700)
        (found,) = wrong(bench)
        assert (found.name, "cannot be used" in found.detail) == ("journal", True)

    def test_what_others_can_read_is_named(self, bench: Workbench) -> None:
        decide(bench, approve(1, "a"))
        path = bench.engine().config.curate.review_log
        path.chmod(0o640)
        path.parent.chmod(0o755)
        (found,) = wrong(bench)
        assert found.todo == f"Run `chmod go= {path.parent} {path}`."


class TestCatalog:
    def test_mistakes_in_pages_are_summed_up(self, bench: Workbench, approved: Path) -> None:
        approved.write_text("no pattern at all\n")
        (found,) = wrong(bench)
        assert f"{approved.name}, line 1" in found.detail
        assert "helix catalog check" in found.todo

    def test_files_that_wait_to_be_written_are_no_fault(
        self, bench: Workbench, approved: Path
    ) -> None:
        approved.unlink()
        applied_path(bench.engine().config).unlink()
        assert wrong(bench) == []
        assert f"the next sweep or verdict writes {approved.stem}" in details(bench)["catalog"]

    def test_folder_that_cannot_be_written_is_named(self, unprivileged: Path) -> None:
        bench = Workbench(unprivileged)
        closed = bench.home / "closed"
        closed.mkdir(mode=0o500)
        configure(bench, f'[curate]\ncatalog_dir = "{closed}/catalog"\n')
        (found,) = wrong(bench)
        assert found.detail == f"{closed} cannot be written to"
        closed.chmod(0o700)
        (closed / "catalog").write_text("in the way")
        (found,) = wrong(bench)
        assert found.detail == f"{closed}/catalog is not a folder"

    def test_commit_without_a_repository_is_named(self, bench: Workbench) -> None:
        configure(bench, "[curate]\ncommit = true\n")
        (found,) = wrong(bench)
        assert "is in no git repository" in found.detail
        (bench.home.parent / ".git").mkdir()
        assert wrong(bench) == []

    def test_drafting_program_that_is_not_there_is_named(self, bench: Workbench) -> None:
        configure(bench, '[curate.draft]\ncommand = ["no-such-drafter", "-x"]\n')
        (found,) = wrong(bench)
        assert found.detail == "no such program: no-such-drafter"
        configure(bench, '[curate.draft]\ncommand = ["cat"]\n')
        assert wrong(bench) == []


class TestHub:
    def test_dead_decisions_and_damaged_rows_are_named(self, bench: Workbench) -> None:
        decide(bench, approve(1, "../a"), approve(2, "b"))
        config = bench.engine().config
        assert Queue(config.curate.decision_queue).reconcile(journaled_decisions(config)) == ""
        (dead,) = wrong(bench)
        assert dead.detail == (
            "not sent for good: approved ../a: Not sent: its candidate is not named by an id."
        )
        content = config.curate.decision_queue.read_bytes()
        config.curate.decision_queue.write_bytes(content.replace(b'"b"', b'"z"'))
        damaged, _ = wrong(bench)
        assert damaged.detail == "damaged: line 2: its checksum does not fit"
        assert sync_all(config, lambda: False).audit.count("queued") == 1

    def test_token_that_is_missing_or_open_is_named_and_nothing_is_sent(
        self, bench: Workbench, server: HubServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        decide(bench, approve(1, "a"))
        use_hub(bench, server)
        (found,) = wrong(bench)
        assert found.detail == "no token: $HELIX_HUB_TOKEN is not set"
        monkeypatch.setenv("HELIX_HUB_TOKEN", TOKEN)
        assert wrong(bench) == []
        monkeypatch.delenv("HELIX_HUB_TOKEN")
        token = bench.home / "token"
        token.write_text(TOKEN)
        token.chmod(0o644)
        configure(bench, f'[hub]\nurl = "{server.url}"\ntoken_file = "{token}"\n')
        (found,) = wrong(bench)
        assert f"others may read {token}" in found.detail
        assert TOKEN not in str(check_review(bench.engine().config))
        token.chmod(0o600)
        assert wrong(bench) == []
        assert server.connections == 0
