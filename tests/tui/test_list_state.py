"""The list of a sitting: what a filter means, and where a row is behind a verdict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from helix_tui.tui.kit.candidate_row import rows_of, score_text
from helix_tui.tui.kit.lines import title_width
from helix_tui.tui.review.candidate_filter import SORTS, parse_filter
from helix_tui.tui.review.columns import fit_columns, header_text
from helix_tui.tui.review.list_state import ListState
from tests.tui.made import decided, made_listed


def sheet_of(*titles: str) -> ListState:
    table = ListState()
    table.load(rows_of(made_listed(at, title) for at, title in enumerate(titles)))
    return table


def titles(table: ListState) -> list[str]:
    return [row.title for at in range(len(table.shown)) if (row := table.at(at))]


def test_words_are_all_wanted_and_an_exclamation_mark_inverts_one() -> None:
    table = sheet_of("retry the edit", "retry the push", "a lock")
    table.narrow(parse_filter("RETRY !push"))
    assert titles(table) == ["retry the edit"]


def test_named_words_look_into_their_field() -> None:
    table = ListState()
    boards = [made_listed(0, flavors=("codex",)), made_listed(1, flavors=("claude", "grok"))]
    table.load(rows_of(boards))
    table.narrow(parse_filter("flavor:codex"))
    assert table.shown == ["problem-000000"]
    table.narrow(parse_filter("!flavor:codex repo:api kind:problem state:ongoing"))
    assert table.shown == ["problem-000001"]


def test_what_is_decided_leaves_the_open_list_and_a_word_on_verdicts_shows_it() -> None:
    table = sheet_of("one", "two")
    before = decided(table, "problem-000000", "rejected")
    assert titles(table) == ["two"]
    table.narrow(parse_filter("verdict:rejected"))
    assert titles(table) == ["one"]
    table.narrow(parse_filter("verdict:all"))
    assert titles(table) == ["one", "two"]
    table.narrow(parse_filter(""))
    table.put([before])
    assert titles(table) == ["one", "two"]


def test_what_is_skipped_comes_last_until_that_is_taken_back() -> None:
    table = sheet_of("one", "two", "three")
    table.skip(["problem-000000"])
    assert titles(table) == ["two", "three", "one"]
    decided(table, "problem-000001", "discussed")
    assert titles(table) == ["two", "three", "one"]
    table.take_back_skip(["problem-000000"])
    assert titles(table) == ["one", "two", "three"]


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
    table = sheet_of(*(f"row {at}" for at in range(12)))
    for what, first, second in steps:
        name = f"problem-{first:06}" if isinstance(first, int) else ""
        if what == "decide":
            decided(table, name, second)
        elif what == "sort":
            table.sort_by(first)
        elif what == "sift":
            table.narrow(parse_filter(first))
        else:
            table.skip([name])
    moved = list(table.shown)
    table.sort_by(table.sort)
    skipped = [name for name in moved if name in table.skipped]
    assert [n for n in moved if n not in skipped] == [n for n in table.shown if n not in skipped]
    assert set(moved) == set(table.shown)


@given(st.integers(10, 300), st.integers(0, 200))
def test_columns_fill_the_width_and_never_more(width: int, wanted: int) -> None:
    columns = fit_columns(width, wanted)
    assert columns.title >= 1
    assert sum(columns) + 17 == max(width, 18)
    assert cell_len(header_text(columns, "score")) + 2 == max(width, 18)


def test_figures_give_way_to_titles_and_tokens_stay_longest() -> None:
    wide, whole, short, cut = (fit_columns(118, wanted) for wanted in (20, 60, 72, 200))
    assert (wide.trend > 0, wide.agents > 9) == (True, True)
    assert (whole.trend, whole.agents > 9, whole.title >= 60) == (0, False, True)
    assert (short.score > 0, short.title >= 72) == (True, True)
    assert (cut.score, cut.tokens > 0) == (0, True)


def test_the_column_fits_nine_of_ten_titles() -> None:
    titles = ["x" * length for length in range(1, 21)]
    assert sum(len(title) >= title_width(titles) for title in titles) == 2
    assert title_width([]) == 0


def test_figures_are_short() -> None:
    assert [score_text(one) for one in (0.0, 94.26, 99.99, 123_456.0)] == [
        "0.0",
        "94.3",
        "100",
        "99999",
    ]


def test_a_board_that_was_asked_for_before_a_verdict_does_not_take_it_back() -> None:
    table = sheet_of("one", "two", "three")
    asked = table.changes
    board = rows_of(made_listed(at) for at in range(4))
    left = ["problem-000000", "problem-000002", "problem-000003"]
    table.write(["problem-000001"])
    table.load(board, changes=asked)
    assert table.writing == {"problem-000001"}
    assert len(table.shown) == 4, "it is not written yet"
    asked = table.changes
    decided(table, "problem-000001", "rejected")
    assert table.writing == set()
    table.load(board, changes=asked)
    assert table.shown == left, "it was written after the board was read"
    table.load(board, changes=table.changes)
    assert len(table.shown) == 4, "one that was asked for later knows better"
