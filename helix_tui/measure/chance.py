"""How likely a rate fell, for readers to whom a p-value says nothing."""

from __future__ import annotations

from math import exp, fsum, lgamma, log


def chance_of_less(did: int, of: int, then_did: int, then_of: int) -> float:
    """P(second rate < first rate), each rate as likely as any other before it was counted."""
    first, first_not = did + 1, of - did + 1
    second, second_not = then_did + 1, then_of - then_did + 1
    # The first rate exceeds the second: a sum over the first's successes, each term in logarithms.
    whole = _log_beta(second, second_not)
    return min(
        1.0,
        fsum(
            exp(
                _log_beta(second + k, first_not + second_not)
                - log(first_not + k)
                - _log_beta(1 + k, first_not)
                - whole
            )
            for k in range(first)
        ),
    )


def _log_beta(a: int, b: int) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
