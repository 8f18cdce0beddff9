"""The rate before, without what selection put in.

A pattern is picked because it was frequent, and part of that was luck: it would be rarer afterwards
if nobody did anything. What all candidates have in common says how large that part is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor
from statistics import fmean, pvariance
from typing import NamedTuple

from helix_tui.schema.effect import Baseline, Peer

FEWEST_PEERS = 10
# A rate times its sessions is a whole number but for the last bits.
_SLACK = 1e-9


class Spread(NamedTuple):
    """How the true rates of candidates lie: their mean, and how alike sessions of one are."""

    mean: float
    alike: float


def corrected(outcomes: Sequence[int], peers: Sequence[Peer], picked: int) -> Baseline:
    """The baseline of a pattern by its sessions before, in order of time.

    Without peers nothing was selected and the raw rate stands; ten or more tell how far it has to
    be shrunk, fewer do not, and half of the sessions has to do.
    """
    did, of = sum(outcomes), len(outcomes)
    if not of:
        return Baseline(None, 0, 0, 0, "raw")
    if not peers:
        return Baseline(did / of, did, did, of, "raw")
    if len(peers) < FEWEST_PEERS:
        return split_sample(outcomes, peers, picked)
    rate = shrunk(did, of, _spread_of(tuple(peers)))
    return Baseline(rate, floor(rate * of + _SLACK), ceil(rate * of - _SLACK), of, "shrunk")


def spread_of(peers: Sequence[Peer]) -> Spread:
    """The mean of all rates, and what is left of their variance when that of counting is out."""
    rates = [peer.did / peer.could for peer in peers if peer.could]
    mean = fmean(rates)
    noise = mean * (1 - mean) * fmean(1 / peer.could for peer in peers if peer.could)
    most = mean * (1 - mean) - noise
    if most <= 0:
        # All did, none did, or each had one session: nothing tells them apart.
        return Spread(mean, 0.0)
    return Spread(mean, min(1.0, max(0.0, (pvariance(rates) - noise) / most)))


# All patterns of one sort have the same peers.
_spread_of = lru_cache(maxsize=64)(spread_of)


def shrunk(did: int, of: int, spread: Spread) -> float:
    """A rate drawn to the mean of all, the more so the fewer sessions it has (empirical Bayes)."""
    if spread.alike == 0:
        return spread.mean
    weight = 1 / spread.alike - 1
    return (weight * spread.mean + did) / (weight + of)


def split_sample(outcomes: Sequence[int], peers: Sequence[Peer], picked: int) -> Baseline:
    """One half of the sessions: that which did not do the picking.

    Where the odd sessions alone would have picked it, the even ones are a fair sample. Where they
    would not, the even ones are why it was picked; the lower half is then the careful choice.
    """
    odd, even = outcomes[::2], outcomes[1::2]
    if not even:
        return Baseline(None, 0, 0, 0, "split")
    own = sum(odd) / len(odd)
    ahead = sum(peer.odd_could > 0 and peer.odd_did / peer.odd_could > own for peer in peers)
    is_picked = ahead < picked
    half = even if is_picked else min(odd, even, key=lambda part: sum(part) / len(part))
    did, of = sum(half), len(half)
    return Baseline(did / of, did, did, of, "split" if is_picked else "lower_half")


def peer_of(outcomes: Sequence[int]) -> Peer:
    """A candidate's sessions with an opportunity, in order of time, as a peer."""
    odd = outcomes[::2]
    return Peer(sum(outcomes), len(outcomes), sum(odd), len(odd))
