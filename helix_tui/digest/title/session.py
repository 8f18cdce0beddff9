"""A session's title: the agent's own, else what was asked for in earnest, else what was done.

Of requests the first that says what it is about counts, unless the agent spent many times as much
on another one. Where no request says what it is about, what the agent calls the work is taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import NamedTuple

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.title.line import LENGTH, as_title, cut_behind_phrase
from helix_tui.digest.title.named import BY_AGENT
from helix_tui.digest.title.prompt import (
    BARE,
    POINTING,
    TASK,
    Titled,
    asks_for_something,
    begins_with_it,
    title_of_prompt,
)
from helix_tui.digest.title.telling import ENOUGH, telling_words
from helix_tui.schema import Facts, TurnFact

# How much an agent's own title counts: one that it made, one that a person gave.
MADE, GIVEN = 1, 2
# The first request gives way to one on which the agent spent this many times as much.
_TIMES_MORE = 5
# Vague words up to this length are shown before what the work is called.
_SHORT = 36
_MOST_TURNS = 120
# Requests that are alike so far are of one template.
_BEGINNING = 40
# An agent that greets though nobody spoke to it, as sub-agents do that are only warmed up.
_NOTHING_ASKED = "Nothing was asked"
_HEADING = re.compile(r"(?m)^#{1,4}\s+(?:\W{0,4}summary:?\s+)?(\S.{7,200})$", re.I)
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


class _Request(NamedTuple):
    """A request with what the agent spent on it, up to the next one."""

    title: Titled
    spent: int


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


def note_asked_title(facts: Facts, prompt: str, offered: Collection[int]) -> None:
    """Take what a prompt would call its session, if it says that better than those before it."""
    if facts.asked_title_rank < TASK:
        asked = title_of_prompt(prompt, offered)
        if asked.rank > facts.asked_title_rank:
            facts.asked_title, facts.asked_title_rank = asked.text, asked.rank


def session_title(facts: Facts) -> str:
    """What a session is called: by its agent, by what was asked, else by what was done."""
    if facts.own_title:
        return facts.own_title
    asked = Titled(facts.asked_title_rank, facts.asked_title)
    if not asked.text:
        asked = title_of_prompt(facts.first_prompt)
    requests = _requests(facts.turns) if _may_go_elsewhere(facts.turns) else []
    is_vague = (requests[0].title if requests else asked).rank < TASK
    if is_vague and (named := _named(facts, requests) or _after_own_run(facts, requests)):
        return named
    if asked.rank == TASK:
        return _better_named(facts, asked.text) or _elsewhere(facts, requests) or asked.text
    return _pointing(facts, asked.text) if asked.rank == POINTING else asked.text or _done(facts)


def is_generic(title: str) -> bool:
    """Whether a title only says that there is a session."""
    return all(word in _GENERIC or word.isdigit() for word in _WORD.findall(title.lower()))


def _may_go_elsewhere(turns: list[TurnFact]) -> bool:
    """Whether the first turn may not be what names the session; most sessions stay with it."""
    if not turns or title_of_prompt(turns[0].text).rank < TASK:
        return True
    return turns[0].took * _TIMES_MORE < sum(turn.took for turn in turns[1:])


def _requests(turns: list[TurnFact]) -> list[_Request]:
    """The requests of a session; what was spent on answers and nods counts for the one before."""
    found: list[_Request] = []
    for turn in turns[:_MOST_TURNS]:
        title = title_of_prompt(turn.text)
        if title.rank < TASK and turn.own:
            title = max(title, title_of_prompt(turn.own), key=lambda one: one.rank)
        if title.rank >= POINTING and (not found or asks_for_something(turn.own or turn.text)):
            found.append(_Request(title, turn.took))
        elif found and title.rank != BARE:
            found[-1] = found[-1]._replace(spent=found[-1].spent + turn.took)
    return found


def _named(facts: Facts, requests: list[_Request]) -> str:
    """What the agent calls the work, behind what was asked where that is short and all there is."""
    has_later = any(request.title.rank == TASK for request in requests)
    names = [name for name in facts.named if telling_words(name.text)]
    if has_later:
        names = [name for name in names if name.rank > BY_AGENT or name.prompts <= 1]
    name = max(names, key=lambda named: named.rank, default=None)
    if name is None:
        return ""
    first = requests[0].title.text.rstrip(".:?! ") if requests else ""
    if len(first) > _SHORT or name.prompts > 1:
        return as_title(name.text) if name.rank > BY_AGENT else ""
    return f"{first}: {cut_behind_phrase(name.text, LENGTH - len(first) - 2)}" if first else ""


def _better_named(facts: Facts, asked: str) -> str:
    """What the agent calls the work, where the request says little or is too long for a title.

    It must be the same matter: what there is of telling words, or two of them, is in both.
    """
    words = set(telling_words(asked))
    if not (asked.endswith("…") or len(words) < ENOUGH):
        return ""
    for name in sorted(facts.named, key=lambda name: -name.rank):
        shared = len(words & set(telling_words(name.text)))
        if name.rank > BY_AGENT and shared >= min(ENOUGH, len(words)) > 0:
            return as_title(name.text)
    return ""


def _elsewhere(facts: Facts, requests: list[_Request]) -> str:
    """What most was spent on, where that is another thing and nothing comes back to the first.

    Requests that begin alike are one, as those made of a template do.
    """
    telling = [request.title.text for request in requests if request.title.rank == TASK]
    spent: dict[str, int] = {}
    for request in requests:
        begins = request.title.text[:_BEGINNING]
        spent[begins] = spent.get(begins, 0) + request.spent
    if not telling or spent[telling[0][:_BEGINNING]] * _TIMES_MORE >= max(spent.values()):
        return ""
    edited = [name.rpartition("/")[2] for name, file in facts.files.items() if file.edits]
    names = [name.text for name in facts.named]
    said = [turn.own or turn.text for turn in facts.turns[1:_MOST_TURNS]]
    rest = {word for text in (*said, *edited, *names) for word in telling_words(text)}
    words = telling_words(telling[0])
    come_back = sum(word in rest for word in words)
    if come_back > 1 or come_back * 3 >= len(words):
        return ""
    named = max(facts.named, key=lambda name: name.rank, default=None)
    if named is not None and named.rank > BY_AGENT:
        return as_title(named.text)
    most = max(telling, key=lambda title: spent[title[:_BEGINNING]])
    is_fit = len(telling_words(most)) >= ENOUGH and not begins_with_it(most)
    return most if is_fit else ""


def _after_own_run(facts: Facts, requests: list[_Request]) -> str:
    """A first request that names nothing, with the command that the person ran just before it."""
    run, first = facts.turns[0].own_run if facts.turns else "", requests[0] if requests else None
    if not run or first is None or len(first.title.text) > LENGTH - 20:
        return ""
    words = first.title.text.rstrip(".:?! ")
    return f"{words}: {cut_behind_phrase(run, LENGTH - len(words) - 2)}"


def _pointing(facts: Facts, asked: str) -> str:
    """A request that names nothing, with the file that it came to."""
    touched = max(
        facts.files.items(), key=lambda file: (file[1].edits, file[1].reads), default=None
    )
    about = touched[0].rpartition("/")[2] if touched else ""
    if not about or about in asked or len(asked) > LENGTH - 20:
        return asked
    return f"{asked.rstrip('.:?! ')}: {cut_behind_phrase(about, LENGTH - len(asked) - 2)}"


def _done(facts: Facts) -> str:
    """What was done where nobody asked for anything."""
    if facts.useful_calls and (heading := _HEADING.search(facts.last_reply)):
        return as_title(heading[1])
    done = next(iter(facts.commands), "") or next(iter(facts.tools), "")
    return _NOTHING_ASKED if facts.last_reply else as_title(done)
