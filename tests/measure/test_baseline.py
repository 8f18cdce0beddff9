"""The rate before, without what selection put in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.measure.baseline import Spread, corrected, peer_of, shrunk, spread_of
from helix_tui.schema.effect import Peer

TEN = [Peer(did, 20) for did in (2, 2, 3, 3, 4, 4, 5, 6, 8, 12)]


def test_formula_by_hand() -> None:
    # m = .245, v = .021725; e = m(1 - m) / 20 = .00924875; rho = .0124762... / .1757262...
    spread = spread_of(TEN)
    assert spread.mean == pytest.approx(0.245)
    assert spread.alike == pytest.approx((0.021725 - 0.00924875) / (0.184975 - 0.00924875))
    weight = 1 / spread.alike - 1
    assert shrunk(12, 20, spread) == pytest.approx((weight * 0.245 + 12) / (weight + 20))


def test_nothing_selected_leaves_the_rate_as_it_is() -> None:
    assert corrected([True, False, False, False], (), 1) == (0.25, 1, 1, 4, "raw")
    assert corrected([], TEN, 1).of == 0


def test_each_side_rounds_against_its_claim() -> None:
    baseline = corrected([True] * 12 + [False] * 8, TEN, 1)
    assert baseline.method == "shrunk"
    assert baseline.rate is not None
    assert 0.245 < baseline.rate < 0.6
    assert (baseline.lower, baseline.upper) == (
        int(baseline.rate * 20),
        int(baseline.rate * 20) + 1,
    )


def test_rates_that_are_all_alike_are_drawn_to_their_mean() -> None:
    assert spread_of([Peer(5, 20)] * 12) == Spread(0.25, 0.0)
    assert shrunk(9, 20, Spread(0.25, 0.0)) == 0.25
    assert shrunk(9, 20, Spread(0.25, 1.0)) == 0.45
    assert spread_of([Peer(1, 1)] * 12) == Spread(1.0, 0.0)


def test_few_peers_take_the_half_that_did_not_pick() -> None:
    own = [True, False] * 6 + [True, True]
    peers = [peer_of(own), peer_of([False, True] * 7)]
    assert peers[0] == Peer(8, 14, 7, 7)
    assert corrected(own, peers, 1) == (1 / 7, 1, 1, 7, "split")
    # The even sessions were why this one was picked: they are no fair sample.
    swayed = [False, True] * 7
    assert corrected(swayed, [peer_of(own), peer_of(swayed)], 1) == (0, 0, 0, 7, "lower_half")
    assert corrected(swayed, [peer_of(own), peer_of(swayed)], 2) == (1, 7, 7, 7, "split")
    assert corrected([True], peers, 1).rate is None


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), min_size=10), st.data())
def test_a_shrunk_rate_lies_between_its_own_and_the_mean(
    counts: list[tuple[int, int]], data: st.DataObject
) -> None:
    peers = [Peer(min(did, of), of) for did, of in counts]
    own = data.draw(st.sampled_from(peers))
    spread = spread_of(peers)
    rate = shrunk(own.did, own.could, spread)
    ends = sorted((spread.mean, own.did / own.could))
    assert ends[0] - 1e-9 <= rate <= ends[1] + 1e-9
