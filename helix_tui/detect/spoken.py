"""Group corrections of users by what they speak of."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal, assemble
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.rank import MIN_SESSIONS
from helix_tui.detect.titles import correction_title
from helix_tui.detect.topics import Statement, subjects, word_of
from helix_tui.schema.candidate import Candidate


def group_corrections(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
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
        candidate = assemble(name, correction_title(about, example), corrections, [])
        candidate.subject = about
        candidates.append(candidate)
    return candidates
