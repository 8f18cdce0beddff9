"""Keep the section of what holds: which entries it is made of, and what of it a person took.

What Helix wrote last stands in a comment at the end of the article, as hashes: so article and
state change in one step.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from helix_tui.files.regular import read_regular_text
from helix_tui.memory.flush.daily import daily_logs
from helix_tui.memory.flush.entry import NO_REPOSITORY, read_entries
from helix_tui.memory.knowledge.article import (
    HOLDS,
    LATEST,
    OPEN,
    Lesson,
    cited_lines,
    held_texts,
    with_holds,
)
from helix_tui.memory.knowledge.holds import LAST, OPENED, hash_of, holds
from helix_tui.memory.knowledge.session_facts import Held
from helix_tui.memory.places import MemoryPlaces

_STATE = re.compile(r"\n*<!-- helix holds (?P<state>\{[^\n]*\}) -->\n*")


# What holds is of late; so a compilation costs the same however long there has been a memory.
_MOST_LOGS = 90


class _Kept(msgspec.Struct):
    """The hashes of the lines that Helix wrote last, by key, and the keys that a person took."""

    written: dict[str, str] = {}
    taken: list[str] = []


def held_entries(places: MemoryPlaces, titles: Collection[str]) -> dict[str, list[Held]]:
    """The entries of these repositories, of the latest daily logs."""
    found: dict[str, list[Held]] = {title: [] for title in titles}
    if any(title != NO_REPOSITORY for title in titles):
        for path in daily_logs(places)[-_MOST_LOGS:]:
            for entry in read_entries(read_regular_text(path, "replace")):
                # Folders that belong to no repository have nothing in common.
                if entry.repo in found and entry.repo != NO_REPOSITORY and entry.lines:
                    found[entry.repo].append(Held(path.stem, entry))
    return found


def is_worth_holding(entries: Sequence[Held]) -> bool:
    """Whether an article is worth it that has nothing but what holds."""
    # What is known of one session, and came to nothing, stands in its entry.
    return (len(entries) > 1 and bool(holds(entries))) or any(
        not one.key.startswith(LAST) for one in holds(entries)
    )


def with_what_holds(article: str, entries: Sequence[Held]) -> str:
    """The article with what holds by these entries, but what a person changed or took out of it."""
    kept = _kept(article)
    body = _STATE.sub("\n", article)
    standing = {hash_of(text) for text in held_texts(body)}
    taken = {*kept.taken, *(key for key, said in kept.written.items() if said not in standing)}
    # What came back in the very words is a line of the article already, cited as often.
    often = {text for _, text, links in cited_lines(body) if len(links) > 1}
    found = [
        one
        for one in holds(entries)
        if one.key not in taken and not any(one.text.endswith(f": {text}") for text in often)
    ]
    # What nobody worked on lately stands as it was.
    if not entries or (not found and not kept.written and not taken):
        return article
    ours = frozenset(kept.written.values())
    after = body
    for section in (HOLDS, OPEN, LATEST):
        lines = [one for one in found if _section_of(one.key) == section]
        after = with_holds(
            after,
            [Lesson("", one.text, "") for one in lines],
            [one.cited for one in lines],
            lambda text: hash_of(text) in ours,
            section,
        )
    state = _Kept({one.key: hash_of(one.text) for one in found}, sorted(taken))
    return f"{after.rstrip()}\n\n<!-- helix holds {msgspec.json.encode(state).decode()} -->\n"


def _section_of(key: str) -> str:
    """The section of a line of what holds, by its key."""
    return LATEST if key.startswith(LAST) else OPEN if key.startswith(OPENED) else HOLDS


def _kept(article: str) -> _Kept:
    match = _STATE.search(article)
    if match is None:
        return _Kept()
    try:
        return msgspec.json.decode(match["state"], type=_Kept)
    except msgspec.DecodeError:
        return _Kept()  # then the lines that stand are taken for a person's, and stay
