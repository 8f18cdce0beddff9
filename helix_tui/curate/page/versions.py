"""Versions of a pattern: what a change is worth, and the file of the versions before."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from helix_tui.curate.page.mistakes import BadHistoryError, Mistake
from helix_tui.curate.page.pattern import Pattern, Time, Version, Word

Change = Literal["none", "patch", "minor", "major"]

_MEANING = ("kind", "error_class", "subject", "applies", "does_not_apply")
_GUIDANCE = ("guidance",)
# Who wrote a version down, and when, is no change of what it says.
_NOT_SAID = ("id", "version", "provenance")
_WORDING = tuple(
    name
    for name in Pattern.__struct_fields__
    if name not in {*_MEANING, *_GUIDANCE, *_NOT_SAID, "rendering"}
)


def change_of(before: Pattern, after: Pattern) -> Change:
    """What lies between two texts of a pattern: its meaning, its guidance, its wording, or nothing.

    Meaning is what a pattern is about, when it applies and for which files; all that is neither
    meaning nor guidance counts as wording, evidence and status as well.
    """

    def differs(names: tuple[str, ...]) -> bool:
        return any(getattr(before, name) != getattr(after, name) for name in names)

    if differs(_MEANING) or _scopes(before) != _scopes(after):
        return "major"
    if differs(_GUIDANCE):
        return "minor"
    return "patch" if differs((*_WORDING, "rendering")) else "none"


def _scopes(pattern: Pattern) -> dict[str, list[str]]:
    """For which files each agent receives it; a hint without any is for all, like no hint."""
    return {flavor: sorted(hint.scope) for flavor, hint in pattern.rendering.items() if hint.scope}


def bump(version: str, change: Change) -> str:
    """The version that follows by a change."""
    major, minor, patch = _numbers(version)
    if change == "major":
        return f"{major + 1}.0.0"
    if change == "minor":
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + (change == 'patch')}"


def next_version(before: Pattern, after: Pattern) -> str:
    """The version of a changed pattern: what it was raised to by hand where that is enough."""
    needed = bump(before.version, change_of(before, after))
    return higher_version(needed, after.version)


def higher_version(one: str, other: str) -> str:
    """The later of two versions."""
    return other if compare_versions(one, other) < 0 else one


def compare_versions(one: str, other: str) -> int:
    """Below 0 where the first is the earlier one, above 0 where it is the later."""
    left, right = _numbers(one), _numbers(other)
    return (left > right) - (left < right)


def _numbers(version: str) -> tuple[int, int, int]:
    major, minor, patch = version.split(".")
    return int(major), int(minor), int(patch)


class HistoryEntry(msgspec.Struct, frozen=True):
    """A version that was replaced, by which, when, by whom, and its whole page."""

    version: Version
    replaced_by: Version
    at: Time
    author: Word
    text: str


def history_line(
    text_before: str, version_before: str, replaced_by: str, at: str, author: str
) -> str:
    """The line that goes to the end of a history when a version is replaced."""
    entry = HistoryEntry(version_before, replaced_by, at, author, text_before)
    return msgspec.json.encode(entry).decode() + "\n"


def read_history(text: str, name: str = "history") -> list[HistoryEntry]:
    """The versions before, oldest first; `name` is that of the pattern. Blank lines say nothing."""
    entries: list[HistoryEntry] = []
    mistakes: list[Mistake] = []
    # A U+2028 in a text is no end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entries.append(msgspec.json.decode(line, type=HistoryEntry))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as refused:
            mistakes.append(Mistake(number, f"this is no version: {_said(refused)}"))
    if mistakes:
        raise BadHistoryError(f"{name}.history.jsonl", mistakes)
    return entries


def _said(refused: Any) -> str:
    return "it is nested too deeply" if isinstance(refused, RecursionError) else str(refused)
