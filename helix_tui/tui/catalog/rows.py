"""What the catalog screen says of patterns: their rows, their pages, and what versions changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.effect_words import state_word

if TYPE_CHECKING:
    from helix_tui.curate.catalog.catalog import CatalogListing
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.engine.catalog.catalog_reader import Soundness
    from helix_tui.schema.context import ToldState
    from helix_tui.schema.effect import EffectState

SORTS = ("status", "sessions", "title")
_STATUSES = ("unreadable", "removed", "approved", "provisional", "deprecated")


class PatternRow(NamedTuple):
    """A pattern of the list, or a file that is none; all but its id is for the eye."""

    id: str
    title: str
    status: str
    version: str
    kind: str
    flavors: tuple[str, ...]
    sessions: int
    repos: int
    is_ready: bool
    # What of it a person should know: findings of the check, an edit by hand.
    notes: tuple[str, ...] = ()
    is_page: bool = True
    # Whether instructions say it already.
    told: ToldState = "no"
    # Whether it helped since it was taught; empty where it was not.
    effect: EffectState | Literal[""] = ""

    @property
    def words(self) -> str:
        """What a filter looks in."""
        known = (self.id, self.title, self.status, self.version, self.kind, f"told:{self.told}")
        effect = state_word(self.effect) if self.effect else ""
        return " ".join((*known, effect, *self.flavors, *self.notes)).lower()


def rows_of(listing: CatalogListing, sound: Soundness | None) -> list[PatternRow]:
    """Every pattern with what is wrong with it, and every file that cannot be read as one."""
    notes = _notes_of(listing, sound)
    rows = [_row(pattern, notes.pop(pattern.id, ())) for pattern in listing.patterns.values()]
    for name, texts in notes.items():
        is_gone = sound is not None and name in sound.removed
        is_bad = any(note.startswith("✗") for note in texts)
        status = "removed" if is_gone else "unreadable" if is_bad else "no pattern"
        shown = safe_line(name, 200)
        rows.append(PatternRow(name, shown, status, "", "", (), 0, 0, False, tuple(texts), False))
    return sorted_rows(rows, "status")


def _row(pattern: Pattern, notes: Sequence[str]) -> PatternRow:
    return PatternRow(
        pattern.id,
        safe_line(pattern.title, 200),
        pattern.status,
        pattern.version,
        pattern.kind,
        tuple(safe_line(flavor, 20) for flavor in sorted(pattern.evidence.flavors)),
        pattern.evidence.sessions,
        pattern.evidence.repos,
        pattern.distribution_ready,
        tuple(notes),
    )


def _notes_of(listing: CatalogListing, sound: Soundness | None) -> dict[str, list[str]]:
    """What there is to say of each file, by the id that it is named after."""
    notes: dict[str, list[str]] = {}

    def note(name: str, text: str) -> None:
        texts = notes.setdefault(name, [])
        if text not in texts:
            texts.append(text)

    for path, line, reason in listing.bad:
        note(_id_of(path.name), f"✗ {safe_line(path.name, 120)}:{line}: {safe_line(reason, 300)}")
    if sound is None:
        return notes
    for path, line, reason, level in sound.findings:
        sign = "✗" if level == "error" else "!"
        where = f"{safe_line(path.name, 120)}:{line}"
        note(_id_of(path.name), f"{sign} {where}: {safe_line(reason, 300)}")
    for names, text in (
        (sound.edited, "! edited by hand; the next verdict takes note of it"),
        (sound.unknown, "! not in the journal yet; the next verdict takes note of it"),
        (sound.removed, "! its file was removed by hand; the next verdict takes note of it"),
        (sound.unfinished, "! its file is not written yet; the next verdict writes it"),
    ):
        for name in names:
            note(name, text)
    return notes


def _id_of(file: str) -> str:
    for suffix in (".history.jsonl", ".md"):
        if file.endswith(suffix):
            return file.removesuffix(suffix)
    return file


def sorted_rows(rows: Iterable[PatternRow], sort: str) -> list[PatternRow]:
    """Rows by status, what cannot be read first, by sessions or by title."""

    def key(row: PatternRow) -> tuple[int, int, str]:
        is_known = row.status in _STATUSES
        status = _STATUSES.index(row.status) if is_known else len(_STATUSES)
        if sort == "title":
            return 0, 0, row.title.casefold()
        return (status if sort == "status" else 0), -row.sessions, row.id

    return sorted(rows, key=key)


def catalog_title(rows: Sequence[PatternRow], shown: int, damaged: int) -> str:
    """How many there are, and what is wrong."""
    parts = [f"{shown:,} of {len(rows):,}"]
    if bad := sum(row.status == "unreadable" for row in rows):
        parts.append(f"✗ {bad:,} cannot be read")
    if noted := sum(bool(row.notes) for row in rows if row.status != "unreadable"):
        parts.append(f"! {noted:,} to look at")
    if damaged:
        parts.append(f"✗ {damaged:,} damaged lines in the journal")
    return " · ".join(parts)
