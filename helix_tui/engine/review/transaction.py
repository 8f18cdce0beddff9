"""A review transaction: the journal held for writing, and the catalog brought to what it says."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.folder import BadFile
from helix_tui.curate.draft.promote import KnownPattern, Promotion, is_status_by_hand
from helix_tui.curate.journal.journal import Journal, new_id
from helix_tui.curate.journal.links import new_ids
from helix_tui.curate.journal.projection import Differences, Projection, mark_of, version_of
from helix_tui.curate.journal.standings import ReviewState, snapshot_of, undone_ids
from helix_tui.curate.page.mistakes import BadFileError, Mistake
from helix_tui.curate.page.page import known_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.catalog.adoption import adopting, adoption_order, readable, ref_of
from helix_tui.engine.catalog.folder_differences import (
    FoundFiles,
    applied,
    applied_path,
    applied_text,
    differences_of,
    found_files,
)
from helix_tui.engine.guard.places import guarded_pages, rules_path
from helix_tui.engine.review.journal_state import JournalState, KeptJournal
from helix_tui.engine.review.undo_edits import pages_edited_since
from helix_tui.errors import HelixError, RefusedError, StoreError
from helix_tui.files.durable import FILE_MODE, remove_leftovers, write_atomically
from helix_tui.files.ledger import SECONDS_TO_WAIT
from helix_tui.schema.board import PatternAction, PatternOutcome, Reviewed
from helix_tui.schema.review import (
    VERDICT_ACTIONS,
    Action,
    JournalLine,
    PatternFiles,
    PatternRef,
    RejectReason,
    Snapshot,
    Until,
    Write,
)

_FILES_FOLLOW = "The verdict is kept; its files will follow"


def now_text() -> str:
    """This moment, as the journal has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def author_of(config: Config) -> str:
    """The name under verdicts: the one that is set, else the login."""
    if config.curate.author:
        return config.curate.author
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in a container
        return "unknown"


