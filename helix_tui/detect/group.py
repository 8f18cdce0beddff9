"""Groups the signals of a bucket into candidates; the same signals in any order give the same."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from helix_tui.detect.keys import UNGROUPED, candidate_id, is_on_error
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.titles import correction_title, error_title, moment_title, recovery_title
from helix_tui.detect.topics import Statement, subjects, word_of
from helix_tui.schema.candidate import Candidate, Counted, Evidence, Member, Sighting
from helix_tui.schema.signal import Signal, SignalName
from helix_tui.text.signature.join import join

_MOST_EVIDENCE = 20
_MOST_TEMPLATES = 20
# Among so many occurrences, evenly spaced in time, those to cite are chosen.
_LOOKED_AT = 400
_NEVER = 1 << 62
# A cure is one where so many of those who overcame the problem did the same.
_SHARE_OF_BEST = 1 / 3
_MOST_WAYS = 2
# What worked once is no remedy yet.
_FIRM = 2
# So many words of its own, beside the name of an exception, a joined template must have.
_LEAST_WORDS = 3
_LITERAL = re.compile(r"(?<![<\w])[A-Za-z][a-z]{2,}\w*")
_THROWN = ("Error", "Exception", "error", "assert", "expect", "expected")
# Beside these a signal on an error only says more of the same occurrence.
_FIRST_HAND: tuple[SignalName, ...] = (
    "env_missing",
    "edit_mismatch",
    "permission",
    "tool_error",
    "api_error",
)
_SUCCESSES = frozenset({"recovery", "first_pass", "kept_work"})


class SessionSignal(NamedTuple):
    """A signal with the session that it is in."""

    session: Counted
    signal: Signal


IsAbandoned = Callable[[Counted], bool]


def group(sightings: Iterable[Sighting], is_abandoned: IsAbandoned) -> list[Candidate]:
    """The candidates of one bucket, by id."""
    seen = list(_countable(sightings, is_abandoned))
    if not seen:
        return []
    first = seen[0].signal
    if is_on_error(first):
        found = _errors(seen)
    elif first.name in ("user_correction", "user_reaction"):
        found = _corrections(seen)
    elif first.name == "slow_command":
        found = _slow(seen)
    elif first.name == "api_error":
        found = _errors(seen)
    else:
        found = _moments(seen)
    return sorted(found, key=lambda candidate: candidate.id)


def _countable(sightings: Iterable[Sighting], is_abandoned: IsAbandoned) -> Iterator[SessionSignal]:
    """What counts: real sessions, the first of those that hold the same event, work left alone."""
    cited: set[tuple[str, int]] = set()
    # A copy begins with its original, and goes on where that ended.
    in_order = sorted(sightings, key=lambda one: _age(one.session))
    for session, signals in in_order:
        if session.gate is not None:
            continue
        for signal in signals:
            if signal.name in UNGROUPED:
                continue
            if signal.name == "abandoned" and not is_abandoned(session):
                continue
            own = [name for name in signal.fingerprints if (signal.name, name) not in cited]
            copies = len(signal.fingerprints) - len(own)
            if copies and not own:
                continue  # a resumed or forked session: the events are another's
            cited.update((signal.name, name) for name in own)
            yield SessionSignal(session, _without(signal, own, copies) if copies else signal)


def _age(session: Counted) -> tuple[int, int, str]:
    return session.first_ts, session.last_ts, session.id


def _without(signal: Signal, own: list[int], copies: int) -> Signal:
    import msgspec

    count = max(len(own), signal.count - copies)
    return msgspec.structs.replace(signal, fingerprints=own, count=count)


def _errors(seen: Sequence[SessionSignal]) -> list[Candidate]:
    """Problems by class and subject, or by joined template, with what overcame them."""
    templates = _joined({one.signal.template for one in seen})
    by_template: dict[str, list[SessionSignal]] = {}
    for one in seen:
        by_template.setdefault(templates[one.signal.template], []).append(one)
    return [candidate for name, some in by_template.items() for candidate in _of_error(name, some)]


def _joined(templates: set[str]) -> dict[str, str]:
    """Templates as they are joined; what no longer says anything keeps its members apart."""
    joined = join(templates)
    return {
        template: whole if whole == template or _says_enough(whole) else template
        for template, whole in joined.items()
    }


def _says_enough(template: str) -> bool:
    words = [word for word in _LITERAL.findall(template) if not word.endswith(_THROWN)]
    return len(words) >= _LEAST_WORDS


def _of_error(template: str, seen: Sequence[SessionSignal]) -> Iterator[Candidate]:
    failed = [one for one in seen if one.signal.name in _FIRST_HAND]
    beside = [one for one in seen if one.signal.name not in _FIRST_HAND]
    signal = seen[0].signal
    key = _error_key(seen)
    title = error_title(signal, _place(seen), template)
    problem_id = candidate_id(*key)
    cures = list(_recoveries(key, title, problem_id, seen))
    if failed:
        problem = _candidate(problem_id, title, failed, beside)
        problem.templates = sorted({one.signal.template for one in seen} - {""})[:_MOST_TEMPLATES]
        problem.aliases = sorted(
            {candidate_id(key[0], key[1], key[2], name) for name in problem.templates}
            - {problem_id}
        )
        problem.remedy = next((cure.id for cure in cures if len(cure.members) >= _FIRM), "")
        yield problem
    yield from cures


def _error_key(seen: Sequence[SessionSignal]) -> tuple[str, str, str, str]:
    """What an id is made of; of joined templates the one that was met first stands for all.

    What comes later than everything before it can then never change an id.
    """
    signal = seen[0].signal
    kind = signal.error_class or ("api_error" if signal.name == "api_error" else "tool_error")
    if not signal.template:
        return kind, signal.subject, "", ""
    first = min(
        seen,
        key=lambda one: (
            _NEVER if one.signal.first_ts is None else one.signal.first_ts,
            one.signal.template,
        ),
    )
    return kind, signal.subject, signal.tool_class, first.signal.template


def _recoveries(
    key: tuple[str, ...], title: str, problem_id: str, seen: Sequence[SessionSignal]
) -> Iterator[Candidate]:
    """One success for a problem, where most sessions overcame it in the same way."""
    cured = [one for one in seen if one.signal.name == "recovery"]
    by_verb: dict[str, set[str]] = {}
    for one in cured:
        by_verb.setdefault(one.signal.verb, set()).add(one.session.root)
    ways = sorted(by_verb, key=lambda verb: (-len(by_verb[verb]), verb))
    sessions = {one.session.root for one in cured}
    if not ways or len(by_verb[ways[0]]) < _SHARE_OF_BEST * len(sessions):
        return
    name = candidate_id("recovery", key[0], *key[1:])
    said = ways[:_MOST_WAYS] if len(by_verb[ways[0]]) < len(sessions) else ways[:1]
    cure = _candidate(name, recovery_title(title, " or ".join(said)), cured, [])
    cure.resolves = problem_id
    cure.ways = {verb: len(by_verb[verb]) for verb in ways}
    texts = sorted(one.signal.text for one in cured if one.signal.verb == ways[0])
    cure.remedy_text = max(texts, key=texts.count)
    yield cure


def _corrections(seen: Sequence[SessionSignal]) -> list[Candidate]:
    """What users keep saying, by what it is about; what nobody else speaks of stays apart."""
    said = [
        Statement(
            session.root,
            signal.text,
            signal.template,
            signal.before,
            signal.verb,
            signal.name == "user_correction",
        )
        for session, signal in seen
    ]
    by_subject: dict[str, list[SessionSignal]] = {}
    for one, subject in zip(seen, subjects(said, MIN_SESSIONS), strict=True):
        if subject:
            by_subject.setdefault(subject, []).append(one)
    found = []
    for subject, some in by_subject.items():
        # What is plain stands first and names the whole.
        some.sort(key=lambda one: one.signal.name)
        plain = [one.signal.text for one in some if one.signal.name == "user_correction"]
        example = min(plain, key=lambda text: (len(text), text))
        name = candidate_id("user_correction", subject)
        about = word_of(subject, plain)
        candidate = _candidate(name, correction_title(about, example), some, [])
        candidate.subject = about
        found.append(candidate)
    return found


def _slow(seen: Sequence[SessionSignal]) -> list[Candidate]:
    """Sessions in which a command took longer than nearly always in that repository."""
    from helix_tui.detect.slow import slow_runs

    slow = [one for one, is_slow in zip(seen, slow_runs(seen), strict=True) if is_slow]
    return _moments(slow)


def _moments(seen: Sequence[SessionSignal]) -> list[Candidate]:
    """What happened by what it happened to."""
    by_key: dict[tuple[str, ...], list[SessionSignal]] = {}
    for one in seen:
        signal = one.signal
        by_key.setdefault((signal.name, signal.subject, signal.tool_class), []).append(one)
    return [
        _candidate(candidate_id(*key), moment_title(some[0].signal), some, [])
        for key, some in by_key.items()
    ]


def _candidate(
    name: str, title: str, seen: Sequence[SessionSignal], beside: Sequence[SessionSignal]
) -> Candidate:
    signal = seen[0].signal
    names: dict[str, set[str]] = {}
    for one in (*seen, *beside):
        if one.signal.name != "recovery" or signal.name == "recovery":
            names.setdefault(one.signal.name, set()).add(one.session.root)
    return Candidate(
        name,
        "success" if signal.name in _SUCCESSES else "problem",
        signal.name,
        {told: len(roots) for told, roots in sorted(names.items())},
        _place(seen),
        signal.error_class,
        signal.subject,
        title,
        _members(seen),
        _evidence(seen),
    )


def _place(seen: Sequence[SessionSignal]) -> str:
    """The kind of tool that a thing mostly happens in."""
    places = Counter(one.signal.tool_class for one in seen)
    return min(places, key=lambda place: (-places[place], place))


def _members(seen: Sequence[SessionSignal]) -> dict[str, Member]:
    members: dict[str, Member] = {}
    for session, signal in seen:
        member = members.setdefault(session.root, Member(session.flavor, session.repo))
        member.count += signal.count
        member.chars += signal.chars
        member.ms += signal.ms
        member.first_ts = _either(min, member.first_ts, signal.first_ts)
        member.last_ts = _either(max, member.last_ts, signal.last_ts)
    return dict(sorted(members.items()))


def _either(which: Callable[[int, int], int], one: int | None, two: int | None) -> int | None:
    return which(one, two) if one is not None and two is not None else (two if one is None else one)


def _evidence(seen: Sequence[SessionSignal]) -> list[Evidence]:
    """Occurrences to look at, each as different from those before it as there is one."""
    left = sorted(seen, key=lambda one: (*_age(one.session), one.signal.text))
    left = left[:: 1 + len(left) // _LOOKED_AT]
    traits = [_traits(one) for one in left]
    chosen: list[SessionSignal] = []
    met: defaultdict[str, int] = defaultdict(int)
    while left and len(chosen) < _MOST_EVIDENCE:
        alike = [met[a] + met[b] + met[c] + met[d] + met[e] for a, b, c, d, e in traits]
        best = alike.index(min(alike))
        chosen.append(left.pop(best))
        for trait in traits.pop(best):
            met[trait] += 1
    return [
        Evidence(one.session.id, fingerprint, one.signal.first_ts)
        for one in chosen
        for fingerprint in one.signal.fingerprints[:1]
    ]


def _traits(one: SessionSignal) -> tuple[str, str, str, str, str]:
    session, signal = one
    return (
        f"flavor {session.flavor}",
        f"repo {session.repo}",
        f"session {session.root}",
        f"said {signal.template or signal.text}",
        f"did {signal.before}",
    )
