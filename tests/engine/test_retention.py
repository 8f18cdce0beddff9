"""Raw bytes go by the caps and in the right order; what was distilled stays."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from helix_tui.digest import excerpt, fold
from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.events import DigestsMade, SweepReport
from helix_tui.schema import EventTuple
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.retained import name_of, set_caps, write_log
from tests.grok_log import FOLDER, SUMMARY, GrokLog


def du(path: Path) -> int:
    """What `du` says, block for block."""
    everything = [path, *path.rglob("*")]
    return sum(item.lstat().st_blocks * 512 for item in everything)


@pytest.fixture
def filled(bench: Workbench) -> Workbench:
    """Six sessions, an hour apart."""
    for number in range(6):
        write_log(bench, number)
    bench.sweep()
    return bench


def evicted(report: SweepReport) -> list[str]:
    return [eviction.id.removeprefix("claude:")[:8] for eviction in report.retention.plan.evictions]


class TestCaps:
    """After a sweep raw bytes are within the caps, and the disk has them back."""

    def test_oldest_go_first_and_du_agrees(self, filled: Workbench) -> None:
        before = filled.sweep().retention.after.raw
        size = (filled.store / "store.db").stat().st_size
        set_caps(filled, before // 3)
        report = filled.sweep()
        assert evicted(report) == ["00000000", "00000001", "00000002", "00000003"]
        after = report.retention.after
        assert after.raw <= before // 3
        assert after.raw == before - report.retention.plan.freed
        assert abs(du(filled.store) - after.raw - after.distilled) <= 8192
        assert (filled.store / "store.db").stat().st_size < size
        with sqlite3.connect(filled.store / "store.db") as database:
            assert database.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert len(list(filled.store.rglob("*.pack"))) == 2
        assert all(check.is_ok for check in filled.engine().doctor())

    def test_next_sweep_changes_nothing(self, filled: Workbench) -> None:
        set_caps(filled, 30_000)
        first = filled.sweep()
        again = filled.sweep()
        assert (again.bytes_read, again.ingested, again.analyzed) == (0, 0, 0)
        assert evicted(again) == []
        assert again.retention.after == first.retention.after

    def test_digests_stay_and_transcripts_come_from_the_logs(self, filled: Workbench) -> None:
        engine = filled.engine()
        before = {
            name: (engine.digest(session), filled.events(name))
            for name, session in filled.sessions().items()
        }
        set_caps(filled, 0)
        filled.sweep()
        assert list(filled.store.rglob("*.pack")) == []
        engine = filled.engine()
        for name, session in filled.sessions().items():
            assert (session.raw, session.raw_bytes) == ("evicted", 0)
            _, recalled, shown = engine.transcript(session)
            assert recalled.missing == 0
            assert (engine.digest(session), list(shown)) == before[name]

    def test_show_says_where_a_transcript_comes_from(self, filled: Workbench) -> None:
        set_caps(filled, 0)
        filled.sweep()
        shown = filled.helix("show", name_of(1), "--events").out
        assert "read from the agent's own log" in shown
        assert "task 1" in shown
        assert filled.helix("show", name_of(1), "--events", "--json").json["events_from"] == "log"
        shutil.rmtree(filled.home / ".claude")
        gone = filled.helix("show", name_of(1), "--events")
        assert "the agent's own log is gone. 42 events cannot be shown" in gone.out
        assert "task 1" in gone.out  # the digest still tells

    def test_age_alone_evicts_what_is_old(self, filled: Workbench) -> None:
        set_caps(filled, 10**9, days=1)
        assert len(evicted(filled.sweep())) == 6

    def test_dry_run_names_the_same_and_does_nothing(self, filled: Workbench) -> None:
        set_caps(filled, 30_000)
        plan = filled.engine().retain(is_dry_run=True).plan
        assert filled.engine().retain(is_dry_run=True).plan == plan
        assert all(session.raw == "full" for session in filled.sessions().values())
        done = filled.engine().retain(is_dry_run=False)
        assert [item.id for item in done.plan.evictions] == [item.id for item in plan.evictions]
        assert done.after.raw <= 30_000

    def test_distilled_bytes_over_their_cap_only_alert(self, filled: Workbench) -> None:
        filled.config = filled.home / "helix.toml"
        filled.config.write_text("[retention]\ndistilled_cap_bytes = 1\n")
        report = filled.sweep()
        assert report.retention.is_distilled_alert
        assert evicted(report) == []


class TestReadersDuringEviction:
    """A transcript is whole, whatever is evicted while it is read."""

    def test_what_was_opened_is_read_to_its_end(self, filled: Workbench) -> None:
        before = filled.events(name_of(1))
        engine = filled.engine()
        _, _, events = engine.transcript(engine.session(name_of(1)))
        first = next(events)
        set_caps(filled, 0)
        filled.engine().retain(is_dry_run=False)
        assert [first, *events] == before

    def test_a_session_evicted_since_it_was_found_comes_from_the_log(
        self, filled: Workbench
    ) -> None:
        before = filled.events(name_of(1))
        found = filled.engine().session(name_of(1))
        set_caps(filled, 0)
        filled.engine().retain(is_dry_run=False)
        now, recalled, events = filled.engine().transcript(found)
        assert (now.raw, recalled.missing, list(events)) == ("evicted", 0, before)


class TestPins:
    """A pin outlives everything but the hard cap."""

    def test_pinned_sessions_outlive_the_soft_cap(self, filled: Workbench) -> None:
        filled.helix("pin", name_of(0))
        set_caps(filled, 1, hard=10**9)
        assert evicted(filled.sweep()) == [f"0000000{number}" for number in range(1, 6)]
        (kept,) = [session for session in filled.sessions().values() if session.raw == "full"]
        assert (kept.native_id, kept.is_pinned) == (name_of(0), True)
        set_caps(filled, 1)
        assert evicted(filled.sweep()) == ["00000000"]

    def test_a_pin_can_be_taken_back_and_outlives_the_database(self, filled: Workbench) -> None:
        filled.helix("pin", name_of(0))
        filled.helix("pin", name_of(1))
        filled.helix("pin", name_of(1), "--undo")
        shutil.rmtree(filled.store / "packs")
        (filled.store / "store.db").unlink()
        filled.sweep()
        pinned = [session.native_id for session in filled.sessions().values() if session.is_pinned]
        assert pinned == [name_of(0)]


class TestAfterEviction:
    """An evicted session that grows, is copied or resumed stays consistent."""

    @pytest.fixture
    def emptied(self, filled: Workbench) -> Workbench:
        set_caps(filled, 0, hard=10**9)
        filled.sweep()
        set_caps(filled, 10**9)
        return filled

    def test_grown_session_equals_one_that_was_never_evicted(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = write_log(bench, 1)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        set_caps(bench, 10**9)
        log.step("one more", "Exit code 1\nError: no", is_error=True)
        log.prompt("no, not so")
        path = log.write(bench.home)
        report = bench.sweep()
        assert report.bytes_read < path.stat().st_size / 2
        grown = bench.session()
        assert (grown.raw, grown.is_analyzed) == ("partial", True)
        fresh = tmp_path / "fresh"
        bench.sweep(fresh)
        (whole,) = bench.sessions(fresh).values()
        for figure in ("events", "prompts", "tool_calls", "tool_errors", "cost", "ended"):
            assert getattr(grown, figure) == getattr(whole, figure)
        assert bench.engine().digest(grown) == bench.engine(fresh).digest(whole)
        engine = bench.engine()
        assert list(engine.session_events(grown)) == bench.events(whole.id, fresh)
        set_caps(bench, 0)
        bench.sweep()
        assert bench.session().raw == "evicted"
        assert all(check.is_ok for check in bench.engine().doctor())

    def test_a_copy_changes_nothing(self, emptied: Workbench) -> None:
        before = {name: emptied.engine().digest(s) for name, s in emptied.sessions().items()}
        listed = emptied.sessions()
        project = emptied.home / ".claude" / "projects"
        shutil.copytree(project / "-work-app", project / "-a-copy")
        assert emptied.sweep().ingested == 0
        assert emptied.sessions() == listed
        assert {n: emptied.engine().digest(s) for n, s in emptied.sessions().items()} == before

    def test_a_resumed_copy_adds_only_what_is_new(self, bench: Workbench, tmp_path: Path) -> None:
        log = write_log(bench, 1)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        set_caps(bench, 10**9)
        log.step("resumed elsewhere", "fine")
        log.write(bench.home, project="-z-resumed")
        bench.sweep()
        session = bench.session()
        assert (session.raw, session.is_analyzed) == ("partial", True)
        fresh = tmp_path / "fresh"
        bench.sweep(fresh)
        (whole,) = bench.sessions(fresh).values()
        assert session.events == whole.events
        assert bench.engine().digest(session) == bench.engine(fresh).digest(whole)

    def test_without_the_log_the_digest_is_marked_inexact(self, bench: Workbench) -> None:
        log = write_log(bench, 1)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        set_caps(bench, 10**9)
        log.write(bench.home).unlink()
        # A copy that lacks the middle and has something new: overlap, and no way to fold again.
        del log.records[5:20]
        log.step("resumed elsewhere", "fine")
        log.write(bench.home, project="-z-resumed")
        bench.sweep()
        digest = bench.engine().digest(bench.session())
        assert digest is not None
        assert digest.is_exact is False
        assert digest.facts.tools["Bash"].calls == 21
        assert "inexact" in bench.helix("show", name_of(1)).out


class TestDataLoss:
    """What has no digest goes last, and is named."""

    def test_absurd_caps_name_exactly_what_was_not_analyzed(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        step_all = fold.Folder.step_all

        def fails_on_poison(self: fold.Folder, events: list[EventTuple]) -> None:
            events = list(events)
            if any("poison" in event[10] for event in events):
                raise ValueError("poisoned")
            step_all(self, events)

        monkeypatch.setattr(fold.Folder, "step_all", fails_on_poison)
        poisoned = []
        for number in (7, 8):
            log = ClaudeLog(session=name_of(number), start=number * 3600)
            log.prompt("poison")
            log.step()
            log.write(filled.home)
            poisoned.append(f"claude:{name_of(number)}")
        report = filled.sweep()
        assert report.new_problems == 2
        assert all("poisoned" in problem.reason for problem in report.listed_problems)
        assert not any(filled.sessions()[name].is_analyzed for name in poisoned)
        set_caps(filled, 1)
        report = filled.sweep()
        assert sorted(report.retention.plan.data_loss) == poisoned
        assert report.retention.after.raw == 0
        assert evicted(report)[-2:] == ["00000007", "00000008"]

    def test_what_went_without_a_digest_is_analyzed_from_its_log(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_log(bench, 1)
        set_caps(bench, 0)
        with monkeypatch.context() as broken:
            broken.setattr(fold, "take_prompt", None)
            assert bench.sweep().retention.plan.data_loss == [f"claude:{name_of(1)}"]
        bench.sweep()
        session = bench.session()
        digest = bench.engine().digest(session)
        assert digest is not None
        assert (session.raw, digest.is_exact, digest.facts.prompts) == ("evicted", True, 1)

    def test_retain_analyzes_before_it_evicts(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with sqlite3.connect(filled.store / "store.db") as database:
            database.execute("UPDATE session SET is_analyzed = 0")
        set_caps(filled, 0)
        assert filled.engine().retain(is_dry_run=False).plan.data_loss == []

    def test_data_loss_is_told_by_the_exit_code(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with sqlite3.connect(filled.store / "store.db") as database:
            database.execute("UPDATE session SET is_analyzed = 0 WHERE key = 1")
        for pack in filled.store.rglob("0000001.pack"):
            pack.write_bytes(b"spoilt" + pack.read_bytes()[6:-9] + b"123456789")
        set_caps(filled, 0)
        ran = filled.helix("retain", "--config", str(filled.config), "--json", check=False)
        assert (ran.code, len(ran.json["data_loss"])) == (1, 1)

    def test_a_cured_extractor_analyzes_what_waits(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_log(bench, 1)
        with monkeypatch.context() as broken:
            broken.setattr(fold, "take_prompt", None)
            assert bench.sweep().new_problems == 1
        assert bench.sweep().analyzed == 1
        assert bench.session().is_analyzed
        assert bench.engine().status().problems == 0

    def test_a_newer_extractor_analyzes_again_where_raw_or_logs_remain(
        self, filled: Workbench
    ) -> None:
        set_caps(filled, 30_000)
        filled.sweep()
        before = filled.sessions()
        assert {session.raw for session in before.values()} == {"full", "evicted"}
        age_digests(filled)
        assert filled.sweep().analyzed == len(before)
        assert filled.sweep().analyzed == 0
        assert filled.sessions() == before
        assert digests(filled) == {(EXTRACTOR, True)}

    def test_how_far_it_is_with_digests_that_are_made_again_is_told(
        self, filled: Workbench
    ) -> None:
        age_digests(filled)
        events = list(filled.engine().sweep())
        told = [event for event in events if isinstance(event, DigestsMade)]
        total = len(filled.sessions())
        assert [event.sessions_done for event in told] == list(range(1, total + 1))
        assert {event.sessions_total for event in told} == {total}

    def test_what_an_older_extractor_made_stays_where_nothing_is_left(
        self, filled: Workbench
    ) -> None:
        set_caps(filled, 30_000)
        filled.sweep()
        kept = sum(session.raw == "full" for session in filled.sessions().values())
        before = filled.sessions()
        age_digests(filled)
        shutil.rmtree(filled.home / ".claude")
        assert filled.sweep().analyzed == kept
        assert filled.sweep().analyzed == 0
        assert filled.sessions() == before
        assert digests(filled) == {(EXTRACTOR, True)}


def age_digests(bench: Workbench) -> None:
    """Have the store say that an older extractor made its digests."""
    with sqlite3.connect(bench.store / "store.db") as database:
        database.execute("UPDATE note SET value = '0' WHERE name = 'extractor'")


def digests(bench: Workbench) -> set[tuple[int, bool]]:
    """Which extractors made the digests, and whether they are exact."""
    found = [bench.engine().digest(session) for session in bench.sessions().values()]
    return {(digest.extractor, digest.is_exact) for digest in found if digest is not None}


def test_a_part_that_is_gone_does_not_cost_the_others(bench: Workbench) -> None:
    log = GrokLog()
    log.turn("one")
    folder = log.write(bench.home)
    bench.sweep()
    title, *before = bench.events(f"grok:{FOLDER}")
    set_caps(bench, 0)
    bench.sweep()
    assert bench.session().raw == "evicted"
    (folder / SUMMARY).unlink()
    left = bench.events(f"grok:{FOLDER}")
    assert title.text.startswith("title: ")
    assert [event.fingerprint for event in left] == [event.fingerprint for event in before]


def test_what_older_rules_left_in_a_digest_goes_with_the_next_sweep(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = f"gl{'pat-'}{'a1B2' * 6}"
    log = ClaudeLog(session=name_of(1))
    log.prompt(f"deploy with {secret}, please")
    log.reply("Done.")
    log.write(bench.home)
    with monkeypatch.context() as older:
        older.setattr(excerpt, "_redacted", str)
        older.setattr("helix_tui.engine.sweep.sweep.EXTRACTOR", 4)
        bench.sweep()
    assert secret in str(bench.engine().digest(bench.session()))
    bench.sweep()
    assert secret not in str(bench.engine().digest(bench.session()))