class ReviewTransaction:
    """The journal's lines, the state and the files that follow from them, and how to add one."""

    def __init__(self, config: Config, journal: Journal, known: JournalState | None = None) -> None:
        self.config = config
        self.notices: list[str] = []
        self.catalog = Catalog(config.curate.catalog_dir)
        self._journal = journal
        self.journal_state = known or JournalState(journal.lines())
        damaged = self.journal_state.damaged
        self.notices += [f"Line {one.number} of the journal: {one.reason}." for one in damaged]
        self.bad: dict[str, HelixError] = {}
        self._are_files_put_off = False
        self._messages: list[str] = []
        self._told = 0

    @property
    def lines(self) -> list[JournalLine]:
        """The lines of the journal, in order."""
        return self.journal_state.lines

    @property
    def state(self) -> ReviewState:
        """How everything stands by the lines."""
        return self.journal_state.state

    @property
    def _projection(self) -> Projection:
        return self.journal_state.projection

    @property
    def files(self) -> dict[str, PatternFiles]:
        """The files of every pattern by the journal, by id."""
        return self._projection.files

    def _append(self, *lines: JournalLine) -> list[JournalLine]:
        """Make lines durable, and bring the state and the files that follow from them up to it."""
        written = self._journal.append(*lines)
        self.journal_state.take_in(written)
        return written

    def line(
        self,
        action: Action,
        candidate: str = "",
        snapshot: Snapshot | None = None,
        *,
        others: Sequence[str] = (),
        note: str = "",
        reason: RejectReason = "",
        until: Until | None = None,
        pattern: PatternRef | None = None,
        writes: Sequence[Write] = (),
        undoes: str = "",
        masked: Sequence[str] = (),
    ) -> JournalLine:
        """A line that is yet to be written; the journal gives it its number."""
        is_decided = action in VERDICT_ACTIONS or action == "assign"
        return JournalLine(
            id=new_id(),
            seq=0,
            at=now_text(),
            author=author_of(self.config),
            action=action,
            candidate=candidate,
            others=list(others),
            note=note,
            reason=reason,
            until=until,
            snapshot=snapshot,
            pattern=pattern,
            writes=list(writes),
            undoes=undoes,
            masked=list(masked),
            shared=is_decided and self.config.curate.is_shared,
        )

    def promotion_line(self, reviewed: Reviewed, made: Promotion, note: str = "") -> JournalLine:
        """The line of an approve; what is as it was is not written again."""
        return self.line(
            "approve",
            reviewed.ranked.candidate.id,
            snapshot_of(reviewed.ranked),
            note=note,
            pattern=ref_of(made.pattern),
            writes=writes_of(made),
        )

    def undo_line(self, line: JournalLine) -> JournalLine:
        """The line that takes another back, with the pages that somebody edited since."""
        writes = pages_edited_since(self._projection, line, self.bad)
        made = self.line("undo", line.candidate, undoes=line.id, writes=writes)
        # Whoever was told of a verdict is told that it is taken back.
        return msgspec.structs.replace(made, shared=bool(line.shared or line.order))

    def settle(self, renamed: dict[str, str], *, is_supposed: bool = False) -> None:
        """Record hand edits and renamed ids as journal lines, and finish interrupted writes.

        Where that is only supposed, nothing is written.
        """
        files = found_files(self.config)
        self._tell_unreadable(files.bad)
        differences = self._differences(files)
        news = self._by_hand(differences)
        noted = new_ids(self.lines)
        news += [
            self.line("rename", old, others=[new])
            for old, new in sorted(renamed.items())
            if self.state.is_known(old) and noted.get(old) != new
        ]
        if is_supposed:
            self.journal_state.take_in(news)
        elif news:
            self.record(news)
        elif differences.unfinished or not self._is_applied():
            self._write_files("", files)

    def _differences(self, found: FoundFiles) -> Differences:
        return differences_of(self.config, self.lines, self._projection, found)

    def _by_hand(self, differences: Differences) -> list[JournalLine]:
        """The lines that take note of what a person did to files."""
        edits = [
            line
            for name, files in sorted(differences.edited.items())
            if name not in self.bad and (line := self._edited(name, files)) is not None
        ]
        removed = [self._removed(name) for name in sorted(differences.removed)]
        return [*sorted(edits, key=adoption_order), *removed]

    def _is_applied(self) -> bool:
        """Whether the files of the last line were written, the index and all."""
        return applied(self.config, self.lines).lines == len(self.lines)

    def _tell_unreadable(self, bad: Mapping[str, BadFile]) -> None:
        for name, (path, line, reason) in bad.items():
            self.bad[name] = BadFileError(path.name, [Mistake(line, reason)])
            self.notices.append(str(self.bad[name]))

    def unfinished(self) -> set[str]:
        """Patterns whose files are still to be written."""
        return self._differences(found_files(self.config)).unfinished

    def _edited(self, name: str, files: PatternFiles) -> JournalLine | None:
        try:
            pattern = readable(name, files)
        except (BadFileError, RefusedError) as error:
            self.bad[name] = error
            self.notices.append(str(error))
            return None
        write = Write(name, files.text, files.history)
        if name not in self.files:
            return adopting(self.line("edit", writes=[write]), pattern, pattern.candidates)
        # Whom a page names that nobody here has decided on was approved by whoever put it there.
        before = self.files[name].text
        known = known_page(before, name).candidates if before else ()
        news = [
            one for one in pattern.candidates if one not in known and not self.state.is_known(one)
        ]
        line = self.line("edit", writes=[write])
        return adopting(line, pattern, news) if news else line

    def _removed(self, name: str) -> JournalLine:
        return self.line("edit", writes=[Write(name, None)])

    def record(self, lines: Sequence[JournalLine], message: str = "") -> list[JournalLine]:
        """Makes lines durable, then the files that follow from them, then what waits for the hub.

        From the first of these on the verdict stands: what goes wrong behind it is a notice.
        """
        written = self._append(*lines)
        if self._are_files_put_off:
            self._messages += [message] if message else []
        else:
            self._write_files(message)
            self.enqueue()
        return written

    @contextmanager
    def files_put_off(self) -> Iterator[None]:
        """Leaves what follows from lines until all of them are written."""
        count, self._are_files_put_off = len(self.lines), True
        try:
            yield
        finally:
            self._are_files_put_off = False
            if len(self.lines) > count:
                self._follow()

    def _follow(self) -> None:
        """Write the files that were put off, behind what a person did to them meanwhile."""
        try:
            files = found_files(self.config)
            edits = self._by_hand(self._differences(files))
            if edits:
                self._append(*edits)
        except StoreError as error:
            self.notices.append(f"{_FILES_FOLLOW}: {error}")
            return
        several = f"{len(self._messages):,} verdicts: {'; '.join(self._messages)}"
        message = several if self._messages[1:] else "".join(self._messages)
        self._write_files(message, files)
        self.enqueue()

    def untold(self) -> list[str]:
        """The notices that came since this was last asked for."""
        notices, self._told = self.notices[self._told :], len(self.notices)
        return notices

    def take_in(self, lines: Sequence[JournalLine]) -> None:
        """Takes in lines of other members, each where it stands by the team's order."""
        self._journal.append(*lines)
        self.journal_state = JournalState(self._journal.lines())
        self._write_files()

    def mask(self, changed: Mapping[int, bytes], line: JournalLine, message: str) -> None:
        """Puts lines without what they quoted in their places, and the files that follow."""
        self._write_files()  # so that it is known how each was left, should this be cut off
        self._journal.mask(changed, line)
        self.journal_state = JournalState(self._journal.lines())
        self._write_files(message)
        self.enqueue()

    def _write_files(self, message: str = "", found: FoundFiles | None = None) -> None:
        try:
            # What a line once wrote and none that stands does is to be gone.
            wanted = dict.fromkeys(self._projection.names(), PatternFiles(None, "")) | self.files
            there = (found.pages, found.histories) if found else None
            touched = self.catalog.apply(wanted, wanted.keys() - self.bad.keys(), there)
            mark = applied_path(self.config)
            remove_leftovers(mark.parent)
            # Without a sync of the folder: where it is lost, what is written is found so.
            data = applied_text(self.lines[-1], self._marks(wanted)).encode()
            write_atomically(mark, data, FILE_MODE, is_folder_synced=False)
            self._follow_guards()
        except (StoreError, RefusedError) as error:
            self.notices.append(f"{_FILES_FOLLOW}: {error}")
            return
        if self.config.curate.commit and message and touched:
            from helix_tui.curate.catalog.commit import commit

            done = commit(self.catalog.root, touched, f"catalog: {message}")
            if done.reason:
                self.notices.append(f"Not committed with git: {done.reason}")

    def _follow_guards(self) -> None:
        """What agents are answered before a call follows from the pages, like everything else."""
        on = guarded_pages(self.files.items())
        if on or rules_path(self.config.store).exists():
            from helix_tui.engine.guard.rules_file import follow

            follow(self.config, on)

    def _marks(self, wanted: Mapping[str, PatternFiles]) -> dict[str, str]:
        """How every file was written here; of what could not be touched, as it was before."""
        before = applied(self.config, self.lines).written if self.bad else None
        marks = {name: mark_of(files) for name, files in wanted.items() if name not in self.bad}
        return {name: mark for name, mark in (before or {}).items() if name in self.bad} | marks

    def enqueue(self) -> str:
        """Enters what the hub is to be told; what prevents that is a notice, and made up for."""
        from helix_tui.curate.hub.decisions import decisions_of
        from helix_tui.curate.hub.queue import Queue

        warning = Queue(self.config.curate.decision_queue).reconcile(decisions_of(self.lines))
        if warning and warning not in self.notices:
            self.notices.append(warning)
        return warning

    def known(self, name: str) -> KnownPattern | None:
        """A pattern that is in the catalog now."""
        files = self.files.get(name)
        if files is None or files.text is None:
            return None
        if name in self.bad:
            raise self.bad[name]
        current = known_page(files.text, name)
        undone = undone_ids(self.lines)
        live = [line for line in self.lines if line.id not in undone]
        written = next(
            (
                write.text
                for line in reversed(live)
                for write in line.writes
                if write.pattern == name and write.text is not None and line.action != "edit"
            ),
            None,
        )
        base = known_page(written, name) if written else current
        return KnownPattern(base, current, is_status_by_hand(live, name))

    def patterns(self) -> dict[str, Pattern]:
        """All patterns of the catalog that can be read."""
        return {
            name: known_page(files.text, name)
            for name, files in self.files.items()
            if files.text is not None and name not in self.bad
        }

    def last_version(self, name: str) -> str:
        """The version of a page that is gone and that somebody edited or took away by hand."""
        undone = undone_ids(self.lines)
        texts = (
            write.text
            for line in reversed(self.lines)
            for write in line.writes
            if write.pattern == name and write.text is not None and line.id not in undone
        )
        return version_of(next(texts, ""))

    def outcome(self, pattern: Pattern, action: PatternAction) -> PatternOutcome:
        """What became of a pattern, and where it lies."""
        path = str(self.catalog.root / f"{pattern.id}.md")
        return PatternOutcome(ref_of(pattern), path, pattern.title, action, pattern.candidates)

    def outcomes(self, *made: Promotion) -> list[PatternOutcome]:
        """What becomes of patterns and of those that lose candidates to them."""
        return [
            self.outcome(one.pattern, one.action)
            for whole in made
            for one in (whole, *whole.others)
        ]

    def restored(self, before: Mapping[str, PatternFiles | None]) -> list[PatternOutcome]:
        """What an undo made of patterns, by what their files were."""
        told = []
        for name, files in before.items():
            now = self.files.get(name)
            is_gone = now is None or now.text is None
            text = files.text if is_gone and files else now.text if now else None
            if text is not None:
                told.append(
                    self.outcome(known_page(text, name), "removed" if is_gone else "updated")
                )
        return told


