"""In which words two command lines differ."""

from __future__ import annotations

import pytest

from helix_tui.text.command_difference import added_in, exchanged_in


@pytest.mark.parametrize(
    ("failed", "works", "added"),
    [
        ("pytest -q", "PYTHONPATH=. pytest -q", "PYTHONPATH=."),
        ("psql db -c x", "psql -h here -U app db -c x", "-h here -U app"),
        ("cd a && go test", "cd a && go test -p 1", "-p 1"),
        ("go test a", "go test b", ""),
        ("go test a", "go test -v a b", ""),
        ("go test a …", "go test -v a …", ""),
    ],
)
def test_what_was_added_in_one_place(failed: str, works: str, added: str) -> None:
    assert added_in(failed, works) == added


@pytest.mark.parametrize(
    ("failed", "works", "pair"),
    [
        ("serve --port 80", "serve --port 81", ("80", "81")),
        ("run -d 'a b'", "run -d 'a c'", ("a b", "a c")),
        ("run a b", "run c d", ("", "")),
        ("run 'a", "run 'b", ("", "")),
    ],
)
def test_one_word_for_another(failed: str, works: str, pair: tuple[str, str]) -> None:
    assert exchanged_in(failed, works) == pair
