"""Verdicts, hand edits and losses in any order leave journal, state and catalog in agreement."""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from helix_tui.config import Config, load
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.check import check
from helix_tui.curate.catalog.folder import HISTORY, INDEX, PAGE, find
from helix_tui.curate.hub.decisions import decisions_of
from helix_tui.curate.hub.queue import Queue
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project
from helix_tui.curate.journal.standings import (
    ReviewState,
    snapshot_of,
    standing,
    undoable,
    undone_ids,
)
from helix_tui.curate.page.page import write_page
from helix_tui.engine import Engine
from helix_tui.engine.review.review_reading import read_review
from helix_tui.engine.review.reviewed_candidates import ReviewedCandidates, listed_of, today
from helix_tui.engine.review.transaction import review_transaction
from helix_tui.engine.sample import keep_sample
from helix_tui.errors import HelixError
from helix_tui.schema.board import Outcome
from helix_tui.schema.candidate import Candidate, CandidateFilter, Ranked
from helix_tui.schema.curation import Floors
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, PatternFiles, Review
from tests.curate.made_patterns import made_pattern

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "6"))
# What clears the floors below, one with words of a log, one that another one covers, one that
# does not clear them.
NAMES = (
    "edit-no-match",
    "push-rejected",
    "command-not-found-rg",
    "user-correction-commit",
    "tool-error",
    "port-in-use",
)
FLOORS = Floors(min_sessions=10)
names = st.sampled_from(NAMES)
notes = st.sampled_from(("", "", "seen it twice"))
numbers = st.integers(0, 9)
EDITS = ("words", "guidance", "status", "blank line")
SPOILS = ("cut", "bytes", "secret", "history")
_MEMORY = Path("/dev/shm")
_SECRET = "AKIA" + "QX7RZ2LM4TN8VB3K"


class Swept:
    """The bundled sample, swept once; what is decided on it lies elsewhere."""

    def __init__(self, folder: Path) -> None:
        store = folder / "store"
        keep_sample(store)
        self.config = load(None, store, {"HOME": str(folder)})
        engine = Engine(self.config)
        for _ in engine.sweep():
            pass
        board = engine.candidates.board(CandidateFilter(is_all=True)).reviewed
        self.ranked: list[Ranked] = [one.ranked for one in board]
        self.candidates: list[Candidate] = [one.candidate for one in self.ranked]
        self.ids = {
            name: next(one.id for one in self.candidates if one.id.startswith(name))
            for name in NAMES
        }


@functools.cache
def folder() -> tempfile.TemporaryDirectory[str]:
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="helix-desk-", dir=place)


@functools.cache
def swept() -> Swept:
    return Swept(Path(folder().name))


def bytes_in(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir()} if root.is_dir() else {}


