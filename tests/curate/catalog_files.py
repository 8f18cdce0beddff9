"""Files of a catalog folder and of its history, and pages put into it."""

from __future__ import annotations

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.versions import history_line
from helix_tui.schema.review import PatternFiles
from tests.curate.made_patterns import made_pattern


def page(name: str, **fields: object) -> str:
    return write_page(made_pattern(id=name, candidates=[name], **fields))


def history(name: str, text: str | None = None) -> str:
    return history_line(text or page(name), "1.0.0", "1.0.1", "2026-06-03T09:00:00Z", "Ada")


def files(name: str, was: str = "", **fields: object) -> PatternFiles:
    return PatternFiles(page(name, **fields), was)


def put(catalog: Catalog, **projection: PatternFiles) -> list[str]:
    return [path.name for path in catalog.apply(projection, set(projection))]
