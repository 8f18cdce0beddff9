"""`helix doctor --repair`: three named corruptions and more, before and after."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from helix_tui.errors import HelixError, OutOfSpaceError
from helix_tui.store.layout import StoreLayout
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.repairing import Filled, lose_database, view
from tests.engine.retained import name_of, set_caps, write_log
from tests.store.downgrading import downgrade

Damage = Callable[[Path], None]


def flip_page(store: Path) -> None:
    """Overwrites a page in the middle of the database."""
    with (store / "store.db").open("r+b") as database:
        database.seek(4096 * 5)
        database.write(b"\xff" * 4096)


def flip_every_third_page(store: Path) -> None:
    size = (store / "store.db").stat().st_size
    with (store / "store.db").open("r+b") as database:
        for page in range(5, size // 4096, 3):
            database.seek(4096 * page)
            database.write(b"\xa5" * 4096)


def flip_leaf_of(store: Path, table: str) -> None:
    """Overwrites a page that holds rows of one table."""
    with sqlite3.connect(store / "store.db") as database:
        pages = database.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (table,)
        ).fetchall()
    number = pages[min(1, len(pages) - 1)][0]
    with (store / "store.db").open("r+b") as database_file:
        database_file.seek(4096 * (number - 1))
        database_file.write(b"\xff" * 4096)


def truncate_database(store: Path) -> None:
    """Cuts the last third of the database off."""
    size = (store / "store.db").stat().st_size
    with (store / "store.db").open("r+b") as database:
        database.truncate(size * 2 // 3)


def bad_header(store: Path) -> None:
    with (store / "store.db").open("r+b") as database:
        database.write(b"this is no database at all")


def truncate_pack(store: Path) -> None:
    """Cuts a pack off within its first frame."""
    pack = max((store / "packs").rglob("*.pack"))
    with pack.open("r+b") as file:
        file.truncate(pack.stat().st_size // 2)


DAMAGES: dict[str, Damage] = {
    "flipped page": flip_page,
    "many flipped pages": flip_every_third_page,
    "truncated database": truncate_database,
    "bad header": bad_header,
    "truncated pack": truncate_pack,
    "lost database": lose_database,
}


def facts(bench: Workbench) -> dict[str, object]:
    engine = bench.engine()
    digests = {name: engine.digest(session) for name, session in bench.sessions().items()}
    return {name: digest and digest.facts for name, digest in digests.items()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    return Filled(tmp_path_factory.mktemp("filled"))


@pytest.fixture
def filled(made: Filled) -> Workbench:
    return made.again()


@pytest.fixture
def before(made: Filled) -> dict[str, object]:
    """What a person saw when all was well."""
    return made.view


class TestDamage:
    """With the logs still there, a repaired store is what it was."""

    @pytest.mark.parametrize("name", DAMAGES)
    def test_repair_brings_everything_back(
        self,
        filled: Workbench,
        before: dict[str, object],
        name: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        DAMAGES[name](filled.store)
        sick = filled.helix("doctor", check=False)
        assert sick.code == 3
        assert "doctor --repair" in sick.out
        repaired = filled.helix("doctor", "--repair")
        with capsys.disabled():
            print(f"\n--- {name}, before:\n{_wrong(sick.out)}\n--- after:\n{repaired.out}")
        assert "Everything is fine." in repaired.out
        assert "Lost" not in repaired.out
        assert view(filled) == before
        assert filled.sweep().bytes_read == 0
        again = filled.helix("doctor", "--repair", "--json").json
        assert again["repair"]["repaired"] is False

    def test_doctor_alone_changes_nothing(self, filled: Workbench) -> None:
        flip_page(filled.store)
        before = {path: path.stat().st_mtime_ns for path in filled.store.rglob("*")}
        filled.helix("doctor", check=False)
        assert {path: path.stat().st_mtime_ns for path in filled.store.rglob("*")} == before

    def test_damaged_files_are_kept_as_they_were(self, filled: Workbench) -> None:
        truncate_pack(filled.store)
        flip_page(filled.store)
        database = (filled.store / "store.db").read_bytes()
        packs = {path.name: path.read_bytes() for path in filled.store.rglob("*.pack")}
        aside = Path(filled.helix("doctor", "--repair", "--json").json["repair"]["damaged_files"])
        assert (aside / "store.db").read_bytes() == database
        assert {path.name: path.read_bytes() for path in aside.rglob("*.pack")} == packs

    def test_a_sweep_on_a_damaged_store_says_what_to_do(self, filled: Workbench) -> None:
        bad_header(filled.store)
        ran = filled.helix("--sweep", check=False)
        assert (ran.code, "helix doctor" in ran.err) == (74, True)
        lose_database(filled.store)
        ran = filled.helix("--sweep", check=False)
        assert (ran.code, "doctor --repair" in ran.err) == (74, True)


class TestWithoutLogs:
    """With the logs gone, what packs and rows still hold comes back, and the rest is named."""

    def test_packs_alone_bring_events_back(self, filled: Workbench) -> None:
        before = {name: filled.events(name) for name in filled.sessions()}
        digests = {n: filled.engine().digest(s) for n, s in filled.sessions().items()}
        shutil.rmtree(filled.home / ".claude")
        lose_database(filled.store)
        repaired = filled.helix("doctor", "--repair", "--json").json["repair"]
        assert (repaired["lost_sessions"], repaired["all_known_before"]) == ([], False)
        assert repaired["lost_facts"] == sorted(before)
        assert {name: filled.events(name) for name in filled.sessions()} == before
        assert {n: filled.engine().digest(s) for n, s in filled.sessions().items()} == digests

    def test_rows_bring_back_places_tokens_and_digests_of_evicted_sessions(
        self, filled: Workbench
    ) -> None:
        set_caps(filled, 50_000)
        filled.sweep()
        before = {
            name: (msgspec.to_builtins(session) | {"raw_bytes": 0}, filled.engine().digest(session))
            for name, session in filled.sessions().items()
        }
        assert {session["raw"] for session, _ in before.values()} == {"full", "evicted"}
        shutil.rmtree(filled.home / ".claude")
        truncate_pack(filled.store)
        (lost,) = (
            filled.helix("doctor", "--repair", "--json").json["repair"]["lost_raw_events"].items()
        )
        after = {
            name: (msgspec.to_builtins(session) | {"raw_bytes": 0}, filled.engine().digest(session))
            for name, session in filled.sessions().items()
        }
        damaged, count = lost
        assert count == before[damaged][0]["events"]
        assert after[damaged][0]["raw"] == "evicted"
        for name, (session, digest) in before.items():
            if name != damaged:
                assert after[name] == (session, digest)
            assert after[name][1] == digest

    def test_what_is_lost_is_said(self, filled: Workbench) -> None:
        shutil.rmtree(filled.home / ".claude")
        flip_every_third_page(filled.store)
        truncate_pack(filled.store)
        said = filled.helix("doctor", "--repair", check=False).out
        assert "Part of the database could not be read" in said
        assert "Lost: " in said

    @pytest.mark.parametrize("table", ["evicted", "fold", "part", "session"])
    def test_a_bad_page_costs_what_is_on_it_and_that_is_named(
        self, filled: Workbench, table: str
    ) -> None:
        set_caps(filled, 0)
        filled.sweep()
        before = set(filled.sessions())
        shutil.rmtree(filled.home / ".claude")
        flip_leaf_of(filled.store, table)
        report = filled.helix("doctor", "--repair", "--json").json["repair"]
        after = {name: filled.engine().digest(s) for name, s in filled.sessions().items()}
        inexact = {name for name, digest in after.items() if not (digest and digest.is_exact)}
        assert report["all_known_before"] is False
        assert inexact <= set(report["lost_digests"])
        if table != "session":
            assert after.keys() == before
        assert filled.helix("doctor").code == 0
        assert filled.helix("doctor", "--repair", "--json").json["repair"]["repaired"] is False

    @pytest.mark.parametrize("damage", ["cut", "header", "pages"])
    def test_rows_are_read_whatever_the_header_says(self, filled: Workbench, damage: str) -> None:
        set_caps(filled, 0)
        filled.sweep()
        before = facts(filled)
        shutil.rmtree(filled.home / ".claude")
        with (filled.store / "store.db").open("r+b") as database:
            if damage == "cut":
                database.truncate((filled.store / "store.db").stat().st_size - 4096)
            elif damage == "header":
                database.write(b"x" * 40)
            else:
                database.seek(28)
                database.write(b"\x7f\xff\xff\xff")
        filled.helix("doctor", "--repair")
        after = facts(filled)
        assert after.keys() == before.keys()
        # A page that was cut off holds some digests; all others are as they were.
        assert sum(after[name] == before[name] for name in before) >= len(before) - 15

    def test_a_pack_whose_header_is_gone_is_still_its_sessions(self, filled: Workbench) -> None:
        name = f"claude:{name_of(39)}"
        before = filled.events(name)
        shutil.rmtree(filled.home / ".claude")
        for pack in (filled.store / "packs").rglob("*.pack"):
            with pack.open("r+b") as file:
                file.write(b"y" * 20)
        assert filled.helix("doctor", check=False).code == 3
        filled.helix("doctor", "--repair")
        assert filled.events(name) == before

    def test_a_garbled_frame_header_costs_no_frame(self, filled: Workbench) -> None:
        log = write_log(filled, 50)
        filled.sweep()
        log.step("more", "later")
        log.write(filled.home)
        filled.sweep()
        before = filled.events(name_of(50))
        shutil.rmtree(filled.home / ".claude")
        pack = max((filled.store / "packs").rglob("*.pack"))
        whole = pack.read_bytes()
        at = 12 + int.from_bytes(whole[8:12], "little")
        pack.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        assert filled.helix("doctor", check=False).code == 3
        filled.helix("doctor", "--repair")
        assert filled.events(name_of(50)) == before

    def test_sessions_of_two_files_and_rewritten_records_come_back_as_they_were(
        self, bench: Workbench
    ) -> None:
        first, second = write_log(bench, 1, steps=3), ClaudeLog(session=name_of(1), start=9000)
        second.prompt("go on", uuid="second-1")
        second.reply("I do.", uuid="second-2")
        second.write(bench.home, name="second")
        bench.sweep()
        first.records[1]["message"]["content"][0]["input"] = {"command": "other"}
        first.write(bench.home)
        bench.sweep()
        before = (bench.events(name_of(1)), facts(bench))
        shutil.rmtree(bench.home / ".claude")
        bad_header(bench.store)
        bench.helix("doctor", "--repair")
        assert (bench.events(name_of(1)), facts(bench)) == before

    def test_values_of_another_sort_are_passed_over(self, filled: Workbench) -> None:
        set_caps(filled, 0)
        filled.sweep()
        with sqlite3.connect(filled.store / "store.db") as database:
            database.execute("UPDATE evicted SET fingerprints = x'010203' WHERE session = 3")
            database.execute("UPDATE evicted SET fingerprints = 'text' WHERE session = 4")
            database.execute("UPDATE session SET events = 'many' WHERE key = 5")
            database.execute("UPDATE fold SET data = x'00' WHERE session = 6")
        assert filled.helix("doctor", check=False).code == 3
        assert "Everything is fine." in filled.helix("doctor", "--repair").out
        assert len(filled.sessions()) == 41

    def test_forgotten_sessions_stay_out(self, filled: Workbench) -> None:
        filled.helix("forget", name_of(7))
        flip_page(filled.store)
        filled.helix("doctor", "--repair")
        assert f"claude:{name_of(7)}" not in filled.sessions()


def _without_version(row: object) -> object:
    assert isinstance(row, tuple)
    figures, *others = row
    return ({**figures, "agent_version": None}, *others)


class TestOtherVersions:
    """A sound store of another version is no damaged one."""

    def test_an_older_one_is_migrated(self, filled: Workbench, before: dict[str, object]) -> None:
        shutil.rmtree(filled.home / ".claude")
        downgrade(filled.store)
        report = filled.helix("doctor", "--repair", "--json").json["repair"]
        assert report["repaired"] is False
        (filled.home / ".claude" / "projects").mkdir(parents=True)
        filled.sweep()
        # Versions of agents were not kept then, and the logs are gone.
        assert view(filled) == {name: _without_version(row) for name, row in before.items()}

    def test_a_newer_one_is_left_alone(self, filled: Workbench) -> None:
        with sqlite3.connect(filled.store / "store.db") as database:
            database.execute("PRAGMA user_version = 99")
        assert filled.helix("doctor", "--repair", check=False).code == 76
        assert not list(filled.store.glob("damaged-*"))


class TestHalfDone:
    """A repair that could not read all logs gives up nothing that they hold."""

    @pytest.mark.parametrize("why", ["stopped", "full"])
    def test_what_the_logs_hold_is_not_taken_for_lost(
        self,
        filled: Workbench,
        before: dict[str, object],
        monkeypatch: pytest.MonkeyPatch,
        why: str,
    ) -> None:
        for pack in (filled.store / "packs").rglob("*.pack"):
            pack.write_bytes(pack.read_bytes()[:40])

        def no_room(*_: object) -> None:
            raise OutOfSpaceError("full")

        with monkeypatch.context() as broken:
            if why == "full":
                broken.setattr("helix_tui.store.ingest.writer.require_room", no_room)
            with pytest.raises(HelixError):
                filled.engine().repair(lambda: why == "stopped")
        filled.helix("doctor", "--repair")
        assert view(filled) == before


class TestInterrupted:
    """A repair that is cut off is seen by doctor and goes on when it is called again."""

    @pytest.mark.parametrize("damage", [flip_page, lose_database])
    @pytest.mark.parametrize("step", range(4))
    def test_cut_off_while_files_are_moved(
        self,
        filled: Workbench,
        before: dict[str, object],
        monkeypatch: pytest.MonkeyPatch,
        damage: Damage,
        step: int,
    ) -> None:
        damage(filled.store)
        rename, moved = Path.rename, [0]

        def cut(path: Path, target: Path) -> Path:
            if moved[0] == step:
                raise KeyboardInterrupt
            moved[0] += 1
            return rename(path, target)

        with monkeypatch.context() as broken:
            broken.setattr(Path, "rename", cut)
            with suppress(KeyboardInterrupt):
                filled.engine().repair()
        filled.helix("doctor", "--repair")
        assert view(filled) == before
        assert filled.helix("doctor").code == 0

    @pytest.mark.parametrize("where", ["salvage_database", "adopt_evicted", "mark_repaired"])
    def test_repair_goes_on(
        self,
        filled: Workbench,
        before: dict[str, object],
        monkeypatch: pytest.MonkeyPatch,
        where: str,
    ) -> None:
        flip_page(filled.store)

        def cut(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr(f"helix_tui.engine.health.repair.{where}", cut)
            with pytest.raises(KeyboardInterrupt):
                filled.engine().repair()
        assert StoreLayout(filled.store).unfinished_repair() is not None
        assert filled.helix("--sweep", check=False).code == 74
        assert filled.helix("doctor", check=False).code == 3
        filled.helix("doctor", "--repair")
        assert view(filled) == before
        assert filled.helix("doctor").code == 0


class TestHalfWritten:
    """A writer that had no log was cut off: what it had begun is taken back, and nothing else."""

    @pytest.fixture
    def half_written(self, filled: Workbench) -> Workbench:
        files = [filled.store / name for name in ("store.db", "store.db-journal")]
        with closing(sqlite3.connect(files[0], isolation_level=None)) as database:
            for statement in (
                "PRAGMA journal_mode = DELETE",
                "PRAGMA cache_size = 1",  # so that pages are written before the end
                "BEGIN",
                "UPDATE event SET ts = 0",
                "UPDATE session SET repo = 'half'",
            ):
                database.execute(statement)
            left = {path: path.read_bytes() for path in files}
            database.execute("ROLLBACK")
        for path, content in left.items():
            path.write_bytes(content)
            path.chmod(0o600)
        return filled

    def test_readers_say_what_to_do(self, half_written: Workbench) -> None:
        for command in (["sessions"], ["status"]):
            ran = half_written.helix(*command, check=False)
            assert (ran.code, "Run `helix --sweep`" in ran.err) == (74, True), ran.err
        said = half_written.helix("doctor", check=False)
        assert (said.code, "Run `helix --sweep`" in said.out) == (3, True)

    @pytest.mark.parametrize("way", ["--sweep", "doctor --repair"])
    def test_the_next_writer_goes_on(
        self, half_written: Workbench, before: dict[str, object], way: str
    ) -> None:
        half_written.helix(*way.split())
        assert not list(half_written.store.glob("damaged-*"))
        assert view(half_written) == before
        assert half_written.helix("doctor").code == 0


def _wrong(said: str) -> str:
    lines = said.splitlines()
    return "\n".join(line for line in lines if line.startswith(("WRONG", "   ")))
