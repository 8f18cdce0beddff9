"""What is cut out of a log holds no half of a secret."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.excerpt import around, both_ends, excerpt, excerpt_line
from helix_tui.text.redact import redact
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.text.planted import KEYS, noise

WORD = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(("name", "start", "rest"), KEYS)
def test_wherever_the_cut_falls_no_half_of_a_key_is_kept(name: str, start: str, rest: str) -> None:
    key = start.replace("|", "") + rest
    runs = {rest[at : at + 12] for at in range(len(rest) - 11)}
    runs = {run for run in runs if not run.replace("-", "").isdecimal()}
    for before in (*range(0, 900, 37), *range(1600, 2600, 83)):
        for filler in ("x ", "word ", " "):
            text = f"{filler * (before // len(filler))}{key} {'tail ' * 2000}"
            for made in (excerpt(text, 300), excerpt_line(text, 300), both_ends(text, 1500)):
                assert not [run for run in runs if run in made], (name, before, filler)


def test_the_end_of_one_long_line_begins_with_a_whole_word() -> None:
    key = f"gh{'p_'}{noise(WORD, 36)}"
    for shift in range(0, 60, 3):
        text = f"{'a' * 9000}{key}{'b' * (1460 + shift)} Permission denied"
        made = both_ends(text, 1500)
        assert "Permission denied" in made
        assert not any(key[at : at + 12] in made for at in range(4, len(key) - 11))


def test_short_texts_are_kept_whole() -> None:
    assert excerpt("  as it is\n", 300) == "as it is"
    assert excerpt_line("on  one\n line", 300) == "on one line"
    assert both_ends("as it is", 300) == "as it is"
    assert excerpt("word " * 100, 20) == "word word word word…"


def test_a_text_that_is_kept_in_several_lengths_is_redacted_once() -> None:
    text = "make the table of providers, then measure it again"
    with patch("helix_tui.digest.excerpt.redact", side_effect=redact) as redacting:
        assert excerpt_line(text, 300) == excerpt(text, 300) == both_ends(text, 300) == text
    assert redacting.call_count == 1


def test_a_long_prompt_is_redacted_once(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt(" ".join(["Mend the parser."] * 40))
    log.write(bench.home)
    with patch("helix_tui.digest.excerpt.redact", side_effect=redact) as redacting:
        bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    assert len(digest.facts.first_prompt) == 400
    assert sum("Mend the parser." in call.args[0] for call in redacting.call_args_list) == 1


class TestAround:
    """What is shown of a long output stands around the line that names its error."""

    LINES = "\n".join(f"reading part {number}" for number in range(200))

    def test_a_short_text_is_whole(self) -> None:
        assert around("one\ntwo", "two", 100) == "one\ntwo"

    def test_the_lines_around_are_shown_and_not_the_head(self) -> None:
        text = f"{self.LINES}\nread.py:3: the table is gone\n{self.LINES}"
        shown = around(text, "read.py:3: the table is gone", 300)
        lines = shown.split("\n")
        assert len(shown) <= 300
        assert (lines[0], lines[1], lines[-1][-1]) == ("…", "reading part 198", "…")
        assert lines[3] == "read.py:3: the table is gone"

    @given(
        st.text(alphabet="ab\n", max_size=400),
        st.text(alphabet="ab", max_size=8),
        st.integers(20, 120),
    )
    def test_it_never_takes_more_room(self, text: str, line: str, limit: int) -> None:
        shown = around(text, line, limit)
        assert len(shown) <= max(limit, 0) or shown == text
        if line and line in text and len(line) < limit // 2:
            assert line in shown
