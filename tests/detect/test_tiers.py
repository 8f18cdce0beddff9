"""The tier of an error follows from what its evidence gives somebody to do."""

from __future__ import annotations

from helix_tui.detect.group import group
from helix_tui.schema.candidate import Candidate
from tests.detect.made import missing, sightings, signal


def grouped(*shapes: str) -> Candidate:
    """Commands that timed out, each in a conversation of its own."""
    failed = (
        signal("tool_error", number, error_class="timeout", shape=shape)
        for number, shape in enumerate(shapes, 1)
    )
    (found,) = group(sightings(*failed), lambda _: True)
    return found


def test_different_commands_that_fail_alike_are_no_finding() -> None:
    found = grouped("git push", "grep -R")
    assert (found.tier, found.tier_reason) == (
        "rest",
        "different commands share only the kind of failure",
    )
    assert "git push" not in found.title
    assert "grep" not in found.title


def test_one_command_that_fails_in_two_conversations_is_known() -> None:
    found = grouped("git push", "git push", "grep -R")
    assert found.tier == "know"
    assert "`git push`" in found.title


def test_a_subject_says_what_different_commands_have_in_common() -> None:
    some = (missing(1, shape="jq"), missing(2, shape="bash build.sh"))
    (found,) = group(sightings(*some), lambda _: True)
    assert found.tier == "know"
