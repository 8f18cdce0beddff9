"""Group the signals of a bucket into candidates; their order makes no difference."""

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
# How many occurrences, evenly spaced in time, are considered for citing.
_LOOKED_AT = 400
_NEVER = 1 << 62
# A recovery counts where this share of those who overcame the problem did the same.
_SHARE_OF_BEST = 1 / 3
_MOST_WAYS = 2
# What worked once is no remedy yet.
_FIRM = 2
# How many words a joined template must have, beside the name of an exception.
_LEAST_WORDS = 3
_LITERAL = re.compile(r"(?<![<\w])[A-Za-z][a-z]{2,}\w*")
_THROWN = ("Error", "Exception", "error", "assert", "expect", "expected")
# Other signals on an error only add to an occurrence that one of these reports.
_FIRST_HAND: tuple[SignalName, ...] = (
    "env_missing",
    "edit_mismatch",
    "permission",
    "tool_error",
    "api_error",
)
_SUCCESSES = frozenset({"recovery", "first_pass", "kept_work"})


class SessionSignal(NamedTuple):
    """A signal and its session."""

    session: Counted
    signal: Signal


IsAbandoned = Callable[[Counted], bool]


def group(sightings: Iterable[Sighting], is_abandoned: IsAbandoned) -> list[Candidate]:
    """Group the signals of one bucket into candidates, sorted by id."""
    occurrences = list(_countable(sightings, is_abandoned))
    if not occurrences:
        return []
    first = occurrences[0].signal
    if is_on_error(first):
        candidates = _errors(occurrences)
    elif first.name in ("user_correction", "user_reaction"):
        candidates = _corrections(occurrences)
    elif first.name == "slow_command":
        candidates = _slow(occurrences)
    elif first.name == "api_error":
        candidates = _errors(occurrences)
    else:
        candidates = _moments(occurrences)
    return sorted(candidates, key=lambda candidate: candidate.id)


def _countable(sightings: Iterable[Sighting], is_abandoned: IsAbandoned) -> Iterator[SessionSignal]:
    """Yield the signals that count.

    Sessions that the gate drops do not count, nor copies of an event in a later session, nor
    abandoned work that went on elsewhere.
    """
    cited: set[tuple[str, int]] = set()
    # The original begins no later than its copies, and ends before them.
    in_order = sorted(sightings, key=lambda sighting: _age(sighting.session))
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


