"""Markdown is taken off prose, and names stay names."""

from __future__ import annotations

import pytest

from helix_tui.memory.distill.prose import plain_line


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**Bold** and *soft* words", "Bold and soft words"),
        ("a __strong word__ here", "a strong word here"),
        ("**a *b* c** and [a link](https://example.org)", "a b c and a link"),
        ("edit __init__.py, then __all__", "edit __init__.py, then __all__"),
        ("it returns *time.Time now", "it returns *time.Time now"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_signs_in_pairs_alone_are_emphasis(text: str, plain: str) -> None:
    assert plain_line(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("say <strategy name> when it is set", "say <strategy name> when it is set"),
        ("run `git push <branch>`, then <branch>", "run `git push <branch>`, then <branch>"),
        ('a <b>bold</b> word<br/> and <a href="x">more</a>', "a bold word and more"),
    ],
)
def test_tags_that_set_text_go_and_names_in_brackets_stay(text: str, plain: str) -> None:
    assert plain_line(text) == plain
