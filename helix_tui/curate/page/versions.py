"""Versions of a pattern: rank changes, and read and write the history of earlier versions."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from helix_tui.curate.page.mistakes import BadHistoryError, Mistake
from helix_tui.curate.page.pattern import Pattern, Time, Version, Word

Change = Literal["none", "patch", "minor", "major"]

_MEANING = ("kind", "error_class", "subject", "applies", "does_not_apply")
_GUIDANCE = ("guidance", "scope", "rung", "rule", "guard", "shape")
# Who wrote a version, and when, does not change what it says.
_NOT_SAID = ("id", "version", "provenance")
_WORDING = tuple(
    name
    for name in Pattern.__struct_fields__
    if name not in {*_MEANING, *_GUIDANCE, *_NOT_SAID, "rendering"}
)


def change_of(before: Pattern, after: Pattern) -> Change:
    """Rank the change between two states: meaning, guidance, wording, or nothing.

    Guidance is also where it applies, how it is taught, and the words of its rule.

    Meaning is what a pattern is about, when it applies and for which files. Everything that is
    neither meaning nor guidance counts as wording, including evidence and status.
    """

    def differs(names: tuple[str, ...]) -> bool:
        return any(getattr(before, name) != getattr(after, name) for name in names)

    if differs(_MEANING) or _scopes(before) != _scopes(after):
        return "major"
    if differs(_GUIDANCE):
        return "minor"
    return "patch" if differs((*_WORDING, "rendering")) else "none"


def _scopes(pattern: Pattern) -> dict[str, list[str]]:
    """Return the files for which each agent receives it; a hint without scope is like none."""
    return {flavor: sorted(hint.scope) for flavor, hint in pattern.rendering.items() if hint.scope}


def bump(version: str, change: Change) -> str:
    """Return the version that follows after a change."""
    major, minor, patch = _numbers(version)
    if change == "major":
        return f"{major + 1}.0.0"
    if change == "minor":
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + (change == 'patch')}"


def next_version(before: Pattern, after: Pattern) -> str:
    """Return the version of a changed pattern; one raised by hand stays if it is enough."""
    needed = bump(before.version, change_of(before, after))
    return higher_version(needed, after.version)


def higher_version(first: str, second: str) -> str:
    """Return the later of two versions."""
    return second if compare_versions(first, second) < 0 else first


def compare_versions(first: str, second: str) -> int:
    """Compare two versions: negative where the first is earlier, positive where it is later."""
    left, right = _numbers(first), _numbers(second)
    return (left > right) - (left < right)


def _numbers(version: str) -> tuple[int, int, int]:
    major, minor, patch = version.split(".")
    return int(major), int(minor), int(patch)


class HistoryEntry(msgspec.Struct, frozen=True):
    """A version that was replaced: by which version, when, by whom, and its whole page."""

    version: Version
    replaced_by: Version
    at: Time
    author: Word
    text: str


def history_line(
    text_before: str, version_before: str, replaced_by: str, at: str, author: str
) -> str:
    """Write the line that is appended to a history when a version is replaced."""
    entry = HistoryEntry(version_before, replaced_by, at, author, text_before)
    return msgspec.json.encode(entry).decode() + "\n"


def read_history(text: str, name: str = "history") -> list[HistoryEntry]:
    """Read earlier versions, oldest first; `name` is that of the pattern. Skip blank lines."""
    entries: list[HistoryEntry] = []
    mistakes: list[Mistake] = []
    # Not `splitlines`: a U+2028 within a text ends no line.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entries.append(msgspec.json.decode(line, type=HistoryEntry))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as refused:
            mistakes.append(Mistake(number, f"this is no version: {_reason(refused)}"))
    if mistakes:
        raise BadHistoryError(f"{name}.history.jsonl", mistakes)
    return entries


def _reason(refused: Any) -> str:
    return "it is nested too deeply" if isinstance(refused, RecursionError) else str(refused)
