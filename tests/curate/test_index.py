"""The index reads well, changes little, and nothing in a pattern gets out of its cell."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.catalog.index import MARKER, index_page, is_generated
from tests.curate.made_patterns import any_pattern, made_evidence, made_pattern


def rows(page: str) -> list[str]:
    return [line for line in page.split("\n") if line.startswith("| [")]


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_it_reads_as_a_page_for_people() -> None:
    listed = [
        made_pattern(id="a", title="Run Python through the environment"),
        made_pattern(
            id="b",
            kind="success",
            status="provisional",
            version="0.2.0",
            title="Read the failing test first",
            guidance="1. Open the test.\n2. Then the code.",
            evidence=made_evidence(sessions=1204, flavors={"grok": 4}),
        ),
    ]
    assert (
        index_page(listed)
        == f"""{MARKER}

# Pattern Catalog

What the sessions of coding agents have taught, approved for this catalog: 2 patterns.
Each page says what goes wrong or works, when that applies, what to do, and why we believe it.

## Problems, and what to do

| Pattern | What to do | Status | Version | Agents | Sessions |
| --- | --- | --- | --- | --- | ---: |
| [Run Python through the environment](a.md) | Call `.venv/bin/python`, never `python`. \
| approved | 1.0.0 | claude, codex | 12 |

## What works

| Pattern | What to do | Status | Version | Agents | Sessions |
| --- | --- | --- | --- | --- | ---: |
| [Read the failing test first](b.md) | Open the test. | provisional | 0.2.0 | grok | 1,204 |
"""
    )


def test_problems_come_before_successes_and_what_is_deprecated_last() -> None:
    listed = [
        made_pattern(id=f"{kind}-{status}-{title}", kind=kind, status=status, title=title)
        for kind in ("success", "problem")
        for status in ("deprecated", "provisional", "approved")
        for title in ("b", "A")
    ]
    shown = [re.findall(r"\((.*)\.md\)", row)[0] for row in rows(index_page(listed))]
    assert shown[:4] == [
        *("problem-approved-A", "problem-approved-b"),
        *("problem-provisional-A", "problem-provisional-b"),
    ]
    assert shown[4] == "success-approved-A"
    assert all("deprecated" in name for name in shown[8:])


def test_more_evidence_changes_one_line() -> None:
    before = [made_pattern(id=name, title=name) for name in "abc"]
    after = [*before[:1], made_pattern(id="b", title="b", evidence=made_evidence(sessions=99))]
    one, two = (index_page(listed).split("\n") for listed in (before, [*after, before[2]]))
    assert sum(a != b for a, b in zip(one, two, strict=True)) == 1


def test_markdown_of_a_title_is_shown_and_does_nothing() -> None:
    title = "a|b [x](http://evil) *c* _d_ e_f <script> `code` ~~g~~ `un\\|closed"
    (row,) = rows(index_page([made_pattern(id="a", title=title)]))
    assert cells(row)[0] == (
        r"[a\|b \[x\](http://evil) \*c\* \_d\_ e_f &lt;script&gt; `code` \~\~g\~\~ \`un\\\|closed]"
        "(a.md)"
    )
    assert len(cells(row)) == 6


def test_code_is_shown_as_code_with_its_pipes() -> None:
    row = index_page([made_pattern(guidance="- Run `git ls-files | grep <name>` first.")])
    assert r"| Run `git ls-files \| grep <name>` first. |" in row


def test_long_guidance_is_cut_between_words_and_a_fence_is_passed_over() -> None:
    (row,) = rows(index_page([made_pattern(guidance=f"```sh\n- {'word ' * 60}\n```")]))
    brief = cells(row)[1]
    assert brief.endswith("word …")
    assert len(brief) <= 122


def test_without_patterns_it_says_so() -> None:
    assert "catalog: 0 patterns." in index_page([])


def test_a_page_of_a_person_is_told_by_its_missing_marker() -> None:
    assert is_generated(index_page([]))
    assert is_generated(f"# Ours\n{MARKER}\n")
    assert not is_generated("# Our patterns\n")
    assert not is_generated("\n" * 9 + MARKER)


@settings(max_examples=12, deadline=None)
@given(st.lists(any_pattern(), max_size=3, unique_by=lambda pattern: pattern.id), st.randoms())
def test_every_pattern_is_one_row_of_six_cells_in_whatever_order(listed, chance) -> None:  # type: ignore[no-untyped-def]
    page = index_page(listed)
    assert [len(cells(row)) for row in rows(page)] == [6] * len(listed)
    chance.shuffle(listed)
    assert index_page(listed) == page
