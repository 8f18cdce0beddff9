"""The extractive distiller: what a session's facts and words say themselves, without a model.

A line says in Helix's words who said or did something, and quotes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from helix_tui.memory.distill.budget import within
from helix_tui.memory.distill.by_agents import found_by_agents
from helix_tui.memory.distill.conclusion import is_said, plain_words
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.exchanges import TEMPLATE, Work, task_of, work_done
from helix_tui.memory.distill.handed_over import handed_over
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.learned import decisions, lessons
from helix_tui.memory.distill.open_ends import open_ends
from helix_tui.memory.distill.prose import plain_line
from helix_tui.memory.distill.quoting import quoted
from helix_tui.memory.distill.rules import rules_in
from helix_tui.memory.distill.turns_told import calls_in
from helix_tui.schema.memory import Distilled, Piece
from helix_tui.text.markdown import code_span, said_in
from helix_tui.text.weakens import speaks_against_guards

# More lines of a kind are no entry any more, whatever the room.
_MOST = 14
_ASKED = "Asked: "
_REQUEST = "The user: "
_YES = re.compile(r"^Asked .*, the user: (?P<answer>`+ ?(?i:yes|ok|sure|please|let).*`)$")
_BEGINNING = 60
_LEAST_CALLS = 2
_LEAST_PROMPTS = 3


# Why a push failed stands with what is left open.
_NOT_PUSHED = "the last push failed"
_OF_PUSH = re.compile(
    r"(?i)\bpush(?:es|ed|ing)?\b.{0,80}\b(?:fail\w*|time[ds]?.out|not (?:be )?complete\w*|blocked)"
)
_FEW_LOOKS = 8
_BRIEF = 160
_EXPLAIN = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|and|now|so|please|can you|could you|hi|hey|hello)[,.!]? )*"
    r"(?:explain|describe|what|which|who|where|when|how|tell me|show me|summari[sz]e|list|is|are"
    r"|does|do you)\b"
)


def extract(piece: Piece) -> Distilled | None:
    """What is worth keeping of a piece; None where nothing is."""
    task = task_of(piece)
    decided = list(_distinct([*decisions(piece, task), *_rules(piece)], _MOST, by_gist=False))
    opened = list(open_ends(piece))
    left = list(_distinct([*opened, *handed_over(piece, opened)], _MOST))
    open_words = [plain_words(line) for line in left]
    is_unpushed = any(_NOT_PUSHED in line for line in left)
    found = [
        one
        for one in lessons(piece)
        if not is_said(one.partition("`")[2], open_words)
        and not (is_unpushed and _OF_PUSH.search(one))
    ]
    learned = list(_distinct(found, _MOST))
    told = [*decided, *learned, *left]
    works = work_done(piece, task, told)
    known = set(_distinct((work.line for work in works), _MOST))
    works = [work for work in works if work.line in known]
    decided = [line for line in decided if not _is_told_by_work(line, works)]
    learned += found_by_agents(piece, [*told, *known])
    whole = Distilled(
        list(context(piece, task)), [work.line for work in works], decided, learned, left
    )
    distilled = within(piece, whole, [work.rank for work in works])
    if _tells_request(piece, distilled, works, task):
        about = [line for line in distilled.context if not line.startswith(_ASKED)]
        distilled = msgspec.structs.replace(distilled, context=about)
    return distilled if _is_worth_it(piece, distilled) else None


def _is_worth_it(piece: Piece, distilled: Distilled) -> bool:
    """Whether somebody did, decided or learned something; a greeting or a stub is not that."""
    facts = piece.facts
    has_checked = facts.checks_passed or facts.checks_failed
    has_worked = bool(facts.commits or facts.useful_calls >= 3 or has_checked)
    # Whatever broke off has an open end.
    has_asked = calls_in(piece) or any(len(one.asked.split()) > 1 for one in piece.exchanges)
    is_broken_off = facts.ended not in ("reply", "question", None) and bool(distilled.actions)
    is_broken_off = is_broken_off and bool(has_asked)
    # An answer from memory, or from one look, is not what a colleague asks about tomorrow.
    has_talked = calls_in(piece) >= _LEAST_CALLS or facts.prompts >= _LEAST_PROMPTS
    has_edited = any(tally.edits for tally in facts.files.values()) or bool(piece.written)
    if _is_trial(piece, distilled):
        return False
    if not (has_edited or facts.commits or has_checked or is_broken_off) and _only_asked(
        piece, distilled
    ):
        return False
    return (
        has_worked
        or is_broken_off
        or has_edited
        or bool(distilled.decisions or distilled.lessons)
        or bool(distilled.key_exchanges and has_talked)
    )


def _is_trial(piece: Piece, distilled: Distilled) -> bool:
    """Whether somebody only tried the agent out: one prompt, one document written, and no more."""
    is_small = piece.tree.has_edits and not piece.tree.code_edits and not piece.unfinished
    is_alone = piece.is_first and piece.facts.prompts <= 1 and calls_in(piece) <= 1
    has_learned = distilled.decisions or distilled.lessons or piece.facts.commits
    return is_small and is_alone and not has_learned and _is_brief(piece)


def _is_brief(piece: Piece) -> bool:
    """Whether both what was asked and what was answered are a sentence or two."""
    turns = piece.exchanges
    return all(max(len(one.asked), len(one.answered)) <= _BRIEF for one in turns)


def _tells_request(piece: Piece, distilled: Distilled, works: Sequence[Work], task: str) -> bool:
    """Whether a line of what was done, or of what is open, has the request."""
    lines = distilled.key_exchanges
    return (
        any(line.startswith(_REQUEST) for line in lines)
        or any(gist(work.asked, piece.title) == task for work in works if work.line in lines)
        or any(task[:_BEGINNING] in line for line in distilled.actions)
    )


def _is_told_by_work(line: str, works: Sequence[Work]) -> bool:
    """Whether a mere yes stands as the request of what was then done."""
    match = _YES.search(line)
    answer = said_in(match["answer"]) if match else ""
    return bool(answer) and any(
        plain_line(work.asked) == answer and code_span(answer) in work.line for work in works
    )


def _rules(piece: Piece) -> Iterator[str]:
    """How to work in the repository, as people lay it down in the middle of a request."""
    for turn in piece.exchanges:
        # What is pasted, or a command of a client, is nobody's word for this repository.
        for rule in rules_in(turn.asked) if len(turn.asked) <= TEMPLATE else ():
            if not speaks_against_guards(rule):
                yield f"Laid down by the user: {quoted(rule)}"


def _only_asked(piece: Piece, distilled: Distilled) -> bool:
    """Whether somebody only had things explained, by a few looks, and nothing came of it."""
    is_bare = not (distilled.decisions or distilled.lessons or distilled.actions)
    asked = [plain_line(turn.asked) for turn in piece.exchanges if turn.asked]
    is_asking = all(_EXPLAIN.match(text) or text.endswith(("?", "？")) for text in asked)
    return is_bare and is_asking and bool(asked) and calls_in(piece) <= _FEW_LOOKS


def _distinct(lines: Iterable[str], most: int, *, by_gist: bool = True) -> Iterator[str]:
    """The first lines in their order, each once; of those all but alike the first."""
    keys: list[str] = []
    for line in lines:
        # Behind Helix's words stand those that are quoted.
        key = plain_words((line.partition("`")[2] if by_gist else "") or line)
        is_known = is_said(key, keys) if by_gist else key in keys
        if key and len(keys) < most and not is_known:
            keys.append(key)
            yield line
