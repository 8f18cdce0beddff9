"""The workstation on the bundled sample: a real store, a real journal, a real sweep."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helix_tui.config import load
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine import Engine
from helix_tui.engine.sample import keep_sample
from helix_tui.engine.sweep.process import command_for
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from tests.faults.tmpfs import fill, mounted
from tests.once import copied, made_once
from tests.sample_list import LISTED
from tests.tui.sitting import Sitting, both_sizes


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def sweep(folder: Path) -> None:
        keep_sample(folder / "store")
        for _ in Engine(load(None, folder / "store", {"HOME": str(folder / "store")})).sweep():
            pass

    return made_once(tmp_path_factory, "sample-at-home", sweep) / "store"


@pytest.fixture
def store(swept: Path, tmp_path: Path) -> Path:
    place = tmp_path / "store"
    copied(swept, place)
    return place


def app_on(store: Path) -> HelixApp:
    config = load(None, store, {"HOME": str(store)})
    return HelixApp(lambda: Connection(Engine(config), command_for(None, store), is_sample=True))


def lines(store: Path) -> list[tuple[str, str]]:
    found = Journal(store / "review" / "journal.jsonl").lines().lines
    return [(line.action, line.candidate) for line in found]


@both_sizes
async def test_a_verdict_is_a_line_of_the_journal_and_a_page_of_the_catalog(
    store: Path, size: tuple[int, int]
) -> None:
    app = app_on(store)
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.current)
        assert "bundled sample" in found.text
        # All that approving this one would write fits on either screen.
        while not found.current.startswith("command-not-found-rg"):
            await found.press("j")
        first = found.current
        await found.press("a")
        await found.until(lambda: lines(store) == [("approve", first)])
        assert found.current != first
        pages = store / "catalog"
        await found.until(lambda: [*pages.glob("*.history.jsonl")] or [*pages.glob("*.md")])
        await found.press("u")
        assert found.current == first
        await found.until(lambda: len(lines(store)) == 2)
        await found.until(lambda: "Taken back" in found.text)
        assert not [one for one in pages.glob("*.md") if one.name != "INDEX.md"]
        await found.press("d", *"look", "enter")
        await found.until(lambda: lines(store)[-1] == ("discuss", first))
    assert len(Engine(load(None, store)).verdicts.undoable(10)) == 1


async def test_a_sweep_runs_beside_the_keys(store: Path) -> None:
    for path in store.glob("store.db*"):
        path.unlink()
    shutil.rmtree(store / "packs")
    app = app_on(store)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: "sweep" in found.text.split("\n")[0])
        await found.until(lambda: f"{LISTED} of {LISTED}" in found.text, seconds=20)
        await found.until(lambda: not app.jobs.is_sweeping, seconds=20)


async def test_a_store_that_disappears_is_a_toast(store: Path) -> None:
    app = app_on(store)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.current)
        for path in store.glob("store.db*"):
            path.unlink()
        await found.press("r")
        await found.until(lambda: "There is no store" in found.text)
        assert f"{LISTED} of {LISTED}" in found.text
        await found.press("j")


@both_sizes
async def test_a_store_that_cannot_be_read_is_told_once_and_nothing_waits(
    store: Path, size: tuple[int, int]
) -> None:
    for path in store.glob("store.db*"):
        path.unlink()
    (store / "store.db").write_bytes(b"no database at all" * 300)

    app = app_on(store)
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: len(app.jobs.failures) >= 3)
        await found.until(lambda: "reading…" not in found.text)
        told = [one for one in app._notifications if "not a database" in one.message]
        assert len(told) == 1, "what several jobs meet at once is told once"
        assert "could not be read: P says why" in found.text
        for key in ("f3", "f5"):
            await found.press(key)
            await found.until(lambda: "could not be read: P says why" in found.text)
            await found.press("escape")
        await found.press("P")
        await found.until(lambda: "since Helix was opened" in found.text)
        assert "!candidates" in found.text
        await found.press("escape", "j", "r", "u")
        assert found.place == "review"


async def test_a_verdict_that_finds_no_room_is_put_back_and_listed(
    swept: Path, tmp_path: Path
) -> None:
    with mounted(tmp_path / "small", "64m") as small:
        place = small / "store"
        copied(swept, place)
        app = app_on(place)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            found = Sitting(app, None, pilot)
            await found.until(lambda: found.current)
            first = found.current
            filler = fill(small)
            await found.press("r")
            await found.until(lambda: "Not done (reject)" in found.text)
            await found.until(lambda: found.current == first)
            await found.press("P")
            await found.until(lambda: "1 since Helix was opened" in found.text)
            filler.unlink()
            await found.press("escape", "r")
            await found.until(lambda: lines(place) == [("reject", first)])
