"""The store: private, ordered, one writer, and honest about what is wrong with it."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helix_tui.errors import StoreBusyError, StoreError, StoreTooNewError
from helix_tui.store import database as database_module
from helix_tui.store import shape
from helix_tui.store.database import open_for_writing, reading
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.models import TABLES
from helix_tui.store.shape import SCHEMA_VERSION
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench

SESSION = "claude:11111111-1111-4111-8111-111111111111"


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    log = ClaudeLog()
    log.prompt()
    log.step()
    log.write(bench.home)
    agent = ClaudeLog(agent="abc")
    agent.prompt("look")
    agent.reply(usage=usage(out=50))
    agent.write(bench.home)
    bench.sweep()
    return bench


def rows(bench: Workbench, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(bench.store / "store.db") as connection:
        return connection.execute(statement).fetchall()


class TestFiles:
    """Only the owner reads the store, and no name in it comes from a log."""

    def test_permissions(self, swept: Workbench) -> None:
        for path in [swept.store, *swept.store.rglob("*")]:
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode == (0o700 if path.is_dir() else 0o600), path

    def test_hostile_ids_name_no_path(self, bench: Workbench, tmp_path: Path) -> None:
        for number, name in enumerate(("../../../escape", "/etc/passwd", "a\0b", "x" * 5000)):
            log = ClaudeLog(session=name, agent="../../up" if number % 2 else None)
            log.prompt()
            log.write(bench.home, name=f"agent-{number}" if log.agent else f"log{number}")
        assert bench.sweep().ingested == 4
        names = sorted(path.name for path in (bench.store / "packs").rglob("*.pack"))
        assert names == [f"{number:07d}.pack" for number in range(1, 5)]
        assert not (tmp_path / "escape").exists()

    def test_space_is_given_back_incrementally(self, swept: Workbench) -> None:
        assert rows(swept, "PRAGMA auto_vacuum") == [(2,)]
        assert rows(swept, "PRAGMA journal_mode") == [("wal",)]


class TestSchema:
    """Migrations make what the models describe, after a copy of what was there."""

    def test_models_match_the_tables(self, swept: Workbench) -> None:
        for table in TABLES:
            meta = table._meta
            columns = rows(swept, f"PRAGMA table_info({meta.table_name})")
            assert [column[1] for column in columns] == [
                field.column_name for field in meta.sorted_fields
            ], meta.table_name

    def test_older_store_is_copied_before_it_is_changed(
        self, swept: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        migrations = tmp_path / "migrations"
        shutil.copytree(shape.MIGRATIONS, migrations)
        (migrations / "9999_test.py").write_text(
            "def up(migrator, db):\n    db.execute_sql('CREATE TABLE later (x INTEGER)')\n"
            f"    db.execute_sql('PRAGMA user_version = {SCHEMA_VERSION + 1}')\n"
        )
        monkeypatch.setattr(shape, "MIGRATIONS", migrations)
        monkeypatch.setattr(database_module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
        with pytest.raises(StoreError, match="older version"):
            swept.sessions()
        swept.sweep()
        assert rows(swept, "SELECT count(*) FROM later") == [(0,)]
        (copy,) = swept.store.glob("store.before-*.db")
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        with sqlite3.connect(copy) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            assert connection.execute("SELECT count(*) FROM session").fetchone() == (2,)

    def test_newer_store_is_refused_untouched(self, swept: Workbench) -> None:
        with sqlite3.connect(swept.store / "store.db") as connection:
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        with pytest.raises(StoreTooNewError, match="newer version"):
            swept.sweep()
        ran = swept.helix("sessions", check=False)
        assert (ran.code, ran.out) == (76, "")
        assert "newer version" in ran.err


class TestOneWriter:
    """Two sweeps at once: one works, the other says so."""

    def test_second_writer_is_refused_at_once(self, swept: Workbench) -> None:
        with writer_lock(StoreLayout(swept.store)):
            ran = swept.helix("--sweep", check=False)
            assert ran.code == 75
            assert "Another sweep" in ran.err
            with pytest.raises(StoreBusyError):
                swept.sweep()
            assert len(swept.sessions()) == 2  # readers do not wait
        assert swept.helix("--sweep").code == 0

    def test_killed_holder_frees_the_lock(self, swept: Workbench) -> None:
        program = (
            "import sys, time; from pathlib import Path\n"
            "from helix_tui.store.layout import StoreLayout\n"
            "from helix_tui.store.lock import writer_lock\n"
            f"with writer_lock(StoreLayout(Path({str(swept.store)!r}))):\n"
            "    print('held', flush=True); time.sleep(60)\n"
        )
        holder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        holder.stdout.close()
        assert swept.helix("--sweep").code == 0


class TestTrouble:
    """A store that cannot be used says why in a sentence, with its exit code."""

    def test_no_store(self, bench: Workbench) -> None:
        ran = bench.helix("sessions", check=False)
        assert (ran.code, ran.out) == (74, "")
        assert "Run `helix --sweep` first." in ran.err
        assert not bench.store.exists()

    def test_damaged_database(self, swept: Workbench) -> None:
        database = swept.store / "store.db"
        database.write_bytes(b"this is no database at all" * 100)
        for name in ("store.db-wal", "store.db-shm"):
            (swept.store / name).unlink(missing_ok=True)
        ran = swept.helix("--sweep", check=False)
        assert ran.code == 74
        assert "helix doctor" in ran.err
        assert "Traceback" not in ran.err
        assert swept.helix("doctor", check=False).code == 3

    def test_read_only_folder(self, unprivileged: Path) -> None:
        bench = Workbench(unprivileged)
        log = ClaudeLog()
        log.prompt()
        log.write(bench.home)
        bench.sweep()
        log.prompt("more")
        log.write(bench.home)
        bench.store.chmod(0o500)
        (bench.store / "store.db").chmod(0o400)
        with pytest.raises(StoreError, match="cannot be used"):
            bench.sweep()
        assert bench.session().prompts == 1  # it can still be read
        (bench.store / "store.db").chmod(0o600)
        bench.store.chmod(0o700)
        bench.sweep()
        assert bench.session().prompts == 2

    def test_full_disk_leaves_nothing_half_written(self, bench: Workbench, tmp_path: Path) -> None:
        small = tmp_path / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            pytest.skip("a small file system cannot be mounted here")
        try:
            log = ClaudeLog()
            for number in range(300):
                log.prompt(f"{number} {os.urandom(4000).hex()}")
            log.write(bench.home)
            bench.store = small / "store"
            ran = bench.helix("--sweep", check=False)
            assert ran.code == 74, ran.err
            assert "Free some space" in ran.err
            checks = bench.helix("doctor", "--json", check=False).json["checks"]
            assert {check["name"] for check in checks if not check["ok"]} <= {"space"}
            assert bench.sessions() == {}
        finally:
            subprocess.run(["umount", str(small)], check=True)


class TestLeftovers:
    """What a crash leaves behind is harmless and gone with the next sweep."""

    def test_bytes_behind_the_committed_length_are_cut(self, swept: Workbench) -> None:
        pack = swept.store / "packs" / "0000" / "0000001.pack"
        whole = pack.read_bytes()
        pack.write_bytes(whole + b"torn frame")
        orphan = pack.with_name("0000099.pack")
        orphan.write_bytes(b"nobody's")
        with sqlite3.connect(swept.store / "store.db") as connection:
            connection.execute("INSERT INTO note VALUES ('unclean', '1')")
        assert swept.helix("doctor").code == 0
        swept.sweep()
        assert pack.read_bytes() == whole
        assert not orphan.exists()

    def test_sweep_killed_at_any_time_is_made_good_by_the_next(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        for number in range(40):
            log = ClaudeLog(session=f"{number:08d}-0000-4000-8000-000000000000")
            for _ in range(30):
                log.step(output="x" * 2000)
            log.write(bench.home)
        command = [sys.executable, "-m", "helix_tui", "--sweep", "--store", str(bench.store)]
        environ = {**os.environ, **bench.environ}
        killed = 0
        for delay in range(0, 80, 8):
            shutil.rmtree(bench.store, ignore_errors=True)
            running = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
            while running.poll() is None and not (bench.store / "store.db").exists():
                time.sleep(0.001)
            time.sleep(delay / 1000)
            running.kill()
            killed += running.wait() == -signal.SIGKILL
            assert all(check.is_ok for check in bench.engine().doctor())
        assert killed >= 3
        bench.sweep()
        undisturbed = tmp_path / "undisturbed"
        bench.sweep(undisturbed)
        assert bench.sessions() == bench.sessions(undisturbed)
        assert bench.helix("doctor").code == 0


class TestForget:
    """A forgotten session is gone with all it had, and stays out."""

    def test_everything_goes_and_nothing_comes_back(self, swept: Workbench) -> None:
        log = ClaudeLog(session="22222222-2222-4222-8222-222222222222")
        log.prompt("stay")
        log.write(swept.home)
        swept.sweep()
        forgotten = swept.helix("forget", SESSION, "--json").json
        assert forgotten["dropped"] == 2
        assert swept.sessions().keys() == {f"claude:{log.session}"}
        assert len(list((swept.store / "packs").rglob("*.pack"))) == 1
        for table in ("event", "frame"):
            assert rows(swept, f"SELECT count(DISTINCT session) FROM {table}") == [(1,)]
        grown = ClaudeLog()
        grown.prompt()
        grown.step()
        grown.reply("later")
        grown.write(swept.home)
        swept.sweep()
        late_agent = ClaudeLog(agent="new")
        late_agent.prompt()
        late_agent.write(swept.home)
        swept.sweep()
        assert swept.sessions().keys() == {f"claude:{log.session}"}
        assert swept.helix("doctor").code == 0
        # what a person decided outlives the database
        shutil.rmtree(swept.store / "packs")
        for file in swept.store.glob("store.db*"):
            file.unlink()
        swept.sweep()
        assert swept.sessions().keys() == {f"claude:{log.session}"}

    def test_torn_list_is_mended_and_a_spoilt_one_is_told(self, swept: Workbench) -> None:
        swept.helix("forget", f"{SESSION}.abc")
        listed = swept.store / "review" / "forgotten.jsonl"
        whole = listed.read_bytes()
        listed.write_bytes(whole + b'{"id": "claude:to')
        swept.sweep()
        swept.helix("forget", SESSION)
        assert listed.read_bytes().startswith(whole + b'{"id": "claude:1111')
        swept.sweep()
        assert swept.sessions() == {}
        listed.write_bytes(b"nonsense\n" + whole)
        ran = swept.helix("--sweep", check=False)
        assert ran.code == 74
        assert "Line 1 of" in ran.err

    def test_a_few_letters_are_not_enough(self, swept: Workbench) -> None:
        for name in ("", "c", "claude:"):
            assert swept.helix("forget", name, check=False).code == 66
        assert len(swept.sessions()) == 2

    def test_shared_messages_pass_to_the_other_holder(self, bench: Workbench) -> None:
        for start, session in ((0, "11111111"), (100, "22222222"), (200, "33333333")):
            log = ClaudeLog(session=session, start=start)
            log.prompt()
            log.reply(message="shared", usage=usage(out=7))
            log.write(bench.home)
        bench.sweep()
        bench.helix("forget", "claude:11111111")
        owned = {name: session.cost.output for name, session in bench.sessions().items()}
        assert owned == {"claude:22222222": 7, "claude:33333333": 0}
        assert bench.helix("doctor").code == 0

    def test_unknown_session(self, swept: Workbench) -> None:
        ran = swept.helix("forget", "claude:nobody", check=False)
        assert (ran.code, ran.out) == (66, "")


class TestPacks:
    """A row never gives what its pack does not hold."""

    @pytest.mark.parametrize("damage", ["truncate", "flip", "remove"])
    def test_damage_is_found(self, swept: Workbench, damage: str) -> None:
        pack = swept.store / "packs" / "0000" / "0000001.pack"
        content = bytearray(pack.read_bytes())
        if damage == "truncate":
            pack.write_bytes(content[:-5])
        elif damage == "flip":
            content[-5] ^= 1
            pack.write_bytes(content)
        else:
            pack.unlink()
        ran = swept.helix("doctor", "--json", check=False)
        wrong = [check["name"] for check in ran.json["checks"] if not check["ok"]]
        assert (ran.code, wrong) == (3, ["packs"])
        ids = [row[0] for row in rows(swept, "SELECT id FROM session WHERE key = 1")]
        for more in ([], ["--json"]):
            shown = swept.helix("show", str(ids[0]), "--events", *more, check=False)
            assert shown.code == 74
            assert "damaged" in shown.err
            assert not more or shown.out == ""

    @pytest.mark.parametrize("damage", ["truncate", "remove"])
    def test_damaged_pack_holds_back_its_own_log_only(self, swept: Workbench, damage: str) -> None:
        ids = [str(row[0]) for row in rows(swept, "SELECT id FROM session WHERE key = 1")]
        pack = swept.store / "packs" / "0000" / "0000001.pack"
        whole = pack.read_bytes()
        if damage == "truncate":
            pack.write_bytes(whole[:-5])
        else:
            pack.unlink()
        log = ClaudeLog(agent="abc" if ids[0].endswith(".abc") else None)
        log.prompt("look")
        log.step()
        log.step()
        log.reply("more")
        log.write(swept.home)
        other = ClaudeLog(session="22222222-2222-4222-8222-222222222222")
        other.prompt()
        other.write(swept.home)
        report = swept.sweep()
        assert [problem.reason for problem in report.listed_problems] == [
            "the pack of its session is damaged: see helix doctor"
        ]
        assert f"claude:{other.session}" in swept.sessions()
        pack.write_bytes(whole)
        assert swept.sweep().known_problems == 0
        assert swept.helix("doctor").code == 0

    def test_readers_open_what_a_killed_writer_left(self, swept: Workbench) -> None:
        layout = StoreLayout(swept.store)
        writing = open_for_writing(layout)
        writing.execute_sql("INSERT INTO note VALUES ('written', '1')")
        # as after kill -9: the log is there, its shared memory is not
        copy = swept.store.with_name("copy")
        copy.mkdir()
        for name in ("store.db", "store.db-wal"):
            shutil.copy(swept.store / name, copy / name)
        writing.close()
        with reading(StoreLayout(copy)) as database:
            assert database is not None
            found = database.execute_sql("SELECT name FROM note").fetchall()
        assert ("written",) in found
