"""Bring large buckets up to what changed in them, by the conversations that did alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.draw import add, conversations_of, drawn_of, is_in, is_large
from helix_tui.detect.group import countable, told_by
from helix_tui.detect.rank import reading_of, with_all
from helix_tui.detect.regrouping import News, with_brief
from helix_tui.detect.rows import Found, LargeRows
from helix_tui.schema import quality
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.large import Conversation, Large
from helix_tui.schema.quality import DetectSettings

_By = dict[int, list[Conversation]]
# So many buckets, and so many of their sessions, are brought up at once.
_MANY, _MOST_HELD = 1_000, 20_000


def regroup_large(
    rows: LargeRows, buckets: Sequence[int], settings: DetectSettings
) -> tuple[News, set[int]]:
    """Bring up those of these buckets that are large; which were, and what is new in them.

    Of a bucket that shows several things now, or that is large no more, nothing is kept: it is left
    to whoever reads buckets whole.
    """
    news = News()
    done: set[int] = set()
    for some in _runs(rows.touched_in(buckets)):
        done |= _bring_up_some(rows, some, settings, news)
    return news, done


def _runs(touched: Mapping[int, Collection[int]]) -> Iterator[dict[int, Collection[int]]]:
    """Few buckets at once: what changed in them is in memory together."""
    some: dict[int, Collection[int]] = {}
    held = 0
    for name, keys in sorted(touched.items()):
        if some and (len(some) >= _MANY or held + len(keys) > _MOST_HELD):
            yield some
            some, held = {}, 0
        some[name] = keys
        held += len(keys)
    if some:
        yield some


def _bring_up_some(
    rows: LargeRows, touched: Mapping[int, Collection[int]], settings: DetectSettings, news: News
) -> set[int]:
    kept = rows.large_in(sorted(touched))
    if not kept:
        return set()
    before, sightings = _around(
        rows, [(name, key) for name in sorted(kept) for key in sorted(touched[name])]
    )
    now = {name: _conversations(some) for name, some in sightings.items()}
    old: _By = {}
    for (name, _), one in before.items():
        old.setdefault(name, []).append(one)
    is_other = {
        name: _bring_up(large, old.get(name, []), now.get(name, [])) for name, large in kept.items()
    }
    rows.replace_conversations(
        sorted(before), [(name, one) for name, some in sorted(now.items()) for one in some]
    )
    _find_spans(rows, kept, [name for name, (_, is_cut) in is_other.items() if is_cut])
    few = {name for name, large in kept.items() if not is_large(large)}
    again = sorted({name for name, (is_read, _) in is_other.items() if is_read} - few)
    told, several = _read_again(rows, again, kept)
    rows.drop_large(sorted(few | several))
    left = few | several
    same = sorted(kept.keys() - left - set(again))
    _write_figures(rows, same, kept, news)
    _write_told(rows, told, kept, settings, news)
    rows.write_large({name: large for name, large in kept.items() if name not in left})
    return kept.keys() - left


def _around(
    rows: LargeRows, sessions: Sequence[tuple[int, int]]
) -> tuple[Found, dict[int, list[Sighting]]]:
    """The conversations of some sessions, and all that share an event with them, as they are now.

    Which of two sessions an event counts for depends on both.
    """
    wanted = set(sessions)
    found: Found = {}
    read: dict[tuple[int, int], Sighting] = {}
    asked: set[tuple[int, int]] = set()
    known: set[tuple[int, int]] = set()
    while wanted:
        known |= wanted
        found |= rows.conversations_of(sorted(wanted))
        keys = {(name, key) for (name, _), one in found.items() for key in one.keys}
        known |= keys
        for name, some in rows.sightings_at(sorted((wanted | keys) - read.keys())).items():
            read.update(((name, one.session.key), one) for one in some)
        events = {(name, event) for (name, _), one in found.items() for event in one.prints}
        events |= {
            (name, event)
            for (name, _), one in read.items()
            for signal in one.signals
            for event in signal.fingerprints
        }
        citing = rows.conversations_citing(sorted(events - asked))
        asked |= events
        wanted = {(name, key) for (name, _), one in citing.items() for key in one.keys} - known
    by_bucket: dict[int, list[Sighting]] = {}
    for (name, _), one in sorted(read.items(), key=lambda item: item[0]):
        by_bucket.setdefault(name, []).append(one)
    return found, by_bucket


def _conversations(sightings: Sequence[Sighting]) -> list[Conversation]:
    found = conversations_of(sightings, list(countable(sightings)))
    return [found[root] for root in sorted(found)]


def _bring_up(
    large: Large, old: Iterable[Conversation], new: Iterable[Conversation]
) -> tuple[bool, bool]:
    """Bring figures up; whether others are drawn, and whether a first or last time may be gone."""
    is_read = is_cut = False
    counts = list(large.counts)
    for sign, some in ((-1, old), (1, new)):
        for one in some:
            is_read |= is_in(one, large)
            if one.rank is not None:
                counts[0 if one.is_cured else 1] += sign
                is_cut |= add(large.tally, one, sign)
    large.counts = counts[0], counts[1]
    first, last = (
        limit if number > quality.MOST_DRAWN else None
        for limit, number in zip(large.limits, counts, strict=True)
    )
    large.limits = first, last
    return is_read, is_cut


def _find_spans(rows: LargeRows, kept: Mapping[int, Large], buckets: Sequence[int]) -> None:
    for name, (first, last) in rows.spans_of(buckets).items():
        kept[name].tally.first_ts, kept[name].tally.last_ts = first, last


def _read_again(
    rows: LargeRows, buckets: Sequence[int], kept: Mapping[int, Large]
) -> tuple[dict[int, list[Candidate]], set[int]]:
    """What the conversations tell that are drawn now; and which buckets show several things."""
    # One more than are drawn tells whether there are more.
    drawn = rows.drawn_in(buckets, quality.MOST_DRAWN + 1)
    sessions = {(name, key) for name, some in drawn.items() for one in some for key in one.keys}
    cut = {
        (name, event)
        for name, some in drawn.items()
        for one in some
        if one.is_cut
        for event in one.prints
    }
    # Whose events these are is seen only beside those who had them before.
    for (name, _), one in rows.conversations_citing(sorted(cut)).items():
        sessions.update((name, key) for key in one.keys)
    sightings = rows.sightings_at(sorted(sessions))
    told: dict[int, list[Candidate]] = {}
    several: set[int] = set()
    for name in buckets:
        found = drawn_of(drawn.get(name, []))
        made = told_by(_occurrences(sightings.get(name, []), found[0])) if found else None
        if found is None or made is None:
            several.add(name)
            continue
        kept[name].limits, kept[name].earliest = found[1].limits, found[1].earliest
        told[name] = made
    return told, several


def _occurrences(sightings: Sequence[Sighting], roots: Collection[str]) -> list[SessionSignal]:
    return [one for one in countable(sightings) if one.session.root in roots]


def _write_figures(
    rows: LargeRows, buckets: Sequence[int], kept: Mapping[int, Large], news: News
) -> None:
    """Write new figures of what says the same as before."""
    before = rows.figures_in(buckets)
    now = {
        name: with_all(brief, kept[name].tally, kept[name].reading)
        for name, brief in before.items()
    }
    rows.write_figures(now)
    news.changed += sum(now[name] != brief for name, brief in before.items())


def _write_told(
    rows: LargeRows,
    told: Mapping[int, Sequence[Candidate]],
    kept: Mapping[int, Large],
    settings: DetectSettings,
    news: News,
) -> None:
    """Write what buckets tell otherwise, by those that are drawn now."""
    buckets = sorted(told)
    old = rows.stored_in(buckets)
    made = []
    for name in buckets:
        for candidate in told[name]:
            kept[name].reading = reading_of(candidate)
            made.append(with_brief(name, candidate, settings, kept[name].tally))
    news.add(old, rows.replace_candidates(buckets, made), made)
