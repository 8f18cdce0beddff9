"""Groups what people say where something changed: a repository at a time, then all together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.group import countable, finished
from helix_tui.detect.keys import SAID, said_bucket
from helix_tui.detect.rows import GroupingRows
from helix_tui.detect.said_here import said_here
from helix_tui.detect.sayings import sayings
from helix_tui.detect.spoken import candidate_of
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.speech import Saying, Speech
from helix_tui.text.hashing import hash64

_encode = msgspec.msgpack.Encoder().encode


class SpeechChanges:
    """The buckets of things that are said otherwise than before, and what makes them up now."""

    def __init__(self, rows: GroupingRows, touched: Collection[int] | None) -> None:
        """Lays down anew what is said where these sessions are or were, or everywhere."""
        self._rows = rows
        before = rows.seals()
        if touched is None:
            rows.drop_speech()
        speeches = rows.speeches()
        changed = _laid_down(rows, speeches, touched)
        rows.write_speeches(changed)
        for repo, speech in changed.items():
            speeches.pop(repo, None)
            if speech is not None:
                speeches[repo] = speech
        found = {said_bucket(saying): saying for saying in sayings(speeches)}
        seals = {name: hash64(_encode(saying)) for name, saying in found.items()}
        gone = before.keys() - seals.keys()
        other = {
            name: seal
            for name, seal in seals.items()
            if touched is None or before.get(name) != seal
        }
        rows.write_seals(gone, other)
        self._sayings = {name: found[name] for name in other}
        self.buckets = {*gone, *other}
        # Of how many sessions all of this is.
        self.sessions = sum(len(speech.sessions) for speech in speeches.values())

    def candidates(self, buckets: Sequence[int]) -> Iterator[tuple[int, Candidate]]:
        """The candidates of these buckets, of those that hold what is said."""
        wanted = [(name, self._sayings[name]) for name in buckets if name in self._sayings]
        keys = sorted({turn.session for _, saying in wanted for turn in saying.turns})
        seen = self._rows.sightings_of(SAID, keys)
        by_session = {sighting.session.key: sighting for sighting in seen}
        for name, saying in wanted:
            made = candidate_of(saying, _members(saying, by_session))
            for candidate in finished([made]):
                yield name, candidate


def _laid_down(
    rows: GroupingRows, speeches: dict[str, Speech], touched: Collection[int] | None
) -> dict[str, Speech | None]:
    """What is said in the repositories of some sessions, now and before; None is nothing."""
    places = rows.places(SAID, None if touched is None else sorted(touched))
    gone = set(touched or ())
    by_repo: dict[str, set[int]] = {
        repo: set(speech.sessions) - gone
        for repo, speech in speeches.items()
        if not gone.isdisjoint(speech.sessions) or repo in places.values()
    }
    for key, repo in places.items():
        by_repo.setdefault(repo, set()).add(key)
    changed: dict[str, Speech | None] = {}
    for repo, keys in sorted(by_repo.items()):
        seen = list(countable(rows.sightings_of(SAID, sorted(keys))))
        changed[repo] = said_here(repo, seen) if seen else None
    return changed


def _members(saying: Saying, by_session: dict[int, Sighting]) -> list[SessionSignal]:
    """The turns of a saying."""
    wanted = {(turn.session, turn.fingerprint) for turn in saying.turns}
    found = {
        (key, name): SessionSignal(by_session[key].session, signal)
        for key in {turn.session for turn in saying.turns}
        for signal in by_session[key].signals
        for name in signal.fingerprints
        if (key, name) in wanted
    }
    return [found[turn.session, turn.fingerprint] for turn in saying.turns]
