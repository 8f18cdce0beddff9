"""The bloat guard: which patterns a draft resembles, so that the catalog does not say it twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from helix_tui.curate.draft.advice import advice_table, filled
from helix_tui.curate.draft.names import code
from helix_tui.curate.page.pattern import Pattern
from helix_tui.schema.candidate import Candidate
from helix_tui.text.signature.classes import is_open

ResemblanceKind = Literal["same", "near", "covered"]

_ORDER: tuple[ResemblanceKind, ...] = ("same", "near", "covered")
_WORD = re.compile(r"\w+")
_COMPARED = 4_000
# Stands for whatever subject.
_ANY = "\0"


class Resemblance(NamedTuple):
    """A pattern that a draft resembles, in which way and why."""

    pattern_id: str
    kind: ResemblanceKind
    reason: str
    is_deprecated: bool = False


class _Alike(NamedTuple):
    pattern: Pattern
    kind: ResemblanceKind
    reason: str
    alike: float = 100.0


class Lookalikes:
    """The patterns of a catalog, arranged once so that many drafts can be held against them."""

    def __init__(self, patterns: Sequence[Pattern], alike: int) -> None:
        self._alike = alike
        self._by_id: dict[str, list[Pattern]] = {}
        self._by_thing: dict[tuple[str, str, str], list[Pattern]] = {}
        self._named: dict[str, list[tuple[Pattern, str]]] = {}
        for one in patterns:
            for name in {one.id, *one.candidates}:
                self._by_id.setdefault(name, []).append(one)
            self._by_thing.setdefault(_thing(one), []).append(one)
            for name in one.supersedes:
                self._named.setdefault(name, []).append((one, "it supersedes it"))
            for name in one.related:
                self._named.setdefault(name, []).append((one, "it names it as related"))
        self._worded = [(one, _own_words(one)) for one in patterns]
        self._having: dict[str, list[int]] = {}
        for at, (_, words) in enumerate(self._worded):
            for word in set(words.split()):
                self._having.setdefault(word, []).append(at)

    def resembles(
        self, draft: Pattern, candidate: Candidate, merged: Collection[str] = ()
    ) -> list[Resemblance]:
        """The patterns that a draft resembles, each once, the best first."""
        names = {draft.id, candidate.id, *draft.candidates, *candidate.aliases, *merged}
        best: dict[str, _Alike] = {}
        for found in (*self._same(names), *self._near(draft), *self._covered(names, candidate)):
            best.setdefault(found.pattern.id, found)
        return [_told(found) for found in sorted(best.values(), key=_rank)]

    def _same(self, names: Iterable[str]) -> Iterator[_Alike]:
        for name in names:
            for one in self._by_id.get(name, ()):
                yield _Alike(one, "same", "it was made of this candidate")

    def _near(self, draft: Pattern) -> Iterator[_Alike]:
        # Where a class only tells of what kind a failure is, each failure is one of its own.
        if draft.error_class and not is_open(draft.error_class):
            about = " ".join(filter(None, (draft.error_class, draft.subject)))
            for one in self._by_thing.get(_thing(draft), ()):
                yield _Alike(one, "near", f"it is about the same: {about}")
        yield from self._alike_guidance(draft)

    def _alike_guidance(self, draft: Pattern) -> Iterator[_Alike]:
        from rapidfuzz.fuzz import ratio

        words = _own_words(draft)
        for at in self._likely(set(words.split())):
            one, others = self._worded[at]
            if one.kind != draft.kind or not _may_compare(draft, one):
                continue
            alike = ratio(words, others, score_cutoff=self._alike)
            if alike >= self._alike:
                yield _Alike(one, "near", f"its guidance is alike ({alike:.0f} of 100)", alike)

    def _likely(self, words: set[str]) -> list[int]:
        """The patterns that share half as much with these words as they are to be alike.

        Counting words is cheap: a long list takes no comparison of every draft to every pattern.
        """
        shared = Counter(chain.from_iterable(self._having.get(word, ()) for word in words))
        least = len(words) * self._alike / 200
        return sorted(at for at, count in shared.items() if count >= least)

    def _covered(self, names: Iterable[str], candidate: Candidate) -> Iterator[_Alike]:
        for one in self._by_id.get(candidate.resolves, ()):
            yield _Alike(one, "covered", "it is about the problem that this overcomes")
        for one in self._by_id.get(candidate.remedy, ()):
            yield _Alike(one, "covered", "it tells what overcomes this problem")
        for name in names:
            for one, reason in self._named.get(name, ()):
                yield _Alike(one, "covered", reason)


def resembles(
    draft: Pattern,
    candidate: Candidate,
    patterns: Sequence[Pattern],
    alike: int,
    merged: Collection[str] = (),
) -> list[Resemblance]:
    """The patterns that one draft resembles; for a list of drafts make one `Guard`."""
    return Lookalikes(patterns, alike).resembles(draft, candidate, merged)


def _thing(pattern: Pattern) -> tuple[str, str, str]:
    return pattern.kind, pattern.error_class, pattern.subject


def _may_compare(draft: Pattern, other: Pattern) -> bool:
    """Whether alike guidance says anything: our advice for `rg` and for `jq` is alike by design."""
    advised = [one.provenance.guidance == "advice" for one in (draft, other)]
    if all(advised):
        return False
    topic = (draft.error_class or draft.signal, other.error_class or other.signal)
    is_other_thing = draft.subject and other.subject and draft.subject != other.subject
    return not (any(advised) and topic[0] == topic[1] and is_other_thing)


@cache
def _advised_lines() -> frozenset[str]:
    """Every line of our advice, with and without a subject."""
    table = advice_table()
    rows = (*table.error_class.values(), *table.signal.values(), *table.topic.values())
    lines = [line for advice in rows for line in advice.guidance]
    return frozenset(filled(line, subject) for line in lines for subject in ("", _ANY))


def _own_words(pattern: Pattern) -> str:
    is_advice = pattern.provenance.guidance == "advice"
    return _words_of(pattern.guidance, pattern.subject, is_advice)


@lru_cache(maxsize=4096)
def _words_of(guidance: str, subject: str, is_advice: bool) -> str:
    """The words of a guidance in order of the alphabet, without lines of ours between others'."""
    lines = [line.removeprefix("- ").strip() for line in guidance.split("\n")]
    name, ours = code(subject), _advised_lines()
    own = [line for line in lines if (line.replace(name, code(_ANY)) if name else line) not in ours]
    text = "\n".join(lines if is_advice or not any(own) else own)[:_COMPARED]
    return " ".join(sorted(_WORD.findall(text.casefold())))


def _rank(found: _Alike) -> tuple[int, bool, float, str]:
    is_deprecated = found.pattern.status == "deprecated"
    return _ORDER.index(found.kind), is_deprecated, -found.alike, found.pattern.id


def _told(found: _Alike) -> Resemblance:
    is_deprecated = found.pattern.status == "deprecated"
    reason = f"{found.reason}; it is deprecated" if is_deprecated else found.reason
    return Resemblance(found.pattern.id, found.kind, reason, is_deprecated)
