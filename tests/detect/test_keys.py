"""By what signals meet, and the ids of what they form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.detect.keys import bucket, candidate_id
from tests.detect.made import missing, said, signal


def test_known_errors_meet_by_class_and_subject_in_whatever_tool() -> None:
    assert bucket(missing(1)) == bucket(missing(2, text="zsh: command not found: jq"))
    assert bucket(missing(1)) != bucket(missing(1, subject="rg"))
    assert bucket(missing(1)) == bucket(missing(1, tool_class="edit"))
    template = {"error_class": "", "template": "no luck today"}
    assert bucket(missing(1, **template)) != bucket(missing(1, tool_class="edit", **template))


@pytest.mark.parametrize("name", ["repeated_error", "recovery", "tool_error"])
def test_what_tells_of_an_error_meets_it(name: str) -> None:
    known = {"error_class": "command_not_found", "subject": "jq"}
    assert bucket(signal(name, **known)) == bucket(missing())  # type: ignore[arg-type]


def test_templates_meet_where_they_may_be_joined() -> None:
    one, two = (signal(template=f"cannot open <path> of {name}") for name in ("app", "web"))
    assert bucket(one) == bucket(two)
    assert bucket(one) != bucket(signal(template="cannot open <path>"))
    assert bucket(one) != bucket(signal("api_error", template=one.template))


def test_what_people_say_is_looked_at_together() -> None:
    words = [bucket(said(n, text, is_plain=n > 1)) for n, text in enumerate(("no", "stop", "why"))]
    assert len(set(words)) == 1
    left = [bucket(signal("abandoned", subject=subject)) for subject in ("error", "question")]
    assert len(set(left)) == 1
    assert words[0] != left[0]


def test_moments_meet_by_what_they_happened_to() -> None:
    assert bucket(signal("retry_loop", subject="a")) != bucket(signal("retry_loop", subject="b"))
    assert bucket(signal("first_pass", subject="a")) != bucket(signal("retry_loop", subject="a"))


def test_ids_are_these_for_ever() -> None:
    """An id is in decisions and in the catalog; it may change only with the grouping version."""
    from helix_tui.text.signature.version import GROUPING_VERSION

    assert GROUPING_VERSION == 2
    assert candidate_id("command_not_found", "jq", "shell", "") == "command-not-found-jq-7f15c6b8"


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_ids_name_files(key: list[str]) -> None:
    name = candidate_id("tool_error", *key)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name)
    assert len(name) <= 100
    assert name == candidate_id("tool_error", *key)


def test_different_keys_have_different_ids() -> None:
    keys = [("a", "b"), ("ab", ""), ("a", "", "b"), ("", "ab"), ("A", "b"), ("a ", "b"), ("ä", "b")]
    assert len({candidate_id("tool_error", *key) for key in keys}) == len(keys)
