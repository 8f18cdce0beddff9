"""Words as rules and commands have them: `a.b`, `a:b`, `--flag` and paths stay whole."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.clauses import stem_of
from helix_tui.text.common_words import COMMON

_TOKEN = re.compile(r"(?<![\w-])-{1,2}[A-Za-z][\w-]{0,60}|[~.]?/?\w[\w./:@+#-]{0,120}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}")
_PART = re.compile(r"[./:@+#_-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST_TEXT = 4_000
# Programs that do the same: who is told to use one is told not to use the others.
ALTERNATIVES: tuple[frozenset[str], ...] = (
    frozenset({"npm", "pnpm", "yarn", "bun"}),
    frozenset({"npx", "pnpx", "bunx"}),
    frozenset({"pip", "pip3", "uv", "poetry", "pipenv"}),
    frozenset({"grep", "rg"}),
    frozenset({"find", "fd"}),
    frozenset({"docker-compose", "docker"}),
    frozenset({"docker", "podman"}),
    frozenset({"python", "python3"}),
)
_OTHERS: dict[str, frozenset[str]] = {
    name: frozenset().union(*(group for group in ALTERNATIVES if name in group)) - {name}
    for group in ALTERNATIVES
    for name in group
}


def others_like(token: str) -> frozenset[str]:
    """The programs that do the same as one."""
    return _OTHERS.get(token, frozenset())


def tokens_of(text: str) -> list[str]:
    """The words of a text in order, as they are compared."""
    tokens = [_normal(word) for word in _TOKEN.findall(text[:_LONGEST_TEXT])]
    for run in _CJK.findall(text[:_LONGEST_TEXT]):
        tokens += [run[at : at + 2] for at in range(len(run) - 1)]
    return [token for token in tokens if token]


@lru_cache(maxsize=16_384)
def parts_of(token: str) -> tuple[str, ...]:
    """The words that a name is made of; none where it is one word."""
    parts = [stem_of(part) for part in _PART.split(token.lstrip("-")) if len(part) > 1]
    return tuple(parts) if len(parts) > 1 else ()


def is_common(token: str) -> bool:
    """Whether a word says nothing of what a text is about."""
    return token in COMMON or token in _COMMON_STEMS or len(token) < 2


@lru_cache(maxsize=16_384)
def _normal(word: str) -> str:
    if word.startswith("-"):
        return word.rstrip("-").casefold()
    trimmed = word.rstrip("./:@+#-").lstrip(":@+#")
    plain = trimmed.removeprefix("./")
    if plain.isalpha():
        # `errorCode` is written as one word, and is two.
        return stem_of(plain.casefold()) if not _CAMEL.search(plain) else plain.casefold()
    return plain.casefold()


_COMMON_STEMS = frozenset(stem_of(word) for word in COMMON)
