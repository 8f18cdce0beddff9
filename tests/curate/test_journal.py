"""The journal keeps every line, numbers it, and passes over what it cannot read."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from helix_tui.curate.journal.journal import Journal
from helix_tui.files.ledger import sealed
from helix_tui.schema.review import Action, JournalLine, PatternRef, Snapshot, Until, Write

AT = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    ids = count(1)
    return Journal(tmp_path / "journal.jsonl", lambda: 1_772_366_400.0, lambda: f"id{next(ids)}")


def said(action: Action = "approve", **fields: object) -> JournalLine:
    line = {"id": "", "seq": 0, "at": "", "author": "ann", "action": action, **fields}
    return msgspec.convert(line, JournalLine)


def append(journal: Journal, *lines: JournalLine) -> list[JournalLine]:
    with journal.locked():
        return journal.append(*lines)


def test_lines_come_back_as_they_were_written(journal: Journal) -> None:
    snapshot = Snapshot(3, 9, ["claude"], 2, 1200, 4.5, "ongoing", AT, AT)
    written = append(
        journal,
        said(
            candidate="a",
            note="ü\n\u2028\U0001f600",
            snapshot=snapshot,
            pattern=PatternRef("a", "1.0.0", "approved", True),
            writes=[Write("a", "text\n"), Write("b", None, "{}\n")],
        ),
        said("snooze", candidate="b", until=Until(date="2026-12-01")),
    )
    assert journal.lines() == (written, [], [])
    assert [(line.id, line.seq, line.at) for line in written] == [("id1", 1, AT), ("id2", 2, AT)]


def test_ids_and_times_of_the_caller_stay(journal: Journal) -> None:
    (line,) = append(journal, said(id="mine", at="2026-01-01T00:00:00.000Z", seq=77))
    assert (line.id, line.at, line.seq) == ("mine", "2026-01-01T00:00:00.000Z", 1)


def test_ids_are_unique_without_being_told(tmp_path: Path) -> None:
    lines = append(Journal(tmp_path / "journal.jsonl"), said(), said())
    assert {len(line.id) for line in lines} == {32}
    assert len({line.id for line in lines}) == 2


def test_a_number_is_never_given_twice(journal: Journal) -> None:
    append(journal, said(), said())
    journal.path.write_bytes(journal.path.read_bytes().replace(b'"seq":2', b'"seq":9'))
    (line,) = append(journal, said())
    assert line.seq == 3
    read = journal.lines()
    assert [line.seq for line in read.lines] == [1, 3]
    assert read.damaged == [(2, "its checksum does not fit")]


def test_lines_of_a_newer_version_are_kept_passed_over_and_named(journal: Journal) -> None:
    append(journal, said())
    newer = [
        b'{"id":"x","seq":2,"at":"","author":"bo","action":"pin","candidate":"a"}',
        b'{"id":"y","seq":3,"at":"","author":"bo","action":"reject","mood":"good"}',
        b'{"id":"z","seq":"four","at":"","author":"bo","action":"reject"}',
    ]
    with journal.path.open("ab") as file:
        file.writelines(sealed(line) + b"\n" for line in newer)
    before = journal.path.read_bytes()
    (line,) = append(journal, said())
    read = journal.lines()
    assert [found.id for found in read.lines] == ["id1", "y", "id2"]
    assert read.damaged == []
    assert [found.number for found in read.unknown] == [2, 4]
    assert "newer version" in read.unknown[0].reason
    assert "'pin'" in read.unknown[0].reason
    assert line.seq == 5
    assert journal.path.read_bytes().startswith(before)


def test_the_page_on_the_format_names_every_field() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "journal.md").read_text()
    for kind in (JournalLine, Snapshot, Until, Write, PatternRef):
        for field in kind.__struct_fields__:
            assert re.search(rf"[`, ]{field}[`,]", page), field
    for action in get_args(Action):
        assert re.search(rf"[`, ]{action}[`,]", page), action
