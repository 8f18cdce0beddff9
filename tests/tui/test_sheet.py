"""The list of a sitting: what a filter means, and where a row is behind a verdict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.tui.rows import fit_columns, rows_of, score_text, sparkline
from helix_tui.tui.sheet import Sheet
from helix_tui.tui.sifting import SORTS, parse_sieve
from tests.tui.made import decided, made_listed


def sheet_of(*titles: str) -> Sheet:
    sheet = Sheet()
    sheet.load(rows_of(made_listed(at, title) for at, title in enumerate(titles)))
    return sheet


def titles(sheet: Sheet) -> list[str]:
    return [row.title for at in range(len(sheet.shown)) if (row := sheet.at(at))]


def test_words_are_all_wanted_and_an_exclamation_mark_inverts_one() -> None:
    sheet = sheet_of("retry the edit", "retry the push", "a lock")
    sheet.sift(parse_sieve("RETRY !push"))
    assert titles(sheet) == ["retry the edit"]


def test_named_words_look_into_their_field() -> None:
    sheet = Sheet()
    boards = [made_listed(0, flavors=("codex",)), made_listed(1, flavors=("claude", "grok"))]
    sheet.load(rows_of(boards))
    sheet.sift(parse_sieve("flavor:codex"))
    assert sheet.shown == ["problem-000000"]
    sheet.sift(parse_sieve("!flavor:codex repo:api kind:problem state:ongoing"))
    assert sheet.shown == ["problem-000001"]


def test_what_is_decided_leaves_the_open_list_and_a_word_on_verdicts_shows_it() -> None:
    sheet = sheet_of("one", "two")
    before = decided(sheet, "problem-000000", "rejected")
    assert titles(sheet) == ["two"]
    sheet.sift(parse_sieve("verdict:rejected"))
    assert titles(sheet) == ["one"]
    sheet.sift(parse_sieve("verdict:all"))
    assert titles(sheet) == ["one", "two"]
    sheet.sift(parse_sieve(""))
    sheet.put([before])
    assert titles(sheet) == ["one", "two"]


def test_what_is_skipped_comes_last_until_that_is_taken_back() -> None:
    sheet = sheet_of("one", "two", "three")
    sheet.skip(["problem-000000"])
    assert titles(sheet) == ["two", "three", "one"]
    decided(sheet, "problem-000001", "discussed")
    assert titles(sheet) == ["two", "three", "one"]
    sheet.take_back_skip(["problem-000000"])
    assert titles(sheet) == ["one", "two", "three"]


VERDICTS = st.sampled_from(["open", "discussed", "approved", "rejected", "snoozed"])
FILTERS = ["", "1", "1 !0", "verdict:rejected", "10"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("decide"), st.integers(0, 11), VERDICTS),
        st.tuples(st.just("sort"), st.sampled_from(sorted(SORTS)), st.none()),
        st.tuples(st.just("sift"), st.sampled_from(FILTERS), st.none()),
        st.tuples(st.just("skip"), st.integers(0, 11), st.none()),
    ),
    max_size=12,
)


@given(STEPS)
def test_a_row_moved_alone_is_where_it_would_be_if_all_were_shown_anew(steps: list) -> None:  # type: ignore[type-arg]
    sheet = sheet_of(*(f"row {at}" for at in range(12)))
    for what, first, second in steps:
        name = f"problem-{first:06}" if isinstance(first, int) else ""
        if what == "decide":
            decided(sheet, name, second)
        elif what == "sort":
            sheet.sort_by(first)
        elif what == "sift":
            sheet.sift(parse_sieve(first))
        else:
            sheet.skip([name])
    moved = list(sheet.shown)
    sheet.sort_by(sheet.sort)
    skipped = [name for name in moved if name in sheet.skipped]
    assert [n for n in moved if n not in skipped] == [n for n in sheet.shown if n not in skipped]
    assert set(moved) == set(sheet.shown)


@given(st.integers(10, 300))
def test_columns_fill_the_width_and_never_more(width: int) -> None:
    columns = fit_columns(width)
    assert columns.title >= 1
    if width >= 60:
        assert columns.title + columns.agents + columns.state + columns.trend + 30 == width


def test_figures_are_short() -> None:
    assert [score_text(one) for one in (0.0, 94.26, 99.99, 123_456.0)] == [
        "0.0",
        "94.3",
        "100",
        "99999",
    ]
    assert sparkline([0, 0]) == ""
    assert sparkline([0, 1, 8]) == " ▁█"


def test_a_board_that_was_asked_for_before_a_verdict_does_not_take_it_back() -> None:
    sheet = sheet_of("one", "two", "three")
    asked = sheet.changes
    board = rows_of(made_listed(at) for at in range(4))
    left = ["problem-000000", "problem-000002", "problem-000003"]
    sheet.write(["problem-000001"])
    sheet.load(board, changes=asked)
    assert sheet.writing == {"problem-000001"}
    assert len(sheet.shown) == 4, "it is not written yet"
    asked = sheet.changes
    decided(sheet, "problem-000001", "rejected")
    assert sheet.writing == set()
    sheet.load(board, changes=asked)
    assert sheet.shown == left, "it was written after the board was read"
    sheet.load(board, changes=sheet.changes)
    assert len(sheet.shown) == 4, "one that was asked for later knows better"
