"""Database or packs put back from a backup: nothing that lay in a pack is lost, and it is told."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from helix_tui.schema import SessionEvent
from helix_tui.store.ingest import writer
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import files_aside
from helix_tui.store.packs.unowned import put_unowned_aside
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench
from tests.engine.retained import set_caps

View = dict[str, object]
_LONG_AGO = -90_000_000


def name_of(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def write(bench: Workbench, number: int, steps: int) -> Path:
    """A log of so many steps: the first ones are always the same."""
    log = ClaudeLog(session=name_of(number), start=_LONG_AGO + number * 10_000)
    log.prompt(f"task {number}")
    log.reply("I begin.", usage=usage(out=7))
    for step in range(steps):
        log.step(f"make {number}.{step}", f"{number}.{step} " * 300)
    return log.write(bench.home)


def events(bench: Workbench) -> dict[str, list[tuple[object, ...]]]:
    """What every session says; where it was read from does not matter."""
    return {
        name: [_said(event) for event in bench.events(name)] for name in sorted(bench.sessions())
    }


def _said(event: SessionEvent) -> tuple[object, ...]:
    return event.ts, event.kind, event.role, event.tool, event.text, event.is_error


def view(bench: Workbench) -> View:
    """Figures, digests and transcripts."""
    engine = bench.engine()
    found: View = {"events": events(bench), "usage": engine.usage("session")}
    for name, session in bench.sessions().items():
        found[name] = {**msgspec.to_builtins(session), "raw_bytes": 0}, engine.digest(session)
    return found


def wrong(bench: Workbench) -> list[str]:
    return [check.name for check in bench.engine().doctor() if not check.is_ok]


def pack_of(bench: Workbench, number: int) -> Path:
    select = f"SELECT key FROM session WHERE native_id = '{name_of(number)}'"
    with closing(sqlite3.connect(bench.store / "store.db")) as database:
        return StoreLayout(bench.store).pack(database.execute(select).fetchone()[0])


def aside(bench: Workbench) -> list[Path]:
    return files_aside(StoreLayout(bench.store))


class Accident:
    """A store with a backup, and what came in since: sessions that grew, and new ones."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.backup = bench.store.with_name("backup")
        for number in range(4):
            write(bench, number, 3)
        bench.sweep()
        shutil.copytree(bench.store, self.backup)
        self.grown = [write(bench, number, 6) for number in (1, 2)]
        self.new = [write(bench, number, 4) for number in (4, 5, 6)]
        bench.sweep()
        self.before = view(bench)

    def put_back(self, *names: str) -> None:
        """Puts files or folders of the backup in the place of what is there."""
        for name in names:
            target = self.bench.store / name
            if target.is_dir():
                shutil.rmtree(target)
                shutil.copytree(self.backup / name, target)
            else:
                shutil.copy2(self.backup / name, target)

    def lose_logs(self) -> None:
        for path in (*self.grown, *self.new):
            path.unlink()

    def lost_events(self) -> dict[str, list[tuple[object, ...]]]:
        """Events that are gone."""
        there = events(self.bench)
        wanted = self.before["events"]
        assert isinstance(wanted, dict)
        missing = {
            name: [event for event in said if event not in there.get(name, [])]
            for name, said in wanted.items()
        }
        return {name: said for name, said in missing.items() if said}


@pytest.fixture
def accident(bench: Workbench) -> Accident:
    return Accident(bench)


