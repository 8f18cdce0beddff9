"""Which conversations saw a rule that Helix wrote: by their logs, by recall, else by the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.context.files import Disk
from helix_tui.context.simulate import effective_context
from helix_tui.distribute.stays import Stay
from helix_tui.engine.context.effective import asked_here
from helix_tui.engine.context.exposure import PARTIAL, plain, plain_lines, said_of
from helix_tui.engine.effect.before_after_control import Saw, Since
from helix_tui.engine.effect.handed import NOT_HANDED, Handed
from helix_tui.engine.effect.sessions import Place, Sessions
from helix_tui.schema.context import AGENTS, Context, Exposure
from helix_tui.schema.distribute import USER
from helix_tui.text.redact import redact

_NEVER = 1 << 62
_UNKNOWN_AGENT = Exposure("unknown", "nobody knows what this agent loads")


class Loaded(NamedTuple):
    """What an agent loads at a place today, and since when its files are as they are."""

    text: str
    since: int


class _Text(NamedTuple):
    """A recorded text as rules are looked for in it."""

    plain: str
    words: frozenset[str]


class Records:
    """What logs record of instructions, and whether a rule is in it; each pair once."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._texts: dict[int, _Text] = {}
        self._found: dict[tuple[str, int], bool] = {}

    def of(self, wanted: Sequence[str], at: int) -> Exposure | None:
        """Whether a conversation's log has one of some rules; None where it does not tell."""
        records = self._sessions.records[at]
        for record in records:
            if record.hash and any(self._has(one, record.hash) for one in wanted):
                return Exposure("observed_yes", said_of(record))
        whole = next((record for record in records if record.source not in PARTIAL), None)
        return None if whole is None else Exposure("observed_no", said_of(whole))

    def parted(self, wanted: Sequence[str], domain: int) -> tuple[int, int]:
        """The conversations whose logs have one of some rules, and those whose logs have none."""
        having = lacking = 0
        for (_, signature), numbers in self._sessions.cells.items():
            if not signature or not numbers & domain:
                continue
            if any(digest and self._has(one, digest) for digest, _ in signature for one in wanted):
                having |= numbers
            elif any(source not in PARTIAL for _, source in signature):
                lacking |= numbers
        return having & domain, lacking & domain

    def _has(self, wanted: str, digest: int) -> bool:
        key = wanted, digest
        if key not in self._found:
            text = self._text(digest)
            # Most texts lack one of its words, and that is found out sooner.
            self._found[key] = text.words.issuperset(wanted.split()) and wanted in text.plain
        return self._found[key]

    def _text(self, digest: int) -> _Text:
        if digest not in self._texts:
            text = plain_lines(self._sessions.texts.get(digest, ""))
            self._texts[digest] = _Text(text, frozenset(text.split()))
        return self._texts[digest]


class Folders:
    """What agents load today where rules were written; each place is looked at once."""

    def __init__(self) -> None:
        self._disk = Disk()
        self._loaded: dict[tuple[str, str], Loaded | None] = {}

    def loaded(self, agent: str, root: str) -> Loaded | None:
        """What an agent loads at a place; None where the place is not there, or nobody knows."""
        key = agent, root
        if key not in self._loaded:
            self._loaded[key] = self._look(agent, root)
        return self._loaded[key]

    def _look(self, agent: str, root: str) -> Loaded | None:
        known = next((name for name in AGENTS if name == agent), None)
        if known is None or self._disk.kind(root) != "folder":
            return None
        context = effective_context(asked_here(known, Path(root)), self._disk)
        return Loaded(plain_lines(redact(context.text)), _newest(context))


def _newest(context: Context) -> int:
    """When the latest of the files that a context is made of was written."""
    times = [0]
    for file in context.files:
        try:
            times.append(int(Path(file.path).stat().st_mtime * 1000))
        except OSError:
            continue
    return max(times)


class PlaceStay(NamedTuple):
    """What the ledger says of one agent in one repository.

    `first` is when any words of the pattern came in, `since` when those of today did, in `spans`
    they were there. `state` is whether the agent is assumed to have seen them, from `known_from` on
    where the files were changed since; before that nobody knows.
    """

    first: int
    since: int
    spans: tuple[tuple[int, int | None], ...]
    exposure: Exposure
    known_from: int = 0


