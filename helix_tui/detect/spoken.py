"""Make candidates of what people say: titles, quotations, and the reports on red checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.said_here import LEAST_HERE, said_here
from helix_tui.detect.said_titles import (
    CHECK_WORDS,
    check_name,
    quote_of,
    said_title,
    says_when,
    words_of,
)
from helix_tui.detect.sayings import sayings
from helix_tui.detect.tiers import sort_of
from helix_tui.detect.utterances import RAN
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import EDITED, Signal, SignalName
from helix_tui.schema.speech import Saying, Speech
from helix_tui.text.request_words import ANY_WORK
from helix_tui.text.said import clauses_in
from helix_tui.text.standing import is_joint

# What the id of reports on red checks is made of.
_RED, _RED_CI = "red check", "red pipeline"
_CI = "ci"
_HANDING_IN = ("git push", "gh ", "glab ")
# So many turns are looked at for one that is quoted.
_LOOKED_AT = 40
_OLD_TITLE = "said to be done, the user reports that it still fails"


def group_said(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a candidate of each thing that people of several conversations say, from nothing."""
    by_repo: dict[str, list[SessionSignal]] = {}
    places = {found.session.id: found.session.repo for found in occurrences}
    for found in occurrences:
        repo = places.get(found.session.root, found.session.repo)
        by_repo.setdefault(repo, []).append(found)
    speeches: dict[str, Speech] = {repo: said_here(repo, some) for repo, some in by_repo.items()}
    known = {_place(found): found for found in occurrences if found.signal.fingerprints}
    return [
        candidate_of(saying, [known[turn.session, turn.fingerprint] for turn in saying.turns])
        for saying in sayings(speeches)
    ]


def _place(found: SessionSignal) -> tuple[int, int]:
    return found.session.key, found.signal.fingerprints[0]


def candidate_of(saying: Saying, members: list[SessionSignal]) -> Candidate:
    """Make the candidate of one thing that is said, of the turns that say it."""
    signal, repo, words = saying.signal, saying.repo, saying.words
    # The earliest gives the candidate its signal's other fields.
    members.sort(key=_when)
    texts = [found.signal.text for found in members[:_LOOKED_AT]]
    said = _in_words(words, texts)
    # Who wants to be part of it says more of when it is wanted than another's plain order.
    if signal == "instruction" and (joint := [text for text in texts if is_joint(text)]):
        texts = joint
    quote = quote_of(said, texts, is_correction=signal == "user_correction")
    title = said_title(signal, members, quote)
    # Corrections keep the ids they have where their word is the same.
    kind = "user_correction" if signal == "user_correction" else "user_request"
    key = (" ".join(words), *((repo,) if repo else ()))
    candidate = assemble(candidate_id(kind, *key), title, members, [])
    candidate.signal = signal
    candidate.sort = sort_of(signal)
    candidate.kind = "success" if signal in ("instruction", "workflow") else "problem"
    candidate.subject = words_of(said, quote) or " ".join(said) or key[0]
    candidate.reworked = _reworked(members)
    candidate.is_any_work = signal != "user_correction" and _is_any_work(words, members)
    return candidate


def _reworked(members: Sequence[SessionSignal]) -> str:
    """The file that agents of two conversations edited behind it, the commonest first."""
    roots: dict[str, set[str]] = {}
    for found in members:
        for action in found.signal.led_to:
            if action.startswith(EDITED):
                roots.setdefault(action.removeprefix(EDITED), set()).add(found.session.root)
    best = min(roots, key=lambda file: (-len(roots[file]), file), default="")
    return best if best and len(roots[best]) >= LEAST_HERE else ""


def _in_words(words: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The words of a thing that are said, not done; of what is only done the one said most."""
    said = [word for word in words if not word.startswith((RAN, EDITED))]
    if said:
        return said
    often = Counter(
        word
        for text in texts
        for word in {word for clause in clauses_in(text) for word in clause.words}
    )
    best = min(often, key=lambda word: (-often[word], word), default="")
    return [best] if often[best] > 1 else []


def _is_any_work(words: Sequence[str], members: Sequence[SessionSignal]) -> bool:
    """Whether people ask for what any session may be asked for, and do not say when it is due."""
    if not ANY_WORK.issuperset(words):
        return False
    said_when = {
        found.session.root
        for found in members
        if found.signal.verb == "instruction" or says_when(words, found.signal.text)
    }
    return len(said_when) < LEAST_HERE


def group_reports(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a candidate of the checks that people find red behind finished work.

    What a pipeline finds is one by itself where enough is left: it is looked at behind a push, the
    others can be run before.
    Reports of digests without turns, of which nothing says what failed, are one by themselves.
    """
    name: SignalName = "error_persistence"
    old = [found for found in occurrences if not found.signal.check]
    made = [assemble(candidate_id(name, "", ""), _OLD_TITLE, old, [])] if old else []
    red = sorted((found for found in occurrences if found.signal.check), key=_when)
    if not _recurs(red):
        return made
    elsewhere = [found for found in red if _is_of_pipeline(found.signal)]
    local = [found for found in red if not _is_of_pipeline(found.signal)]
    if _talks(elsewhere) >= LEAST_HERE and _talks(local) >= MIN_SESSIONS:
        return [*made, _red(name, local, _RED), _red(name, elsewhere, _RED_CI)]
    return [*made, _red(name, red, _RED)]


def _talks(members: Sequence[SessionSignal]) -> int:
    return len({found.session.root for found in members})


def _is_of_pipeline(signal: Signal) -> bool:
    """Whether a check runs elsewhere: people say so, or see it behind what was handed in."""
    return signal.check == _CI or signal.shape.startswith(_HANDING_IN)


def _red(name: SignalName, red: Sequence[SessionSignal], subject: str) -> Candidate:
    kinds = _checks_of(red)
    quote = quote_of((), [found.signal.text for found in red[:_LOOKED_AT]], naming=CHECK_WORDS)
    candidate = assemble(
        candidate_id("user_request", subject), said_title(name, red, quote, kinds), red, []
    )
    candidate.signal = name
    candidate.sort = sort_of(name)
    candidate.kinds = kinds
    candidate.subject = subject
    return candidate


def _when(found: SessionSignal) -> tuple[int | str, ...]:
    return (*age(found.session), *found.signal.fingerprints)


def _recurs(members: Sequence[SessionSignal]) -> bool:
    """Whether so many conversations say it that it is no chance."""
    roots = {found.session.root for found in members}
    is_of_one = len({found.session.repo for found in members}) == 1
    return len(roots) >= (LEAST_HERE if is_of_one else MIN_SESSIONS)


def _checks_of(members: Sequence[SessionSignal]) -> dict[str, int]:
    """The kinds of checks that were red, each with its conversations, the commonest first."""
    roots: dict[str, set[str]] = {}
    for found in members:
        roots.setdefault(check_name(found.signal.check), set()).add(found.session.root)
    return {kind: len(roots[kind]) for kind in sorted(roots, key=lambda k: (-len(roots[k]), k))}
