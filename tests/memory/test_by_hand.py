"""Pages of memory that a person writes to while others do."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.knowledge.compile import compiling
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.save_edit import save_by_hand
from tests.conftest import Workbench
from tests.memory.sessions import Flushing

DAY = "2026-03-02"


@pytest.fixture
def places(tmp_path: Path) -> MemoryPlaces:
    made = MemoryPlaces(tmp_path)
    add_entry(made, DAY, "a" * 16, f"## 12:00 one <!-- helix {'a' * 16} -->\n")
    made.knowledge.mkdir()
    return made


def test_an_entry_that_came_meanwhile_stands_behind_what_was_written(places: MemoryPlaces) -> None:
    path = places.daily / f"{DAY}.md"
    before = path.read_text()
    add_entry(places, DAY, "b" * 16, f"## 12:01 two <!-- helix {'b' * 16} -->\n")
    assert save_by_hand(places, path, before, f"{before}\nmine") == path
    said = path.read_text()
    assert said.index("one") < said.index("\nmine\n") < said.index("two")
    add_entry(places, DAY, "b" * 16, f"## 12:01 two <!-- helix {'b' * 16} -->\n")
    assert path.read_text() == said, "it is there once"


def test_a_page_that_is_being_compiled_is_left_alone(places: MemoryPlaces) -> None:
    path = places.knowledge / "app.md"
    path.write_text("# app\n")
    with compiling(places):
        beside = save_by_hand(places, path, "# app\n", "# mine\n")
    assert path.read_text() == "# app\n"
    assert beside.name.startswith("app.md.yours-")
    assert beside.read_text() == "# mine\n"
    assert beside.stat().st_mode & 0o777 == 0o600


def test_bytes_that_are_no_text_are_not_written_over(places: MemoryPlaces) -> None:
    path = places.knowledge / "app.md"
    path.write_bytes(b"# app \xff\n")
    before = path.read_text(errors="replace")
    assert save_by_hand(places, path, before, f"{before}mine") != path
    assert path.read_bytes() == b"# app \xff\n"


def test_notes_are_written_to_under_their_own_lock(places: MemoryPlaces) -> None:
    places.notes.mkdir()
    path = places.notes / "claude-x.md"
    path.write_text("# Task\n")
    assert save_by_hand(places, path, "# Task\n", "# Task\n\nmine\n") == path
    assert path.read_text() == "# Task\n\nmine\n"
    assert [one.name for one in places.notes.iterdir()] == [path.name]


def test_what_was_put_beside_a_page_is_forgotten_with_it(bench: Workbench) -> None:
    flushing = Flushing(bench)
    flushing.work("alpha")
    flushing.flush()
    memory = flushing.memory
    (log,) = memory.places.daily.glob("*.md")
    before = log.read_text()
    log.write_text("another hand")
    beside = memory.save(str(log), before, f"{before}\nmine\n")
    assert "import of alpha" in beside.read_text()
    memory.forget([session.id for session in bench.sessions().values()])
    assert "import of alpha" not in beside.read_text()
