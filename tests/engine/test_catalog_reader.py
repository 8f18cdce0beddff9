"""The catalog as commands read it, without a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.versions import history_line
from helix_tui.engine.catalog.catalog_reader import CatalogReader
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.review import Write
from tests.conftest import Workbench
from tests.curate.lines import Script
from tests.curate.made_patterns import made_pattern
from tests.engine.reviewer import Reviewer


@pytest.fixture
def reader(bench: Workbench) -> CatalogReader:
    return CatalogReader(bench.engine().config)


def put(reader: CatalogReader, name: str, **fields: object) -> str:
    """Writes the page of a pattern by hand."""
    text = write_page(made_pattern(id=name, **fields))
    reader.root.mkdir(parents=True, exist_ok=True)
    reader.path_of(name).write_text(text)
    return text


def record(bench: Workbench, script: Script) -> None:
    journal = Journal(bench.engine().config.curate.review_log)
    with journal.locked():
        journal.append(*script.lines)


def test_pattern_is_found_by_its_candidates_too(reader: CatalogReader) -> None:
    put(reader, "one", candidates=["one", "other"])
    assert reader.pattern("other")[0].id == "one"
    assert reader.pattern("on")[0].id == "one"


def test_id_of_a_pattern_goes_before_that_of_a_candidate(reader: CatalogReader) -> None:
    put(reader, "one", candidates=["one", "two"])
    put(reader, "two")
    assert reader.pattern("two")[0].id == "two"


@pytest.mark.parametrize("name", ["", ".", "..", "../one", "/etc/passwd", "o\nne", "INDEX", "two"])
def test_hostile_name_is_as_unknown_as_any_other(reader: CatalogReader, name: str) -> None:
    put(reader, "one")
    (reader.root / "INDEX.md").write_text("mine")
    for look in (reader.pattern, reader.editions, reader.compared):
        with pytest.raises(NotFoundError):
            look(name)


def test_link_is_not_followed(reader: CatalogReader, tmp_path: Path) -> None:
    text = put(reader, "one")
    outside = tmp_path / "outside.md"
    outside.write_text(text)
    reader.path_of("two").symlink_to(outside)
    with pytest.raises(Exception, match="it is a link"):
        reader.pattern("two")


def test_version_is_since_the_one_before_was_replaced(reader: CatalogReader) -> None:
    old = write_page(made_pattern(id="one", version="1.0.0"))
    put(reader, "one", version="1.1.0")
    history = history_line(old, "1.0.0", "1.1.0", "2026-04-01T00:00:00Z", "bob")
    (reader.root / "one.history.jsonl").write_text(history)
    first, second = reader.editions("one")
    assert (first.version, first.author) == ("1.0.0", made_pattern().provenance.author)
    assert (second.version, second.at, second.author) == ("1.1.0", "2026-04-01T00:00:00Z", "bob")
    assert reader.compared("one").before == "1.0.0"


def test_history_of_a_page_that_is_gone_can_be_read(reader: CatalogReader) -> None:
    old = write_page(made_pattern(id="one", version="1.0.0"))
    reader.root.mkdir(parents=True)
    history = history_line(old, "1.0.0", "1.1.0", "2026-04-01T00:00:00Z", "bob")
    (reader.root / "one.history.jsonl").write_text(history)
    (only,) = reader.editions("one")
    assert not only.is_current
    with pytest.raises(NotFoundError):
        reader.pattern("one")


def test_unfinished_write_is_no_hand_edit(bench: Workbench, reader: CatalogReader) -> None:
    script = Script()
    text = write_page(made_pattern(id="one"))
    other = write_page(made_pattern(id="two"))
    script.say("approve", "one", pattern="one", writes=[Write("one", text)])
    script.say("approve", "two", pattern="two", writes=[Write("two", other)])
    record(bench, script)
    reader.root.mkdir(parents=True)
    reader.path_of("one").write_text(text)
    found = reader.soundness()
    assert (found.unfinished, found.edited, found.removed) == (["two"], [], [])
    assert [path.name for path in reader.restore()] == ["two.md", "INDEX.md"]
    assert reader.path_of("two").read_text() == other


def test_page_that_cannot_be_read_is_not_called_removed(
    bench: Workbench, reader: CatalogReader
) -> None:
    script = Script()
    for name in ("one", "two"):
        text = write_page(made_pattern(id=name))
        script.say("approve", name, pattern=name, writes=[Write(name, text)])
    record(bench, script)
    reader.restore()
    reader.path_of("one").write_bytes(b"\xff")
    found = reader.soundness()
    assert found.removed == []
    assert found.has_errors()


@pytest.mark.parametrize("wrong", ["kind: [problem", "# one\n"])
def test_page_that_is_not_taken_over_is_not_called_edited(
    bench: Workbench, reader: CatalogReader, wrong: str
) -> None:
    script = Script()
    text = write_page(made_pattern(id="one"))
    script.say("approve", "one", pattern="one", writes=[Write("one", text)])
    record(bench, script)
    reader.restore()
    reader.path_of("one").write_text(text.replace("kind: problem", wrong))
    found = reader.soundness()
    assert (found.edited, found.unknown) == ([], [])
    assert found.has_errors()


def test_restore_to_refuses_what_is_there(reader: CatalogReader, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        reader.restore_to(tmp_path)
    assert reader.restore_to(tmp_path / "empty") == []


def test_what_a_person_changed_by_hand_is_what_differs(bench: Workbench) -> None:
    reviewer = Reviewer(bench)
    name = next(iter(reviewer.ids))
    reviewer.approve(name, look="page")
    reader = CatalogReader(bench.engine().config)
    assert reader.compared(reviewer.ids[name]).diff == ""
    page = reviewer.page(name)
    page.write_text(page.read_text().replace("## What to do\n", "## What to do\n\n- By hand.\n"))
    assert reader.soundness().edited == [reviewer.ids[name]]
    compared = reader.compared(reviewer.ids[name])
    assert "+- By hand." in compared.diff
    assert "changed by hand" in compared.diff
    assert (compared.before, compared.after) == ("1.0.0", "1.0.0")
