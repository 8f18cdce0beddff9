"""The requests of a session: which of them it is called by, and which two of them together.

The first that says what it is about counts, unless it was only a question on the way to the work,
or the agent spent many times as much on another one and nothing comes back to the first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from helix_tui.digest.title.line import LENGTH, cut_behind_phrase
from helix_tui.digest.title.pointing import begins_with_it, points_elsewhere, without_pointing
from helix_tui.digest.title.prompt import (
    BARE,
    POINTING,
    TASK,
    Titled,
    asks_for_something,
    asks_only,
    title_of_prompt,
)
from helix_tui.digest.title.telling import ENOUGH, telling_words
from helix_tui.schema import Facts, TurnFact
from helix_tui.text.lazy import lazy
from helix_tui.text.request_words import ORDERS, TASK_ORDERS

# The first request gives way to one on which the agent spent this many times as much, and to fewer
# times where it does not fit into a title and only tells how things are.
_TIMES_MORE = 5
_TIMES_MORE_OF_CUT = 2
_TIMES_MORE_OF_TOLD = 3
# So many edits were work, and not only a note of what was found.
_MUCH_EDITED = 5
# A question on the way gives way to a request that took at least this part of what it took.
_PART_OF_QUESTION = 3
_MOST_TURNS = 80
# Requests that are alike so far are of one template.
_BEGINNING = 40
_BETWEEN = "; "
# A second request takes this much room at least.
_LEAST_SECOND = 20
# What the count of further matters takes.
_COUNT = 10
# Fewer turns have one matter.
_SEVERAL = 2
_ASKING = frozenset(("how", "why", "what", "which", "where"))
# What answers the agent's questions one by one.
_ANSWERS = lazy(r"(?i)\s{0,8}1[.)] (?:i|i'm|yes|no|yeah|let'?s|we|it|that|option)\b")
# An order to do what was spoken of before.
_CARRIED_ON = lazy(
    r"(?i)^(?:(?:create|make|write) (?:a|the) (?:task list|plan|todo list|checklist),? and )?"
    r"(?:then )?(?:implement|build|do|start|execute)(?: (?:it|this|that|them|everything|the plan"
    r"|your plan|the changes?))?[.!]?$"
)
# The file that one case of a template is about.
_CASE = lazy(r" \(([\w.-]{2,60})\)$")
# The name of a command or of what it works on.
_QUOTED_NAME = lazy(r"`([A-Za-z][^`\n]{2,22})`")
# Whether those who work are still at it.
_HOW_IT_GOES = lazy(
    r"(?i)\b(?:you|they|it|this|(?:sub-?)?agents?|teammates?|workers?|tasks?)"
    r"(?: [a-z]{1,10}){0,4} (?:stuck|hanging|frozen|done|finished"
    r"|still (?:running|working|there))\b"
)
_SHORT_QUESTION = 120
# On a matter for which nothing was edited so much of the most was spent.
_PART_OF_MOST = 3


class Request(NamedTuple):
    """A request with what the agent spent on it and edited for it, up to the next one."""

    title: Titled
    spent: int
    edits: int


@lru_cache(maxsize=256)
def _titled(prompt: str) -> Titled:
    # The first turn is looked at twice, and a session that grows gets its title again.
    return title_of_prompt(prompt)


def may_go_elsewhere(turns: list[TurnFact], asked: Titled) -> bool:
    """Whether another request may name the session, alone or beside the first; most cannot."""
    if not turns or asked.rank < TASK or _titled(turns[0].text).rank < TASK:
        return bool(turns)
    first, rest = turns[0].took, sum(turn.took for turn in turns[1:])
    is_talk = not turns[0].edits and sum(turn.edits for turn in turns) >= _MUCH_EDITED
    if is_talk or asks_only(asked.text) or asked.text.endswith("…"):
        return first < rest * _PART_OF_QUESTION
    is_short = len(asked.text) <= LENGTH - _LEAST_SECOND
    return first * _TIMES_MORE < rest or (is_short and first <= 2 * rest)


def requests_of(turns: list[TurnFact]) -> list[Request]:
    """The requests of a session; what was spent on answers and nods counts for the one before."""
    found: list[Request] = []
    for turn in turns[:_MOST_TURNS]:
        title = _titled(turn.text)
        if title.rank < TASK and turn.own:
            title = max(title, title_of_prompt(turn.own), key=lambda one: one.rank)
        is_reply = bool(found) and _ANSWERS.match(turn.own or turn.text) is not None
        if found and not is_reply and (_CARRIED_ON.match(title.text) or _is_nudge(turn.text)):
            _carry_on(found, turn)
            continue
        asks = not is_reply and asks_for_something(turn.own or turn.text)
        if title.rank >= POINTING and (not found or asks):
            title = Titled(title.rank, without_pointing(title.text))
            found.append(Request(title, turn.took, turn.edits))
        elif found and title.rank != BARE:
            last = found[-1]
            found[-1] = Request(last.title, last.spent + turn.took, last.edits + turn.edits)
    return _of_templates(found)


def _is_nudge(prompt: str) -> bool:
    """Whether a prompt only asks whether the agent, or those whom it had work, are still at it."""
    text = prompt.strip()
    is_question = len(text) <= _SHORT_QUESTION and text.endswith("?")
    return is_question and _HOW_IT_GOES.search(text) is not None


def _carry_on(found: list[Request], turn: TurnFact) -> None:
    """Count a turn that only says to do it for the last request that says what that is."""
    telling = (at for at in reversed(range(len(found))) if stands_alone(found[at].title.text))
    at = next(telling, len(found) - 1)
    title, spent, edits = found[at]
    found[at] = Request(title, spent + turn.took, edits + turn.edits)


def _of_templates(requests: list[Request]) -> list[Request]:
    """Requests with what was spent on all that begin alike, as those made of a template do."""
    spent: dict[str, int] = {}
    edits: dict[str, int] = {}
    for title, took, edited in requests:
        begins = title.text[:_BEGINNING]
        spent[begins] = spent.get(begins, 0) + took
        edits[begins] = edits.get(begins, 0) + edited
    return [
        Request(one.title, spent[one.title.text[:_BEGINNING]], edits[one.title.text[:_BEGINNING]])
        for one in requests
    ]


def main_request(facts: Facts, requests: list[Request]) -> str:
    """What a session is called by other than its first request; nothing where that stands."""
    telling = [request for request in requests if request.title.rank == TASK]
    if not telling:
        return ""
    first = telling[0]
    others = [one for one in telling[1:] if stands_alone(one.title.text)]
    only_asks = asks_only(first.title.text)
    if only_asks or (_is_question(first.title.text) and not first.edits):
        # What only ends as a question may tell what is wrong.
        least = first.spent // _PART_OF_QUESTION if only_asks else first.spent
        worked = [
            one
            for one in others
            if one.edits and not _is_question(one.title.text) and one.spent >= least
        ]
        if worked:
            return max(worked, key=lambda one: one.spent).title.text
    most = max(others, key=lambda one: one.spent, default=None)
    is_told = first.title.text == facts.asked_title
    if most is not None and (_was_only_talk(first, most) or (is_told and _only_tells(first, most))):
        return most.title.text
    if most is None or first.spent * _times(first, most) >= most.spent:
        return ""
    return "" if _comes_back(facts, first.title.text) else most.title.text


def _was_only_talk(first: Request, most: Request) -> bool:
    """Whether nothing was made of a first request, and far more was spent on what was made."""
    is_made = not first.edits and most.edits >= _MUCH_EDITED and _asks(most.title.text)
    return is_made and first.spent * _TIMES_MORE_OF_CUT < most.spent


def _only_tells(first: Request, most: Request) -> bool:
    """Whether a first request is cut before it comes to the point, and far less was spent on it."""
    is_cut = first.title.text.endswith("…") and not _asks(first.title.text)
    return is_cut and bool(most.edits) and first.spent * _TIMES_MORE_OF_TOLD < most.spent


def _times(first: Request, other: Request) -> int:
    if not first.title.text.endswith("…"):
        return _TIMES_MORE
    return _TIMES_MORE_OF_CUT + other.title.text.endswith("…")


def _comes_back(facts: Facts, title: str) -> bool:
    """Whether what follows the first request, or what was done, speaks of the same."""
    edited = [name.rpartition("/")[2] for name, file in facts.files.items() if file.edits]
    names = [name.text for name in facts.named]
    said = [turn.own or turn.text for turn in facts.turns[1:_MOST_TURNS]]
    rest = {word for text in (*said, *edited, *names) for word in telling_words(text)}
    words = telling_words(title)
    come_back = sum(word in rest for word in words)
    return come_back > 1 or come_back * 3 >= len(words)


def with_second(title: str, requests: list[Request]) -> str:
    """A short title with another request of its weight on another matter, where both fit."""
    words = set(telling_words(title))
    at = next((i for i, one in enumerate(requests) if one.title.text == title), -1)
    room = LENGTH - len(title) - len(_BETWEEN)
    if at < 0 or _is_question(title) or not _is_whole(title):
        return title
    fitting = [
        (one.spent, i)
        for i, one in enumerate(requests)
        if one.title.rank == TASK
        and len(one.title.text) <= room
        and (not i or (one.edits and 2 * one.spent >= requests[at].spent))
        and _is_order(one.title.text)
        and _is_whole(one.title.text)
        and stands_alone(one.title.text)
        and not words & set(telling_words(one.title.text))
    ]
    if not fitting:
        return title
    other = max(fitting)[1]
    first, second = sorted((at, other))
    one, two = requests[first].title.text.rstrip(". "), requests[second].title.text.rstrip(". ")
    return f"{one}{_BETWEEN}{two[:1].lower()}{two[1:]}"


def came_of_talk(requests: list[Request]) -> bool:
    """Whether nothing was edited for the first request, and much for what came of it."""
    edits = sum(one.edits for one in requests)
    return bool(requests) and not requests[0].edits and edits >= _MUCH_EDITED


def with_first_question(title: str, requests: list[Request]) -> str:
    """A title behind a first question that names nothing, on which most was spent; else nothing."""
    first = requests[0] if requests else None
    if first is None or first.title.rank != POINTING or not _is_question(first.title.text):
        return ""
    rest = sum(one.spent for one in requests[1:])
    asked = first.title.text.rstrip("? ")
    both = f"{asked[:1].upper()}{asked[1:]}{_BETWEEN}{title[:1].lower()}{title[1:]}"
    return both if first.spent > 2 * rest and len(both) <= LENGTH else ""


def first_named(asked: str) -> str:
    """What a request names between backticks, where that is short; else nothing."""
    named = _QUOTED_NAME.search(asked)
    return named[1] if named else ""


def _with_cases(title: str, requests: list[Request]) -> str:
    """A title that ends with the file of one of a template's cases, with those of all of them."""
    one = _CASE.search(title)
    if one is None:
        return title
    lead = title[: one.start()]
    texts = dict.fromkeys(request.title.text for request in requests)
    cases = [found[1] for text in texts if text.startswith(lead) and (found := _CASE.search(text))]
    names = [case.rpartition(".")[0] or case for case in cases]
    for shown in (", ".join(names), f"{names[0]} to {names[-1]}" if names else ""):
        if len(names) > 1 and len(whole := f"{lead} ({shown})") <= LENGTH - _COUNT:
            return whole
    return title


