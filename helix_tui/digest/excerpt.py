"""Short pieces of foreign text for keeping: redacted first, cut afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.text.redact import redact

# No text of a log holds a NUL; the line breaks end whatever a rule might read on into.
_BETWEEN = "\n\0\n"
_AT_ONCE = 16_384
# Longer than any token: the end of a window may hold half a secret, so it is never shown.
_EDGE = 256
_BLANK = re.compile(r"\s")


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text, as one piece of at most `limit` characters, with no secret in it."""
    window = 2 * limit + _EDGE
    return _kept(text[:window], limit, is_cut=len(text) > window)


def excerpt_line(text: str, limit: int) -> str:
    """The same on one line, runs of blanks made one."""
    window = 4 * limit + 4 * _EDGE
    return _kept(" ".join(text[:window].split()), limit, is_cut=len(text) > window)


def excerpts(texts: Sequence[tuple[str, int]]) -> list[str]:
    """The beginnings of many texts, each with its limit.

    They are looked over for secrets together, which costs half as much.
    """
    kept: list[str] = []
    windows: list[str] = []
    size = 0
    for text, limit in texts:
        windows.append(text[: limit + _EDGE])
        size += len(windows[-1])
        if size >= _AT_ONCE:
            kept += _redacted_together(windows)
            windows, size = [], 0
    kept += _redacted_together(windows) if windows else []
    return [
        _cut(piece, limit, is_cut=len(text) > limit + _EDGE)
        for piece, (text, limit) in zip(kept, texts, strict=True)
    ]


def _redacted_together(windows: Sequence[str]) -> list[str]:
    pieces = redact(_BETWEEN.join(windows)).split(_BETWEEN)
    # What is torn open at its end, such as a key's block, takes along what follows.
    return pieces if len(pieces) == len(windows) else list(map(redact, windows))


def _kept(piece: str, limit: int, *, is_cut: bool) -> str:
    return _cut(redact(piece), limit, is_cut=is_cut)


def _cut(kept: str, limit: int, *, is_cut: bool) -> str:
    if is_cut:
        kept = _without_half_a_word(kept[:-_EDGE])
    kept = kept.strip()
    return kept if len(kept) <= limit and not is_cut else kept[: limit - 1] + "…"


def _without_half_a_word(text: str) -> str:
    """A text that goes on, up to its last blank: half a key does not look like one."""
    blank = max(text.rfind(" "), text.rfind("\n"))
    return text[: blank + 1]


def both_ends(text: str, limit: int) -> str:
    """The beginning and the end of a long text, redacted, whole words where it was cut."""
    if len(text) <= 2 * limit:
        return redact(text)
    head = _without_half_a_word(redact(text[:limit])[:-_EDGE])
    tail = redact(text[-limit:])[_EDGE:]
    word = _BLANK.search(tail)
    return f"{head}\n{tail[word.end() :] if word else ''}"
