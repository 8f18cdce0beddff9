"""Finds keys of providers, by how they begin and by their shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from helix_tui.text.secrets.providers import SHAPED, SIGNED, UNSIGNED

# What stands in for each sign while places are looked for that may hold a key: one byte each, so
# that a place here is the place there. A search for one such byte passes over most of a text.
_SORTS = {"0": "0123456789", "-": "-_", "+": "+/=:~$|."}
_CLASSES = bytearray(b" " * 256)
for _sort, _signs in _SORTS.items():
    for _sign in _signs:
        _CLASSES[ord(_sign)] = ord(_sort)
for _code in range(26):
    _CLASSES[97 + _code], _CLASSES[65 + _code] = ord("a"), ord("A")
_TABLE = bytes(_CLASSES)
# A sign before what may be random (there is a digit or a capital), and a long run of letters and
# digits with one of the latter in it.
_SCREEN = re.compile(rb"-(?=[aA0][aA0+-]{7})(?!00-00)(?=[a+-]{0,40}+[0A])")
_RANDOM = re.compile(rb"0(?:(?<=[aA0]{8})|(?=[aA0]{6}))")
_find_sign, _find_random = _SCREEN.search, _RANDOM.search
_CAPITALS = b"A" * 20
_RUN = re.compile(rb"[aA0]{8,}")
_RUN_OF_MANY = re.compile(rb"[aA0]{12}")
_PATH = ord("+")

# Not within a word (`desk-ant-…`). Letters before a key may belong to an escape: `\nsk-…`,
# `%3Dsk-…`, `\x1b[32msk-…`.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F])|(?<=\\u[0-9a-f]{4})|(?<=[\d;]m))"
_ESCAPE = re.compile(r"(?<=\\)(?:[nrt]|u[0-9a-f]{4})|(?<=%)[0-9A-F][0-9A-F]|(?<=[\[;])\d{1,3}m")

# A key of a provider that no list knows: words, one of which says what it is, then a random run.
_MARKERS = frozenset(
    "live test prod production sandbox secret sec sk pat oat api apikey key token tkn pw auth oauth"
    " access refresh svc sa v1 v2 v3".split()
)
_MARKER_ENDS = frozenset(marker[-2:] for marker in _MARKERS)
_MARKED = re.compile(
    r"[A-Za-z][A-Za-z0-9]{1,15}(?:[_-][a-z0-9]{1,12}){1,3}[_-]([A-Za-z0-9]{20,200})(?!\w)"
)
_WORDS = re.compile(
    r"(?<![A-Za-z0-9_%\\-])[A-Za-z][A-Za-z0-9]{1,15}(?:[_-][a-z0-9]{1,12}){1,3}[_-]"
)
_SHORT_WORD = re.compile(
    r"(?<![A-Za-z0-9_/.%\\-])(?P<first>[A-Za-z][A-Za-z0-9]{1,9})(?:[_-][a-z0-9]{1,8}){0,2}[_.-]\Z"
)
_LONG_RUN = re.compile(r"[A-Za-z0-9]{28,200}(?![\w/.+])")
_CAPITAL, _SMALL_WORD = re.compile("[A-Z]"), re.compile("[a-z]{6}")
# What is written before hashes and the names of things, which are as random and no secrets.
NO_KEYS = frozenset(
    "sha1 sha224 sha256 sha384 sha512 md5 msg toolu call resp rs fc run thread asst file org req item"
    " chatcmpl cmpl evt event session trace span commit blob tree build image layer cache container"
    " pod job task user id index main chunk vendor app style styles font bundle cus pi ch in sub".split()
)
_DIGIT = re.compile(r"\d")


class Found(NamedTuple):
    """A secret: where it stands and of what kind it is."""

    start: int
    end: int
    kind: str


def _by_beginning(rows: tuple[tuple[str, str, str], ...]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for name, starts, rest in rows:
        for start in starts.split():
            found.setdefault(start, []).append((name, rest))
    return found


_SIGNED = _by_beginning(SIGNED)
_UNSIGNED = _by_beginning(UNSIGNED)
_SHAPED: dict[str, list[tuple[str, str]]] = {}
for _name, _needles, _shape in SHAPED:
    for _needle in _needles.split():
        _SHAPED.setdefault(_needle, []).append((_name, _shape))
_SHAPED_BY_SIGN = {needle: rows for needle, rows in _SHAPED.items() if len(needle) == 1}
_find_needle = re.compile("|".join(re.escape(n) for n in _SHAPED if len(n) > 1)).search
_SHORTEST_SHAPE = 20
_LONG = 22  # what has but one sign to be known by has a run of letters and digits of this length
# The longest first: what begins with another key's beginning is the more telling.
_LENGTHS_OF = {
    tail: sorted({len(start) for start in _SIGNED if start.endswith(tail)}, reverse=True)
    for tail in {start[-3:] for start in _SIGNED}
}
# The last four bytes of a beginning, or of a marker that has a sign on each side; beginnings of
# three. What stands at most signs is none of these.
_TAILS = frozenset(
    [start[-4:].encode() for start in _SIGNED if len(start) > 3]
    + [
        f"{before}{marker}{behind}"[-4:].encode()
        for marker in _MARKERS
        for before in "-_"
        for behind in "-_"
    ]
)
_SHORT_TAILS = frozenset(start.encode() for start in _SIGNED if len(start) == 3)
_HEADS = frozenset(start[:2] for start in _UNSIGNED if len(start) > 1)
_LETTERS = frozenset(start for start in _UNSIGNED if len(start) == 1)
_HEAD_LENGTHS = sorted({len(start) for start in _UNSIGNED}, reverse=True)


@cache
def _rule(shape: str) -> re.Pattern[str]:
    # Only when one is needed: few runs meet any, and a start has to be quick. Where a key may begin
    # is asked last: most places do not have the shape.
    return re.compile(f"(?={shape}){_START}{shape}")


def _unsigned(start: str) -> list[tuple[str, re.Pattern[str]]]:
    return _rules("", start) if start in _UNSIGNED else []


@cache
def _rules(before: str, start: str) -> list[tuple[str, re.Pattern[str]]]:
    rows = (_SIGNED if before else _UNSIGNED)[start]
    beginning = before + re.escape(start)
    return [(name, re.compile(f"{beginning}(?P<rest>{rest})")) for name, rest in rows]


def is_mixed(value: str) -> bool:
    """Whether a value may be random: letters are capitals by half there, in code by a sixth."""
    capitals = sum(map(str.isupper, value))
    return bool(_DIGIT.search(value)) or len(value) <= 4 * capitals <= 3 * len(value)


def is_random(value: str) -> bool:
    """Whether letters, capitals and digits alternate as they hardly do in words and numbers."""
    sorts = value.encode("ascii", "replace").translate(_TABLE)
    changes = sum(map(sorts.count, (b"a0", b"0a", b"A0", b"0A", b"aA", b"Aa")))
    return sorts.count(b"0") >= 2 and 5 * changes >= len(value)


Tokens = list[tuple[int, int]]


def screened(flat: bytes, is_with_capitals: bool) -> tuple[bytes, list[int], Tokens] | None:
    """The sorts of a text's signs, given its bytes, one for each character, and where keys may be.

    That is behind a sign that ends a known beginning and that something random follows, and in
    tokens that look random.
    """
    classes = flat.translate(_TABLE)
    first, some = _find_sign(classes), _find_random(classes)
    if not (first or some or is_with_capitals):
        return None
    signs = _telling(flat, classes, first.start()) if first else []
    tokens = _tokens(classes, some.start()) if some else []
    if is_with_capitals:
        tokens += _in_capitals(classes)
    return (classes, signs, tokens) if signs or tokens else None


def _telling(flat: bytes, classes: bytes, done: int) -> list[int]:
    return [
        at
        for hit in _SCREEN.finditer(classes, done)
        if flat[(at := hit.start()) - 3 : at + 1] in _TAILS or flat[at - 2 : at + 1] in _SHORT_TAILS
    ]


def _in_capitals(classes: bytes) -> Tokens:
    tokens: Tokens = []
    done = 0
    while (at := classes.find(_CAPITALS, done)) >= 0:
        start = max(done, classes.rfind(b" ", done, at) + 1)
        done = _end(classes, at)
        tokens.append((start, done))
    return tokens


def _tokens(classes: bytes, done: int) -> Tokens:
    tokens: Tokens = []
    done = classes.rfind(b" ", 0, done) + 1
    while hit := _RANDOM.search(classes, done):
        start = max(done, classes.rfind(b" ", done, hit.start()) + 1)
        done = _end(classes, hit.start())
        piece = classes[start:done]
        if _RUN_OF_MANY.search(piece) or (piece[0] != _PATH and b"A" in piece and b"a" in piece):
            tokens.append((start, done))
    return tokens


def _end(classes: bytes, at: int) -> int:
    end = classes.find(b" ", at)
    return len(classes) if end < 0 else end


def keys_in(text: str, classes: bytes, signs: list[int], tokens: Tokens) -> list[Found]:
    """Every key of a provider in a text; of those that begin alike the longest beginning first."""
    found: list[tuple[int, Found]] = []
    for at in signs:
        found += _behind_sign(text, at)
        if text[at - 2 : at] in _MARKER_ENDS:
            found += _marked(text, at)
    for start, end in tokens:
        found += _in_token(text, classes, start, end)
    return [key for _, key in sorted(found, key=_weight, reverse=True)] if found else []


def _weight(found: tuple[int, Found]) -> int:
    return found[0]


def _begun(text: str, start: int, size: int) -> Iterator[tuple[int, Found]]:
    for name, rule in _rules(_START, text[start : start + size]):
        if (key := rule.match(text, start)) and is_mixed(key["rest"]):
            yield size, Found(start, key.end(), name)


def _behind_sign(text: str, at: int) -> Iterator[tuple[int, Found]]:
    for size in _LENGTHS_OF.get(text[max(0, at - 2) : at + 1], ()):
        if size <= at + 1 and text[at + 1 - size : at + 1] in _SIGNED:
            yield from _begun(text, at + 1 - size, size)


def _marked(text: str, at: int) -> Iterator[tuple[int, Found]]:
    before = text[max(0, at - 12) : at].replace("-", "_").rpartition("_")
    if before[2] in _MARKERS and before[1]:
        for words in _WORDS.finditer(text, max(0, at - 60), at + 1):
            key = _MARKED.match(text, words.start())
            if words.end() == at + 1 and key and key.start(1) == at + 1 and is_random(key[1]):
                yield 0, Found(words.start(), key.end(), "key")


def _alike(text: str, at: int) -> Iterator[tuple[int, Found]]:
    # No list knows this one: a short word, a sign, and a long run in which all sorts alternate.
    word = _SHORT_WORD.search(text, max(0, at - 30), at + 1)
    body = _LONG_RUN.match(text, at + 1)
    if (
        word
        and body
        and word["first"].lower() not in NO_KEYS
        and _CAPITAL.search(body[0])
        and not _SMALL_WORD.search(body[0])
        and is_random(body[0])
    ):
        yield 0, Found(word.start(), body.end(), "key")


def _in_token(text: str, classes: bytes, start: int, end: int) -> Iterator[tuple[int, Found]]:
    longest = 0
    for run in _RUN.finditer(classes, start, end):
        at = run.start()
        if classes[max(0, at - 2) : at] == b"--":  # what follows a beginning may start with a sign
            yield from _behind_sign(text, at - 2)
        if run.end() - at >= _LONG:
            longest = run.end() - at
            if classes[at - 1 : at] == b"-":
                yield from _alike(text, at - 1)
        if escape := _ESCAPE.match(text, at):
            at = escape.end()
        if text[at : at + 2] in _HEADS or (run.end() - at > 48 and text[at] in _LETTERS):
            for size in _HEAD_LENGTHS:
                for name, rule in _unsigned(text[at : at + size]):
                    if (key := rule.match(text, at)) and is_mixed(key["rest"]):
                        yield size, Found(at, key.end(), name)
    dot = text.find(".", start, end)
    while dot >= 0:
        yield from _behind_sign(text, dot)
        dot = text.find(".", dot + 1, end)
    if end - start < _SHORTEST_SHAPE:
        return
    token = text[start:end]
    # Most tokens have none of the longer needles, which one search tells.
    for needle, rows in (
        _SHAPED if _find_needle(token) else _SHAPED_BY_SIGN if longest else {}
    ).items():
        if needle in token and (longest or len(needle) > 1):
            for name, shape in rows:
                yield from _shaped(text, start, end, name, _rule(shape))


def _shaped(
    text: str, start: int, end: int, name: str, rule: re.Pattern[str]
) -> Iterator[tuple[int, Found]]:
    for part in rule.finditer(text, start, end):
        key = rule.match(text, part.start()) or part  # it may go on behind what no token has
        yield 0, Found(key.start(), key.end(), name)
