"""The last sessions of a repository, a line each: what they were about, and what came of them.

Sessions of one matter are one line, by the newest of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from helix_tui.memory.distill.prose import at_a_pause
from helix_tui.memory.knowledge.came_to import REPORTED, came_to, caveat
from helix_tui.memory.knowledge.cures import OWN_FOLDER
from helix_tui.memory.knowledge.open_ends import is_green_since
from helix_tui.memory.knowledge.session_facts import (
    Held,
    SessionFacts,
    facts_of,
    is_one_matter,
    matter_of,
)
from helix_tui.memory.knowledge.worth import lessons_of
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span, said_in

MOST_LAST = 5
_MOST_CITED = 3
_EXAMINED = 2
_REPORT_LENGTH = 160
_COMMITTED = "Committed: "
# What says of a state no more than the word before it.
_VAGUE = re.compile(r": `(?:a check passed before|work was committed before)`$")
# The command of a check that passed: it is told with the checks.
_COMMAND = re.compile(r"(?<= passed)(?P<rest>[^`:]*): [^`]*(?=`)")
_RED_CLAUSE = re.compile(
    r"; [\w .-]{2,40}? was last seen red[^`;]*|; `+[\w .-]{2,40}? was last seen red[^`]*`+"
)
_NOT_PUSHED = re.compile(
    r"(?:^|[;,] )(?:not pushed in this session|pushed but for the last (?:\d+ )?commits?)"
)
# A state that is worth a line only with what was reported.
_UNKNOWN = re.compile(r"^(?:not known\b|partly done$|not done$|broken off$)")
# Which request a report answers is in the entry: a line is short.
_REPORT = re.compile(r"(?:on `+.*?`+ )?(?P<who>the agent(?: proposed)?): (?P<said>`.*`)$")


def last_sessions(latest: Sequence[Held]) -> Iterator[tuple[str, list[str]]]:
    """The lines on the last matters with their citations; entries come the latest first."""
    matters: list[tuple[frozenset[str], list[Held], str]] = []
    later: list[SessionFacts] = []
    for one in latest:
        facts = facts_of(one.entry)
        words = matter_of(facts.title)
        known = (
            some
            for matter, some, _ in matters
            if facts.title == facts_of(some[0].entry).title or is_one_matter(matter, words)
        )
        if facts.title and (facts.is_begun or len(latest) == 1):
            if (some := next(known, None)) is not None:
                some.append(one)
            else:
                matters.append((words, [one], _state(one, facts, later)))
        later.append(facts)
    told = (_line(some, state) for _, some, state in matters)
    # A session of which nothing is known but its title is in the list of sessions.
    yield from islice(filter(None, told), MOST_LAST)


def _state(one: Held, facts: SessionFacts, later: Sequence[SessionFacts]) -> str:
    """How a session stands by its entry, without what later ones have changed since."""
    state = _COMMAND.sub(r"\g<rest>", OWN_FOLDER.sub("", _VAGUE.sub("", facts.state)))
    if any(other.is_pushed for other in later):
        state = _NOT_PUSHED.sub("", state).strip("; ")
    if is_green_since(state, later):
        without = _RED_CLAUSE.sub("", state)
        state = without if without != state else f"{state} (green in a later session)"
    else:
        state += caveat(one.entry, state)
    if not state and facts.is_committed:
        state = "committed and pushed" if facts.is_pushed else "committed"
    # What was left in the tree may have gone into any commit since.
    is_kept = any(other.is_committed for other in later)
    if is_kept and facts.uncommitted:
        state = state.removesuffix(facts.uncommitted).rstrip("; ,")
    is_kept = is_kept or facts.uncommitted in state
    return "; ".join(filter(None, (state, "" if is_kept else facts.uncommitted)))


def _line(some: Sequence[Held], state: str) -> tuple[str, list[str]] | None:
    facts = facts_of(some[0].entry)
    # What an article tells as a cause or a decision is not told again.
    reports = (came_to(one.entry, _EXAMINED, _below(one) + state) for one in some)
    lines = next(filter(None, reports), [])
    # The title says what was asked; what answers another request comes after that.
    told = [line for line in lines if not line.startswith("and: ")]
    report = next((line for line in told if line.startswith(REPORTED)), "".join(told[-1:]))
    came = _short(report) or _last_commit(facts)
    is_known = state and not _UNKNOWN.match(state) and state != facts.uncommitted
    if not came and not is_known:
        return None
    ids = {one.entry.short_id for one in some}
    often = f" ({plural(len(ids), 'session')} of this)" if len(ids) > 1 else ""
    text = f"{facts.title}{often}{f': {state}' if state else ''}"
    return "; ".join(filter(None, (text, came))), [one.cited for one in some[:_MOST_CITED]]


def _short(report: str) -> str:
    match = _REPORT.match(report)
    if match is None:
        return report
    return f"{match['who']}: {code_span(at_a_pause(said_in(match['said']), _REPORT_LENGTH))}"


def _last_commit(facts: SessionFacts) -> str:
    """The last commit of a session, unless its title names it."""
    title = matter_of(facts.title)
    for line in reversed(facts.kept):
        subject = line.removeprefix(_COMMITTED)
        words = matter_of(subject)
        if subject != line and not words <= title and not is_one_matter(words, title):
            return f"{_COMMITTED.lower()}{subject}"
    return ""


def _below(one: Held) -> str:
    """What the article's sections have of an entry."""
    return "\n".join(lesson.text for lesson in lessons_of(one.entry, one.day))