def with_further(title: str, turns: list[TurnFact]) -> str:
    """A title with how many other matters were worked on.

    A matter is a request for which something was edited, or on which much was spent. It shares no
    telling word with the title or with a matter before it, or is another case of a template.
    """
    if len(turns) < _SEVERAL:
        return title
    requests = [one for one in requests_of(turns) if one.title.rank == TASK]
    much = max((one.spent for one in requests), default=0) // _PART_OF_MOST
    words = set(telling_words(title))
    begun = {one.title.text[:_BEGINNING] for one in requests if one.title.text == title}
    if (of_cases := _with_cases(title, requests)) != title:
        seen = {one.title.text for one in requests if one.title.text[:_BEGINNING] in begun}
        title, begun = of_cases, set()
    else:
        seen = {title}
    if requests and turns[0].text.endswith("…") and requests[0].spent >= turns[0].took:
        seen.add(requests[0].title.text)  # of a long brief the title says more than its beginning
    further = 0
    for request in requests:
        text, of_request = request.title.text, set(telling_words(request.title.text))
        is_worked_on = request.edits or (request.spent > much and not asks_only(text))
        if text in seen or not is_worked_on:
            continue
        is_other = len(of_request) >= ENOUGH and not of_request & words
        if is_other or text[:_BEGINNING] in begun:
            further += 1
            seen.add(text)
            words |= of_request
    count = f" (+{further} more)"
    # One more is not worth words of the title.
    if not further or (further == 1 and len(title.rstrip(". ")) + len(count) > LENGTH):
        return title
    return f"{cut_behind_phrase(title.rstrip('. '), LENGTH - len(count))}{count}"


def stands_alone(title: str) -> bool:
    """Whether a title says what it is about to somebody who knows nothing else."""
    is_fit = len(telling_words(title)) >= ENOUGH and not begins_with_it(title)
    return is_fit and not points_elsewhere(title)


def _is_order(title: str) -> bool:
    return (
        title.partition(" ")[0].lower() in ORDERS or title.partition(" ")[0].lower() in TASK_ORDERS
    )


def _asks(title: str) -> bool:
    """Whether a title says what is to be done, or asks how, and does not only tell something."""
    return _is_order(title) or title.partition(" ")[0].lower() in _ASKING


def _is_question(title: str) -> bool:
    return title.endswith("?")


def _is_whole(title: str) -> bool:
    """Whether a title is one sentence, and nothing was cut off."""
    return "…" not in title and ". " not in title and ": " not in title