class Curation(RuleBasedStateMachine):
    """One reviewer, a person with an editor in the catalog's folder, and things that get lost."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(dir=folder().name))
        self.config: Config = msgspec.structs.replace(
            swept().config,
            curate=swept().config.curate._replace(
                catalog_dir=self.root / "catalog",
                review_log=self.root / "review" / "journal.jsonl",
                decision_queue=self.root / "review" / "decisions.jsonl",
                author="ann",
                floors=FLOORS,
            ),
        )
        self.engine = Engine(self.config)
        self.verdicts = self.engine.verdicts
        self.catalog = self.config.curate.catalog_dir
        # What no sitting has seen yet, and what makes `catalog check` complain by itself.
        self.is_dirty = False
        self.is_bad = False
        self.is_removed = False
        self.is_out_of_order = False
        self.acknowledged: list[str] = []
        self.before: dict[str, dict[str, bytes]] = {}
        self.after: dict[str, tuple[dict[str, bytes], int, set[str]]] = {}

    @initialize(several=st.lists(names, max_size=4, unique=True), is_batch=st.booleans())
    def begin(self, several: list[str], *, is_batch: bool) -> None:
        """Some runs begin with nothing, most with a few patterns."""
        for name in several:
            self.approve(name, "", is_new=True)
        if is_batch:
            self.auto_approve()

    def teardown(self) -> None:
        try:
            self.look()
            for name in NAMES:  # whichever is merged into none: the index is written with it
                self.say(name, "discuss")
            self.replays()
        finally:
            shutil.rmtree(self.root)

    # What a reviewer does.

    @rule(name=names, note=notes, is_new=st.booleans())
    def approve(self, name: str, note: str, *, is_new: bool) -> None:
        self.decide(lambda: self.verdicts.approve(swept().ids[name], note=note, is_new=is_new))

    @rule(name=names, into=names)
    def approve_into(self, name: str, into: str) -> None:
        self.decide(lambda: self.verdicts.approve(swept().ids[name], into=swept().ids[into]))

    @rule(name=names, number=numbers)
    def approve_in_own_words(self, name: str, number: int) -> None:
        def worded() -> Outcome:
            shown = self.verdicts.preview(swept().ids[name]).page
            words = shown.replace("## What to do\n\n", f"## What to do\n\n- In mine: {number}.\n")
            return self.verdicts.approve(swept().ids[name], words=words, shown=shown)

        self.decide(worded)

    @rule(name=names, note=notes)
    def reject(self, name: str, note: str) -> None:
        self.decide(lambda: self.verdicts.reject(swept().ids[name], note=note))

    @rule(name=names, what=st.sampled_from(("discuss", "snooze", "split")))
    def say(self, name: str, what: str) -> None:
        own = swept().ids[name]
        if what == "discuss":
            self.decide(lambda: self.verdicts.discuss(own, note="is it worth it?"))
        elif what == "snooze":
            self.decide(lambda: self.verdicts.snooze(own, "+3"))
        else:
            self.decide(lambda: self.verdicts.split(own))

    @rule(name=names, others=st.lists(names, min_size=1, max_size=2, unique=True))
    def merge(self, name: str, others: list[str]) -> None:
        ids = swept().ids
        self.decide(lambda: self.verdicts.merge(ids[name], [ids[other] for other in others]))

    @rule()
    def auto_approve(self) -> None:
        self.settle()
        count = len(self.lines())
        self.verdicts.approve_all()
        lines, files = self.lines(), bytes_in(self.catalog)
        self.acknowledged += [line.id for line in lines[count:]]
        again = self.verdicts.approve_all()
        assert again.promoted == 0
        assert all(one.action == "unchanged" for one in again.patterns)
        assert (self.lines(), bytes_in(self.catalog)) == (lines, files)

    @rule()
    def undo(self) -> None:
        left = undoable(self.lines(), 1)
        self.take_back(left[0].id if left else "")

    @precondition(lambda self: bool(undoable(self.lines(), 1)))
    @rule(number=numbers)
    def undo_an_earlier_one(self, number: int) -> None:
        left = undoable(self.lines(), number + 1)
        self.is_out_of_order |= len(left) > 1
        self.take_back(left[-1].id)

    # What happens to files.

    @rule(number=numbers, kind=st.sampled_from((*EDITS, *SPOILS, "mend", "remove", "add")))
    def tamper(self, number: int, kind: str) -> None:
        """A person with an editor."""
        if kind in EDITS:
            self.edit(number, kind)
        elif kind in SPOILS:
            self.spoil(number, kind)
        elif kind == "remove":
            self.remove(number)
        elif kind == "add":
            self.add_a_page()
        elif self.is_bad:
            self.mend()

    def edit(self, number: int, kind: str) -> None:
        if path := self.some(PAGE, number):
            text = path.read_text()
            if kind == "words":
                text = text.replace("## Problem\n\n", f"## Problem\n\nBy hand, {number}. ")
            elif kind == "guidance":
                text = text.replace("## What to do\n\n", f"## What to do\n\n- By hand: {number}.\n")
            elif kind == "status":
                text = text.replace("status: provisional", "status: approved")
            elif other := self.some(HISTORY, number):
                with other.open("a") as file:
                    file.write("\n")  # says nothing, and is not ours
            path.write_text(text)
            self.is_dirty = True

    def spoil(self, number: int, kind: str) -> None:
        if path := self.some(PAGE, number):
            if kind == "cut":
                path.write_text(path.read_text()[:40])
            elif kind == "bytes":
                path.write_bytes(path.read_bytes() + b"\xff\xfe")
            elif kind == "secret":
                path.write_text(f"{path.read_text()}\nThe key is {_SECRET}.\n")
            else:
                path.with_name(path.name.removesuffix(PAGE) + HISTORY).write_text("not JSON\n")
            self.is_dirty = self.is_bad = True

    def mend(self) -> None:
        """Whatever was spoiled is as the journal has it again."""
        wanted = project(self.lines())
        for name in [*find(self.catalog, PAGE).texts, *self.unreadable()]:
            text, history = wanted.get(name, PatternFiles(None, ""))
            for suffix, content in ((PAGE, text), (HISTORY, history)):
                path = self.catalog / f"{name}{suffix}"
                if content:
                    path.write_text(content)
                else:
                    path.unlink(missing_ok=True)
        self.is_dirty, self.is_bad = True, False

    def remove(self, number: int) -> None:
        path = self.some(PAGE, number)
        if path and len(find(self.catalog, PAGE).texts) > 1:
            path.unlink()
            self.is_dirty = self.is_removed = True

    def add_a_page(self) -> None:
        if self.catalog.is_dir():
            page = write_page(made_pattern(id="hand-made", candidates=["hand-made"]))
            (self.catalog / f"hand-made{PAGE}").write_text(page)
            self.is_dirty = True

    @precondition(lambda self: not self.is_dirty)
    @rule(what=st.sampled_from(("catalog", "mark", "journal", "journal and mark")))
    def lose(self, what: str) -> None:
        """Something is deleted that Helix made."""
        if what == "catalog":
            self.lose_the_catalog()
        elif what == "mark":
            self.lose_the_mark()
        elif not self.is_bad:
            self.lose_the_journal(has_mark=what == "journal")

    def lose_the_catalog(self) -> None:
        before = bytes_in(self.catalog)
        shutil.rmtree(self.catalog, ignore_errors=True)
        self.settle()
        if not self.is_bad:
            assert bytes_in(self.catalog) == before

    def lose_the_mark(self) -> None:
        before = bytes_in(self.catalog)
        (self.root / "review" / "journal.jsonl.applied").unlink(missing_ok=True)
        self.settle()
        if not self.is_bad:  # the index leaves out what cannot be read
            assert bytes_in(self.catalog) == before

    def lose_the_journal(self, *, has_mark: bool) -> None:
        """A file that is there counts as an approve, or as a reject where it is deprecated."""
        pages = Catalog(self.catalog).read().patterns
        for name in find(self.catalog, HISTORY).texts.keys() - pages.keys():
            (self.catalog / f"{name}{HISTORY}").unlink()  # nobody would know whose it is
        before = bytes_in(self.catalog)
        for name in ("journal.jsonl", *([] if has_mark else ["journal.jsonl.applied"])):
            (self.root / "review" / name).unlink(missing_ok=True)
        self.forget()
        state = read_review(self.engine.config).state().reviews(swept().candidates)
        self.settle()
        assert bytes_in(self.catalog) == before
        assert {name: one.verdict for name, one in self.reviews().items()} == {
            name: one.verdict for name, one in state.items()
        }
        for page in pages.values():
            if page.status != "deprecated":
                for name in page.candidates:
                    assert name not in state or state[name].verdict == "approved"

    @rule()
    def look(self) -> None:
        """Whoever only looks writes no verdict, and settles what a person did."""
        self.settle()
        count = len(self.lines())
        with suppress(HelixError):
            self.verdicts.preview(swept().ids[NAMES[0]])
        assert len(self.lines()) == count

    # What holds whatever was done.

    @invariant()
    def every_acknowledged_verdict_is_there(self) -> None:
        there = {line.id for line in self.lines()}
        assert there.issuperset(self.acknowledged)

    @invariant()
    def files_are_what_the_journal_says(self) -> None:
        if self.is_dirty:
            return
        bad = self.bad()
        pages, histories = find(self.catalog, PAGE).texts, find(self.catalog, HISTORY).texts
        wanted = project(self.lines())
        assert {name: text for name, text in pages.items() if name not in bad} == {
            name: files.text
            for name, files in wanted.items()
            if files.text is not None and name not in bad
        }
        assert {name: text for name, text in histories.items() if name not in bad} == {
            name: files.history
            for name, files in wanted.items()
            if name not in bad and files.history and name in histories.keys() | pages.keys()
        }
        left = [path.name for path in self.root.rglob("*") if path.name.endswith("~")]
        assert left == []

    @invariant()
    def state_is_what_the_lines_say(self) -> None:
        if self.is_dirty:
            return
        reviews = self.reviews()
        assert read_review(self.engine.config).state().reviews(swept().candidates) == reviews
        with self.engine._reading() as database:
            state = read_review(self.engine.config).state()
            among = ReviewedCandidates(database, self.engine.config, state, today())
            told = among.reviewed(swept().ranked)
        for one in swept().ranked:
            review = reviews[one.candidate.id]
            wanted = standing(review, snapshot_of(one), today())
            found = told[one.candidate.id]
            assert (found.verdict, found.review.pattern) == (wanted, review.pattern)

    @invariant()
    def a_list_says_what_the_board_says(self) -> None:
        board = self.engine.candidates.board(CandidateFilter(order="tier"))
        assert self.engine.candidates.listing().listed == [listed_of(one) for one in board.reviewed]

    @invariant()
    def a_candidate_has_one_pattern_at_most(self) -> None:
        if self.is_dirty or self.is_out_of_order or self.is_removed:
            return
        seen: dict[str, str] = {}
        for page in Catalog(self.catalog).read().patterns.values():
            for name in page.candidates if page.status != "deprecated" else ():
                assert seen.setdefault(name, page.id) == page.id

    @invariant()
    def a_page_shows_those_that_are_part_of_it(self) -> None:
        """And no others, unless a person put them there or took back an earlier verdict."""
        if self.is_dirty or self.is_bad or self.is_out_of_order or self.is_removed:
            return
        reviews = self.reviews()
        for page in Catalog(self.catalog).read().patterns.values():
            for name in page.candidates if page.status != "deprecated" else ():
                if name in reviews:
                    assert reviews[name].pattern == page.id
                    assert reviews[reviews[name].merged_into or name].verdict != "rejected"

    @invariant()
    def the_catalog_is_sound(self) -> None:
        if self.is_dirty or self.is_bad:
            return
        found = [
            f"{one.path.name}:{one.line}: {one.reason}"
            for one in check(self.catalog)
            if one.level == "error"
        ]
        if self.is_out_of_order or self.is_removed:
            # What was written behind a line that is taken back, or names a page that is gone,
            # says so still.
            left = ("which is no pattern here", "is part of")
            found = [one for one in found if not any(reason in one for reason in left)]
        assert found == []

    @invariant()
    def the_hub_is_told_of_every_final_verdict_once(self) -> None:
        lines = self.lines()
        final = [line.id for line in lines if line.action in ("approve", "reject")]
        told = decisions_of(lines)
        assert [one.id for one in told if not one.retracts] == final
        undone = undone_ids(lines)
        assert sorted(one.retracts for one in told if one.retracts) == sorted(
            name for name in final if name in undone
        )
        queued = [row.id for row in Queue(self.config.curate.decision_queue).rows()]
        assert set(queued) >= {one.id for one in told}
        assert len(queued) == len(set(queued))

    # How that is done.

    def decide(self, act: Callable[[], Outcome]) -> None:
        """A verdict that is given, or refused with a plain word and without a trace."""
        self.settle()
        before, count = bytes_in(self.catalog), len(self.lines())
        outcome = Outcome(None, [], [])
        with suppress(HelixError):
            outcome = act()
        news = self.lines()[count:]
        assert [line.id for line in news] == ([outcome.line.id] if outcome.line else [])
        if outcome.line is None:
            assert bytes_in(self.catalog) == before
            return
        assert outcome.line.action in VERDICT_ACTIONS
        self.acknowledged.append(outcome.line.id)
        self.before[outcome.line.id] = before
        self.after[outcome.line.id] = self.stood(outcome.line.id)

    def take_back(self, line_id: str) -> None:
        self.settle()
        now = self.stood(line_id) if line_id else None
        outcome = self.verdicts.undo(line_id)
        if outcome is None:
            assert not line_id
            return
        assert outcome.line is not None
        assert outcome.line.undoes == line_id
        self.acknowledged.append(outcome.line.id)
        if self.after.get(line_id) == now:
            there, before = bytes_in(self.catalog), self.before[line_id]
            if self.is_bad:  # the index leaves out what cannot be read, as of the next writing
                there.pop(INDEX, None)
                before = {name: data for name, data in before.items() if name != INDEX}
            assert there == before

    def settle(self) -> None:
        """What any verdict does first, and the end of a sweep."""
        with review_transaction(self.config) as held:
            for name in held.bad:
                assert any(f"{name}." in notice for notice in held.notices)
        self.is_dirty = False

    def replays(self) -> None:
        """The journal alone gives the same catalog."""
        if self.is_bad:
            return
        other = Catalog(self.root / "again")
        wanted = project(self.lines())
        other.apply(wanted, wanted.keys())
        here, there = bytes_in(self.catalog), bytes_in(other.root)
        # The history of a page that somebody took away may have gone with it.
        gone = {f"{name}{HISTORY}" for name, files in wanted.items() if files.text is None}
        assert {name: here[name] for name in here.keys() - gone} == {
            name: there[name] for name in there.keys() - gone
        }

    def lines(self) -> list[JournalLine]:
        return Journal(self.config.curate.review_log).lines().lines

    def reviews(self) -> dict[str, Review]:
        return ReviewState(self.lines()).reviews(swept().candidates)

    def stood(self, line_id: str) -> tuple[dict[str, bytes], int, set[str]]:
        """What a verdict can be taken back to as long as it is so: files, edits, what it stood on.

        An earlier approval that is taken back meanwhile may show in no file, because a later one
        says the same; but without it there is nothing left to go back to.
        """
        lines = self.lines()
        earlier = {line.id for line in lines[: [line.id for line in lines].index(line_id)]}
        return bytes_in(self.catalog), self.edit_count(), earlier & set(undone_ids(lines))

    def edit_count(self) -> int:
        return sum(line.action == "edit" for line in self.lines())

    def some(self, suffix: str, number: int) -> Path | None:
        found = sorted(find(self.catalog, suffix).texts)
        return self.catalog / f"{found[number % len(found)]}{suffix}" if found else None

    def unreadable(self) -> list[str]:
        return [
            one.path.name.removesuffix(suffix)
            for suffix in (PAGE, HISTORY)
            for one in find(self.catalog, suffix).bad
        ]

    def bad(self) -> set[str]:
        """Patterns whose files a person has to look at."""
        if not self.is_bad:
            return set()
        with review_transaction(self.config) as held:
            return set(held.bad)

    def forget(self) -> None:
        self.acknowledged, self.before, self.after = [], {}, {}


def test_all_orders_agree() -> None:
    run_state_machine_as_test(
        Curation,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        ),
    )
