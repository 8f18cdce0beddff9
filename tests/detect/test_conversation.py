"""Conversations: the same sessions are joined, however often and in whatever order that is said."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.detect.conversation import conversations
from helix_tui.detect.quality import count_sessions
from helix_tui.schema.candidate import Gated
from helix_tui.schema.quality import Quality
from helix_tui.schema.signal import Profile

KNOBS = Quality()
NAMES = "abcdefgh"


def session(key: int, first_ts: int | None = None, **fields: Any) -> Gated:
    name = NAMES[key]
    row = Gated(key, name, None, "claude", "app", "main", first_ts, 900, 50, Profile(3, 3, 30))
    return row._replace(**fields)


pairs = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10)
starts = st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=8, max_size=8)


@given(pairs, starts, st.integers(0, 1000))
def test_order_and_repetition_do_not_matter(
    joined: list[tuple[int, int]], began: list[int | None], seed: int
) -> None:
    rows = [session(key, ts) for key, ts in enumerate(began)]
    once = count_sessions(rows, KNOBS, joined)
    shuffled = [*joined, *((two, one) for one, two in joined)]
    random.Random(seed).shuffle(shuffled)
    again = count_sessions(random.Random(seed).sample(rows, 8), KNOBS, shuffled)
    assert once == again
    roots = {row.key: row.root for row in once.values()}
    for one, two in joined:
        assert roots[one] == roots[two]
    # What is joined is joined by a chain of pairs.
    alone = set(range(8)) - {key for pair in joined for key in pair if pair[0] != pair[1]}
    assert all(roots[key] == NAMES[key] for key in alone)


@given(pairs, starts)
def test_conversation_is_named_after_its_earliest_session(
    joined: list[tuple[int, int]], began: list[int | None]
) -> None:
    rows = {NAMES[key]: session(key, ts) for key, ts in enumerate(began)}
    found = conversations(rows, [(NAMES[one], NAMES[two]) for one, two in joined])
    for members in found.values():
        known = [row for row in members if row.first_ts is not None]
        assert members[0].first_ts == min((row.first_ts or 0 for row in known), default=None)


def test_later_pair_joins_two_conversations() -> None:
    rows = [session(key, key) for key in range(4)]
    apart = count_sessions(rows, KNOBS, [(0, 1), (2, 3)])
    assert [row.root for row in apart.values()] == ["a", "a", "c", "c"]
    joined = count_sessions(rows, KNOBS, [(0, 1), (2, 3), (1, 3)])
    assert {row.root for row in joined.values()} == {"a"}


def test_children_follow_and_the_conversation_counts_if_one_session_does() -> None:
    rows = [
        session(0, 5, events=1),
        session(1, 9),
        session(2, 10, parent="b", repo=None),
    ]
    counted = count_sessions(rows, KNOBS, [(0, 1)])
    assert {row.root for row in counted.values()} == {"a"}
    assert {row.gate for row in counted.values()} == {None}
    dropped = count_sessions([rows[0], session(1, 9, events=1)], KNOBS, [(0, 1)])
    assert {row.gate for row in dropped.values()} == {"few_events"}
