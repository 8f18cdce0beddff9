"""Match paths against patterns as .gitignore and the agents' settings write them."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

_MOST_PATTERN = 1_000
_MOST_VARIANTS = 64


class _Rule(NamedTuple):
    segments: tuple[str, ...]
    is_negated: bool
    is_folder: bool


def is_ignored(patterns: Iterable[str], path: str) -> bool:
    """Whether lines of a .gitignore ignore a path below their folder; the last that fits decides.

    What is in an ignored folder is ignored as well.
    """
    rules = [rule for line in patterns if (rule := _rule(line)) is not None]
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        decided = False
        for rule in rules:
            if rule.is_folder and end == len(parts):
                continue
            if _fits(rule.segments, parts[:end]):
                decided = not rule.is_negated
        if decided:
            return True
    return False


def is_ignored_nearest(patterns: Iterable[str], path: str) -> bool:
    """Whether lines of a .gitignore ignore a path, where what is said of the file comes first.

    So a `!name` brings a file back that stands in an ignored folder, which git would not do.
    """
    rules = [rule for line in patterns if (rule := _rule(line)) is not None]
    parts = path.split("/")
    for end in range(len(parts), 0, -1):
        for rule in reversed(rules):
            if rule.is_folder and end == len(parts):
                continue
            if _fits(rule.segments, parts[:end]):
                return not rule.is_negated
    return False


def fits_glob(pattern: str, path: str) -> bool:
    """Whether a glob with `**` and `{a,b}` fits a whole path."""
    parts = path.strip("/").split("/")
    return any(
        _fits(tuple(variant.strip("/").split("/")), parts) for variant in variants(pattern.strip())
    )


def variants(pattern: str) -> list[str]:
    """A pattern with each of its `{a,b}` written out."""
    patterns = [pattern[:_MOST_PATTERN]]
    while len(patterns) <= _MOST_VARIANTS:
        for number, text in enumerate(patterns):
            close = text.find("}")
            begin = text.rfind("{", 0, close) if close >= 0 else -1
            if begin >= 0 and "," in text[begin:close]:
                head, tail = text[:begin], text[close + 1 :]
                patterns[number : number + 1] = [
                    f"{head}{one}{tail}" for one in text[begin + 1 : close].split(",")
                ]
                break
        else:
            break
    return patterns[:_MOST_VARIANTS]


@lru_cache(maxsize=1024)
def _rule(line: str) -> _Rule | None:
    text = line.rstrip("\r\n")
    if not text.endswith("\\ "):
        text = text.rstrip()
    if not text or text.startswith("#") or len(text) > _MOST_PATTERN:
        return None
    is_negated = text.startswith("!")
    text = text[1:] if is_negated else text
    text = text[1:] if text.startswith(("\\#", "\\!")) else text
    is_folder = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    is_anchored = "/" in text
    segments = tuple(text.lstrip("/").split("/"))
    return _Rule(segments if is_anchored else ("**", *segments), is_negated, is_folder)


def _fits(segments: tuple[str, ...], parts: list[str]) -> bool:
    """Whether segments fit all parts of a path; `**` stands for any number of them."""
    reached = {0}
    for segment in segments:
        if segment == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {
                at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], segment)
            }
        if not reached:
            return False
    # `a/**` means what is in it, not the folder itself.
    return len(parts) in reached and not (segments[-1] == "**" and len(parts) < len(segments))