class TestOlderDatabase:
    """The packs are newer than the rows."""

    def test_with_the_logs_it_is_as_if_nothing_had_happened(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        assert wrong(bench) == ["owners"]
        report = bench.sweep()
        assert (report.taken_over, report.new_problems) == (0, 0)
        assert view(bench) == accident.before
        assert (wrong(bench), aside(bench)) == ([], [])
        assert not (bench.store / "aside").exists()

    @pytest.mark.parametrize("job", ["sweep", "repair"])
    def test_without_the_logs_every_event_is_taken_over(self, accident: Accident, job: str) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        accident.lose_logs()
        if job == "sweep":
            ran = bench.helix("--sweep")
            assert "Took over 42 events" in ran.out
        else:
            ran = bench.helix("doctor", "--repair", "--json")
            assert ran.json["repair"]["taken_over"] == 42
        assert accident.lost_events() == {}
        assert (wrong(bench), aside(bench)) == ([], [])
        counts = {name: session.events for name, session in bench.sessions().items()}
        assert counts == {name: len(said) for name, said in events(bench).items()}
        assert bench.sweep().taken_over == 0

    def test_keys_that_are_taken_again_harm_no_pack(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        accident.lose_logs()
        for number in range(20, 25):  # as many as to take every key that is used
            write(bench, number, 2)
        bench.sweep()
        assert accident.lost_events() == {}
        assert len(bench.sessions()) == 12
        assert wrong(bench) == []

    def test_a_backup_that_says_a_writer_is_at_work_cuts_nothing(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        with closing(sqlite3.connect(bench.store / "store.db")) as database, database:
            database.execute("INSERT INTO note VALUES ('unclean', '1')")
        accident.lose_logs()
        bench.sweep()
        assert accident.lost_events() == {}
        assert wrong(bench) == []

    def test_copied_with_its_log_in_the_middle_of_a_sweep(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(6):
            write(bench, number, 3)
        monkeypatch.setattr(writer, "FLUSH_BATCHES", 2)
        flush = writer.StoreWriter.flush
        copied: list[Path] = []

        def flush_and_copy(self: writer.StoreWriter) -> list[writer.Committed]:
            done = flush(self)
            if not copied:
                for path in bench.store.glob("store.db*"):
                    copied.append(bench.store.with_name(path.name))
                    shutil.copy2(path, copied[-1])
            return done

        monkeypatch.setattr(writer.StoreWriter, "flush", flush_and_copy)
        bench.sweep()
        before = events(bench)
        assert bench.store.with_name("store.db-wal") in copied
        for path in copied:
            if not path.name.endswith("-shm"):
                shutil.copy2(path, bench.store / path.name)
        assert wrong(bench) == ["owners"]
        shutil.rmtree(bench.home / ".claude" / "projects")
        write(bench, 9, 1)  # a source that lists nothing holds everything back
        bench.sweep()
        found = events(bench)
        found.pop(f"claude:{name_of(9)}")
        assert found == before
        assert (wrong(bench), aside(bench)) == ([], [])

    def test_a_store_of_before_there_were_marks(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        (bench.store / "packs" / "mark").unlink()
        with closing(sqlite3.connect(bench.store / "store.db")) as database, database:
            database.execute("DELETE FROM note WHERE name = 'packs'")
        accident.lose_logs()
        assert wrong(bench) == ["owners"]
        bench.sweep()
        assert accident.lost_events() == {}

    def test_what_else_writes_first_does_not_hide_it(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("store.db")
        accident.lose_logs()
        set_caps(bench, 1, 1)
        bench.helix("forget", f"claude:{name_of(0)}")
        bench.engine().retain(is_dry_run=False)
        set_caps(bench, 1 << 30, 1 << 30)
        bench.sweep()
        lost = accident.lost_events()
        # What was forgotten is gone, and of what was evicted the logs are.
        assert f"claude:{name_of(4)}" not in lost
        counts = {name: session.events for name, session in bench.sessions().items()}
        wanted = accident.before["events"]
        assert isinstance(wanted, dict)
        assert counts == {
            name: len(said) for name, said in wanted.items() if "00000000-0" not in name
        }
        assert wrong(bench) == []

    def test_a_session_forgotten_since_stays_forgotten(self, accident: Accident) -> None:
        bench = accident.bench
        bench.helix("forget", f"claude:{name_of(1)}")
        bench.helix("forget", f"claude:{name_of(5)}")
        accident.put_back("store.db")
        bench.sweep()
        assert f"claude:{name_of(1)}" not in bench.sessions()
        assert f"claude:{name_of(5)}" not in bench.sessions()
        assert (wrong(bench), aside(bench)) == ([], [])

    def test_another_version_of_an_event_is_not_thrown_away(self, bench: Workbench) -> None:
        log = ClaudeLog(session=name_of(1), start=_LONG_AGO)
        log.prompt("as it was said first")
        log.write(bench.home)
        bench.sweep()
        shutil.copy2(bench.store / "store.db", bench.store.with_name("store.db"))
        again = ClaudeLog(session=name_of(1), start=_LONG_AGO)
        again.prompt("as it was said then")
        path = again.write(bench.home)
        bench.sweep()
        shutil.copy2(bench.store.with_name("store.db"), bench.store / "store.db")
        path.unlink()
        write(bench, 2, 1)
        report = bench.sweep()
        (left,) = aside(bench)
        (problem,) = report.listed_problems
        assert (problem.path, "something else" in problem.reason) == (str(left), True)
        assert wrong(bench) == ["owners"]


class TestOtherParts:
    """Something else than the database was put back, or not all of it."""

    def test_older_packs_with_a_newer_database(self, accident: Accident) -> None:
        bench = accident.bench
        accident.put_back("packs")
        assert "packs" in wrong(bench)
        write(bench, 7, 2)
        for number in (1, 2):
            write(bench, number, 8)  # what their packs lack must not be written over
        packs = {path: path.read_bytes() for path in (bench.store / "packs").rglob("*.pack")}
        report = bench.sweep()
        assert {problem.reason for problem in report.listed_problems} == {
            "the pack of its session is damaged: see helix doctor"
        }
        assert f"claude:{name_of(7)}" in bench.sessions()
        assert all(path.read_bytes() == content for path, content in packs.items())
        bench.helix("doctor", "--repair")
        assert accident.lost_events() == {}
        assert wrong(bench) == []

    def test_everything_but_one_pack(self, accident: Accident) -> None:
        bench = accident.bench
        grown = pack_of(bench, 1)
        newer = grown.read_bytes()
        accident.put_back("store.db", "packs")
        grown.write_bytes(newer)
        accident.lose_logs()
        bench.sweep()
        lost = accident.lost_events()
        assert f"claude:{name_of(1)}" not in lost
        assert wrong(bench) == []

    def test_everything_over_what_was_there(self, accident: Accident) -> None:
        """Copied over it, a backup leaves the packs of newer sessions lying."""
        bench = accident.bench
        shutil.copytree(accident.backup, bench.store, dirs_exist_ok=True)
        assert wrong(bench) == ["owners"]
        for path in accident.new:
            path.unlink()
        bench.sweep()
        assert accident.lost_events() == {}
        assert wrong(bench) == []

    def test_a_pack_of_another_time_is_not_cut(self, accident: Accident) -> None:
        """The same session, evicted and grown since: its rows and its pack have never met."""
        bench = accident.bench
        set_caps(bench, 1, 1)
        bench.engine().retain(is_dry_run=False)
        set_caps(bench, 1 << 30, 1 << 30)
        write(bench, 1, 9)
        bench.sweep()
        accident.put_back("store.db")
        pack = pack_of(bench, 1)
        content = pack.read_bytes()
        write(bench, 1, 12)
        bench.sweep()
        assert pack.read_bytes() == content
        assert "packs" in wrong(bench)
        bench.helix("doctor", "--repair")
        assert accident.lost_events() == {}
        assert wrong(bench) == []

    def test_what_cannot_be_read_stays_aside_and_is_told(self, accident: Accident) -> None:
        bench = accident.bench
        alien = bench.store / "packs" / "0000" / "0000099.pack"
        alien.write_bytes(b"nobody's")
        assert wrong(bench) == ["owners"]
        report = bench.sweep()
        (left,) = aside(bench)
        assert left.read_bytes() == b"nobody's"
        assert [problem.path for problem in report.listed_problems] == [str(left)]
        assert wrong(bench) == ["owners"]
        before = bench.engine().retain(is_dry_run=False).after
        assert bench.sweep().new_problems == 0
        left.unlink()
        bench.sweep()
        assert (wrong(bench), bench.engine().status().problems) == ([], 0)
        after = bench.engine().retain(is_dry_run=False).after
        assert before.raw == after.raw
        assert before.distilled > after.distilled


def test_a_damaged_pack_is_left_for_repair_with_what_lies_aside(accident: Accident) -> None:
    """Keys of a rebuilt store are others: every pack is somebody else's."""
    bench = accident.bench
    packs = sorted((bench.store / "packs" / "0000").glob("*.pack"))
    contents = [path.read_bytes() for path in packs]
    for path, content in zip(packs, [*contents[1:], contents[0]], strict=True):
        path.write_bytes(content)
    accident.put_back("store.db")
    accident.lose_logs()
    shutil.rmtree(bench.home / ".claude" / "projects")
    write(bench, 30, 1)
    bench.sweep()
    assert {"packs", "owners"} <= set(wrong(bench))
    bench.helix("doctor", "--repair")
    assert accident.lost_events() == {}
    assert wrong(bench) == []


class TestCost:
    """What agrees is not looked at."""

    @pytest.fixture
    def looked(self, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
        found: list[Path] = []
        look: Callable[..., bool] = put_unowned_aside

        def look_and_tell(*arguments: object, **options: object) -> bool:
            found.append(Path())
            return look(*arguments, **options)

        monkeypatch.setattr("helix_tui.store.packs.settle.put_unowned_aside", look_and_tell)
        return found

    def test_no_pack_is_looked_at_where_nothing_was_put_back(
        self, bench: Workbench, looked: list[Path]
    ) -> None:
        for number in range(3):
            write(bench, number, 2)
        bench.sweep()
        write(bench, 1, 4)
        bench.sweep()
        set_caps(bench, 1, 1)
        bench.sweep()
        bench.helix("forget", f"claude:{name_of(0)}")
        bench.sweep()
        assert looked == []
        os.utime(bench.store / "packs" / "0000")
        bench.sweep()
        bench.sweep()
        assert len(looked) == 1
