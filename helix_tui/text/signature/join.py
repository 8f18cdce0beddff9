"""Join templates that differ only in what a mask could not know to be a value.

A batch over the set of distinct templates, in rounds: what it finds does not depend on their order,
nor on how often each occurs. Templates join only at equal length and with an equal first token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count

from helix_tui.text.hashing import hash64
from helix_tui.text.lazy import lazy

WILD = "*"
_ROUNDS = 4
# So many different tokens at one place are a value; words of a language may be as many wordings.
_FEWEST_NAMES, _FEWEST_WORDS = 2, 3
_FEWEST_SHARED = 2  # words that a template keeps
_MOST_TOKENS = 64  # behind these nothing tells templates apart that did not before
_MASK = lazy(r"<[a-z]{1,6}(?::\.[a-z0-9]{1,6})?>")
# What a token is made of: words with the signs that hold names together, and everything else.
_PIECE = lazy(r"[\w.*$@+\\~-]{1,400}")
_EMPTY = lazy(r"\(\)|\[\]|\{\}|=(?=[,;)\]}]|$)")
_KEY = lazy(r"[A-Za-z]{1,40}(?==$)")
_MANY_DIGITS = lazy(r"\d\D{0,3}\d")
_DIGITS = lazy(r"\d{1,400}")
_COMPARED = lazy(r"[<>~≤≥]{1,4}(?=\*)")
_HOST = lazy(
    r"(?:[\w-]{1,63}+\.){1,9}(?:(?:com|org|net|edu|gov|mil|int|info|io|dev|local|internal|lan"
    r"|localdomain|uk|de|jp|cn|hk|fr|nl|ru|br|tw|kr|au|it|mx|es|ca|se|ch|eu|us|cz)\b|[A-Za-z]{2,24}(?=:[*\d]))(?![\w.(-])(?::[*\d]{1,5})?"
)
_SIZE = lazy(r"(?:[KMGTP]i?)?B(?![\w])|[kmg]B(?![\w])")
_EDGES = "()[]{}<>,.;:!?\"'`"
_QUOTES = "\"'`"
_LITERALS = frozenset(
    ("true", "false", "null", "none", "nil", "True", "False", "None", "NULL", "undefined", "NaN")
)
# What names an error stays, also as a value.
_TELLING = frozenset(
    ("code", "errno", "error", "err", "reason", "status", "type", "kind", "class", "signal")
)
# What follows these says what happened, not to what.
# fmt: off
_LEADING = frozenset(
    {
        "to", "from", "is", "was", "are", "were", "be", "been", "being", "not", "no", "cannot",
        "can't", "could", "couldn't", "failed", "unable", "has", "have", "had", "and", "or",
        "the", "a", "an", "will", "would", "must", "should", "may", "might", "did", "does",
        "do",
    }
)
# fmt: on
# What follows these is a name.
_NAMING = frozenset(("user", "host", "hostname", "node", "domain", "database", "interface"))

_Shape = tuple[str, ...]


def bucket_of(template: str) -> str:
    """What templates must share to be joined: their length and their first token."""
    shape = _shape(template)
    return f"{len(shape)}:{shape[0] if shape else ''}"


def join(templates: Iterable[str]) -> dict[str, str]:
    """For each template the one that it is joined to."""
    buckets: dict[str, list[str]] = {}
    for template in set(templates):
        buckets.setdefault(bucket_of(template), []).append(template)
    # Bucket by bucket: shapes take many times what their templates do.
    return {template: to for bucket in buckets.values() for template, to in _joined(bucket)}


def _joined(bucket: list[str]) -> Iterator[tuple[str, str]]:
    shapes = {template: _shape(template) for template in bucket}
    joined = {shape: " ".join(to) for shape, to in _merged(set(shapes.values())).items()}
    templates = {text: text for text in joined.values()}
    for template, shape in shapes.items():
        yield template, templates[joined[shape]]


def _shape(template: str) -> _Shape:
    """The tokens of a template by shape; a run of equal values counts once."""
    tokens: list[str] = []
    for token in template.split(None, _MOST_TOKENS):
        shape = _shape_of(token) if tokens else _first_of(token)
        last = tokens[-1] if tokens else ""
        if last.endswith(WILD) and (size := _SIZE.match(shape)):
            tokens[-1] += shape[size.end() :]  # a size's unit belongs to the value
        elif WILD not in shape or last != shape:
            tokens.append(shape)
    return tuple(tokens)


def _first_of(token: str) -> str:
    """The first token by shape: what it is called matters more than elsewhere."""
    shape = _shape_of(token)
    if WILD not in shape or _HOST.match(token):
        return shape
    named = _DIGITS.sub(WILD, _MASK.sub(WILD, token))
    return named if named.count(WILD) == 1 and sum(map(str.isalpha, named)) > 2 else shape


@lru_cache(maxsize=1024)
def _shape_of(token: str) -> str:
    """A token with every value in it replaced by a star."""
    if token.isalpha():
        return WILD if token in _LITERALS else token
    token = _MASK.sub(WILD, token)
    if "." in token:
        token = _HOST.sub(WILD, token)
    token = _EMPTY.sub(lambda match: f"{match[0][0]}{WILD}{match[0][1:]}", token)
    return _COMPARED.sub("", _PIECE.sub(_piece, token))


def _piece(match: re.Match[str]) -> str:
    core = match[0].rstrip(".")
    is_value = WILD in core or core in _LITERALS or _MANY_DIGITS.search(core) is not None
    if not is_value and match.start() > 0 and match.string[match.start() - 1] == "=":
        key = _KEY.search(match.string, max(0, match.start() - 42), match.start())
        is_value = key is None or key[0].lower() not in _TELLING
    return WILD + match[0][len(core) :] if is_value else match[0]


def _merged(bucket: set[_Shape]) -> dict[_Shape, _Shape]:
    current = {shape: shape for shape in bucket}
    for _ in range(_ROUNDS):
        distinct = set(current.values())
        changes = _changes(distinct) if len(distinct) > 1 else {}
        if not changes:
            break
        current = {shape: changes.get(now, now) for shape, now in current.items()}
    return current


def _changes(shapes: set[_Shape]) -> dict[_Shape, _Shape]:
    """What becomes of shapes of one bucket when every place that varies enough is a value."""
    places: dict[_Shape, list[int]] = {}
    totals = {shape: sum(map(_weight, shape, count(1))) for shape in shapes}
    for at in range(1, len(next(iter(shapes)))):
        for alike in _alike_but(totals, at):
            varying = [shape for shape in alike if _may_vary(shape, at)]
            if len(varying) > 1 and _is_value(varying, at):
                for shape in varying:
                    places.setdefault(shape, []).append(at)
    return {
        shape: tuple(WILD if at in positions else token for at, token in enumerate(shape))
        for shape, positions in places.items()
    }


def _alike_but(totals: dict[_Shape, int], at: int) -> Iterable[list[_Shape]]:
    """Shapes that differ at one place only; sums tell them apart, of which few are looked into."""
    met: dict[int, _Shape] = {}
    several: dict[int, list[_Shape]] = {}
    for shape, total in totals.items():
        rest = total - _weight(shape[at], at + 1)
        first = met.setdefault(rest, shape)
        if first is not shape:
            several.setdefault(rest, [first]).append(shape)
    for shapes in several.values():
        groups: dict[_Shape, list[_Shape]] = {}
        for shape in shapes:
            groups.setdefault(shape[:at] + shape[at + 1 :], []).append(shape)
        yield from groups.values()


@lru_cache(maxsize=1024)
def _weight(token: str, place: int) -> int:
    return hash64(f"{place} {token}".encode("utf-8", "surrogatepass"))


def _may_vary(shape: _Shape, at: int) -> bool:
    token = shape[at]
    if not _is_word(token):
        return True
    if token[0] in _QUOTES:
        return False  # the beginning of something said
    word = token.strip(_EDGES)
    return not word.endswith(("ed", "ing")) and shape[at - 1].lower() not in _LEADING


def _is_word(token: str) -> bool:
    """Whether a token is of letters only: it may be one of several wordings."""
    return token.strip(_EDGES).isalpha()


def _is_value(shapes: list[_Shape], at: int) -> bool:
    """Whether the tokens at one place of otherwise equal shapes are values."""
    rest = shapes[0][:at] + shapes[0][at + 1 :]
    if sum(map(str.isalpha, rest)) < _FEWEST_SHARED and not any(WILD in token for token in rest):
        return False
    tokens = [shape[at] for shape in shapes]
    if any(WILD in token for token in tokens) or rest[at - 1] in _NAMING:
        return True
    return len(tokens) >= (_FEWEST_WORDS if any(map(_is_word, tokens)) else _FEWEST_NAMES)
