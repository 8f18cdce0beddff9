"""Words that mean the same: everyday paraphrases, and words that are nearly spelt alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from helix_tui.context.matching.tokens import tokens_of
from helix_tui.text.clauses import stem_of

_TABLE = Path(__file__).parent / "paraphrases.txt"
# No word of instructions has this sign, so that groups and words are told apart.
MARK = "\N{SECTION SIGN}"
_LEAST_ALIKE = 0.5
_SHORTEST_ALIKE = 5
_LEAST_ROOT, _ROOT_SHARE = 4, 0.6


@cache
def _groups() -> tuple[dict[str, tuple[str, ...]], dict[tuple[str, str], tuple[str, ...]]]:
    """The groups of each word, and of each pair of words."""
    words: dict[str, list[str]] = {}
    pairs: dict[tuple[str, str], list[str]] = {}
    lines = [line for line in _TABLE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    for number, line in enumerate(lines):
        for entry in line.split(","):
            stems = [stem_of(word) for word in entry.split()]
            if len(stems) == 1:
                words.setdefault(stems[0], []).append(f"{MARK}{number}")
            else:
                pairs.setdefault((stems[0], stems[1]), []).append(f"{MARK}{number}")
    return (
        {word: tuple(dict.fromkeys(found)) for word, found in words.items()},
        {pair: tuple(dict.fromkeys(found)) for pair, found in pairs.items()},
    )


def groups_of(token: str) -> tuple[str, ...]:
    """The groups of words that mean the same as one."""
    return _groups()[0].get(token, ())


def phrases_in(texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The groups of meaning of each pair of words in texts that has any."""
    pairs = _groups()[1]
    phrases: dict[tuple[str, ...], None] = {}
    for text in texts:
        tokens = tokens_of(text)
        for pair in pairwise(tokens):
            if pair in pairs:
                phrases[pairs[pair]] = None
    return tuple(phrases)


def groups_in(tokens: Sequence[str]) -> Iterator[str]:
    """The groups of all words of a text, and of its pairs of words."""
    words, pairs = _groups()
    before = ""
    for token in tokens:
        yield from words.get(token, ())
        yield from pairs.get((before, token), ())
        before = token


class Spellings:
    """The words of many texts, to find those that are nearly spelt as one is."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_piece: dict[str, list[str]] = {}
        for word in words:
            if len(word) >= _SHORTEST_ALIKE and word.isalpha():
                for piece in _pieces(word):
                    self._by_piece.setdefault(piece, []).append(word)
        self._known: dict[str, tuple[str, ...]] = {}

    def like(self, token: str) -> tuple[str, ...]:
        """The words that share a root with one, or half of their letters in order."""
        if len(token) < _SHORTEST_ALIKE or not token.isalpha():
            return ()
        if token not in self._known:
            self._known[token] = tuple(self._found(token))
        return self._known[token]

    def _found(self, token: str) -> Iterator[str]:
        shared: dict[str, int] = {}
        pieces = _pieces(token)
        for piece in pieces:
            for word in self._by_piece.get(piece, ()):
                shared[word] = shared.get(word, 0) + 1
        for word, count in shared.items():
            alike = 2 * count / (len(pieces) + len(_pieces(word)))
            if word != token and (alike >= _LEAST_ALIKE or _is_root_shared(word, token)):
                yield word


@lru_cache(maxsize=16_384)
def _pieces(word: str) -> frozenset[str]:
    return frozenset(word[at : at + 3] for at in range(len(word) - 2))


def _is_root_shared(one: str, other: str) -> bool:
    """Whether two words begin alike for most of the longer one: `summarise`, `summary`."""
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length >= max(_LEAST_ROOT, _ROOT_SHARE * max(len(one), len(other)))
