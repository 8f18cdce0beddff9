"""Group turns in which a model read the same topic; it named them, the counting is ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.titles import correction_title
from helix_tui.schema.candidate import Candidate, Sort

# What a label may say of a turn that asks for something, in the order that decides between equals.
_KINDS: tuple[Sort, ...] = ("correction", "report", "instruction")


def group_topic(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group turns by topic, whatever order its words are in; the shortest one is the title."""
    by_topic: dict[str, list[SessionSignal]] = {}
    for occurrence in occurrences:
        by_topic.setdefault(occurrence.signal.topic, []).append(occurrence)
    return [_candidate(topic, members) for topic, members in sorted(by_topic.items())]


def _candidate(topic: str, members: list[SessionSignal]) -> Candidate:
    words = Counter(member.signal.subject for member in members)
    subject = min(words, key=lambda word: (-words[word], word))
    example = min((member.signal.text for member in members), key=lambda text: (len(text), text))
    name = candidate_id("user_correction", topic, "read")
    candidate = assemble(
        name, correction_title(f"{subject}, as a model read it", example), members, []
    )
    candidate.subject = subject
    candidate.sort = _sort(members)
    return candidate


def _sort(members: Sequence[SessionSignal]) -> Sort:
    """What most conversations say it is; a correction before a report, and that before a wish."""
    roots = {
        kind: {found.session.root for found in members if found.signal.verb == kind}
        for kind in _KINDS
    }
    return min(_KINDS, key=lambda kind: (-len(roots[kind]), _KINDS.index(kind)))
