"""Whatever a log says, memory has it as code: nothing of it is Markdown, or Helix's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from helix_tui.memory.compile import compile_logs
from helix_tui.memory.daily import add_entry
from helix_tui.memory.entry import read_entries, write_entry
from helix_tui.memory.extract import extract
from helix_tui.memory.notes.page import default_template, fresh_page, read_page, write_page
from helix_tui.memory.notes.sections import sections_of
from helix_tui.memory.notes.worklog import line_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema import CommandTally, ErrorGroup, Facts, FileTally, Moment, Recovery
from helix_tui.schema.memory import Exchange, NotesTurn, Piece
from helix_tui.text.markdown import code_span, said_in
from helix_tui.text.refuse import refusals
from tests.memory.test_notes_page import session, state

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
PARSER = MarkdownIt("commonmark").enable("table")
BESIDE = re.compile(r"[a-z0-9._-]+\.md")
AT = datetime(2026, 3, 2, 11, 5).astimezone()
MARK = "0123456789abcdef"


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


def outside_of_code(text: str) -> str:
    """All that a page says but its code, with what is HTML and where links lead elsewhere."""
    return "\n".join(
        f"{token.content} {'' if BESIDE.fullmatch(str(token.attrs.get('href'))) else token.attrs}"
        for token in _flat(PARSER.parse(text))
        if token.type not in ("inline", "code_inline", "code_block", "fence")
    )


def check(text: str) -> None:
    """Nothing foreign stands outside of code, and nothing hidden anywhere."""
    assert WORD in text
    assert WORD not in outside_of_code(text)
    assert [one for one in refusals(text) if "U+" in one.what] == []


def facts_of(said: str) -> Facts:
    moment = Moment(1, 1, said)
    return Facts(
        first_prompt=said,
        last_prompt=said,
        last_reply=said,
        last_check=said,
        last_check_passed=True,
        ended="question",
        ended_text=said,
        prompts=2,
        files={said: FileTally(1, 1), f"/x/{said}": FileTally(1, 1)},
        commands={said: CommandTally(2, 0)},
        corrections=[moment],
        false_claims=[moment],
        loops=[moment],
        slow=[moment],
        kept=[Moment(1, 1, f'git commit -m "{said} is said here"')],
        first_passes={said: moment},
        groups={"a": ErrorGroup(said, "shell", 1, said)},
        recoveries=[
            Recovery(group="a", remedy=said, verb=said, passed=said, ts=1, fingerprint=1),
            Recovery(
                group="a", remedy=f"edit {said}", verb="edit a file", passed="", ts=1, fingerprint=1
            ),
        ],
    )


def piece_of(said: str) -> Piece:
    answered = (
        f"The problem was that {said} was there. We decided to use {said} instead of it.\n\n"
        f"{said}\n\n## Next steps\n\n- {said}\n"
    )
    asked = f"please do {said} rather than that, and never anything else"
    turns = [Exchange(1, asked, answered, 5), Exchange(2, asked, answered, 6)]
    return Piece(
        session=f"claude:{said}",
        flavor="claude",
        native_id="12345678-" + said,
        repo=said,
        branch=said,
        cwd=said,
        first_ts=1,
        last_ts=2,
        is_first=True,
        exchanges=turns,
        facts=facts_of(said),
        fingerprints=[1],
    )


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
    assert {"context", "lessons", "decisions", "actions"} <= entry.lines.keys()
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
