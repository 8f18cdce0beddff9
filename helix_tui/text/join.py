"""Joins templates that differ only in what a mask could not know to be a value.

A batch over the set of distinct templates, in rounds: what it finds does not depend on their order,
nor on how often each occurs. Templates join only at equal length and with an equal first token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

WILD = "*"
_ROUNDS = 4
_MOST_TOKENS = 64  # behind these nothing tells templates apart that did not before
_MASK = re.compile(r"<[a-z]{1,6}(?::\.[a-z0-9]{1,6})?>")
# What a token is made of: words with the signs that hold names together, and everything else.
_PIECE = re.compile(r"[\w.*$@+\\~-]{1,400}")
_EMPTY = re.compile(r"\(\)|\[\]|\{\}|=(?=[,;)\]}]|$)")
_MANY_DIGITS = re.compile(r"\d\D{0,3}\d")
_LITERALS = frozenset("true false null none nil True False None NULL undefined NaN".split())
# What names an error stays, also as a value.
_TELLING = frozenset("code errno error err reason status type kind class exception signal".split())


def _is_value(piece: str) -> bool:
    return WILD in piece or piece in _LITERALS or _MANY_DIGITS.search(piece) is not None


@lru_cache(maxsize=65536)
def _shape_of(token: str) -> str:
    """A token with every value in it replaced by a star."""
    if token.isalpha():
        return WILD if token in _LITERALS else token
    token = _MASK.sub(WILD, token)
    token = _EMPTY.sub(lambda found: f"{found[0][0]}{WILD}{found[0][1:]}", token)
    parts, done = [], 0
    for found in _PIECE.finditer(token):
        start, end = found.span()
        piece = found[0]
        parts.append(token[done:start])
        core = piece.rstrip(".")
        is_assigned = start > 0 and token[start - 1] == "="
        if is_assigned:
            before = token[:start - 1]
            key = re.split(r"[^A-Za-z]", before)[-1].lower()
            is_assigned = key not in _TELLING or _is_value(core)
        parts.append(WILD + piece[len(core):] if is_assigned or _is_value(core) else piece)
        done = end
    parts.append(token[done:])
    return "".join(parts)


def _shape(template: str) -> tuple[str, ...]:
    """The tokens of a template by shape; a run of equal values counts once."""
    tokens: list[str] = []
    for token in template.split(None, _MOST_TOKENS):
        shape = _shape_of(token)
        if WILD in shape and tokens and tokens[-1] == shape:
            continue
        tokens.append(shape)
    return tuple(tokens)


def bucket_of(template: str) -> str:
    """What templates must share to be joined: their length and their first token."""
    shape = _shape(template)
    return f"{len(shape)}:{shape[0] if shape else ''}"


def join(templates: Iterable[str]) -> dict[str, str]:
    """For each template the one that it is joined to."""
    shapes = {template: _shape(template) for template in set(templates)}
    buckets: dict[tuple[int, str], list[tuple[str, ...]]] = {}
    for shape in set(shapes.values()):
        buckets.setdefault((len(shape), shape[0] if shape else ""), []).append(shape)
    joined: dict[tuple[str, ...], tuple[str, ...]] = {}
    for bucket in buckets.values():
        joined.update(_merged(bucket))
    return {template: " ".join(joined[shape]) for template, shape in shapes.items()}

import os
K=int(os.environ.get("K","3"))
K2=int(os.environ.get("K2","2"))
L=int(os.environ.get("L","8"))

def _merged(bucket):
    current = {shape: shape for shape in bucket}
    for _ in range(_ROUNDS):
        distinct = set(current.values())
        if len(distinct)<2: break
        values = {}
        for shape in distinct:
            for at in range(1,len(shape)):
                if _may(shape[at]) :
                    values.setdefault((at, shape[:at], shape[at+1:]),set()).add(shape[at])
        change={}
        for shape in distinct:
            new=list(shape)
            for at in range(1,len(shape)):
                if _may(shape[at]):
                    v=values[(at, shape[:at], shape[at+1:])]
                    if len(v)>=K or WILD in "".join(v) and len(v)>1 or (len(v)>=K2 and len(shape)>=L):
                        new[at]=WILD
            change[shape]=tuple(new)
        if all(k==v for k,v in change.items()): break
        current={s:change[c] for s,c in current.items()}
    return current

def _may(token):
    return token!=WILD and not (token.isupper() and token.isalpha()) 
