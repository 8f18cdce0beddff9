"""What users say, as guidance: the sentences that say it, whole, and nothing else of a message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from helix_tui.curate.draft.names import quoted
from helix_tui.schema.candidate import Candidate, Evidence
from helix_tui.text.clauses import sentences_of, telling
from helix_tui.text.said import clauses_in
from helix_tui.text.standing import (
    is_joint,
    is_standing,
    points,
    proposes,
    untied,
)
from helix_tui.text.weakens import speaks_against_guards

_LENGTH = 200
_MOST_QUOTES = 2
_WORD = re.compile(r"[^\W_][\w./:@#+'-]{0,60}")
# How people take up an offer, before they say what they want.
_ACCEPTED = re.compile(
    r"(?i)\A(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|nice)\b[\s,.!-]{1,4}){1,3}"
)
_LEAST_TELLING = 2
# Small words of English statements, and how many of them make one.
_OF_NEWS = re.compile(r"(?i)\b(?:the|a|is|was|were|we|i|it|that|this|have|has|been|did|there)\b")
_NEWS = 3
# By which an English statement lays something down or forbids it.
_RULES = re.compile(
    r"(?i)(?:\A|[,;:.]\s{0,3}|\b(?:please|just|and|so|but)\s)"
    r"(?:don'?t|do not|never|stop|avoid|no)\b"
    r"|\b(?:must|should(?! have)|never|always|instead|rather than|prefer|only)\b"
)
# How English says that something is not so.
_NOT_SO = re.compile(r"(?i)\b(?:is|are|was|were|does|did|has|have|had|wo|could)(?:n'?t\b|\snot\b)")
_RECOGNISED = 40
# Of so few conversations what “this” is, nobody can tell.
_FEW = 2


def user_quotes(candidate: Candidate, texts: Mapping[Evidence, str]) -> dict[str, str]:
    """Return the briefest sentences that say it, with their sessions, or the title's quotation.

    A wish of one word, such as `commit it`, is of its moment and no guidance.
    """
    wanted = _stems(candidate.subject)
    quotes: dict[str, str] = {}
    for occurrence, text in texts.items():
        for sentence in sentences_of(_user_words(text.split("\n"))):
            said = untied(_ACCEPTED.sub("", sentence, count=1))
            if wanted <= _stems(said) and (words := _whole(said)):
                quotes.setdefault(words, occurrence.session)
    if not quotes and (words := _whole(candidate.title.partition("“")[2].removesuffix("”"))):
        quotes = {words: ""}
    telling_quotes = [words for words in quotes if _is_guidance(candidate, words)]
    telling_quotes = [words for words in telling_quotes if not _only_tells(words)]
    if _objects(candidate) and any(map(_lays_down, telling_quotes)):
        # What was wrong that day is left to those who only remark on it.
        telling_quotes = [words for words in telling_quotes if _lays_down(words)]
    if candidate.signal == "instruction" and any(map(is_joint, texts.values())):
        return {}  # one of them wants to be part of it: another's order is no rule
    if candidate.signal == "instruction":
        telling_quotes = [
            words for words in telling_quotes if is_standing(words) and _says_what_to_do(words)
        ]
    elif len(candidate.members) <= _FEW:
        telling_quotes = [
            words for words in telling_quotes if not points(words) and not proposes(words)
        ]
    typical = _whole(candidate.title.partition("“")[2].removesuffix("”"))
    is_fit = (
        typical in telling_quotes if candidate.signal != "instruction" else is_standing(typical)
    )
    # News before an order is of its day: what comes first must be the order.
    opening = next(iter(sentences_of(typical)), "")
    is_best = (
        not _objects(candidate) or _lays_down(typical) or not any(map(_lays_down, telling_quotes))
    )
    if is_fit and is_best and _says_what_to_do(opening) and _is_guidance(candidate, typical):
        # The wording by which it is listed says it best; another would only say it again.
        return {typical: _session_of(typical, texts)}
    if candidate.signal == "instruction" and len(candidate.members) <= _FEW:
        return {}  # another wording of so few is of its own task
    best = sorted(
        telling_quotes, key=lambda words: (not _says_what_to_do(words), len(words), words)
    )
    return {words: quotes[words] for words in best[:_MOST_QUOTES]}


def _session_of(words: str, texts: Mapping[Evidence, str]) -> str:
    """The session in which these words were said, as far as an excerpt has them."""
    first = words[:_RECOGNISED]
    said = (one.session for one, text in texts.items() if first in " ".join(text.split()))
    return next(said, "")


def _says_what_to_do(words: str) -> bool:
    """Whether words ask for something or forbid it, and do not only say what happened."""
    return any(clause.is_order or clause.is_negated for clause in clauses_in(words))


def _only_tells(words: str) -> bool:
    """Whether English words ask, or tell what happened, and say nothing of what to do.

    That something did not work is news, that it is not to be done is none.
    """
    is_order = any(clause.is_order for clause in clauses_in(words))
    if is_order or _RULES.search(words):
        return words.endswith(("?", "？")) and not is_order
    is_news = len(_OF_NEWS.findall(words)) >= _NEWS or _NOT_SO.search(words) is not None
    return words.endswith(("?", "？")) or is_news


def _is_guidance(candidate: Candidate, words: str) -> bool:
    return _objects(candidate) or len(_stems(words)) >= _LEAST_TELLING


def _objects(candidate: Candidate) -> bool:
    """Whether people object, so that a single word may be what they want."""
    return candidate.signal in ("user_correction", "user_reaction")


def _lays_down(words: str) -> bool:
    """Whether words say what to do instead, or forbid or order it for every time."""
    is_rule = _RULES.search(words) is not None or _says_what_to_do(words)
    return is_rule and is_standing(words) and not words.endswith(("?", "？"))


def _stems(text: str) -> set[str]:
    return {stem for word in _WORD.findall(text.replace("’", "'")) if (stem := telling(word))}


def _whole(sentence: str) -> str:
    """A sentence as it may be quoted; nothing where it would be cut, or gives a safeguard up."""
    words = quoted(sentence, _LENGTH)
    return "" if words.endswith("…") or speaks_against_guards(words) else words


def _user_words(lines: Sequence[str]) -> str:
    """Return the user's words in an excerpt: from `user:` up to `then `."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("user: ")), None)
    if begin is None:
        return ""
    rest = range(begin + 1, len(lines))
    end = next((at for at in rest if lines[at].startswith("then ")), len(lines))
    return " ".join(lines[begin:end]).removeprefix("user: ")