def _errors(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group errors by class and subject or by joined template, with their recoveries."""
    templates = _joined({occurrence.signal.template for occurrence in occurrences})
    by_template: dict[str, list[SessionSignal]] = {}
    for occurrence in occurrences:
        by_template.setdefault(templates[occurrence.signal.template], []).append(occurrence)
    return [
        candidate for name, members in by_template.items() for candidate in _of_error(name, members)
    ]


def _joined(templates: set[str]) -> dict[str, str]:
    """Join templates; where the joined one says too little, its members stay apart."""
    joined = join(templates)
    return {
        template: whole if whole == template or _says_enough(whole) else template
        for template, whole in joined.items()
    }


def _says_enough(template: str) -> bool:
    words = [word for word in _LITERAL.findall(template) if not word.endswith(_THROWN)]
    return len(words) >= _LEAST_WORDS


def _of_error(template: str, occurrences: Sequence[SessionSignal]) -> Iterator[Candidate]:
    failed = [occurrence for occurrence in occurrences if occurrence.signal.name in _FIRST_HAND]
    beside = [occurrence for occurrence in occurrences if occurrence.signal.name not in _FIRST_HAND]
    signal = occurrences[0].signal
    key = _error_key(occurrences)
    title = error_title(signal, _place(occurrences), template)
    problem_id = candidate_id(*key)
    cures = list(_recoveries(key, title, problem_id, occurrences))
    if failed:
        problem = _candidate(problem_id, title, failed, beside)
        problem.templates = sorted(
            {occurrence.signal.template for occurrence in occurrences} - {""}
        )[:_MOST_TEMPLATES]
        problem.aliases = sorted(
            {candidate_id(key[0], key[1], key[2], name) for name in problem.templates}
            - {problem_id}
        )
        problem.remedy = next((cure.id for cure in cures if len(cure.members) >= _FIRM), "")
        yield problem
    yield from cures


def _error_key(occurrences: Sequence[SessionSignal]) -> tuple[str, str, str, str]:
    """Return the key that an id is made of; the earliest of joined templates stands for all.

    So a later occurrence never changes an id.
    """
    signal = occurrences[0].signal
    kind = signal.error_class or ("api_error" if signal.name == "api_error" else "tool_error")
    if not signal.template:
        return kind, signal.subject, "", ""
    first = min(
        occurrences,
        key=lambda occurrence: (
            _NEVER if occurrence.signal.first_ts is None else occurrence.signal.first_ts,
            occurrence.signal.template,
        ),
    )
    return kind, signal.subject, signal.tool_class, first.signal.template


def _recoveries(
    key: tuple[str, ...], title: str, problem_id: str, occurrences: Sequence[SessionSignal]
) -> Iterator[Candidate]:
    """Yield one recovery for a problem, where enough sessions overcame it in the same way."""
    cured = [occurrence for occurrence in occurrences if occurrence.signal.name == "recovery"]
    by_verb: dict[str, set[str]] = {}
    for occurrence in cured:
        by_verb.setdefault(occurrence.signal.verb, set()).add(occurrence.session.root)
    ways = sorted(by_verb, key=lambda verb: (-len(by_verb[verb]), verb))
    sessions = {occurrence.session.root for occurrence in cured}
    if not ways or len(by_verb[ways[0]]) < _SHARE_OF_BEST * len(sessions):
        return
    name = candidate_id("recovery", key[0], *key[1:])
    named_ways = ways[:_MOST_WAYS] if len(by_verb[ways[0]]) < len(sessions) else ways[:1]
    cure = _candidate(name, recovery_title(title, " or ".join(named_ways)), cured, [])
    cure.resolves = problem_id
    cure.ways = {verb: len(by_verb[verb]) for verb in ways}
    texts = sorted(
        occurrence.signal.text for occurrence in cured if occurrence.signal.verb == ways[0]
    )
    cure.remedy_text = max(texts, key=texts.count)
    yield cure


def _corrections(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group corrections by subject; those that no others share a subject with are left out."""
    statements = [
        Statement(
            session.root,
            signal.text,
            signal.template,
            signal.before,
            signal.verb,
            signal.name == "user_correction",
        )
        for session, signal in occurrences
    ]
    by_subject: dict[str, list[SessionSignal]] = {}
    for occurrence, subject in zip(occurrences, subjects(statements, MIN_SESSIONS), strict=True):
        if subject:
            by_subject.setdefault(subject, []).append(occurrence)
    candidates = []
    for subject, corrections in by_subject.items():
        # Plain corrections come first and name the candidate.
        corrections.sort(key=lambda occurrence: occurrence.signal.name)
        plain = [
            occurrence.signal.text
            for occurrence in corrections
            if occurrence.signal.name == "user_correction"
        ]
        example = min(plain, key=lambda text: (len(text), text))
        name = candidate_id("user_correction", subject)
        about = word_of(subject, plain)
        candidate = _candidate(name, correction_title(about, example), corrections, [])
        candidate.subject = about
        candidates.append(candidate)
    return candidates


def _slow(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group the sessions in which a command was unusually slow for its repository."""
    from helix_tui.detect.slow import slow_runs

    slow = [
        occurrence
        for occurrence, is_slow in zip(occurrences, slow_runs(occurrences), strict=True)
        if is_slow
    ]
    return _moments(slow)


def _moments(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group other signals by name, subject and kind of tool."""
    by_key: dict[tuple[str, ...], list[SessionSignal]] = {}
    for occurrence in occurrences:
        signal = occurrence.signal
        by_key.setdefault((signal.name, signal.subject, signal.tool_class), []).append(occurrence)
    return [
        _candidate(candidate_id(*key), moment_title(members[0].signal), members, [])
        for key, members in by_key.items()
    ]


def _candidate(
    name: str, title: str, occurrences: Sequence[SessionSignal], beside: Sequence[SessionSignal]
) -> Candidate:
    signal = occurrences[0].signal
    names: dict[str, set[str]] = {}
    for occurrence in (*occurrences, *beside):
        if occurrence.signal.name != "recovery" or signal.name == "recovery":
            names.setdefault(occurrence.signal.name, set()).add(occurrence.session.root)
    return Candidate(
        name,
        "success" if signal.name in _SUCCESSES else "problem",
        signal.name,
        {name: len(roots) for name, roots in sorted(names.items())},
        _place(occurrences),
        signal.error_class,
        signal.subject,
        title,
        _members(occurrences),
        _evidence(occurrences),
    )


def _place(occurrences: Sequence[SessionSignal]) -> str:
    """Return the kind of tool in which it mostly happens."""
    places = Counter(occurrence.signal.tool_class for occurrence in occurrences)
    return min(places, key=lambda place: (-places[place], place))


def _members(occurrences: Sequence[SessionSignal]) -> dict[str, Member]:
    members: dict[str, Member] = {}
    for session, signal in occurrences:
        member = members.setdefault(session.root, Member(session.flavor, session.repo))
        member.count += signal.count
        member.chars += signal.chars
        member.ms += signal.ms
        member.first_ts = _either(min, member.first_ts, signal.first_ts)
        member.last_ts = _either(max, member.last_ts, signal.last_ts)
    return dict(sorted(members.items()))


def _either(which: Callable[[int, int], int], first: int | None, second: int | None) -> int | None:
    return (
        which(first, second)
        if first is not None and second is not None
        else (second if first is None else first)
    )


def _evidence(occurrences: Sequence[SessionSignal]) -> list[Evidence]:
    """Choose occurrences to cite, each as different from those before it as possible."""
    remaining = sorted(
        occurrences, key=lambda occurrence: (*_age(occurrence.session), occurrence.signal.text)
    )
    remaining = remaining[:: 1 + len(remaining) // _LOOKED_AT]
    traits = [_traits(occurrence) for occurrence in remaining]
    chosen: list[SessionSignal] = []
    trait_counts: defaultdict[str, int] = defaultdict(int)
    while remaining and len(chosen) < _MOST_EVIDENCE:
        alike = [
            trait_counts[a] + trait_counts[b] + trait_counts[c] + trait_counts[d] + trait_counts[e]
            for a, b, c, d, e in traits
        ]
        best = alike.index(min(alike))
        chosen.append(remaining.pop(best))
        for trait in traits.pop(best):
            trait_counts[trait] += 1
    return [
        Evidence(occurrence.session.id, fingerprint, occurrence.signal.first_ts)
        for occurrence in chosen
        for fingerprint in occurrence.signal.fingerprints[:1]
    ]


def _traits(occurrence: SessionSignal) -> tuple[str, str, str, str, str]:
    session, signal = occurrence
    return (
        f"flavor {session.flavor}",
        f"repo {session.repo}",
        f"session {session.root}",
        f"said {signal.template or signal.text}",
        f"did {signal.before}",
    )