@contextmanager
def review_transaction(
    config: Config,
    renamed: dict[str, str] | None = None,
    *,
    seconds: float = SECONDS_TO_WAIT,
    kept: KeptJournal | None = None,
) -> Iterator[ReviewTransaction]:
    """Holds the journal for writing; whoever comes meanwhile waits for a moment.

    What is `kept` of a transaction before is not read again.
    """
    journal = Journal(config.curate.review_log)
    with journal.locked(seconds):
        held = ReviewTransaction(config, journal, kept.take(journal) if kept else None)
        held.settle(renamed or {})
        yield held
        if kept:
            kept.leave(held.journal_state)


def supposed_transaction(config: Config, renamed: dict[str, str]) -> ReviewTransaction:
    """What a review transaction would begin with by now; holds nothing and writes nothing."""
    supposed = ReviewTransaction(config, Journal(config.curate.review_log))
    supposed.settle(renamed, is_supposed=True)
    return supposed


def writes_of(*made: Promotion) -> list[Write]:
    """The pages that promotions change."""
    return [
        Write(one.pattern.id, one.page)
        for whole in made
        for one in (whole, *whole.others)
        if one.action != "unchanged"
    ]


def is_told(reviewed: Reviewed, pattern_id: str) -> bool:
    """Whether the journal says already that a candidate is part of a pattern, on this evidence."""
    is_part = reviewed.verdict == "approved" and reviewed.review.pattern == pattern_id
    return is_part and not reviewed.changed
