"""What people ask in a question, where what agents then did says what it meant."""

from __future__ import annotations

import re
from collections.abc import Mapping

from helix_tui.curate.draft.names import code, inert, quoted
from helix_tui.schema.candidate import Candidate, Evidence
from helix_tui.schema.quality import RECURRING
from helix_tui.text.clauses import sentences_of
from helix_tui.text.standing import asks_for_instead, asks_why, points
from helix_tui.text.weakens import speaks_against_guards

_LENGTH = 200
_NAME_LENGTH = 61
_MOST_QUESTIONS = 2
# What stands behind this in a question is what was wanted.
_RATHER = re.compile(r"(?i)\b(?:rather than|instead of) ([a-z]{2,20}ing\b[^?.,;:！？]{2,120})")
_MARKS = ("?", "？")


def asked_and_done(candidate: Candidate, texts: Mapping[Evidence, str]) -> list[str]:
    """Say what people asked about an agent's own edit, and that agents took it back, or did anew.

    Why one thing is done rather than another says what is wanted, in whatever language; so does any
    question behind which agents of two conversations put back what they had replaced. No rule is
    made of the words: they are quoted.
    """
    file = quoted(candidate.reworked, _NAME_LENGTH)
    typical = candidate.title.partition("“")[2].removesuffix("”")
    is_back = candidate.taken_back >= RECURRING
    is_asked = typical.endswith(_MARKS) and (is_back or asks_for_instead(typical))
    if not file or not is_asked or candidate.scope != "repo":
        return []
    asked = " and ".join(f"“{inert(words)}”" for words in _questions(typical, texts))
    if not asked:
        return []
    if is_back:
        leave = f"Leave {code(file)} as it is"
        if wanted := _wanted(typical):
            return [
                f"{leave}; what users name in its place: “{inert(wanted)}”. "
                "Agents took their edits of it back."
            ]
        return [f"{leave}. Users asked: {asked} Agents then took their edits of it back."]
    return [f"Users asked: {asked} Agents then edited {code(file)} again."]


def _wanted(question: str) -> str:
    """What a question names as what should have been done, up to where its clause ends."""
    found = _RATHER.search(question)
    return quoted(found[1].strip(), _LENGTH) if found and not points(found[1]) else ""


def _questions(typical: str, texts: Mapping[Evidence, str]) -> list[str]:
    """The question by which the row is listed, and why another conversation asked it."""
    found: dict[str, str] = {}
    for cited, text in texts.items():
        said = " ".join(text.partition("user: ")[2].partition("\nthen ")[0].split())
        for sentence in sentences_of(said):
            words = _whole(sentence)
            if words and not points(words) and (words == typical or asks_why(words)):
                found.setdefault(words, cited.session)
    own = found.get(typical, "")
    others = [words for words, session in found.items() if session != own and words != typical]
    shown = _whole(typical)
    return [shown, *sorted(others, key=len)][:_MOST_QUESTIONS] if shown else []


def _whole(sentence: str) -> str:
    """A question as it may be quoted; nothing where it would be cut, or gives a safeguard up."""
    words = quoted(sentence, _LENGTH)
    return words if words.endswith(_MARKS) and not speaks_against_guards(words) else ""