class Exposed:
    """Who saw one pattern's rule."""

    def __init__(
        self,
        stays: Sequence[Stay],
        sessions: Sessions,
        records: Records,
        folders: Folders,
        handed: Handed = NOT_HANDED,
    ) -> None:
        self._stays = stays
        self._handed = handed
        self._records = records
        self._folders = folders
        self._sessions = sessions
        last = stays[-1].text
        self._any_words = list(dict.fromkeys(_wanted(one.words) for one in stays))
        self._words = list(dict.fromkeys(_wanted(one.words) for one in stays if one.text == last))
        self._places: dict[Place, PlaceStay | None] = {}

    @property
    def first(self) -> int:
        """When it first came in anywhere."""
        return min(one.since for one in self._stays)

    def place(self, place: Place) -> PlaceStay | None:
        """What the ledger says of a place; None where it never came in there."""
        if place not in self._places:
            self._places[place] = self._look(place)
        return self._places[place]

    def since_at(self, place: Place) -> Since | None:
        """When it came in at a place; None where it never did."""
        stay = self.place(place)
        return None if stay is None else Since(stay.first, stay.since, stay.spans)

    def saw(self, domain: int) -> Saw:
        """Which of some conversations saw the rule: by their logs, else by the ledger."""
        sessions = self._sessions
        observed, not_observed = self._records.parted(self._any_words, domain)
        # What recall handed out stands in no file, and is seen all the same.
        observed |= self._handed.observed & domain
        handed = self._handed.assumed & domain & ~observed
        not_observed &= ~(observed | handed)
        silent = domain & ~observed & ~not_observed & ~handed
        assumed, unknown = handed, 0
        for place, numbers in sessions.places.items():
            rest, stay = numbers & silent, self.place(place)
            if not rest:
                continue
            if stay is None:
                unknown |= 0 if place.agent in AGENTS else rest
                continue
            inside = 0
            for start, end in stay.spans:
                span = ~sessions.before(start) & (-1 if end is None else sessions.before(end))
                inside |= rest & span
            early = inside & sessions.before(stay.known_from)
            if stay.exposure.state == "unknown":
                unknown |= inside
            else:
                unknown |= early
                assumed |= inside & ~early if stay.exposure.is_seen else 0
        return Saw(observed, not_observed, assumed, unknown)

    def proof(self, at: int) -> Exposure:
        """Whether one conversation saw it, and how that is known."""
        one = self._sessions.all[at]
        recorded = self._records.of(self._any_words, at)
        if recorded is not None and recorded.is_seen:
            return recorded
        if (handed := self._handed.proof(at)) is not None:
            return handed
        if recorded is not None:
            return recorded
        stay = self.place(Place(one.agent, one.repo))
        if stay is None:
            if one.agent not in AGENTS:
                return _UNKNOWN_AGENT
            return Exposure("assumed_no", f"it was never written for {one.agent} there")
        if not any(
            since <= one.at and (until is None or one.at < until) for since, until in stay.spans
        ):
            return Exposure("assumed_no", "it was not in at that time")
        if one.at < stay.known_from:
            return Exposure("unknown", "the files that the agent loads there were changed since")
        return stay.exposure

    def _look(self, place: Place) -> PlaceStay | None:
        here = [one for one in self._stays if one.is_at(place.repo)]
        if not here:
            return None
        text = here[-1].text
        spans = [(one.since, one.until) for one in here if one.text == text]
        exposure, known_from = self._exposure(place, [one for one in here if one.text == text])
        return PlaceStay(
            here[0].since, min(since for since, _ in spans), tuple(spans), exposure, known_from
        )

    def _exposure(self, place: Place, stays: Sequence[Stay]) -> tuple[Exposure, int]:
        """Whether an agent saw what stood there, and from when on that is known."""
        own = [one for one in stays if place.agent in one.agents]
        now = [one for one in stays if one.until is None and one.is_block]
        loaded = self._folders.loaded(place.agent, now[-1].root) if now else None
        if place.agent not in AGENTS:
            return _UNKNOWN_AGENT, 0
        is_seen = loaded is not None and any(_wanted(one.words) in loaded.text for one in now)
        if own and (loaded is None or is_seen or not now):
            files = ", ".join(dict.fromkeys(Path(one.file).name for one in own))
            return Exposure("assumed_yes", f"written into {files}, which {place.agent} loads"), 0
        if own and loaded is not None:
            # When it was lost nobody knows; where the file is gone not even that it is by now.
            is_there = any(Path(one.file).is_file() for one in now)
            why = f"{place.agent} does not load it there today"
            return Exposure("assumed_no", why), loaded.since if is_there else _NEVER
        if loaded is not None and is_seen:
            return Exposure("assumed_yes", f"{place.agent} loads it there today"), loaded.since
        return Exposure("assumed_no", f"{place.agent} does not load the file it was written to"), 0


def _wanted(words: str) -> str:
    return plain(redact(words))


def is_user(stays: Sequence[Stay]) -> bool:
    """Whether a rule is for all of a person's work."""
    return any(one.site == USER for one in stays)
