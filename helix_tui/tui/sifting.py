"""Which lines of the list are shown and in which order: what a person typed, as a test of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from helix_tui.tui.rows import Row

# Words that look into one field only, with what they look at.
_FIELDS: dict[str, Callable[[Row], tuple[str, ...]]] = {
    "flavor": lambda row: row.flavors,
    "repo": lambda row: row.repos,
    "kind": lambda row: (row.kind,),
    "verdict": lambda row: (row.verdict,),
    "state": lambda row: (row.state,),
}
SORTS: dict[str, Callable[[Row], object]] = {
    "rank": lambda row: row.rank,
    "sessions": lambda row: (-row.sessions, row.rank),
    "latest": lambda row: (-row.last_ts, row.rank),
    "tokens": lambda row: (-row.cost, row.rank),
    "title": lambda row: (row.title.lower(), row.rank),
}


class Sieve(NamedTuple):
    """A filter as it was typed, and what it means.

    Without a word on verdicts only what waits for one is let through.
    """

    text: str
    tests: tuple[tuple[str, str, bool], ...]
    is_open_only: bool

    def passes(self, row: Row) -> bool:
        """Whether a row is shown."""
        if self.is_open_only and not row.is_asked:
            return False
        for field, wanted, is_inverted in self.tests:
            if field:
                found = any(wanted in value.lower() for value in _FIELDS[field](row))
            else:
                found = wanted in row.searched
            if found is is_inverted:
                return False
        return True

    @property
    def view(self) -> str:
        """What the title of the list calls it."""
        return "open" if self.is_open_only else "all"


def parse_sieve(text: str) -> Sieve:
    """Reads a filter: words are all wanted, `!` inverts one, `flavor:codex` looks into a field."""
    tests: list[tuple[str, str, bool]] = []
    is_open_only = True
    for word in text.split():
        is_inverted = word.startswith("!")
        plain = word[1:] if is_inverted else word
        field, colon, value = plain.partition(":")
        if colon and field.lower() in _FIELDS:
            if field.lower() == "verdict":
                is_open_only = False
                value = "" if value.lower() == "all" else value
            if value:
                tests.append((field.lower(), value.lower(), is_inverted))
        elif plain:
            tests.append(("", plain.lower(), is_inverted))
    return Sieve(text, tuple(tests), is_open_only)


OPEN = parse_sieve("")
