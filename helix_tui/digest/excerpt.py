"""Short pieces of foreign text for keeping: redacted first, cut afterwards."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.redact import redact

# Longer than any token: the end of a window may hold half a secret, so it is never shown.
_EDGE = 256
_LINES_BEFORE = 2
_BLANK = re.compile(r"\s")


@lru_cache(maxsize=256)
def _redacted(text: str) -> str:
    # A text is kept in several lengths, one right after the other, and programs say the same again.
    return redact(text)


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text, as one piece of at most `limit` characters, with no secret in it."""
    window = 2 * limit + _EDGE
    return _kept(text[:window], limit, is_cut=len(text) > window)


def excerpt_line(text: str, limit: int) -> str:
    """The same on one line, runs of blanks made one."""
    window = 4 * limit + 4 * _EDGE
    return _kept(" ".join(text[:window].split()), limit, is_cut=len(text) > window)


def beginning(text: str, limit: int) -> str:
    """An excerpt of a text of which there are many: what redaction takes out is not made up for."""
    window = limit + _EDGE
    return _kept(text[:window], limit, is_cut=len(text) > window)


def _kept(piece: str, limit: int, *, is_cut: bool) -> str:
    kept = _redacted(piece)
    if is_cut:
        kept = _without_half_a_word(kept[:-_EDGE])
    kept = kept.strip()
    return kept if len(kept) <= limit and not is_cut else kept[: limit - 1] + "…"


def _without_half_a_word(text: str) -> str:
    """A text that goes on, up to its last blank: half a key does not look like one."""
    blank = max(text.rfind(" "), text.rfind("\n"))
    return text[: blank + 1]


def around(text: str, line: str, limit: int) -> str:
    """The lines around one of a text that is redacted; what is left out is marked."""
    if len(text) <= limit:
        return text
    at = max(0, text.find(line)) if line else 0
    start = at
    for _ in range(_LINES_BEFORE):
        before = text.rfind("\n", 0, max(0, start - 1))
        if at - before > limit // 4:
            break
        start = before + 1
        if not start:
            break
    head = "…\n" if start else ""
    piece = head + text[start:]
    return piece if len(piece) <= limit else piece[: limit - 1] + "…"


def ending(text: str, limit: int) -> str:
    """The end of a text, redacted, beginning with a whole word where it was cut."""
    if len(text) <= limit + _EDGE:
        return redact(text)
    tail = redact(text[-(limit + _EDGE) :])[_EDGE:]
    word = _BLANK.search(tail)
    return tail[word.end() :] if word else ""


def both_ends(text: str, limit: int) -> str:
    """The beginning and the end of a long text, redacted, whole words where it was cut."""
    if len(text) <= 2 * limit:
        return _redacted(text)
    head = _without_half_a_word(redact(text[:limit])[:-_EDGE])
    tail = redact(text[-limit:])[_EDGE:]
    word = _BLANK.search(tail)
    return f"{head}\n{tail[word.end() :] if word else ''}"
