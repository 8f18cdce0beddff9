"""What users say, as guidance: the sentences that say it, whole, and nothing else of a message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from helix_tui.curate.draft.names import quoted
from helix_tui.schema.candidate import Candidate, Evidence
from helix_tui.text.clauses import sentences_of, telling
from helix_tui.text.said import clauses_in
from helix_tui.text.weakens import speaks_against_guards

_LENGTH = 200
_MOST_QUOTES = 2
_WORD = re.compile(r"[^\W_][\w./:@#+'-]{0,60}")
# How people take up an offer, before they say what they want.
_ACCEPTED = re.compile(
    r"(?i)\A(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|nice)\b[\s,.!-]{1,4}){1,3}"
)
_LEAST_TELLING = 2
_RECOGNISED = 40
# Of so few conversations what “this” is, nobody can tell.
_FEW = 2
# Words by which a wish holds for every time, in the languages whose small words are known.
_STANDING = re.compile(
    r"(?i)\b(?:always|never|each|every\w*|all|any(?:time|where)?|whenever|when|while|if|before|after"
    r"|once|until|make sure|ensure|don'?t|do not|not|only|must|should|instead|prefer|from now"
    r"|immer|nie|jede\w*|alle\w*|wenn|bevor|nachdem|stets|nicht|kein\w*|nur|siempre|nunca|cada"
    r"|todos|cuando|antes|después|despues|no|toujours|jamais|chaque|quand|avant|après)\b"
    r"|总是|每|不要|先|必须|别|只"
)
_POINTING = re.compile(r"(?i)\b(?:this|these|that one|those)\b(?! (?:repo\w*|project|codebase))")


def user_quotes(candidate: Candidate, texts: Mapping[Evidence, str]) -> dict[str, str]:
    """Return the briefest sentences that say it, with their sessions, or the title's quotation.

    A wish of one word, such as `commit it`, is of its moment and no guidance.
    """
    wanted = _stems(candidate.subject)
    quotes: dict[str, str] = {}
    for occurrence, text in texts.items():
        for sentence in sentences_of(_user_words(text.split("\n"))):
            said = _ACCEPTED.sub("", sentence, count=1)
            if wanted <= _stems(said) and (words := _whole(said)):
                quotes.setdefault(words, occurrence.session)
    if not quotes and (words := _whole(candidate.title.partition("“")[2].removesuffix("”"))):
        quotes = {words: ""}
    telling_quotes = [words for words in quotes if _is_guidance(candidate, words)]
    if candidate.signal == "instruction":
        telling_quotes = [words for words in telling_quotes if is_standing(words)]
    elif len(candidate.members) <= _FEW:
        telling_quotes = [words for words in telling_quotes if not _POINTING.search(words)]
    typical = _whole(candidate.title.partition("“")[2].removesuffix("”"))
    is_fit = (
        typical in telling_quotes if candidate.signal != "instruction" else is_standing(typical)
    )
    if typical and is_fit and _says_what_to_do(typical) and _is_guidance(candidate, typical):
        # The wording by which it is listed says it best; another would only say it again.
        return {typical: _session_of(typical, texts)}
    best = sorted(
        telling_quotes, key=lambda words: (not _says_what_to_do(words), len(words), words)
    )
    return {words: quotes[words] for words in best[:_MOST_QUOTES]}


def is_standing(words: str) -> bool:
    """Whether words lay something down for more than their moment.

    “Get back to main” is an order of its moment; “commit when a task is done” holds. What points
    at something that only its conversation had (“a todo for this”) does not.
    """
    return _STANDING.search(words) is not None and _POINTING.search(words) is None


def _session_of(words: str, texts: Mapping[Evidence, str]) -> str:
    """The session in which these words were said, as far as an excerpt has them."""
    first = words[:_RECOGNISED]
    said = (one.session for one, text in texts.items() if first in " ".join(text.split()))
    return next(said, "")


def _says_what_to_do(words: str) -> bool:
    """Whether words ask for something or forbid it, and do not only say what happened."""
    return any(clause.is_order or clause.is_negated for clause in clauses_in(words))


def _is_guidance(candidate: Candidate, words: str) -> bool:
    is_correction = candidate.signal in ("user_correction", "user_reaction")
    return is_correction or len(_stems(words)) >= _LEAST_TELLING


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
