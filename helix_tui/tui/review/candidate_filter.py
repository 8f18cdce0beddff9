"""Which lines of the list are shown and in which order: what a person typed, as a test of a row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from helix_tui.text.filter import FilterWord, filter_words, unknown_fields
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.yielding import sorted_politely, yielding

# Words that look into one field only, with what they look at.
_FIELDS: dict[str, Callable[[ReviewRow], tuple[str, ...]]] = {
    "flavor": lambda row: row.flavors,
    "repo": lambda row: row.repos,
    "kind": lambda row: (row.kind,),
    "tier": lambda row: (row.tier,),
    "verdict": lambda row: (row.verdict,),
    "state": lambda row: (row.state,),
    "told": lambda row: (row.told,),
}
FIELDS = tuple(_FIELDS)
# Each order as the place of one row, and as the field that the bulk is sorted by, from rank order.
SORTS: dict[str, Callable[[ReviewRow], Any]] = {
    "tier": lambda row: row.rank,
    "score": lambda row: (-row.score, row.rank),
    "sessions": lambda row: (-row.sessions, row.rank),
    "latest": lambda row: (-row.last_ts, row.rank),
    "tokens": lambda row: (-row.cost, row.rank),
    "title": lambda row: (row.searched, row.rank),
}
# What an order goes by, where its name does not say all of it.
ORDER_SAID = {"tier": "fix before know, XX before X, then by score", "latest": "last seen first"}
_BULK: dict[str, tuple[str, bool]] = {
    "tier": ("rank", False),
    "score": ("score", True),
    "sessions": ("listed.brief.sessions", True),
    "latest": ("last_ts", True),
    "tokens": ("listed.brief.cost_impact", True),
    "title": ("searched", False),
}


def in_order(rows: Sequence[ReviewRow], sort: str) -> list[str]:
    """The ids of ranked rows in an order; equal ones stay by rank."""
    field, is_reversed = _BULK[sort]
    ordered = sorted_politely(rows, attrgetter(field), reverse=is_reversed)
    return [row.listed.brief.id for row in yielding(ordered)]


def all_orders(rows: Collection[ReviewRow]) -> dict[str, list[str]]:
    """Every order of ranked rows, made beside the keys."""
    ranked = list(rows)
    return {sort: in_order(ranked, sort) for sort in SORTS}


class ListFilter(NamedTuple):
    """A filter as it was typed, and what it means.

    Without a word on verdicts only what waits for one is let through.
    """

    text: str
    tests: tuple[FilterWord, ...]
    is_open_only: bool

    def passes(self, row: ReviewRow) -> bool:
        """Whether a row is shown."""
        if self.is_open_only and not row.is_asked:
            return False
        for field, wanted, is_inverted in self.tests:
            if field:
                is_match = any(wanted in value.lower() for value in _FIELDS[field](row))
            else:
                is_match = wanted in row.searched
            if is_match is is_inverted:
                return False
        return True

    def narrowed(self, names: Sequence[str], rows: Mapping[str, ReviewRow]) -> list[str]:
        """Of names in an order those whose rows are let through, verdicts apart."""
        passing = list(names)
        for field, wanted, is_inverted in self.tests:
            if field:
                look = _FIELDS[field]
                passing = [
                    name
                    for name in passing
                    if any(wanted in value.lower() for value in look(rows[name])) != is_inverted
                ]
            elif is_inverted:
                passing = [name for name in passing if wanted not in rows[name].searched]
            else:
                passing = [name for name in passing if wanted in rows[name].searched]
        return passing

    def narrows(self, other: ListFilter) -> bool:
        """Whether all that this lets through the other does too, told by the words alone."""
        if self.is_open_only != other.is_open_only or len(self.tests) < len(other.tests):
            return False
        return all(
            test[0] == before[0]
            and test[2] == before[2]
            and (test[1] == before[1] if test[2] else before[1] in test[1])
            for test, before in zip(self.tests, other.tests, strict=False)
        )

    @property
    def view(self) -> str:
        """What the title of the list calls it."""
        return "open" if self.is_open_only else "all"


def filter_mistakes(wanted: ListFilter) -> str:
    """What of a filter is none, for the title of the list."""
    unknown = unknown_fields(wanted.text, _FIELDS)[:2]
    return "".join(f" · {name}: is no filter" for name in unknown)


def parse_filter(text: str) -> ListFilter:
    """Read a filter: words are all wanted, `!` inverts one, `flavor:codex` looks into a field."""
    words = filter_words(text, _FIELDS)
    tests = (word for word in words if word.wanted and word[:2] != ("verdict", "all"))
    is_open_only = all(word.field != "verdict" for word in words)
    return ListFilter(text, tuple(tests), is_open_only)


OPEN = parse_filter("")
