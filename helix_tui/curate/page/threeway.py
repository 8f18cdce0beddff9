"""Merge a person's edits of a pattern's file with Helix's changes, field by field."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from helix_tui.curate.page.pattern import Excerpt, Hint, Pattern
from helix_tui.curate.page.versions import higher_version

# Counts are ours: nobody counts by hand.
_OURS = ("id", "candidates", "evidence", "provenance")
_SETS = ("related", "supersedes")
_NESTED = ("rendering", "sections", "extra", "excerpts")
_SINGLE = tuple(
    name for name in Pattern.__struct_fields__ if name not in {*_OURS, *_SETS, *_NESTED, "version"}
)
_GONE = msgspec.UNSET


class Conflict(NamedTuple):
    """A field that both changed: the value kept and the value dropped, None if removed."""

    field: str
    kept: Any
    dropped: Any


class Merged(NamedTuple):
    """The merged pattern, and the fields in which a person's words overrode ours."""

    pattern: Pattern
    conflicts: list[Conflict]


def merge(base: Pattern | None, theirs: Pattern, ours: Pattern) -> Merged:
    """Merge our changes into a person's file.

    A field that only one side changed is taken from that side. Where both did, the person's stays
    and is reported. Counts are ours, and the later version wins. Without a base every difference
    may be a person's: only what the file leaves empty is filled in.
    """
    conflicts: list[Conflict] = []
    fields: dict[str, Any] = {"version": higher_version(ours.version, theirs.version)}
    for name in _SINGLE:
        before = getattr(base, name) if base else ""
        sides = (before, getattr(theirs, name), getattr(ours, name))
        fields[name] = _merge_value("class" if name == "error_class" else name, *sides, conflicts)
    for name in _SETS:
        fields[name] = _merge_set(
            getattr(base, name, []), getattr(theirs, name), getattr(ours, name)
        )
    for name in ("sections", "extra"):
        base_values = getattr(base, name) if base else {}
        fields[name] = _merge_fields(
            name, base_values, getattr(theirs, name), getattr(ours, name), conflicts
        )
    cited = _cited(base), _cited(theirs), _cited(ours)
    # Excerpts keep the person's order if they reordered them, else ours.
    is_ours = [name for name in cited[0] if name in cited[1]] == list(cited[1])
    excerpts = _merge_fields("excerpts", *cited, conflicts, ours_first=is_ours)
    hints = _merge_fields("rendering", _hints(base), _hints(theirs), _hints(ours), conflicts)
    fields["excerpts"] = list(excerpts.values())
    fields["rendering"] = {flavor: msgspec.convert(hint, Hint) for flavor, hint in hints.items()}
    return Merged(replace(ours, **fields), conflicts)


def _merge_value(field: str, base: Any, theirs: Any, ours: Any, conflicts: list[Conflict]) -> Any:
    if theirs in (ours, base):
        return ours
    if ours != base:
        conflicts.append(Conflict(field, _shown(theirs), _shown(ours)))
    return theirs


def _shown(value: Any) -> Any:
    return None if value is _GONE else msgspec.to_builtins(value)


def _merge_set(base: list[str], theirs: list[str], ours: list[str]) -> list[str]:
    """Merge two sets: what either added, without what either removed, in the file's order."""
    news = [name for name in ours if name not in base and name not in theirs]
    return [name for name in theirs if name in ours or name not in base] + news


def _merge_fields(
    path: str,
    base: dict[str, Any],
    theirs: dict[str, Any],
    ours: dict[str, Any],
    conflicts: list[Conflict],
    *,
    ours_first: bool = False,
) -> dict[str, Any]:
    """Merge the fields within a field one by one, in the file's order unless `ours_first`."""
    merged: dict[str, Any] = {}
    first, second = (ours, theirs) if ours_first else (theirs, ours)
    for name in dict.fromkeys([*first, *second]):
        field = f"{path}.{name}"
        before, by_hand, by_us = (side.get(name, _GONE) for side in (base, theirs, ours))
        if isinstance(by_hand, dict) and isinstance(by_us, dict):
            inside = before if isinstance(before, dict) else {}
            value: Any = _merge_fields(field, inside, by_hand, by_us, conflicts)
        else:
            value = _merge_value(field, before, by_hand, by_us, conflicts)
        if value is not _GONE:
            merged[name] = value
    return merged


def _cited(pattern: Pattern | None) -> dict[str, Excerpt]:
    excerpts = pattern.excerpts if pattern else []
    return {f"{excerpt.session} {excerpt.fingerprint}": excerpt for excerpt in excerpts}


def _hints(pattern: Pattern | None) -> dict[str, dict[str, Any]]:
    """Return hints as fields, so that an agent's wording and scope are merged separately."""
    rendering = pattern.rendering if pattern else {}
    return {
        flavor: {name: value for name, value in msgspec.to_builtins(hint).items() if value}
        for flavor, hint in rendering.items()
    }
