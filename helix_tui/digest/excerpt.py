"""Short pieces of foreign text for keeping: redacted first, cut afterwards."""

from __future__ import annotations

import re

from helix_tui.text.redact import redact

# Longer than any token: the end of a window may hold half a secret, so it is never shown.
_EDGE = 256
_END_OF_KEY = re.compile(r"-----END [A-Z ]{0,40}PRIVATE KEY-----")


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text, as one piece of at most `limit` characters, with no secret in it."""
    window = 2 * limit + _EDGE
    kept = redact(text) if len(text) <= window else redact(text[:window])[:-_EDGE]
    kept = kept.strip()
    return kept if len(kept) <= limit and len(text) <= window else kept[: limit - 1] + "…"


def excerpt_line(text: str, limit: int) -> str:
    """The same on one line, runs of blanks made one."""
    if len(text) > 4 * limit + 4 * _EDGE:
        text = text[: 4 * limit + 4 * _EDGE]
    return excerpt(" ".join(text.split()), limit)


def both_ends(text: str, limit: int) -> str:
    """The beginning and the end of a long text, redacted, whole lines where it was cut."""
    if len(text) <= 2 * limit:
        return redact(text)
    head, tail = text[:limit], text[-limit:]
    head = head[: head.rfind("\n") + 1] or head[:-_EDGE]
    tail = tail[tail.find("\n") + 1 :]
    if end := _END_OF_KEY.search(tail):
        # The key may have begun in what was left out.
        begin = tail.find("-----BEGIN ")
        if begin < 0 or begin > end.start():
            tail = tail[end.end() :]
    return f"{redact(head)}\n{redact(tail)}"
