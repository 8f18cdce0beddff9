"""A snippet shows where in a session's texts that is what was looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.schema import COMMAND_TEXT, ERROR_TEXT, PROMPT_TEXT, REPLY_TEXT, Snippet
from helix_tui.search.query import parse_query
from helix_tui.search.snippet import find_in


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.marks]


def best(text: str, query: str) -> Snippet:
    return find_in([(PROMPT_TEXT, 1, text)], parse_query(query))[1][0]


def test_text_with_more_of_the_words_comes_first() -> None:
    texts = [
        (REPLY_TEXT, 1, "the database works"),
        (COMMAND_TEXT, 2, "cat locked.txt"),
        (ERROR_TEXT, 3, "database is locked"),
        (REPLY_TEXT, 4, "nothing of it"),
    ]
    matches, snippets = find_in(texts, parse_query("database locked"))
    assert matches == 3
    assert [snippet.kind for snippet in snippets] == ["error", "command", "reply"]
    assert marked(snippets[0]) == ["database", "locked"]


def test_prompt_comes_before_a_reply_that_says_the_same() -> None:
    texts = [(REPLY_TEXT, 1, "locked, you say"), (PROMPT_TEXT, 2, "why is it locked?")]
    assert find_in(texts, parse_query("locked"))[1][0].kind == "prompt"


def test_text_that_came_in_twice_counts_once() -> None:
    texts = [(PROMPT_TEXT, 1, "locked")] * 2
    assert find_in(texts, parse_query("locked"))[0] == 1


def test_words_are_whole_and_phrases_are_in_order() -> None:
    assert marked(best("unlocked locked blocked", "locked")) == ["locked"]
    assert marked(best("lock locks unlock locked", "lock*")) == ["lock", "locks", "locked"]
    assert marked(best("py app src; src/app.py", "src/app.py")) == ["src/app.py"]
    assert marked(best("Une CAFÉ, deux cafés", "cafe*")) == ["CAFÉ", "cafés"]


def test_long_text_is_cut_around_the_place() -> None:
    said = f"{'before ' * 60}the needle stands here {'after ' * 60}"
    snippet = best(said, "needle")
    assert marked(snippet) == ["needle"]
    assert len(snippet.text) <= 162
    assert snippet.text.startswith("…before")
    assert snippet.text.endswith("after…")


def test_lines_become_one() -> None:
    assert best("Exit code 1\n\n  no module\tnamed x", "module").text == (
        "Exit code 1 no module named x"
    )


@given(st.text(max_size=400), st.text(min_size=1, max_size=12))
def test_marks_lie_in_the_snippet_and_do_not_overlap(text: str, word: str) -> None:
    query = parse_query(f"x{word[:1]} x*")
    for snippet in find_in([(PROMPT_TEXT, None, text)], query)[1]:
        last = 0
        for start, end in snippet.marks:
            assert last <= start < end <= len(snippet.text)
            last = end
        assert "\n" not in snippet.text
