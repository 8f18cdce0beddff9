"""`helix doctor --repair`: three named corruptions and more, before and after."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from helix_tui.store import rebuild
from helix_tui.store.layout import StoreLayout
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.test_retention import name_of, set_caps, write_log

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


def lose_database(store: Path) -> None:
    (store / "store.db").unlink()


DAMAGES: dict[str, Damage] = {
    "flipped page": flip_page,
    "many flipped pages": flip_every_third_page,
    "truncated database": truncate_database,
    "bad header": bad_header,
    "truncated pack": truncate_pack,
    "lost database": lose_database,
}


def view(bench: Workbench) -> dict[str, object]:
    """What a person sees of each session: figures, digest, transcript."""
    engine = bench.engine()
    found: dict[str, object] = {}
    for name, session in sorted(bench.sessions().items()):
        figures = msgspec.to_builtins(session)
        recalled = engine.recall(session)
        events = list(engine.session_events(session, recalled.events))
        found[name] = ({**figures, "raw_bytes": 0}, engine.digest(session), events)
    return found


@pytest.fixture
def filled(bench: Workbench) -> Workbench:
    for number in range(40):
        write_log(bench, number, steps=5)
    agent = ClaudeLog(session=name_of(3), agent="abc")
    agent.prompt("look around")
    agent.write(bench.home)
    bench.sweep()
    return bench


class TestDamage:
    """With the logs still there, a repaired store is what it was."""

    @pytest.mark.parametrize("name", DAMAGES)
    def test_repair_brings_everything_back(
        self, filled: Workbench, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = view(filled)
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
        bad_header(filled.store)
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
        bad_header(filled.store)
        pack = max((filled.store / "packs").rglob("*.pack"))
        with pack.open("r+b") as file:
            file.truncate(pack.stat().st_size // 2)
        said = filled.helix("doctor", "--repair", check=False).out
        assert "Part of the database could not be read" in said

    def test_forgotten_sessions_stay_out(self, filled: Workbench) -> None:
        filled.helix("forget", name_of(7))
        flip_page(filled.store)
        filled.helix("doctor", "--repair")
        assert f"claude:{name_of(7)}" not in filled.sessions()


class TestInterrupted:
    """A repair that is cut off is seen by doctor and goes on when it is called again."""

    @pytest.mark.parametrize("where", ["salvage_database", "adopt_evicted", "mark_repaired"])
    def test_repair_goes_on(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        before = view(filled)
        flip_page(filled.store)

        def cut(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr(f"helix_tui.engine.repair.{where}", cut)
            with pytest.raises(KeyboardInterrupt):
                filled.engine().repair()
        assert rebuild.unfinished_repair(StoreLayout(filled.store)) is not None
        assert filled.helix("doctor", check=False).code == 3
        filled.helix("doctor", "--repair")
        assert view(filled) == before
        assert filled.helix("doctor").code == 0


def _wrong(said: str) -> str:
    lines = said.splitlines()
    return "\n".join(line for line in lines if line.startswith(("WRONG", "   ")))
