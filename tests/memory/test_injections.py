"""Texts that try to be more than a text: memory has them as quotations, or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helix_tui.memory.distill.extract import extract
from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.flush.entry import write_entry
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.notes.page import default_template, fresh_page, write_page
from helix_tui.memory.notes.sections import sections_of
from helix_tui.memory.notes.worklog import line_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import NotesTurn
from helix_tui.text.refuse import refusals
from helix_tui.text.valid import valid
from tests.memory.made_notes import session, state
from tests.memory.rendered import AT, MARK, facts_of, outside_of_code, piece_of

# Written without a look at the rules: what is said where, and what of it may not be taken for more.
INJECTIONS = json.loads((Path(__file__).parents[1] / "data" / "injections.json").read_bytes())


def remembered(said: str, folder: Path) -> list[str]:
    """Every page of memory that a session leaves which says this wherever it can."""
    piece = piece_of(said)
    places = MemoryPlaces(folder)
    add_entry(places, "2026-03-02", MARK, write_entry(piece, extract(piece), AT, MARK))
    compile_logs(places, 0, AT)
    made = sections_of(session(repo=said, branch=said, cwd=said), facts_of(said), 1)
    turn = line_of(NotesTurn(1, said, said, {"shell": 1}, 0))
    notes = write_page(fresh_page(default_template(), ""), state(), made, [turn])
    return [notes.partition("\n")[2], *(path.read_text() for path in places.root.rglob("*.md"))]


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda one: one["kind"])
def test_is_nothing_but_quoted(injection: dict[str, Any], tmp_path: Path) -> None:
    wanted = injection["must_not_appear"]
    wanted = [wanted] if isinstance(wanted, str) else wanted
    pages = remembered(valid(injection["text"]), tmp_path)
    assert len(pages) == 4
    for page in pages:
        outside = outside_of_code(page)
        assert [words for words in wanted if words in outside] == []
        assert [one for one in refusals(page) if "U+" in one.what] == []
