"""A sound catalog has no finding; each thing that is wrong is told by file, line and reason."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.check import Finding, check
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.versions import history_line
from helix_tui.schema.review import PatternFiles
from tests.curate.made_patterns import made_pattern
from tests.text.planted import WORD, noise

KEY = f"gh{'p_'}{noise(WORD, 36)}"


def page(name: str, **fields: object) -> str:
    return write_page(made_pattern(**{"id": name, "candidates": [name], **fields}))


def history(*versions: str) -> str:
    return "".join(
        history_line(page("a", version=one), one, two, "2026-06-03T09:00:00Z", "Ada")
        for one, two in pairwise(versions)
    )


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if words in line)


def findings(root: Path, name: str) -> list[tuple[int, str, str]]:
    return [(f.line, f.reason, f.level) for f in check(root) if f.path == root / name]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A sound catalog of two patterns, one of them with a history."""
    root = tmp_path / "catalog"
    projection = {
        "a": PatternFiles(page("a", version="1.1.0"), history("1.0.0", "1.0.1", "1.1.0")),
        "b": PatternFiles(page("b", related=["a"], supersedes=["a"]), ""),
    }
    Catalog(root).apply(projection, projection)
    assert check(root) == []
    return root


def test_an_empty_or_missing_catalog_is_sound(tmp_path: Path) -> None:
    assert check(tmp_path) == check(tmp_path / "none") == []


def test_nothing_is_changed_by_looking(root: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in [root, *root.iterdir()]}
    check(root)
    assert {path: path.stat().st_mtime_ns for path in [root, *root.iterdir()]} == before


def test_every_mistake_of_a_page_is_told(root: Path) -> None:
    text = page("a").replace("version: 1.0.0", "version: one").replace("kind: problem", "kind: x")
    (root / "a.md").write_text(text)
    lines = {line for line, _, level in findings(root, "a.md") if level == "error"}
    assert lines == {line_of(text, "version: one"), line_of(text, "kind: x")}


def test_an_id_other_than_the_file_is_an_error(root: Path) -> None:
    text = page("other")
    (root / "c.md").write_text(text)
    (found,) = findings(root, "c.md")
    assert found[0] == line_of(text, "id: other")
    assert found[2] == "error"


def test_links_and_strange_names_are_told(root: Path) -> None:
    (root / "c.md").symlink_to(root / "a.md")
    (root / "no id.md").write_text(page("a"))
    (root / "no id.history.jsonl").write_text("")
    assert [f.path.name for f in check(root)] == ["c.md", "no id.history.jsonl", "no id.md"]


def test_secrets_and_hidden_signs_are_told_by_line_and_never_shown(root: Path) -> None:
    text = f"{page('b')}\n## Notes\n\nuse {KEY}\nhid\u200bden\n"
    (root / "b.md").write_text(text)
    assert [f for f in findings(root, "b.md") if f[2] == "error"] == [
        (line_of(text, KEY), "a key of github", "error"),
        (line_of(text, "hid"), "a sign without width (U+200B)", "error"),
    ]
    was = history("1.0.0", "1.0.1", "1.1.0")
    (root / "a.history.jsonl").write_text(was.replace("Seen 41 times.", f"It was {KEY}."))
    assert {f[:2] for f in findings(root, "a.history.jsonl")} == {
        (1, "a key of github"),
        (2, "a key of github"),
    }
    assert KEY not in str(check(root))


def test_a_candidate_in_two_patterns_is_told_unless_one_is_deprecated(root: Path) -> None:
    text = page("c", candidates=["c", "a"])
    (root / "c.md").write_text(text)
    (found,) = findings(root, "c.md")
    assert found == (
        line_of(text, "candidates:") + 2,
        "candidate a is part of a as well",
        "error",
    )
    (root / "c.md").write_text(page("c", candidates=["c", "a"], status="deprecated"))
    assert findings(root, "c.md") == []


def test_ids_of_no_pattern_are_told_where_they_stand(root: Path) -> None:
    text = page("c", related=["a", "gone"], supersedes=["c"], superseded_by="lost")
    (root / "c.md").write_text(text)
    assert findings(root, "c.md") == sorted(
        [
            (line_of(text, "- gone"), "`related` names gone, which is no pattern here", "error"),
            (line_of(text, "supersedes:") + 1, "`supersedes` names itself", "error"),
            (
                line_of(text, "superseded_by:"),
                "`superseded_by` names lost, which is no pattern here",
                "error",
            ),
        ]
    )


def test_ids_that_differ_by_capitals_alone_are_told(root: Path) -> None:
    (root / "B.md").write_text(page("B"))
    if len(list(root.glob("[bB].md"))) == 2:
        assert any("capitals" in finding.reason for finding in check(root))


@pytest.mark.parametrize(
    ("was", "line"),
    [(("1.1.0", "1.2.0"), 1), (("1.0.0", "1.2.0", "1.3.0"), 2)],
)
def test_a_history_that_is_not_below_its_page_is_told(
    root: Path, was: tuple[str, ...], line: int
) -> None:
    (root / "a.history.jsonl").write_text(history(*was))
    (found,) = findings(root, "a.history.jsonl")
    assert found[0] == line
    assert "is not below" in found[1]
    assert found[2] == "error"


def test_a_broken_history_and_one_of_nothing_are_told(root: Path) -> None:
    (root / "a.history.jsonl").write_text(history("1.0.0", "1.1.0") + "{}\nx\n")
    assert [found[0] for found in findings(root, "a.history.jsonl")] == [2, 3]
    (root / "z.history.jsonl").write_text(history("1.0.0", "1.1.0"))
    assert [found[2] for found in findings(root, "z.history.jsonl")] == ["warning"]


def test_comments_that_would_be_lost_are_a_warning(root: Path) -> None:
    text = page("a", version="1.1.0", subject="C # and #1", why="# no comment\n\n## nor this")
    text = text.replace("kind: problem", "# why so\nkind: problem  # for now")
    text = text.replace("status:", "notes: |\n  # a text\n  x # y\nstatus:")
    (root / "a.md").write_text(text)
    warned = [
        (line, level) for line, reason, level in findings(root, "a.md") if "comment" in reason
    ]
    assert warned == [
        (line_of(text, "# why so"), "warning"),
        (line_of(text, "# for now"), "warning"),
    ]


def test_an_index_out_of_date_is_a_warning_and_a_persons_is_not(root: Path) -> None:
    (root / "a.md").write_text(page("a", version="1.1.0", title="Other words"))
    (found,) = check(root)
    assert found == Finding(
        root / "INDEX.md", 1, "the index is out of date; the next verdict writes it", "warning"
    )
    (root / "INDEX.md").unlink()
    assert [finding.path.name for finding in check(root)] == ["INDEX.md"]
    (root / "INDEX.md").write_text("# Ours\n")
    assert check(root) == []
