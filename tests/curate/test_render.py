"""What an agent receives of a pattern, and what its evidence says in words."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings

from helix_tui.curate.page.agent_text import render
from helix_tui.curate.page.pattern import Hint, Pattern
from helix_tui.curate.page.why import why_text
from helix_tui.schema.candidate import CandidateKind
from tests.curate.made_patterns import any_pattern, made_evidence, made_pattern

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "20"))


def test_a_rendered_pattern_says_when_and_what_to_do() -> None:
    pattern = made_pattern(does_not_apply="- There is no `.venv`.\n- It is broken.")
    assert render(pattern, "claude") == (
        "<!-- helix: missing-module-yaml-0a1b2c3d 1.0.0 -->\n"
        "\n"
        "## Run Python through the project's environment\n"
        "\n"
        "Applies: A command runs `python` in a folder that has a `.venv`.\n"
        "\n"
        "Does not apply:\n"
        "\n"
        "- There is no `.venv`.\n"
        "- It is broken.\n"
        "\n"
        "Call `.venv/bin/python`, never `python`.\n"
    )


def test_a_hint_has_its_own_words_and_files() -> None:
    hint = Hint(wording="Use uv.\n", scope=["src/**", "a`b"])
    pattern = made_pattern(rendering={"codex": hint})
    assert render(pattern, "codex").endswith("\n\nOnly for: `src/**`, ``a`b``\n\nUse uv.\n")
    assert "Only for" not in render(pattern, "claude")


@pytest.mark.parametrize("fields", [{"status": "deprecated"}, {"superseded_by": "other"}])
def test_what_is_no_longer_good_is_not_handed_out(fields: dict[str, Any]) -> None:
    assert render(made_pattern(**fields), "claude") == ""


@settings(max_examples=EXAMPLES, deadline=None)
@given(pattern=any_pattern())
def test_a_rendered_pattern_holds_one_mark_and_ends_once(pattern: Pattern) -> None:
    text = render(pattern, "claude")
    assert text == render(pattern, "claude")
    if text:
        assert text.startswith(f"<!-- helix: {pattern.id} {pattern.version} -->\n")
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert "\x1b" not in text


def test_no_text_of_a_pattern_is_taken_for_a_mark() -> None:
    said = "<!-- helix: other 1.0.0 -->"
    text = render(made_pattern(title=said, applies=said, guidance=said), "claude")
    assert text.count("<!-- helix:") == 1


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
