"""Parse a search: words, "phrases", -exclusions and beginnings*; there is no other syntax."""

from __future__ import annotations

import re

from helix_tui.errors import UsageError
from helix_tui.schema import Query, Term
from helix_tui.text.valid import valid

_LONGEST = 1000
_MOST_TERMS = 32
_SYNTAX = 'Write words, "a phrase", -without or begin*.'
# Two dashes belong to an option, such as --no-verify. A quote that is never closed extends to the
# end.
_TERM = re.compile(
    r"""(?P<no>-(?!-))?"(?P<phrase>[^"]*)(?:"(?P<more>\*)?|\Z)|(?P<but>-(?!-))?(?P<word>[^\s"]+)"""
)

# How many other matters a session worked on, as its title says it: no session has these words.
_FURTHER = re.compile(r"\s\(\+\d{1,4} more\)\s*$")


def phrase_query(text: str) -> Query:
    """All of a text as words in a row, whatever signs stand between them."""
    return Query((Term(_searchable(text), is_prefix=False),), ())


def _searchable(text: str) -> str:
    # A NUL would end the text for SQLite.
    return valid(text).replace("\ufffd", " ")


def parse_query(text: str) -> Query:
    """Parse the terms of a query; other punctuation is text, which the index ignores."""
    text = _FURTHER.sub("", _searchable(text))
    if len(text) > _LONGEST:
        raise UsageError(f"That is more than {_LONGEST:,} characters to look for.", _SYNTAX)
    wanted: dict[Term, None] = {}
    excluded: dict[Term, None] = {}
    for match in _TERM.finditer(text):
        term = _term(match)
        if any(map(str.isalnum, term.text)):
            (excluded if match["no"] or match["but"] else wanted)[term] = None
    if not wanted:
        reason = "Only what to leave out was said" if excluded else "There is no word to look for"
        raise UsageError(f"{reason}.", _SYNTAX)
    if len(wanted) + len(excluded) > _MOST_TERMS:
        raise UsageError(f"That is more than {_MOST_TERMS} words to look for.", _SYNTAX)
    return Query(tuple(wanted), tuple(excluded))


def _term(match: re.Match[str]) -> Term:
    if match["word"] is None:
        return Term(match["phrase"], bool(match["more"]))
    word = match["word"]
    return Term(word.rstrip("*"), word.endswith("*"))
