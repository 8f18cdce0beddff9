"""Make candidates of the checks that people find red behind work that was handed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal, age, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.said_titles import CHECK_WORDS, check_name, quote_of, said_title
from helix_tui.detect.same_wish import LEAST_HERE
from helix_tui.detect.tiers import sort_of
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import HANDING_IN, Signal, SignalName

# What the id of reports on red checks is made of.
_RED, _RED_CI, _RED_TRIED = "red check", "red pipeline", "red check tried"
_CI = "ci"
# So many turns are looked at for one that is quoted.
_LOOKED_AT = 40
_OLD_TITLE = "said to be done, the user reports that it still fails"
# Said so often in one conversation, it is mostly of that.
_MOST = 3
_NAME: SignalName = "error_persistence"
_OF_ONE = "one conversation has most of it, and one other the rest"
_EXCUSED = "the agent had run the check since its last edit, or had said that it did not"
_FEW = "too few conversations in which the agent had not run the check"


def group_reports(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Make a candidate of the checks that people find red and that the agent had not run.

    What a pipeline finds is one by itself where enough is left: it is looked at behind a push, the
    others can be run before. What the agent had run, or had said that it did not run, is no
    instance of either; with what is too little for one it is a figure for who looks at the rest.
    Reports of digests without turns, of which nothing says what failed, are one by themselves.
    """
    old = [found for found in occurrences if not found.signal.check]
    made = [assemble(candidate_id(_NAME, "", ""), _OLD_TITLE, old, [])] if old else []
    red = sorted((found for found in occurrences if found.signal.check), key=_when)
    open_ones = [found for found in red if not found.signal.is_excused]
    elsewhere = [found for found in open_ones if _is_of_pipeline(found.signal)]
    local = [found for found in open_ones if not _is_of_pipeline(found.signal)]
    has_local, has_pipeline = _recurs(local), _talks(elsewhere) >= LEAST_HERE
    if has_local:
        made.append(_red(local, _RED))
    if has_pipeline:
        made.append(_red(elsewhere, _RED_CI))
    rest = [
        found
        for found in red
        if found.signal.is_excused
        or not (has_pipeline if _is_of_pipeline(found.signal) else has_local)
    ]
    if _recurs(rest):
        candidate = _red(rest, _RED_TRIED if has_local else _RED, is_done=False)
        candidate.moment = _FEW if any(not one.signal.is_excused for one in rest) else _EXCUSED
        made.append(candidate)
    return made


def _red(red: Sequence[SessionSignal], subject: str, *, is_done: bool = True) -> Candidate:
    kinds = _checks_of(red)
    quote = quote_of((), [found.signal.text for found in red[:_LOOKED_AT]], naming=CHECK_WORDS)
    title = said_title(_NAME, red, quote, kinds, is_done=is_done)
    candidate = assemble(candidate_id("user_request", subject), title, red, [])
    candidate.signal = _NAME
    candidate.sort = sort_of(_NAME)
    candidate.kinds = kinds
    candidate.subject = subject
    candidate.steps = _steps_of(red)
    most = max(member.count for member in candidate.members.values())
    is_of_one = most >= _MOST and 2 * most > len(red)
    if is_of_one and len(candidate.members) <= LEAST_HERE:
        candidate.moment = _OF_ONE
    return candidate


def _when(found: SessionSignal) -> tuple[int | str, ...]:
    return (*age(found.session), *found.signal.fingerprints)


def _talks(members: Sequence[SessionSignal]) -> int:
    return len({found.session.root for found in members})


def _is_of_pipeline(signal: Signal) -> bool:
    """Whether a check runs elsewhere: people say so, or see it behind what was handed in."""
    return signal.check == _CI or signal.shape.startswith(HANDING_IN)


def _recurs(members: Sequence[SessionSignal]) -> bool:
    """Whether so many conversations say it that it is no chance."""
    is_of_one = len({found.session.repo for found in members}) == 1
    return _talks(members) >= (LEAST_HERE if is_of_one else MIN_SESSIONS)


def _checks_of(members: Sequence[SessionSignal]) -> dict[str, int]:
    """The kinds of checks that were red, each with its conversations, the commonest first."""
    roots: dict[str, set[str]] = {}
    for found in members:
        roots.setdefault(check_name(found.signal.check), set()).add(found.session.root)
    return {kind: len(roots[kind]) for kind in sorted(roots, key=lambda k: (-len(roots[k]), k))}


def _steps_of(members: Sequence[SessionSignal]) -> dict[str, dict[str, str]]:
    """Of each kind of check how it is run in a repository, as agents did there."""
    counted: dict[str, dict[str, Counter[str]]] = {}
    for session, signal in members:
        if signal.step:
            places = counted.setdefault(check_name(signal.check), {})
            places.setdefault(session.repo, Counter())[signal.step] += 1
    return {
        kind: {
            repo: min(steps, key=lambda step: (-steps[step], step))
            for repo, steps in sorted(places.items())
        }
        for kind, places in sorted(counted.items())
    }
