"""In which words two command lines differ: what was added to one, or one word for another."""

from __future__ import annotations

import re
import shlex

_CUT = "…"
_LINKED = re.compile(r" (?:&&|;) |; ")


def links_of(command: str) -> list[str]:
    """Return the commands of a chain, each by itself."""
    return [link.strip() for link in _LINKED.split(command)]


def differing_part(failed: str, works: str) -> tuple[str, str]:
    """Of two chains of commands that differ in one command, that one; else both whole."""
    olds, news = links_of(failed), links_of(works)
    pairs = [(old, new) for old, new in zip(olds, news, strict=False) if old != new]
    return pairs[0] if len(olds) == len(news) and len(pairs) == 1 else (failed, works)


def added_in(failed: str, works: str) -> str:
    """Return the words that stand in one place of what works and not in what failed."""
    failed, works = differing_part(failed, works)
    olds, news = failed.split(), works.split()
    more = len(news) - len(olds)
    if more <= 0 or _CUT in failed + works:
        return ""
    at = next((at for at, old in enumerate(olds) if old != news[at]), len(olds))
    return " ".join(news[at : at + more]) if olds[at:] == news[at + more :] else ""


def exchanged_in(failed: str, works: str) -> tuple[str, str]:
    """Return the one word that stands in the place of another, with that; nothing where more do."""
    try:
        olds, news = (shlex.split(part) for part in differing_part(failed, works))
    except ValueError:  # a quotation that was cut
        return "", ""
    pairs = [(old, new) for old, new in zip(olds, news, strict=False) if old != new]
    return pairs[0] if len(olds) == len(news) and len(pairs) == 1 else ("", "")
