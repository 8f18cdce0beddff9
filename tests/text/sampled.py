"""Makes texts that an expression fits, so that no secret has to be written down."""

from __future__ import annotations

import random
import re
from functools import cache
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_SIGNS = "".join(chr(code) for code in range(33, 127))


def sample(expression: str, chosen: random.Random) -> str:
    """A text that an expression fits, as random as it allows; what looks around is not heeded."""
    return _sample(parser.parse(expression), chosen)


def _sample(parsed: Any, chosen: random.Random) -> str:
    return "".join(_piece(kind, value, chosen) for kind, value in parsed)


def _sample_solid(inner: Any, chosen: random.Random) -> str:
    tries = [_sample(inner, chosen) for _ in range(20)]
    return next((piece for piece in tries if piece.isalnum()), tries[0])


def _piece(kind: Any, value: Any, chosen: random.Random) -> str:
    if kind is kinds.LITERAL:
        return chr(value)
    if kind is kinds.IN:
        return chosen.choice(_fitting(tuple(value)))
    if kind is kinds.BRANCH:
        return _sample(chosen.choice(value[1]), chosen)
    if kind is kinds.SUBPATTERN:
        return _sample(value[-1], chosen)
    if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT):
        least, most, inner = value
        count = chosen.randint(least, most) if most < 16 else max(least, min(most, 40))
        made = [_sample(inner, chosen) for _ in range(count)]
        if count >= 16:  # no key of a provider starts with signs
            made[:8] = [_sample_solid(inner, chosen) for _ in range(8)]
        return "".join(made)
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT, kinds.AT):
        return ""
    raise NotImplementedError(kind)


@cache
def _fitting(rows: Any) -> list[str]:
    return [sign for sign in _SIGNS if _fits(rows, sign)]


def _fits(rows: Any, sign: str) -> bool:
    for kind, value in rows:
        if kind is kinds.NEGATE:
            raise NotImplementedError(kind)
        if kind is kinds.LITERAL and chr(value) == sign:
            return True
        if kind is kinds.RANGE and value[0] <= ord(sign) <= value[1]:
            return True
        if kind is kinds.CATEGORY:
            pattern = {kinds.CATEGORY_WORD: r"\w", kinds.CATEGORY_DIGIT: r"\d"}.get(value, r"\s")
            if re.match(pattern, sign, re.ASCII):
                return True
    return False
