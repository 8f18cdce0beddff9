"""Whatever a log says, memory has it as code: nothing of it is Markdown, or Helix's own words."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helix_tui.memory.distill.extract import extract
from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.flush.entry import read_entries, write_entry
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.notes.page import default_template, fresh_page, read_page, write_page
from helix_tui.memory.notes.sections import sections_of
from helix_tui.memory.notes.worklog import line_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import NotesTurn
from helix_tui.text.markdown import code_span, said_in
from helix_tui.text.refuse import refusals
from tests.memory.made_notes import session, state
from tests.memory.rendered import AT, MARK, PARSER, facts_of, outside_of_code, piece_of

# A word that Helix never says: it stands at both ends of whatever is foreign, and within.
WORD = "zqxj"
STEERING = st.sampled_from(
    [
        *("`", "``", "```\n", "~~~", "# ", "## ", "> ", "- ", "1. ", "|", "[a](b)", "![a](b)"),
        *("<b>", "<!-- ", " -->", "<script>", "\n", "\n\n", "\n---\n", "\\", "**", "_", "~~", "·"),
        *("\u202e", "\xad", "\U000e0041", "\ufe0f", "\U000e0101", "\ue000", "\x1b[31m", "\u3164"),
        *("http://x.example", "<http://x.example>", "&lt;", "&#96;", " ([x", "](../daily/x.md))"),
    ]
)
FOREIGN = st.lists(st.just(f" {WORD} ") | STEERING | st.text(max_size=5), max_size=12).map(
    lambda pieces: f"{WORD}{''.join(pieces)}{WORD}"
)


def check(text: str) -> None:
    """Nothing foreign stands outside of code, and nothing hidden anywhere."""
    assert WORD in text
    assert WORD not in outside_of_code(text)
    assert [one for one in refusals(text) if "U+" in one.what] == []


@given(FOREIGN)
@example(f"{WORD}`{WORD}")
def test_a_piece_of_code_ends_where_it_ends(said: str) -> None:
    made = code_span(said)
    check(f"- before {made} and {made} behind\n")
    (item,) = [token for token in PARSER.parse(f"x {made}") if token.type == "inline"]
    assert [token.type for token in item.children or []] == ["text", "code_inline"]
    assert code_span(said_in(made)) == made


@settings(deadline=None)  # files are written in it
@given(FOREIGN)
@example(f"{WORD} ([x")
def test_daily_logs_articles_and_the_index(said: str) -> None:
    piece = piece_of(said)
    text = write_entry(piece, extract(piece), AT, MARK)
    check(text)
    (entry,) = read_entries(text)
    assert {"context", "lessons", "actions"} <= entry.lines.keys()
    # What stands in a block of code decides nothing.
    assert "decisions" in entry.lines or "```" in said or "~~~" in said
    with TemporaryDirectory() as folder:
        places = MemoryPlaces(Path(folder))
        add_entry(places, "2026-03-02", MARK, text)
        (changed,) = compile_logs(places, 0, AT).articles
        article = Path(changed.path).read_text()
        check(article)
        assert changed.lines == article.count("](../daily/2026-03-02.md))\n")
        check((places.knowledge / "index.md").read_text())


@settings(deadline=None)
@given(FOREIGN)
def test_notes(said: str) -> None:
    facts = facts_of(said)
    made = sections_of(session(repo=said, branch=said, cwd=said), facts, 1)
    turn = line_of(NotesTurn(1, said, said, {"shell": 1}, 0))
    page = write_page(fresh_page(default_template(), ""), state(), made, [turn])
    check("\n".join(page.split("\n")[1:]))
    assert all(part.section for part in read_page(page).parts)


@pytest.mark.parametrize("name", ["a`b.py", "``", "`x", "x`", " ", "", "a``b`c", "|", "\\"])
def test_names(name: str) -> None:
    made = code_span(name)
    (inline,) = [one for one in PARSER.parse(f"edited {made} now") if one.type == "inline"]
    assert [one.type for one in inline.children or []] == ["text", "code_inline", "text"]
    assert (inline.children or [])[1].content.strip() == name.strip()


def test_bars_of_a_name_stay_in_their_cell() -> None:
    table = f"| a | b |\n| --- | --- |\n| {code_span('x|y`z', is_cell=True)} | 2 |\n"
    cells = [one for one in PARSER.parse(table) if one.type == "inline"]
    assert [one.content for one in cells[2:]] == ["``x|y`z``", "2"]
