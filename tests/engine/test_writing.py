"""The words of a page taken apart and put together again, and what of them is wrong where."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings

from helix_tui.curate.page.page import read_page, tidy, write_page
from helix_tui.curate.page.pattern import Hint, Pattern
from helix_tui.engine.review.page_check import check, page_with, written_of
from helix_tui.schema.board import ApprovalPreview
from helix_tui.text.refuse import refusals
from tests.curate.made_patterns import any_pattern, made_pattern

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "8"))


def preview_of(pattern: Pattern) -> ApprovalPreview:
    page = write_page(pattern)
    nobody: object = None
    return ApprovalPreview(nobody, page, "", "updated", pattern.id, [], "", [], [], [], [], [])  # type: ignore[arg-type]


@settings(max_examples=EXAMPLES, deadline=None)
@given(any_pattern())
def test_what_nobody_changed_is_the_same_page(pattern: Pattern) -> None:
    pattern = tidy(pattern)
    page = write_page(pattern)
    written = written_of(page, pattern.id)
    assert read_page(page_with(page, pattern.id, written), pattern.id) == pattern


@pytest.mark.parametrize(
    ("line", "text", "told"),
    [
        (3, "Use password=hunter2-very-secret-94.", "a password, key or token"),
        (3, "Use \u202e it.", "a sign that turns the direction of text (U+202E)"),
        (3, "```sh", "this fence is not closed before the next section"),
        (5, "## Problem", "`## Problem` is here twice"),
    ],
)
def test_what_is_wrong_is_told_by_the_line_where_it_was_typed(
    line: int, text: str, told: str
) -> None:
    preview = preview_of(made_pattern())
    written = written_of(preview.page, preview.into)
    lines = written.prose.split("\n")
    lines.insert(line - 1, text)
    checked = check(preview, preview.page, written._replace(prose="\n".join(lines)))
    assert checked.preview is None
    assert (checked.faults[0].part, checked.faults[0].line) == ("prose", line)
    assert checked.faults[0].reason == told


def test_title_and_hints_have_mistakes_of_their_own() -> None:
    preview = preview_of(made_pattern())
    written = written_of(preview.page, preview.into)
    empty = check(preview, preview.page, written._replace(title=""))
    assert {one.part for one in empty.faults} == {"title"}
    hints = {"claude": Hint(wording="token=ghp_012345678901234567890123456789012345")}
    secret = check(preview, preview.page, written._replace(hints=hints))
    assert [one.part for one in secret.faults] == ["hints"]
    long = check(preview, preview.page, written._replace(hints={"claude": Hint(scope=["x" * 301])}))
    assert {one.part for one in long.faults} == {"hints"}


def test_a_persons_guidance_is_said_to_be_theirs() -> None:
    preview = preview_of(made_pattern())
    written = written_of(preview.page, preview.into)
    checked = check(preview, preview.page, written._replace(prose=written.prose + "Mine.\n"))
    assert checked.preview is not None
    made = read_page(checked.preview.page, preview.into)
    assert made.guidance.endswith("Mine.")
    assert made.provenance.guidance == "person"
    assert checked.preview.drafted == preview.page
    assert not refusals(checked.preview.page)
