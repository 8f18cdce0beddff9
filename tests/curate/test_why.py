"""What the evidence of a pattern says in words."""

from __future__ import annotations

from typing import Any

import pytest

from helix_tui.curate.page.why import why_text
from helix_tui.schema.candidate import CandidateKind
from tests.curate.made_patterns import made_evidence


@pytest.mark.parametrize(
    ("fields", "kind", "said"),
    [
        (
            {},
            "problem",
            "This happened 41 times in 12 sessions of Claude Code (9) and Codex (3), in 4"
            " repositories, between 2026-05-02 and 2026-06-01. About 12,400 tokens were spent on"
            " it. What to do about it helped in 7 of the 12 sessions.",
        ),
        (
            {
                **{"sessions": 1, "frequency": 1, "repos": 1, "cost_impact": 0, "remedied": 1},
                **{"flavors": {"grok": 1}, "last_seen": "2026-05-02T23:00:00Z"},
            },
            "problem",
            "This happened once in 1 session of Grok, in 1 repository, on 2026-05-02."
            " What to do about it helped in that session.",
        ),
        (
            {
                **{"sessions": 1200, "frequency": 4100, "repos": 0, "remedied": 0},
                **{"flavors": {"aider": 1, "codex": 2, "claude": 1197}},
                **{"first_seen": None, "last_seen": None},
            },
            "success",
            "This worked 4,100 times in 1,200 sessions of Claude Code (1,197), Codex (2) and"
            " aider (1). About 12,400 tokens were spent on the trouble that it ends.",
        ),
    ],
)
def test_evidence_is_told_in_plain_words(
    fields: dict[str, Any], kind: CandidateKind, said: str
) -> None:
    assert why_text(made_evidence(**fields), kind, "") == said


def test_what_people_said_did_not_happen_to_anybody() -> None:
    said = why_text(made_evidence(remedied=0), "problem", "user_correction")
    assert said.startswith("This was said 41 times in 12 sessions")
    assert said.endswith("were spent on the work that it corrects.")
    asked = why_text(made_evidence(remedied=0), "success", "instruction")
    assert asked.startswith("This was asked for 41 times")
