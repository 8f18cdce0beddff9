"""Make candidates of what people say: titles, quotations, and whether it is of its moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.said_here import said_here
from helix_tui.detect.said_titles import quote_of, said_title, says_when, words_of
from helix_tui.detect.same_wish import LEAST_HERE, is_one_act
from helix_tui.detect.sayings import sayings
from helix_tui.detect.tiers import sort_of
from helix_tui.detect.utterances import MARKS, RAN, kind_of
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import EDITED, Signal
from helix_tui.schema.speech import Saying, Speech
from helix_tui.text.clauses import is_name, sentences_of
from helix_tui.text.hashing import hash64
from helix_tui.text.request_words import ANY_WORK
from helix_tui.text.said import clauses_in
from helix_tui.text.standing import holds_always, is_joint, is_of_moment, is_standing

# So many turns are looked at for one that is quoted.
_LOOKED_AT = 40
# So often asked for, what one person lays down is what others mean, too.
_OFTEN = 3
_DAY_MS = 24 * 3600 * 1000
_OF_ONE = "one conversation lays it down; what others say is an order of its moment"
_OF_ACTS = "people name the same file, and each orders something else of it"
_OF_A_DAY = "an order of one day; nobody says that it holds for more"


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
    members = list(map(_with_share, members, saying.shares)) if saying.shares else members
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
    candidate.reworked, candidate.taken_back = _reworked(members)
    candidate.is_any_work = signal != "user_correction" and _is_any_work(words, members)
    candidate.laid_down = len({one.session.root for one in members if _lays_down(one.signal, said)})
    times = sum(one.count for one in candidate.members.values())
    is_meant_for_more = times >= _OFTEN and holds_always(quote)
    if signal == "instruction" and candidate.laid_down and is_meant_for_more:
        # What one conversation lays down, and people come back to, is meant for more.
        candidate.laid_down = max(candidate.laid_down, LEAST_HERE)
    candidate.moment = _moment_of(candidate)
    is_of_file = signal == "instruction" and len(words) == 1 and is_name(words[0])
    if is_of_file and not is_one_act(words, members):
        candidate.moment = _OF_ACTS
    return candidate


def _with_share(found: SessionSignal, rows: int) -> SessionSignal:
    """A turn with its part of what it cost, where several rows hold it."""
    if rows < 2:
        return found
    signal = found.signal
    chars, ms = signal.chars // rows, signal.ms // rows
    return found._replace(signal=msgspec.structs.replace(signal, chars=chars, ms=ms))


def _lays_down(signal: Signal, words: Sequence[str]) -> bool:
    """Whether somebody lays something down, or corrects the agent towards it.

    What is to be tried again, or done now, is an order of its moment, whatever it follows.
    """
    if kind_of(signal) in MARKS and (is_standing(signal.text) or not is_of_moment(signal.text)):
        return True
    wanted = set(words)
    return any(
        is_standing(sentence)
        and wanted <= {word for clause in clauses_in(sentence) for word in clause.words}
        for sentence in sentences_of(signal.text)
    )


def _moment_of(candidate: Candidate) -> str:
    """Why what people say is of its moment: a rule takes two who lay it down, a wish two days."""
    if candidate.laid_down >= LEAST_HERE:
        return ""
    if candidate.sort == "correction":
        return _OF_ONE
    times = [ts for one in candidate.members.values() for ts in (one.first_ts, one.last_ts)]
    known = [ts for ts in times if ts is not None]
    is_of_day = len(known) == len(times) and max(known, default=0) - min(known, default=0) < _DAY_MS
    return _OF_A_DAY if is_of_day else ""


def _reworked(members: Sequence[SessionSignal]) -> tuple[str, int]:
    """The file that agents of two conversations edited behind it, the commonest first.

    With the number of those in which they put back what they had replaced in it.

    Files of one name in two folders are two.
    """
    roots: dict[tuple[str, int], set[str]] = {}
    for session, signal in members:
        names = [action for action in signal.led_to if action.startswith(EDITED)]
        for name, place in zip_longest(names, signal.edited[: len(names)], fillvalue=0):
            roots.setdefault((str(name), int(place)), set()).add(session.root)
    best = min(roots, key=lambda file: (-len(roots[file]), file), default=("", 0))
    if len(roots.get(best, ())) < LEAST_HERE:
        return "", 0
    back = {one.session.root for one in members if _hash(one.signal.taken_back) == best[1]}
    return best[0].removeprefix(EDITED), len(back)


def _hash(file: str) -> int:
    return hash64(file.encode("utf-8", "surrogatepass")) if file else 0


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


def _when(found: SessionSignal) -> tuple[int | str, ...]:
    return (*age(found.session), *found.signal.fingerprints)
