"""What a message says the same each time is put back where a template masks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.detect.constant import as_said


@pytest.mark.parametrize(
    ("template", "texts", "said"),
    [
        (
            "<n>#Next: value too great (token is <quoted>)",
            ['a.sh: line 7: 10#Next: value too great (token is "10#Next")'] * 2,
            '10#Next: value too great (token is "10#Next")',
        ),
        (
            "*#Next: value too great (token is *)",
            ['a.sh: line 7: 10#Next: value too great (token is "10#Next")'] * 2,
            '10#Next: value too great (token is "10#Next")',
        ),
        (
            "port <n> is taken by <quoted>",
            ["port 3000 is taken by 'web'", "port 3001 is taken by 'web'"],
            "port <n> is taken by 'web'",
        ),
        ("*:*: `*` failed", ["a:9:9: `x` failed", "b:9:9: `x` failed"], "*:*: `x` failed"),
        ("group * is full", ["group a is full", "group b is full"], "group * is full"),
        ("group * is full", ["group a is full", "nothing alike"], "group * is full"),
        ("no mask at all", ["no mask at all"], "no mask at all"),
        ("<path:.py> has <n>", ["/w/a.py has 3", "/v/a.py has 3"], "<path:.py> has <n>"),
    ],
)
def test_a_value_is_told_where_it_is_the_same_each_time(
    template: str, texts: list[str], said: str
) -> None:
    assert as_said(template, texts) == said


@given(st.text("<n>quoted* ab1'\"", max_size=60), st.lists(st.text(max_size=80), max_size=4))
def test_whatever_stands_in_them_a_template_without_values_is_itself(
    template: str, texts: list[str]
) -> None:
    said = as_said(template, texts)
    assert said == template or texts
