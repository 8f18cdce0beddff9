"""A store, journal and catalog that an earlier Helix made open unchanged and show the same."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Workbench

_FOLDER = Path(__file__).parent / "before"
_CANDIDATE = (
    *("id", "title", "sessions", "frequency", "flavors", "verdict"),
    *("pattern", "merged_into", "notes", "changed"),
)
_PATTERN = ("id", "version", "status", "distribution_ready", "title", "candidates")


@pytest.fixture
def before(bench: Workbench) -> Workbench:
    """The bundled sample, swept, decided on by hand and evicted by the Helix of before."""
    with tarfile.open(_FOLDER / "store.tar.xz") as packed:
        packed.extractall(bench.store.parent, filter="data")
    return bench


def expected() -> dict[str, Any]:
    found = json.loads((_FOLDER / "expected.json").read_text())
    assert isinstance(found, dict)
    return found


def kept(store: Path) -> dict[str, bytes]:
    """Every byte of the journal and the catalog."""
    files = [*(store / "catalog").iterdir(), store / "review" / "journal.jsonl"]
    return {path.name: path.read_bytes() for path in files}


def picked(rows: list[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in rows]


def test_candidates_verdicts_and_pages_are_what_they_were(before: Workbench) -> None:
    files = kept(before.store)
    detected = before.helix("detect", "--json").json["candidates"]
    assert picked(detected, _CANDIDATE) == expected()["candidates"]
    listed = before.helix("catalog", "list", "--json").json["patterns"]
    assert picked(listed, _PATTERN) == expected()["patterns"]
    sessions = before.helix("sessions", "--json", "--limit", "200").json["sessions"]
    assert sorted(session["id"] for session in sessions) == expected()["sessions"]
    assert kept(before.store) == files


def test_the_next_verdict_goes_behind_the_others(before: Workbench) -> None:
    name = next(row["id"] for row in expected()["candidates"] if row["verdict"] == "open")
    lines = (before.store / "review" / "journal.jsonl").read_bytes()
    before.helix("reject", name)
    assert (before.store / "review" / "journal.jsonl").read_bytes().startswith(lines)
    after = before.helix("detect", "--json").json["candidates"]
    verdicts = {row["id"]: row["verdict"] for row in expected()["candidates"]}
    assert {row["id"]: row["verdict"] for row in after} == verdicts | {name: "rejected"}
    doctor = before.helix("doctor", "--json", check=False).json
    assert [row for row in doctor["checks"] if not row["ok"] and "journal" in row["name"]] == []
