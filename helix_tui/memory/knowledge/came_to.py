"""What a session came to: what its agent reported, that of the request of its title first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.prose import at_a_pause
from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.session_facts import SPANS, matter_of, title_of_entry
from helix_tui.text.markdown import code_span, said_in

_ON_THAT = "On that the agent"
_GOES_ON = ("and: ", "and proposed: ")
_BY_AGENT = re.compile(r"^(?:On that the|The) agent(?: proposed)?: |`+ → the agent(?: proposed)?: ")
# What did not stand.
FELL = re.compile(
    r"\((?:the user objected|the user reported trouble|the agent took it back) next\)$"
)
_LENGTH = 240
_LEAST = 40
# What a report says of the state of a moment, or offers, or of how to use what was made.
_IDLE = re.compile(
    r"(?i)^\W*(?:push status|branch status|current branch|you can\b|you['’]re all set|you just\b"
    r"|(?:if [^,]{1,60}, )?i (?:can|could)\b|want me\b)"
)
# A red check that the agent says was red before, or is no matter of its work.
_NOT_OURS = re.compile(
    r"(?i)\b(?:pre-?existing|unrelated|not (?:related|caused|introduced)|already (?:failing|broken)"
    r"|outside (?:of )?(?:the |this |my )?\w* ?scope|before (?:my|these|this|the) (?:edit|change))"
)
# That a remote was out of reach is of its moment.
OUT_OF_REACH = re.compile(
    r"(?i)\b(?:push|pull|fetch|remote|ssh|network|https|sandbox\w*)\b.{0,120}\b(?:timed? ?out"
    r"|failed|blocked|could not|did not|denied|restricted|not have (?:push )?permission|cannot"
    r"|can['’]?t)\b"
    r"|\bcan(?:no|['’])?t access (?:external|the (?:internet|network))"
)
_RED = re.compile(r"last seen red|failed, and was not run")


def came_to(entry: DailyEntry, most: int, told: str = "") -> list[str]:
    """The reports of a session that stand, as they are quoted, but for what is `told` already."""
    found: list[str] = []
    for line in _best_first(entry):
        said = said_in(_last_span(line))
        if len(said) < _LEAST or _IDLE.match(said) or said in told:
            continue
        if OUT_OF_REACH.search(said):
            continue
        if len(found) < most:
            found.append(code_span(at_a_pause(said, _LENGTH)))
    return found


def _best_first(entry: DailyEntry) -> Iterator[str]:
    """The lines of exchanges with what an agent said, those on the title's request first."""
    groups: list[list[str]] = []
    for line in entry.lines.get("key_exchanges", []):
        if _BY_AGENT.search(line) or not groups:
            groups.append([line])
        elif line.startswith(_GOES_ON):
            groups[-1].append(line)
    title = matter_of(title_of_entry(entry.text))
    standing = [some for some in groups if not FELL.search(some[0])]
    has_fallen = len(standing) < len(groups)
    # Of equals the last: it stands on what was found before.
    ranked = sorted(enumerate(standing), key=lambda row: (-_nearness(row[1], title), -row[0]))
    for _, some in ranked:
        # Where a report did not stand, what else is told of may be another matter.
        if not has_fallen or _nearness(some, title):
            yield from some


def _nearness(lines: list[str], title: frozenset[str]) -> int:
    if lines[0].startswith(_ON_THAT):
        return len(title) + 1
    return len(title & matter_of(" ".join(lines)))


def caveat(entry: DailyEntry, line: str) -> str:
    """Where a line tells of a red check: the agent's word that it was red before its work."""
    if not _RED.search(line):
        return ""
    for field in ("lessons", "key_exchanges", "actions"):
        for said in entry.lines.get(field, []):
            span = _last_span(said)
            if span and _NOT_OURS.search(span) and span not in line:
                return f" (the agent: {code_span(at_a_pause(said_in(span), _LENGTH))})"
    return ""


def _last_span(line: str) -> str:
    spans = [match[0] for match in SPANS.finditer(line)]
    return spans[-1] if spans else ""
