"""Find the patterns that a draft resembles, so that the catalog does not say things twice."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
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
# Stands for any subject.
_ANY = "\0"


class Resemblance(NamedTuple):
    """A pattern that a draft resembles, in which way, and why."""

    pattern_id: str
    kind: ResemblanceKind
    reason: str
    is_deprecated: bool = False


class _Lookalike(NamedTuple):
    pattern: Pattern
    kind: ResemblanceKind
    reason: str
    similarity: float = 100.0


class Lookalikes:
    """The patterns of a catalog, indexed once so that many drafts can be compared to them."""

    def __init__(self, patterns: Sequence[Pattern], alike: int) -> None:
        self._alike = alike
        self._by_id: dict[str, list[Pattern]] = {}
        self._by_topic: dict[tuple[str, str, str], list[Pattern]] = {}
        self._named: dict[str, list[tuple[Pattern, str]]] = {}
        for pattern in patterns:
            for name in {pattern.id, *pattern.candidates}:
                self._by_id.setdefault(name, []).append(pattern)
            self._by_topic.setdefault(_topic_key(pattern), []).append(pattern)
            for name in pattern.supersedes:
                self._named.setdefault(name, []).append((pattern, "it supersedes it"))
            for name in pattern.related:
                self._named.setdefault(name, []).append((pattern, "it names it as related"))
        self._worded = [(pattern, _own_words(pattern)) for pattern in patterns]

    def resembles(
        self, draft: Pattern, candidate: Candidate, merged: Collection[str] = ()
    ) -> list[Resemblance]:
        """List the patterns that a draft resembles, each once, the closest first."""
        names = {draft.id, candidate.id, *draft.candidates, *candidate.aliases, *merged}
        best: dict[str, _Lookalike] = {}
        for lookalike in (*self._same(names), *self._near(draft), *self._covered(names)):
            best.setdefault(lookalike.pattern.id, lookalike)
        return [_resemblance(lookalike) for lookalike in sorted(best.values(), key=_rank)]

    def _same(self, names: Iterable[str]) -> Iterator[_Lookalike]:
        for name in names:
            for pattern in self._by_id.get(name, ()):
                yield _Lookalike(pattern, "same", "it was made of this candidate")

    def _near(self, draft: Pattern) -> Iterator[_Lookalike]:
        # An open class names only a kind of failure: two failures of it are not the same one. Nor
        # are two of a class without a subject, or they would be one candidate.
        if draft.error_class and draft.subject and not is_open(draft.error_class):
            about = " ".join(filter(None, (draft.error_class, draft.subject)))
            for pattern in self._by_topic.get(_topic_key(draft), ()):
                yield _Lookalike(pattern, "near", f"it is about the same: {about}")
        yield from self._alike_guidance(draft)

    def _alike_guidance(self, draft: Pattern) -> Iterator[_Lookalike]:
        from rapidfuzz.fuzz import ratio

        words = _own_words(draft)
        for at in self._likely(set(words.split())):
            pattern, pattern_words = self._worded[at]
            if pattern.kind != draft.kind or not _may_compare(draft, pattern):
                continue
            similarity = ratio(words, pattern_words, score_cutoff=self._alike)
            if similarity >= self._alike:
                yield _Lookalike(
                    pattern, "near", f"its guidance is alike ({similarity:.0f} of 100)", similarity
                )

    def _likely(self, words: set[str]) -> list[int]:
        """Return the patterns that share at least half of the words that a near match needs.

        Counting shared words is cheap, and spares comparing every draft to every pattern.
        """
        least = max(len(words) * self._alike / 200, 1)
        worded = enumerate(self._worded)
        return [at for at, (_, own) in worded if len(words & _parted(own)) >= least]

    def _covered(self, names: Iterable[str]) -> Iterator[_Lookalike]:
        for name in names:
            for pattern, reason in self._named.get(name, ()):
                yield _Lookalike(pattern, "covered", reason)


def resembles(
    draft: Pattern,
    candidate: Candidate,
    patterns: Sequence[Pattern],
    alike: int,
    merged: Collection[str] = (),
) -> list[Resemblance]:
    """List the patterns that one draft resembles; for many drafts make one `Lookalikes`."""
    return Lookalikes(patterns, alike).resembles(draft, candidate, merged)


def _topic_key(pattern: Pattern) -> tuple[str, str, str]:
    return pattern.kind, pattern.error_class, pattern.subject


def _may_compare(draft: Pattern, other: Pattern) -> bool:
    """Whether similar guidance means anything: our advice for `rg` and `jq` is alike by design."""
    advised = [pattern.provenance.guidance == "advice" for pattern in (draft, other)]
    if all(advised):
        return False
    topic = (draft.error_class or draft.signal, other.error_class or other.signal)
    is_by_helix = all(one.provenance.guidance in ("advice", "log") for one in (draft, other))
    is_other_thing = draft.subject and other.subject and draft.subject != other.subject
    if is_by_helix and (topic[0] != topic[1] or is_other_thing):
        # Drafts of different things are alike by our own way of wording them.
        return False
    return not (any(advised) and topic[0] == topic[1] and is_other_thing)


@cache
def _advised_lines() -> frozenset[str]:
    """Return every line of our advice, with and without a subject."""
    table = advice_table()
    rows = (*table.error_class.values(), *table.signal.values())
    lines = [line for advice in rows for line in advice.guidance]
    return frozenset(filled(line, subject) for line in lines for subject in ("", _ANY))


def _own_words(pattern: Pattern) -> str:
    is_advice = pattern.provenance.guidance == "advice"
    return _words_of(pattern.guidance, pattern.subject, is_advice)


@lru_cache(maxsize=4096)
def _words_of(guidance: str, subject: str, is_advice: bool) -> str:
    """Return the words of a guidance, sorted; our lines are left out where it has others."""
    lines = [line.removeprefix("- ").strip() for line in guidance.split("\n")]
    name, ours = code(subject), _advised_lines()
    own = [line for line in lines if (line.replace(name, code(_ANY)) if name else line) not in ours]
    text = "\n".join(lines if is_advice or not any(own) else own)[:_COMPARED]
    return " ".join(sorted(_WORD.findall(text.casefold())))


@lru_cache(maxsize=4096)
def _parted(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _rank(lookalike: _Lookalike) -> tuple[int, bool, float, str]:
    is_deprecated = lookalike.pattern.status == "deprecated"
    return _ORDER.index(lookalike.kind), is_deprecated, -lookalike.similarity, lookalike.pattern.id


def _resemblance(lookalike: _Lookalike) -> Resemblance:
    is_deprecated = lookalike.pattern.status == "deprecated"
    reason = f"{lookalike.reason}; it is deprecated" if is_deprecated else lookalike.reason
    return Resemblance(lookalike.pattern.id, lookalike.kind, reason, is_deprecated)
