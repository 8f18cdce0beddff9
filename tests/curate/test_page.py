"""The page of a pattern: what is written is read again, and every mistake has its line."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.page.page import BadPageError, Mistake, read_page, tidy, write_page
from helix_tui.curate.page.pattern import Excerpt, Hint, Pattern
from tests.curate.made_patterns import any_pattern, blocks, made_pattern

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "40"))
NAME = made_pattern().id
PAGE = write_page(made_pattern())


def mistakes(page: str, name: str = NAME) -> list[Mistake]:
    """What is wrong with a page."""
    with pytest.raises(BadPageError) as refused:
        read_page(page, name)
    assert refused.value.exit_code == 3
    for line, reason in refused.value.mistakes:
        assert f"{name}.md:{line}: {reason}" in str(refused.value)
    return refused.value.mistakes


def line_of(page: str, start: str) -> int:
    """The number of the line that starts so."""
    found = [n for n, line in enumerate(page.split("\n"), 1) if line.lstrip().startswith(start)]
    return found[0]


def wrong_at(page: str, start: str, name: str = NAME) -> str:
    """The one mistake of a page, which is on the line that starts so."""
    [mistake] = mistakes(page, name)
    assert mistake.line == line_of(page, start)
    return mistake.reason


@settings(max_examples=EXAMPLES, deadline=None)
@given(pattern=any_pattern())
def test_what_is_written_is_read_again(pattern: Pattern) -> None:
    page = write_page(pattern)
    read = read_page(page, pattern.id)
    assert read == tidy(pattern)
    assert tidy(read) == read
    assert write_page(read) == page
    assert read_page("\ufeff" + page.replace("\n", "\r\n"), pattern.id) == read


def test_what_nobody_tried_is_not_said_to_have_helped_never() -> None:
    evidence = made_pattern().evidence
    page = write_page(made_pattern(evidence=replace(evidence, remedied=0, cost_impact=0)))
    assert "remedied" not in page
    assert "cost_impact: 0" in page
    assert read_page(page, NAME).evidence.remedied == 0


def test_mistakes_and_what_to_do_about_them_are_lines_of_their_own() -> None:
    with pytest.raises(BadPageError) as refused:
        read_page("nothing", NAME)
    assert all(line == line.strip() for line in str(refused.value).split("\n"))


@settings(max_examples=EXAMPLES, deadline=None)
@given(at=st.integers(0, len(PAGE)), cut=st.integers(0, 40), put=blocks)
def test_a_damaged_page_is_refused_or_read_as_one(at: int, cut: int, put: str) -> None:
    page = PAGE[:at] + put + PAGE[at + cut :]
    try:
        read = read_page(page, NAME)
    except BadPageError as refused:
        lines_told = {line for line, _ in refused.mistakes}
    else:
        assert read_page(write_page(read), NAME) == read
        return
    assert lines_told
    assert lines_told <= set(range(1, page.count("\n") + page.count("\r") + 2))


def test_prose_that_looks_like_the_page_itself_stays_prose() -> None:
    said = "Write:\n\n## Problem\n\n```md\n## Problem\n## Notes\n---\n```\n\n\\## Notes"
    page = write_page(made_pattern(guidance=said))
    assert "\\## Problem\n\n```md\n\\## Problem\n## Notes\n---\n```\n\n\\\\## Notes" in page
    assert read_page(page, NAME).guidance == said


def test_an_open_fence_is_closed_when_written() -> None:
    page = write_page(made_pattern(guidance="Run:\n~~~~sh\nmake", sections={"Notes": "mine"}))
    assert "~~~~sh\nmake\n~~~~\n" in page
    assert read_page(page, NAME).sections == {"Notes": "mine"}


def test_an_excerpt_may_hold_fences_and_headings() -> None:
    text = "```text\n## Problem\n### claude:x · y\n````\n---"
    excerpt = Excerpt(session="claude:x", fingerprint="ff", text=text)
    page = write_page(made_pattern(excerpts=[excerpt, excerpt]))
    assert "### claude:x · ff\n\n`````text\n" in page
    assert read_page(page, NAME).excerpts == [excerpt, excerpt]


def test_control_characters_are_shown_not_written() -> None:
    read = read_page(write_page(made_pattern(title="a\x1b[31m\tb\n c", problem="x\x07\x9b")), NAME)
    assert read.title == "a␛[31m b c"
    assert read.problem == "x␇\ufffd"


def test_unknown_fields_and_sections_survive_at_every_level() -> None:
    page = (
        PAGE.replace("kind:", "owner: {team: web, since: 2026-05-01}\nkind:")
        .replace("  remedied: 7", "  remedied: 7\n  weather: no")
        .replace("provenance:", "rendering:\n  claude:\n    color: ~\nprovenance:")
        .replace("## Excerpts", "## Our notes\n\nAsk *Ada*.\n\n## Excerpts")
    )
    read = read_page(page, NAME)
    assert read.extra == {
        "owner": {"team": "web", "since": "2026-05-01"},
        "evidence": {"weather": "no"},
        "rendering": {"claude": {"color": None}},
    }
    assert read.rendering == {"claude": Hint()}
    assert read.sections == {"Our notes": "Ask *Ada*."}
    assert read_page(write_page(read), NAME) == read


def test_sections_may_stand_in_any_order_and_case() -> None:
    head, problem, applies, rest = PAGE.split("\n## ", 3)
    page = "\n## ".join([head, applies, problem.replace("Problem", "PROBLEM "), rest])
    assert read_page(page, NAME) == read_page(PAGE, NAME)


def test_bare_words_are_read_as_the_core_of_yaml_1_2() -> None:
    said = "a: no\nb: 2026-05-01\nc: 12:30\nd: 010\ne: 0o17\nf: 1_0\ng: True\nh: .5\ni:\nj: 1.2.3\n"
    read = read_page(PAGE.replace("kind:", f"{said}kind:"), NAME)
    assert list(read.extra.values()) == [
        *("no", "2026-05-01", "12:30", 10, 15, "1_0", True, 0.5, None, "1.2.3")
    ]


def test_a_changed_word_changes_one_line() -> None:
    long = "many words " * 100
    before = write_page(made_pattern(rendering={"grok": Hint(wording=long)})).split("\n")
    after = write_page(made_pattern(rendering={"grok": Hint(wording=f"{long} x")})).split("\n")
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (
            "sessions: 12",
            "sessions: -1",
            "sessions",
            "`evidence.sessions` is to be a count, 0 or more",
        ),
        ("sessions: 12", "sessions: many", "sessions", "`evidence.sessions` is to be a count"),
        (
            "codex: 3",
            "'co dex': 3",
            "'co dex'",
            "`evidence.flavors.co dex` is to be the short name",
        ),
        ("codex: 3", "codex: x", "codex", "`evidence.flavors.codex` is to be a count"),
        ("version: 1.0.0", "version: 1.0", "version", "`version` is to be a version of three"),
        ("version: 1.0.0", "version: v1.0.0", "version", "`version` is to be a version of three"),
        ("kind: problem", "kind: idea", "kind", "`kind` is to be one of problem, success"),
        ("status: approved", "status:", "status", "`status` is to be one of provisional, approved"),
        ("ready: true", "ready: yes", "distribution_ready", "is to be true or false"),
        ("'2026-05-02T08:00:00.000Z'", "2026-13-01", "first_seen", "is to be a day or time"),
        ("- missing-module-yaml-0a1b2c3d", "- ../x", "- ../x", "`candidates.0` is to be a name of"),
        ("candidates:\n- missing-module-yaml-0a1b2c3d", "candidates: []", "cand", "1 to 1,000 ids"),
        ("evidence:\n", "evidence: &e\n", "evidence", "anchors and aliases"),
        ("subject: yaml", "subject: *e", "subject", "anchors and aliases"),
        ("subject: yaml", "subject: !!str x", "subject", "tags"),
        ("subject: yaml", "subject: a: b", "subject", "no YAML: mapping values are not allowed"),
        ("subject: yaml", "class: twice", "class: twice", "`class` is here twice"),
        ("subject: yaml", "? [a]\n: b", "? [a]", "the name of a field is to be a text"),
        ("subject: yaml", "title: x", "title", "`title` stands below the front matter"),
        ("subject: yaml", "n: 1e999", "n: 1e999", "too large"),
        ("subject: yaml", f"n: {'9' * 5000}", "n: 9", "too large"),
        ("subject: yaml", "n: " + "[" * 5000, "n: [", "nested more than 24 deep"),
        ("## What", "Words\x07\n## What", "Words", "a control character is here (U+0007)"),
        ("# Run Python", "Run Python", "Run Python", "this is to be a title"),
        ("\n## Problem", "Between\n\n## Problem", "Between", "below a `## ` heading"),
        ("# Run", "# " + "x" * 200, "# x", "the title (`# …`) is to be one line of 1 to 200"),
        (
            "Call ",
            "Call " + "x" * 8192,
            "## What",
            "`## What to do` is to be a text of at most 8,192",
        ),
        ("Call ", "```\nCall ", "```", "this fence is not closed"),
        ("## Why we", "## what to do\n\n## Why we", "## what", "`## what to do` is here twice"),
        ("```text", "Words\n\n```text", "Words", "this is to be a fence"),
        ("### claude", "Words\n\n### claude", "Words", "this is to be `### session · time"),
        ("### claude:aaaa-1 · ", "### claude:a b · ", "### claude", "`session` of `## Excerpts`"),
        ("· 2026-05-02T08:00:00.000Z ·", "· today ·", "### claude", "`at` of `## Excerpts`"),
    ],
)
def test_a_mistake_names_its_line_and_what_is_wanted(
    old: str, new: str, line: str, reason: str
) -> None:
    assert old in PAGE
    assert reason in wrong_at(PAGE.replace(old, new, 1), line)


@pytest.mark.parametrize(
    ("missing", "line"),
    [
        ("version: 1.0.0\n", 2),
        ("  sessions: 12\n", line_of(PAGE, "evidence")),
        ("# Run Python through the project's environment\n", line_of(PAGE, "# Run") - 2),
    ],
)
def test_what_is_missing_is_named(missing: str, line: int) -> None:
    assert missing in PAGE
    [mistake] = mistakes(PAGE.replace(missing, "", 1))
    assert mistake.line == line
    assert mistake.reason.endswith("is missing")


def test_all_mistakes_are_told_at_once() -> None:
    page = PAGE.replace("sessions: 12", "sessions: -1").replace("repos: 4", "repos: x")
    page = page.replace("score: 3.5", "score: high").replace("## Problem", "## The problem")
    assert [line for line, _ in mistakes(page)] == [
        *(line_of(page, start) for start in ("sessions", "repos", "score")),
        line_of(page, "# Run") - 2,
    ]


def test_mistakes_are_bounded_and_steer_no_terminal() -> None:
    page = PAGE.replace("## Why", "## \u202ea" * 200 + "\n## Why").replace(
        "## \u202e", "\n## \u202e"
    )
    found = mistakes(page)
    assert len(found) == 100
    assert not any("\u202e" in reason for _, reason in found)
    [long] = mistakes(PAGE.replace("## Why", f"## {'x' * 5000}\n\n## Why"))
    assert len(long.reason) == 300


def test_the_file_is_named_like_the_pattern() -> None:
    assert "`id` is to be that of the file: other" in wrong_at(PAGE, "id:", "other")


@pytest.mark.parametrize("page", ["", "# Words only\n", "---\nid: x\n", "---\n- a\n---\n"])
def test_a_page_without_front_matter_is_refused_in_one_line(page: str) -> None:
    assert len(mistakes(page)) == 1


def test_a_page_is_bounded() -> None:
    [mistake] = mistakes(PAGE + "x" * (1 << 20))
    assert mistake == (1, "the page is larger than 1 MiB")


@pytest.mark.parametrize(
    "fields",
    [
        {"title": ""},
        {"guidance": "x" * 9000},
        {"sections": {"problem": "x"}},
        {"sections": {" ": "x"}},
        {"subject": "\ud800"},
        {"extra": {"x": float("inf")}},
        {"version": "1"},
    ],
)
def test_what_could_not_be_read_again_is_not_written(fields: dict[str, object]) -> None:
    with pytest.raises(BadPageError):
        write_page(replace(made_pattern(), **fields))
