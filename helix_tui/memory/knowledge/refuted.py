"""Which lines of causes later sessions have refuted: the check passes, the error came back.

A cause stands in an article until a later session of the repository shows that it is none, or
that what it speaks of was mended. The line stays in its daily log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from helix_tui.memory.knowledge.article import SEEN
from helix_tui.memory.knowledge.cures import error_of
from helix_tui.memory.knowledge.open_ends import FILE, is_aimed, runs_check
from helix_tui.memory.knowledge.session_facts import Held, SessionFacts, facts_of

_BARE = "The agent: "
_STILL_RED = re.compile(
    r"`(?P<check>[\w.:@/ -]{3,60})`+ (?:still |now |also )?(?:fails|is (?:failing|red|broken)"
    r"|can(?:no|['’])t pass|does not pass|doesn['’]t pass)\b"
)
_THEN_EDITED = "`; it then edited `"


def refuted_lines(
    cited: Iterable[tuple[str, str, Sequence[str]]], entries: Sequence[Held]
) -> Iterator[str]:
    """The lines of an article that later entries refute; `cited` are its lines with their links."""
    ordered = sorted(entries, key=lambda one: (one.day, one.entry.time))
    places = {one.cited: at for at, one in enumerate(ordered)}
    facts = [facts_of(one.entry) for one in ordered]
    for section, line, links in cited:
        known = [places[link] for link in links if link in places]
        if section != SEEN or len(known) < len(links) or not known:
            continue
        at = max(known)
        if (
            _passes(line, facts[at:])
            or _was_mended(line, facts[at], facts[at + 1 :])
            or _came_back(line, ordered[at + 1 :])
        ):
            yield line


def _passes(line: str, since: Sequence[SessionFacts]) -> bool:
    """Whether a line says that a check fails, and it passed later, or in the session's end."""
    red = _STILL_RED.search(line)
    return red is not None and any(
        runs_check(command, red["check"]) and not is_aimed(command)
        for one in since
        if not one.is_red
        for command in one.green
    )


def _was_mended(line: str, own: SessionFacts, later: Sequence[SessionFacts]) -> bool:
    """Whether a line is what a session that changed nothing found, and its file was changed."""
    if not line.startswith(_BARE) or own.has_edits or own.is_committed:
        return False
    files = {name.casefold() for name in FILE.findall(line)}
    return any(files & one.changed for one in later if one.is_committed or one.is_proved)


def _came_back(line: str, later: Sequence[Held]) -> bool:
    """Whether the error that an edit was to cure came up again in a later session."""
    error = error_of(line)
    if not error or _THEN_EDITED not in line:
        return False
    return any(
        error == error_of(other) for one in later for other in one.entry.lines.get("lessons", [])
    )
