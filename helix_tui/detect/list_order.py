"""Say which candidate comes first in a list, in each of the orders that somebody may ask for.

band: what two agents have twice each comes first, then what two agents have, then the rest; within
each band what can be fixed, what is worth knowing, and the rest. tier: the same the other way
round. In each tier what can be written down comes before what only needs a look and what the tools
say by themselves (`worth.py`); of what is worth the same, what failed before what people only ask
for, and what fails in one repository or on one machine before what fails anywhere, which a model
may know by itself. Then, and by itself, the score; equal ones by conversations and id.
"""

from __future__ import annotations

from helix_tui.schema.candidate import TIERS, WORTHS, Brief, Order

Place = tuple[float, ...]
_TIER = {name: float(number) for number, name in enumerate(TIERS)}
_WORTH = {name: float(number) for number, name in enumerate(WORTHS)}


def place_in(order: Order, brief: Brief, score: float) -> tuple[Place, str]:
    """Return the sort key of a candidate in an order."""
    by_score = (-score, -float(brief.sessions))
    places: Place
    if order == "score":
        places = by_score
    elif order == "sessions":
        places = (-float(brief.sessions), -score)
    elif order == "recent":
        places = (-float(brief.last_ts or 0), *by_score)
    elif order == "tier":
        places = (_TIER[brief.tier], *_use_of(brief), band_of(brief), *by_score)
    else:
        places = (band_of(brief), _TIER[brief.tier], *_use_of(brief), *by_score)
    return places, brief.id


def _use_of(brief: Brief) -> tuple[float, float, float]:
    """Return what tells candidates of one tier apart: what somebody can do, and for whom."""
    return _WORTH[brief.worth], float(brief.is_asked), float(brief.is_shared)


def band_of(brief: Brief) -> float:
    """Return 0 for what two agents have in two sessions each, 1 for what two have, else 2."""
    return 0.0 if brief.is_cross_flavor_firm else 1.0 if brief.is_cross_flavor else 2.0
