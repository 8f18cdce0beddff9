"""Says what is wrong with a catalog of causes before anything is planted with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

FLAVORS = ("claude", "codex", "grok")
PATTERN_KEYS = {"id", "title", "regexes", "repo", "works", "remedy", "variant"}
VARIANT_KEYS = {
    *("for", "weight", "cmd", "out", "code", "pipe", "lead", "then", "swap", "before", "good"),
    *("tries", "tool", "err", "first"),
}
TROUBLE_VARIANT_KEYS = {"for", "cmd", "out", "code", "good"}
REPOS = 10


class CatalogError(ValueError):
    """A catalog does not say what it must, or says what nobody reads."""


def check(raw: Mapping[str, Any]) -> None:
    """Raises with every fault of a catalog of causes."""
    faults = list(_faults(raw))
    if faults:
        raise CatalogError("; ".join(faults))


def _faults(raw: Mapping[str, Any]) -> Iterator[str]:
    patterns, troubles = raw.get("pattern", []), raw.get("trouble", [])
    names: dict[str, list[str]] = raw.get("names", {})
    ids = [str(entry.get("id")) for entry in [*patterns, *troubles]]
    yield from (f"{name}: twice" for name in sorted({i for i in ids if ids.count(i) > 1}))
    repos = raw.get("world", {}).get("repos", ())
    if len(repos) != REPOS:
        yield f"world.repos: {len(repos)} of {REPOS}"
    for pair in raw.get("pairs", ()):
        yield from (f"pairs: no cause {name}" for name in pair if name not in ids)
    for entry in patterns:
        for fault in _cause(entry, names, repos):
            yield f"{entry.get('id')}: {fault}"
    for entry in troubles:
        for fault in _trouble(entry, names):
            yield f"{entry.get('id')}: {fault}"


def _cause(
    entry: Mapping[str, Any], names: Mapping[str, list[str]], repos: Sequence[str]
) -> Iterator[str]:
    yield from (f"unknown key {key}" for key in sorted(set(entry) - PATTERN_KEYS))
    if "repo" in entry and entry["repo"] not in repos:
        yield f"no repository {entry['repo']}"
    remedy = entry.get("remedy")
    if (remedy is None) != ("works" not in entry):
        yield "works and remedy belong together"
    if remedy is not None and not 0.5 <= entry.get("works", 0) <= 1:
        yield "a remedy works in more than half"
    if remedy is not None and not remedy.get("says"):
        yield "a remedy says nothing"
    yield from _words(entry, names)
    for variant in entry.get("variant", ()):
        yield from (f"unknown key {key}" for key in sorted(set(variant) - VARIANT_KEYS))
        if variant.get("tool", "edit") != "edit":
            yield f"unknown tool {variant['tool']}"
        if remedy is not None and "tool" not in variant:
            yield from _overcome(variant, remedy, names)
        if remedy is None and {"then", "swap", "before", "good"} & set(variant):
            yield "a variant is overcome, the cause is not"


def _overcome(
    variant: Mapping[str, Any], remedy: Mapping[str, Any], names: Mapping[str, list[str]]
) -> Iterator[str]:
    """What a variant does to overcome its cause must be what the remedy says."""
    does = [*variant.get("then", ()), *variant.get("before", ())[:1]]
    does += [other for _, other in variant.get("swap", ())]
    if not does or not variant.get("good"):
        yield f"{variant.get('cmd')}: nothing overcomes it, or it prints nothing then"
    elif not _fits(" ".join(does), remedy["says"], names):
        yield f"{variant.get('cmd')}: is overcome otherwise than the remedy says"
    for way in does:
        if _fits(way, remedy.get("never", ()), names):
            yield f"{way}: must never be said"


def _trouble(entry: Mapping[str, Any], names: Mapping[str, list[str]]) -> Iterator[str]:
    yield from (f"unknown key {key}" for key in sorted(set(entry) - (PATTERN_KEYS - {"repo"})))
    if "remedy" in entry:
        yield "no one cause, so no one remedy"
    yield from _words(entry, names)
    for variant in entry.get("variant", ()):
        yield from (f"unknown key {key}" for key in sorted(set(variant) - TROUBLE_VARIANT_KEYS))


def _words(entry: Mapping[str, Any], names: Mapping[str, list[str]]) -> Iterator[str]:
    """Title and every wording fit the entry's own words, and every agent has a wording."""
    regexes = entry.get("regexes", ())
    if not _fits(str(entry.get("title")), regexes, names):
        yield "the title does not fit its own words"
    reached: set[str] = set()
    for variant in entry.get("variant", ()):
        flavors = variant.get("for", FLAVORS)
        yield from (f"unknown agent {name}" for name in flavors if name not in FLAVORS)
        reached |= set(flavors)
        said = variant.get("err" if "tool" in variant else "out", ())
        if not said or not isinstance(said, list):
            yield f"{variant.get('cmd')}: prints nothing, or not a list of wordings"
            continue
        yield from (
            f"does not fit its words: {out[-60:]!r}"
            for out in said
            if not _fits(out, regexes, names)
        )
    yield from (f"no variant for {name}" for name in FLAVORS if name not in reached)


def _fits(text: str, regexes: Sequence[str], names: Mapping[str, list[str]]) -> bool:
    """Whether a text with the first of each name filled in fits one of the expressions."""

    def fill(given: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda m: names[m[1]][0] if m[1] in names else m[0], given)

    return any(re.search(fill(regex), fill(text)) for regex in regexes)
