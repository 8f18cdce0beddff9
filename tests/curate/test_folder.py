"""The catalog's folder as texts: read again where a file may be another, and only there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helix_tui.curate.catalog import folder
from helix_tui.curate.catalog.folder import PAGE, find

_OLD = 1_700_000_000


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are opened."""
    opened: list[str] = []
    whole = os.open

    def opening(path: str, *more: int) -> int:
        opened.append(Path(path).name)
        return whole(path, *more)

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(folder, "_known", {})
    monkeypatch.setattr(folder, "_SETTLED_NS", -1)
    monkeypatch.setattr(folder, "_FINE_SETTLED_NS", -1)
    return opened


def test_a_page_that_is_as_it_was_is_not_read_again(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "p.md").write_text("one")
    assert find(tmp_path, PAGE).texts == find(tmp_path, PAGE).texts == {"p": "one"}
    assert reads == ["p.md"]


def test_an_edit_of_the_same_size_and_time_is_seen(tmp_path: Path, reads: list[str]) -> None:
    page = tmp_path / "p.md"
    page.write_text("one")
    os.utime(page, (_OLD, _OLD))
    find(tmp_path, PAGE)
    page.write_text("two")
    os.utime(page, (_OLD, _OLD))
    assert find(tmp_path, PAGE).texts == {"p": "two"}


def test_a_page_that_was_just_changed_is_read_each_time(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_SETTLED_NS", 60_000_000_000)
    monkeypatch.setattr(folder, "_FINE_SETTLED_NS", 60_000_000_000)
    (tmp_path / "p.md").write_text("one")
    find(tmp_path, PAGE)
    find(tmp_path, PAGE)
    assert reads == ["p.md", "p.md"]


def test_a_link_in_the_place_of_a_known_page_is_not_followed(
    tmp_path: Path, reads: list[str]
) -> None:
    page, other = tmp_path / "p.md", tmp_path / "elsewhere"
    page.write_text("one")
    other.write_text("one")
    find(tmp_path, PAGE)
    page.unlink()
    page.symlink_to(other)
    found = find(tmp_path, PAGE)
    assert found.texts == {}
    assert [bad.path.name for bad in found.bad] == ["p.md"]
