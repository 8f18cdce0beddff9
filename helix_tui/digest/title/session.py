"""A session's title: the agent's own, else what was asked for in earnest, else what was done.

An own title that says nothing of the work gives way to what the agent calls the work elsewhere, and
to the request. Where no request says what it is about, what the agent calls the work is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from helix_tui.digest.title.kept import handed_to_several, name_of_most, number_of_all
from helix_tui.digest.title.line import LENGTH, as_title, cut_behind_phrase
from helix_tui.digest.title.named import BY_AGENT, BY_REQUEST, LOOKED_AT
from helix_tui.digest.title.own import (
    MADE,
    is_vague,
    label_of,
    names_who,
    tells_more,
    words_of_matter,
)
from helix_tui.digest.title.pointing import (
    completed,
    file_edited_most,
    file_touched_most,
    only_tells,
    points_elsewhere,
    without_pointing,
)
from helix_tui.digest.title.prompt import POINTING, TASK, Titled, title_of_prompt
from helix_tui.digest.title.requests import (
    Request,
    came_of_talk,
    first_named,
    main_request,
    may_go_elsewhere,
    requests_of,
    stands_alone,
    with_first_question,
    with_further,
    with_second,
)
from helix_tui.digest.title.telling import ENOUGH, has_name, telling_words
from helix_tui.schema import Facts, WorkName
from helix_tui.text.lazy import lazy

# Vague words up to this length are shown before what the work is called.
_SHORT = 36
# An agent that greets though nobody spoke to it, as sub-agents do that are only warmed up.
_NOTHING_ASKED = "Nothing was asked"
_HEADING = re.compile(r"(?m)^#{1,4}\s+(?:\W{0,4}summary:?\s+)?(\S.{7,200})$", re.I)
# So few telling words say little of what a long session came to.
_LITTLE = 3
_PLEASE = lazy(r"(?i)^please,? (?=\w)")
# What a reply in a set form says in one sentence of all that was done.
_SUMMARY = lazy(r"(?m)^\W{0,4}Summary:?\*{0,2}:?\s{1,3}(\S[^\n]{15,400}?[.])(?=\s|$)")

# The page of a pull request or an issue.
_PAGE_OF_REQUEST = lazy(r"https?://\S{3,100}/(?:pull|issues|merge_requests)/(\d{1,6})\S*")

# The same where its first words are what was done.
_DONE_FIRST = lazy(r"\W{0,4}([A-Z][a-z]{2,20}ed (?:\S{1,60} ){4,60}?\S{1,60}?)(?:[.;]?\n|[.;] |$)")


def note_asked_title(facts: Facts, prompt: str, offered: Collection[int]) -> None:
    """Take what a prompt would call its session, if it says that better than those before it."""
    if facts.asked_title_rank < TASK:
        asked = title_of_prompt(prompt, offered)
        if asked.rank > facts.asked_title_rank:
            facts.asked_title, facts.asked_title_rank = asked.text, asked.rank


def session_title(facts: Facts) -> str:
    """What a session is called: by its agent, by what was asked, else by what was done."""
    label = label_of(facts)
    if not label:
        return with_further(_by_request(facts) or facts.own_title, facts.turns)
    kept = [name for name in facts.named if name.rank > BY_AGENT and tells_more(facts, name.text)]
    name = name_of_most(kept, facts.turns)
    if not is_vague(facts, label):
        if name is not None and (_is_of_other_work(facts, label) or names_who(facts, label)):
            return as_title(name.text)
        return _by_request(facts) if _is_named_in_brief(facts, label) else label
    if name is not None:
        return as_title(name.text)
    asked = _by_request(facts)
    if len(label.split()) == 1 and facts.asked_title_rank == TASK:
        return asked
    if told := _SUMMARY.search(facts.last_reply) or _DONE_FIRST.match(facts.last_reply):
        return as_title(told[1])
    if edited := file_edited_most(facts):
        return completed(label, edited)
    if stands_alone(asked.rstrip("…")):
        return asked
    # A label of nothing but its form is no better than the request.
    return label if words_of_matter(label) else completed(asked, file_touched_most(facts)) or label


def _is_named_in_brief(facts: Facts, label: str) -> bool:
    """Whether a label of one telling word stands for a request that says much more."""
    is_short = facts.own_title_rank == MADE and len(words_of_matter(label)) < ENOUGH
    says_more = facts.asked_title_rank == TASK and len(telling_words(facts.asked_title)) > ENOUGH
    return is_short and says_more and not has_name(label)


def _is_of_other_work(facts: Facts, label: str) -> bool:
    """Whether nothing of the few words of a label that was made comes back in what was done."""
    words = words_of_matter(label)
    if facts.own_title_rank != MADE or len(words) > ENOUGH:
        return False
    edited = (name for name, file in facts.files.items() if file.edits)
    done = (*(name.text for name in facts.named), *edited)
    return not any(words & set(telling_words(text)) for text in done)


def _by_request(facts: Facts) -> str:
    """What a session is called by what was asked, else by what was done."""
    return _with_what_was_looked_at(_as_asked(facts), facts.named)


def _with_what_was_looked_at(title: str, names: list[WorkName]) -> str:
    """A title with the title of the pull request or issue to whose page it points."""
    page = _PAGE_OF_REQUEST.search(title)
    looked = [name.text for name in names if name.rank == LOOKED_AT]
    if page is None or not looked or not looked[0].startswith(f"#{page[1]}:"):
        return title
    return as_title(f"{title[: page.start()]}{looked[0]}{title[page.end() :]}")


def _as_asked(facts: Facts) -> str:
    asked = Titled(facts.asked_title_rank, facts.asked_title)
    if not asked.text:
        asked = title_of_prompt(facts.first_prompt)
    requests = requests_of(facts.turns) if may_go_elsewhere(facts.turns, asked) else []
    is_vague = (requests[0].title if requests else asked).rank < TASK
    if is_vague and (named := _named(facts, requests) or _after_own_run(facts, requests)):
        return named
    if asked.rank == TASK:
        return _better_named(facts, asked.text) or _of_requests(facts, requests, asked.text)
    if asked.rank == POINTING:
        return completed(asked.text, file_touched_most(facts))
    return asked.text or _done(facts)


def _of_requests(facts: Facts, requests: list[Request], asked: str) -> str:
    """The main request, with the file that it came to where it points at something."""
    main = main_request(facts, requests)
    kept = [name for name in facts.named if name.rank > BY_AGENT and tells_more(facts, name.text)]
    named = name_of_most(kept, facts.turns)
    is_of_all = named is not None and named.rank == BY_REQUEST and came_of_talk(requests)
    says_little = len(telling_words(asked)) <= _LITTLE and not has_name(asked)
    if named is not None and (main or (is_of_all and says_little)):
        return as_title(named.text)
    title = without_pointing(main or asked)
    is_bare = points_elsewhere(title) and len(telling_words(title)) < ENOUGH
    if named is not None and (only_tells(title) or is_bare):
        return as_title(named.text)
    if points_elsewhere(title):
        number = number_of_all(kept)
        return completed(title, number or file_edited_most(facts) or _handed_on(facts))
    if main and (first := first_named(asked)) and not has_name(title):
        return f"{first}: {cut_behind_phrase(title, LENGTH - len(first) - 2)}"
    return with_first_question(title, requests) or with_second(title, requests)


def _handed_on(facts: Facts) -> str:
    """What the agent gave the first of its sub-agents to do, where one prompt was all for it."""
    tasks = (name.text for name in facts.named if name.rank == BY_AGENT and name.prompts <= 1)
    return next(tasks, "")


def _named(facts: Facts, requests: list[Request]) -> str:
    """What the agent calls the work, behind what was asked where that is short and all there is."""
    has_later = any(request.title.rank == TASK for request in requests)
    names = [name for name in facts.named if name.rank and telling_words(name.text)]
    if has_later:
        names = [name for name in names if name.rank > BY_AGENT or name.prompts <= 1]
    name = handed_to_several(names) or name_of_most(names, facts.turns)
    if name is None:
        return ""
    if name.rank == BY_AGENT and handed_to_several(names):
        return as_title(name.text)
    first = requests[0].title.text.rstrip(".:?! ") if requests else ""
    if not first or len(first) > _SHORT or name.prompts > 1:
        return as_title(name.text) if name.rank > BY_AGENT else ""
    return f"{first}: {cut_behind_phrase(name.text, LENGTH - len(first) - 2)}"


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


def _after_own_run(facts: Facts, requests: list[Request]) -> str:
    """A first request that names nothing, with the command that the person ran just before it."""
    run, first = facts.turns[0].own_run if facts.turns else "", requests[0] if requests else None
    if not run or first is None or len(first.title.text) > LENGTH - 20:
        return ""
    words = _PLEASE.sub("", first.title.text).rstrip(".:?! ")
    words = f"{words[:1].upper()}{words[1:]}"
    title = f"{words}: {cut_behind_phrase(run, LENGTH - len(words) - 2)}"
    edited = file_touched_most(facts)
    with_file = f"{title} ({edited})"
    return with_file if edited and edited not in title and len(with_file) <= LENGTH else title


def _done(facts: Facts) -> str:
    """What was done where nobody asked for anything."""
    if facts.useful_calls and (heading := _HEADING.search(facts.last_reply)):
        return as_title(heading[1])
    done = next(iter(facts.commands), "") or next(iter(facts.tools), "")
    return _NOTHING_ASKED if facts.last_reply else as_title(done)
