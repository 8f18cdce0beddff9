"""The title that an agent's own record gives a session, and whether it says what the work was."""

from __future__ import annotations

import json
import re

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.title.line import LENGTH, as_title
from helix_tui.digest.title.prompt import Titled
from helix_tui.digest.title.telling import ENOUGH, has_name, telling_words
from helix_tui.schema import Facts
from helix_tui.text.lazy import lazy

# How much an agent's own title counts: one that it made, one that a person gave.
MADE, GIVEN = 1, 2
# What only says that there is a session.
_GENERIC = frozenset(
    (
        *("a", "an", "the", "of", "in", "on", "my", "from", "for", "and", "no", "new", "test"),
        *("untitled", "unnamed", "default", "title", "session", "sessions", "chat", "thread"),
        *("conversation", "transcript", "log", "file", "task", "agent", "code", "cli"),
        *("claude", "codex", "grok", "gemini", "cursor", "copy", "copied", "started"),
        *("synthetic", "imported", "converted", "generated", "resumed", "forked"),
    )
)
_WORD = re.compile(r"[^\W_]+")
# Records of an agent's own titles, by how their event begins, the field that has it, and its rank.
_OWN = (
    ("title: ", "title", MADE),
    ("custom-title: ", "customTitle", GIVEN),
    ("ai-title: ", "aiTitle", MADE),
    ("summary: ", "summary", MADE),
    ('{"type":"thread_name_updated"', "thread_name", GIVEN),
)
_OWN_STARTS = tuple(start for start, _, _ in _OWN)
# An agent's or a worker's name with a number or a hash behind it, as programs name what they start.
_NUMBERED = lazy(
    r"(?i)(?:[a-z]{1,20}[\s_-]+)?(?:\[[\w-]{1,40}\]\s*)?"
    r"(?:sub-?agent|worker|reviewer|task|job|run|agent|thread|session)"
    r"(?:[\s_#-]+[a-z]{1,20}){0,2}(?:[\s_#-]+(?=[\da-f-]*\d)[\da-f]{1,36}){1,6}$"
)
# Whom a client gave the task to, behind its label.
_GIVEN_TO = lazy(r"\s*\(@[\w-]{1,40} sub-?agent\)$")
# What every label may say, as stems: the form of the work, and not what it is about.
_FORM = frozenset(
    (
        *("agent", "assistant", "checklist", "codebas", "comparison", "conversation", "execut"),
        *("execution", "explor", "exploration", "final", "guid", "guideline", "identify"),
        *("instruction", "overview", "part", "phas", "process", "report", "requirement", "round"),
        *("step", "structur", "subagent", "subject", "summary", "topic", "workflow", "analysi"),
        *("improvement", "enhancement", "cor", "doc", "development", "auto"),
        *("analyz", "analys", "architectur", "investigat", "research", "simplification"),
    )
)
_WHO = lazy(r"(?i)(?:^|[.!?\n]\s*|\W{2})(?:you are|you're|your name is|act as)\s([^.!?\n]{2,200})")


def own_title(text: str) -> Titled | None:
    """The title that an agent's own record gives, unless it says nothing."""
    if not text.startswith(_OWN_STARTS):
        return None
    start, field, rank = next(row for row in _OWN if text.startswith(row[0]))
    body = text if start.startswith("{") else text.removeprefix(start)
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        record = {field: body}
    value = record.get(field) if isinstance(record, dict) else None
    if isinstance(record, dict) and record.get("by") == "person":
        rank = GIVEN
    title = as_title(excerpt_line(value, 2 * LENGTH)) if isinstance(value, str) else ""
    return Titled(rank, title) if title and (rank == GIVEN or not is_generic(title)) else None


def note_own_title(facts: Facts, ts: int | None, text: str) -> str:
    """Take the title that an agent's record gives, if it does; return it.

    One that a person gave stands above one that was made, and the latest above those before it.
    """
    own = own_title(text)
    if own is None:
        return ""
    if (own.rank, ts or 0) >= (facts.own_title_rank, facts.own_title_ts or 0):
        facts.own_title, facts.own_title_rank, facts.own_title_ts = own.text, own.rank, ts
    return own.text


def is_generic(title: str) -> bool:
    """Whether a title only says that there is a session."""
    return all(word in _GENERIC or word.isdigit() for word in _WORD.findall(title.lower()))


def label_of(facts: Facts) -> str:
    """The agent's own title without marks of whom the task was given to; nothing for a number."""
    label = _GIVEN_TO.sub("", facts.own_title)
    return "" if _NUMBERED.fullmatch(label) else label


def is_vague(facts: Facts, label: str) -> bool:
    """Whether a label names nothing beyond the form of the work and who the agent shall be.

    What a person called a session stays, unless it only says who the agent is.
    """
    if has_name(label):
        return False
    words, who = words_of_matter(label), _words_of_who(facts)
    return not words - who and (facts.own_title_rank == MADE or bool(words & who))


def names_who(facts: Facts, label: str) -> bool:
    """Whether a label that was made speaks of who the agent is, as of a template it does."""
    return facts.own_title_rank == MADE and bool(words_of_matter(label) & _words_of_who(facts))


def words_of_matter(text: str) -> set[str]:
    """The telling words of a label but for those of the form of the work."""
    return {word for word in telling_words(text) if word not in _FORM}


def tells_more(facts: Facts, text: str) -> bool:
    """Whether a text says enough of the work besides its form and who the agent shall be."""
    return len(words_of_matter(text) - _words_of_who(facts)) >= ENOUGH


def _words_of_who(facts: Facts) -> set[str]:
    """The words by which an agent is told who it is, but for those of its task."""
    said = " ".join(_WHO.findall(facts.first_prompt))
    who = {*telling_words(said), *telling_words(said.replace("-", " "))}
    task = set(telling_words(facts.asked_title))
    return who if task <= who else who - task
