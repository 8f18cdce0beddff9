"""Reads what somebody looks for: words, "phrases", -exclusions and beginnings*; no more syntax."""

from __future__ import annotations

import re

from helix_tui.errors import UsageError
from helix_tui.schema import Query, Term
from helix_tui.text.valid import valid

_LONGEST = 1000
_MOST_TERMS = 32
_SYNTAX = 'Write words, "a phrase", -without or begin*.'
# A dash before another one belongs to an option, such as --no-verify. A quote that is never closed
# goes on to the end.
_TERM = re.compile(
    r"""(?P<no>-(?!-))?"(?P<phrase>[^"]*)(?:"(?P<more>\*)?|\Z)|(?P<but>-(?!-))?(?P<word>[^\s"]+)"""
)


def parse_query(text: str) -> Query:
    """The terms of a query; every other sign in it is taken as text, which the index leaves out."""
    # A NUL would end the text for SQLite.
    text = valid(text).replace("\ufffd", " ")
    if len(text) > _LONGEST:
        raise UsageError(f"That is more than {_LONGEST:,} characters to look for.", _SYNTAX)
    wanted: dict[Term, None] = {}
    excluded: dict[Term, None] = {}
    for found in _TERM.finditer(text):
        term = _term(found)
        if any(map(str.isalnum, term.text)):
            (excluded if found["no"] or found["but"] else wanted)[term] = None
    if not wanted:
        what = "Only what to leave out was said" if excluded else "There is no word to look for"
        raise UsageError(f"{what}.", _SYNTAX)
    if len(wanted) + len(excluded) > _MOST_TERMS:
        raise UsageError(f"That is more than {_MOST_TERMS} words to look for.", _SYNTAX)
    return Query(tuple(wanted), tuple(excluded))


def _term(found: re.Match[str]) -> Term:
    if found["word"] is None:
        return Term(found["phrase"], bool(found["more"]))
    word = found["word"]
    return Term(word.rstrip("*"), word.endswith("*"))
