"""A store, journal and catalog that an earlier Helix made open unchanged and show the same."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helix_tui.store.database import open_for_writing
from helix_tui.store.detection.grouping_state import note_parts
from helix_tui.store.layout import StoreLayout
from tests.conftest import Workbench

_FOLDER = Path(__file__).parent / "before"
_FIGURES = ("kept-work-", "first-pass-")
# Corrections of two repositories that share one noun, of sessions that were digested before
# it was kept what was asked for and done. A noun that tasks speak of as well joins no repositories;
# this one nobody says but to object, so the row goes on, named after the word itself.
_OBJECTED_ONLY = "user-correction-generated-files-329a1c0e"
_PATTERN = ("id", "version", "status", "distribution_ready", "title", "candidates")


@pytest.fixture
def before(bench: Workbench) -> Workbench:
    """The bundled sample, swept, decided on by hand and evicted by the Helix of before."""
    with tarfile.open(_FOLDER / "store.tar.xz") as packed:
        packed.extractall(bench.store.parent, filter="data")
    open_for_writing(StoreLayout(bench.store)).close()  # brings its tables up to date
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


def traced(before: Workbench, name: str) -> dict[str, Any]:
    """The candidate that an id of before goes on as."""
    (found,) = before.helix("detect", "--why", name, "--json").json["candidates"]
    assert isinstance(found, dict)
    return found


def test_every_verdict_is_where_its_evidence_is_now(before: Workbench) -> None:
    files = kept(before.store)
    before.helix("detect", "--json")
    for row in expected()["candidates"]:
        name = row["id"]
        if name.startswith(_FIGURES):
            # They stay as figures, and no list has them.
            assert before.helix("detect", "--why", name, check=False).code == 66
            continue
        now = traced(before, name)
        if row["verdict"] == "open" and not name.startswith("recovery-"):
            assert now["id"] == name or now["verdict"] == "open"
        if row["verdict"] != "open":
            assert (now["verdict"], now["pattern"]) == (row["verdict"], row["pattern"])
            assert now["merged_into"] == row["merged_into"]
            assert now["notes"] == row["notes"]
    goes_on = traced(before, _OBJECTED_ONLY)
    assert (goes_on["sort"], len(goes_on["members"])) == ("correction", 4)
    listed = before.helix("catalog", "list", "--json").json["patterns"]
    assert picked(listed, _PATTERN) == expected()["patterns"]
    sessions = before.helix("sessions", "--json", "--limit", "200").json["sessions"]
    assert sorted(session["id"] for session in sessions) == expected()["sessions"]
    assert kept(before.store) == files


def test_what_overcame_a_problem_goes_on_as_its_remedy(before: Workbench) -> None:
    before.helix("detect", "--json")
    now = traced(before, "recovery-edit-no-match-937fac95")
    assert now["id"] == "edit-no-match-8259e28f"
    assert now["remedy"]["members"]


def test_approving_again_updates_the_file_of_before(before: Workbench) -> None:
    name = "port-in-use-28fa1aa1"
    page = before.store / "catalog" / f"{name}.md"
    told = before.helix("approve", name, "--guidance", "Look who holds the port first.", "--json")
    assert [(one["id"], one["action"]) for one in told.json["patterns"]] == [(name, "updated")]
    assert "Look who holds the port first." in page.read_text()
    assert len(list(page.parent.glob("*.md"))) == len(expected()["patterns"]) + 1


def test_the_next_verdict_goes_behind_the_others(before: Workbench) -> None:
    name = "command-not-found-rg-cd630925"
    lines = (before.store / "review" / "journal.jsonl").read_bytes()
    before.helix("reject", name)
    assert (before.store / "review" / "journal.jsonl").read_bytes().startswith(lines)
    assert traced(before, name)["verdict"] == "rejected"
    doctor = before.helix("doctor", "--json", check=False).json
    assert [row for row in doctor["checks"] if not row["ok"] and "journal" in row["name"]] == []


def test_a_smaller_part_of_what_was_decided_is_open_and_says_so(before: Workbench) -> None:
    before.helix("detect", "--json")
    with closing(sqlite3.connect(before.store / "store.db")) as connection, connection:
        note_parts(connection, {"push-rejected-73f775e6": "slow-command-pytest-efdba804"})
    now = traced(before, "push-rejected-73f775e6")
    assert now["verdict"] == "open"
    assert now["was_part_of"].startswith("was part of slow-command-pytest-efdba804, rejected on 2")
