"""Keep ready what hooks hand out, after a sweep, a flush or a verdict."""

from __future__ import annotations

import logging
import time
from datetime import datetime

from helix_tui.config import Config
from helix_tui.engine.memory import grok_rules
from helix_tui.engine.memory.places_of_repos import RepoPlace, Roots
from helix_tui.engine.memory.recall import Recall, Recalling
from helix_tui.engine.sweep.settled_marker import review_stamp
from helix_tui.errors import HelixError
from helix_tui.hook import stamp_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall import prepared
from helix_tui.memory.recall.handed import hand_out
from helix_tui.memory.recall.page import MOST_AT_START, handed_patterns, page_text, sources_in
from helix_tui.schema.recall import HandedOut, RecallPage

log = logging.getLogger(__name__)
# Room for the sentence that names a session's notes.
_ROOM = 320


def prepare(config: Config, recall: Recall, *, is_all: bool = False) -> list[str]:
    """Make what changed of the files for hooks; return messages for a person."""
    places = MemoryPlaces(config.store.absolute())
    if not prepared.is_on(places):
        return []
    try:
        return _Preparing(config, places, recall).run(is_all=is_all)
    except HelixError as error:
        log.warning("what hooks hand out was not made ready: %s", error)
        return [f"What hooks hand out was not made ready: {error}"]


class _Preparing:
    def __init__(self, config: Config, places: MemoryPlaces, recall: Recall) -> None:
        self._config = config
        self._places = places
        self._recall = recall
        self._now = int(time.time() * 1000)
        self._journal = str(config.curate.review_log)

    def run(self, *, is_all: bool) -> list[str]:
        before = prepared.read_mark(self._places)
        mark = prepared.PreparedMark(
            f"{datetime.now():%Y-%m-%d}",  # files of repositories come and go
            prepared.memory_stamp(self._places),
            review_stamp(self._config),
            self._recall.activity(),
        )
        is_grok = grok_rules.is_on(self._places)
        if mark == before and not is_all and not is_grok:
            return []
        is_whole = is_all or (mark.day, mark.memory, mark.catalog) != (
            before.day,
            before.memory,
            before.catalog,
        )
        roots = self._recall.roots()
        changed = {name for name, one in mark.repos.items() if before.repos.get(name) != one}
        known = {one.root: one for one in prepared.all_prepared(self._places)}
        for place in roots.places():
            if is_whole or place.name in changed or is_grok:
                known.pop(place.root, None)
                if one := self._made(place, roots):
                    known[place.root] = one
                    prepared.write(self._places, one)
        there = {place.root for place in roots.places()}
        prepared.remove_others(self._places, there.intersection(known))
        messages = self._keep_rules(roots, known) if is_grok else []
        prepared.write_mark(self._places, mark)
        return messages

    def _made(self, place: RepoPlace, roots: Roots) -> prepared.Prepared | None:
        asked = Recalling(place=place, is_for_agent=True, is_start=True)
        page = self._recall.page(asked, roots)
        text = page_text(page, MOST_AT_START - _ROOM)
        if not text:
            return None
        without = page_text(_without_patterns(page), MOST_AT_START - _ROOM)
        return prepared.Prepared(
            place.root,
            place.name,
            self._now,
            text,
            without,
            self._journal,
            stamp_of(self._journal),
            handed_patterns(page, text),
            sources_in(text),
        )

    def _keep_rules(self, roots: Roots, known: dict[str, prepared.Prepared]) -> list[str]:
        """Write the rules files of the repositories in which Grok worked."""
        of_grok = {place.root for place in roots.places() if "grok" in roots.flavors(place)}
        texts = {root: one.text for root, one in known.items() if root in of_grok}
        written, troubles = grok_rules.keep(self._places, texts)
        for root in written:
            one = known[root]
            handed = HandedOut(
                at=self._now,
                by="rules",
                flavor="grok",
                repo=one.repo,
                cwd=root,
                patterns=one.patterns,
                sources=one.sources,
            )
            hand_out(self._places.spool, handed)
        return troubles


def _without_patterns(page: RecallPage) -> RecallPage:
    return RecallPage(page.repo, page.open, page.entries, page.lines, [], page.notes)
