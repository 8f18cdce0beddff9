"""Find sessions of the team by the words that their machines share."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from helix_tui.errors import UsageError
from helix_tui.schema.team import SharedFold
from helix_tui.team.asking import PAGE, Asker

_WORD = re.compile(r"[^\W_]+")


class TeamHit(NamedTuple):
    """A session that matches; the transcript opens where it lies, with its member."""

    uid: str
    flavor: str
    repo: str
    outcome: str
    last_ts: int | None
    member: str
    title: str


def query_of(text: str) -> str:
    """A question as PostgreSQL reads one: every word has to be there, none behind a minus may."""
    parts: list[str] = []
    for token in text.lower().split():
        words = _WORD.findall(token)
        if not words:
            continue
        joined = " & ".join(f"'{word}'" for word in words)
        parts.append(f"!({joined})" if token.startswith("-") else joined)
    if not any(not part.startswith("!") for part in parts):
        raise UsageError("There is no word to search for.", "Such as: helix search deadlock --team")
    return " & ".join(parts)


def search_team(asker: Asker, text: str, limit: int) -> list[TeamHit]:
    """The sessions that have every word of a question, the newest months first.

    The newest first: how often a word occurs is not known, since each is kept once.
    """
    found = asker.ask("find", query_of(text), min(limit, PAGE))
    if not found:
        return []
    keys, months = ([row[at] for row in found] for at in (0, 1))
    hits = asker.ask("found", keys, months)
    return [TeamHit._make((*row[:-1], _title(row[-1]))) for row in hits]


def _title(data: str | None) -> str:
    return msgspec.json.decode(data, type=SharedFold).title if data else ""
