"""Plan what goes into agents' files, carry it out, take it out again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import uuid4

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.distribute.ledger import files_before, fold, last_batch
from helix_tui.distribute.plan import hash_of
from helix_tui.distribute.standing import state_of_pending
from helix_tui.distribute.undo import undo_plan
from helix_tui.distribute.wanted import rule_of_line
from helix_tui.engine.context.effective import agent_homes
from helix_tui.engine.distribute.files import clear_leftovers, look_at, missing_folders, put
from helix_tui.engine.distribute.git import Branch, commit_on, head_of, prepare_commit
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.distribute.planning import Places, Planning
from helix_tui.engine.distribute.teachings import teaching_of
from helix_tui.engine.review.page_changes import teach_page
from helix_tui.engine.review.transaction import author_of, now_text
from helix_tui.errors import ChangedError, HelixError, StoreError
from helix_tui.files.ledger import DamagedLine
from helix_tui.schema.distribute import (
    USER,
    BatchAction,
    DistributeRequest,
    Found,
    LedgerLine,
    Plan,
    Planned,
    Proposal,
)

EMPTY = Plan([], [], [], [])


class Carried(NamedTuple):
    """What was done: the plan, and what a person should know besides."""

    plan: Plan
    notices: list[str]

    @property
    def written(self) -> list[Planned]:
        """The files that changed."""
        return [one for one in self.plan.writes if one.is_write]


class Distribution:
    """What the catalog of one configuration teaches, and where."""

    def __init__(self, config: Config, places: Places) -> None:
        self._config = config
        self._places = places
        self.ledger = DistributionLedger(config)

    def plan(self, request: DistributeRequest) -> Plan:
        """What would be written; nothing is."""
        return Planning(self._config, self._places, self.ledger, request).plan()

    def damaged(self) -> list[DamagedLine]:
        """The lines of the ledger that cannot be read."""
        return self.ledger.read()[1]

    def apply(
        self, request: DistributeRequest, shown: Plan | None = None, branch: str = ""
    ) -> Carried:
        """Carry a plan out; refused where it is no longer the one that was shown."""
        action: BatchAction = "retract" if request.is_retract else "apply"
        with self.ledger.locked():
            self._settle_pending()
            plan = self.plan(request)
            return self._carry_out(plan, shown, action, branch=branch)

    def accept(self, patterns: tuple[str, ...]) -> list[Proposal]:
        """Make what somebody wrote into a rule's line by hand the rule of its pattern."""
        known = Catalog(self._config.curate.catalog_dir).read().patterns
        edited = [
            one
            for one in self.plan(DistributeRequest()).proposals
            if one.pattern in known and (not patterns or one.pattern in patterns)
        ]
        taken: dict[str, Proposal] = {}
        for one in reversed(edited):
            taught = teaching_of(known[one.pattern], self._config.distribute.floors)
            taken[one.pattern] = one._replace(text=rule_of_line(taught, one.text))
        for one in taken.values():
            teach_page(self._config, one.pattern, rule=one.text)
        with self.ledger.locked():
            self._settle_pending()
            plan = self.plan(DistributeRequest(patterns=tuple(taken))) if taken else EMPTY
            notes = [one for one in plan.writes if not one.is_write]
            self._carry_out(plan._replace(writes=notes), None, "note")
        return list(taken.values())

    def undo_plan(self) -> Plan:
        """What taking the last apply or retract back would write."""
        lines = self.ledger.read()[0]
        lines += self._settling(lines)
        batch = last_batch(lines)
        if not batch:
            return EMPTY
        earlier = files_before(lines, batch[0].batch)
        return undo_plan(batch, earlier, lambda path: _look(path, batch))

    def undo(self, shown: Plan | None = None) -> Carried:
        """Take the last apply or retract back."""
        with self.ledger.locked():
            self._settle_pending()
            batch = last_batch(self.ledger.read()[0])
            plan = self.undo_plan()
            undoes = batch[0].batch if batch else ""
            return self._carry_out(plan, shown, "undo", undoes=undoes)

    def _settle_pending(self) -> None:
        """Note how a batch that was cut off left each of its files."""
        lines, _ = self.ledger.read()
        pending = fold(lines).pending
        if pending:
            clear_leftovers([line.file for line in lines if line.batch == pending])
            self.ledger.append(*self._settling(lines))

    def _settling(self, lines: Sequence[LedgerLine]) -> list[LedgerLine]:
        """The lines that say so: for a file that is as before the batch, what was said then."""
        distributed = fold(lines)
        if not distributed.pending:
            return []
        cut = [line for line in lines if line.batch == distributed.pending]
        states = state_of_pending(
            distributed, [line.file for line in cut], lambda path: _look(path, lines)
        )
        before = {line.file: line for line in lines if line.batch != distributed.pending}
        batch = uuid4().hex
        notes = [
            replace(
                before.get(line.file) or replace(line, action="note", rules=[], held=[]),
                id=uuid4().hex,
                batch=batch,
                at=now_text(),
            )
            for line in cut
            if not states[line.file]
        ]
        done = self._line("done", distributed.pending)
        return [done, *notes, *([self._line("done", batch)] if notes else [])]

    def _line(self, action: BatchAction, batch: str) -> LedgerLine:
        author, at = author_of(self._config), now_text()
        return LedgerLine(id=uuid4().hex, batch=batch, at=at, author=author, action=action)

    def _carry_out(
        self,
        plan: Plan,
        shown: Plan | None,
        action: BatchAction,
        *,
        undoes: str = "",
        branch: str = "",
    ) -> Carried:
        """Note what is to be done, do it file by file, and note that it is done."""
        if shown is not None and _essence(plan) != _essence(shown):
            raise ChangedError(
                "Files, catalog or ledger changed since the plan was shown.",
                "Nothing was written; look at the plan again.",
            )
        some = [one for one in plan.writes if one.is_write or one.is_noted]
        if not some:
            return Carried(plan, [])
        if action == "apply" and not any(one.is_write for one in some):
            action = "note"
        branches = self._branches(some, branch) if branch else {}
        batch = uuid4().hex
        lines = [self._noted(one, action, batch, undoes) for one in some]
        self.ledger.append(*lines)
        done: list[str] = []
        homes = list(agent_homes().values())
        for one, line in zip(some, lines, strict=True):
            if one.is_write:
                try:
                    put(one.file, one.root, one.before, one.after, homes, line.folders)
                except HelixError as error:
                    raise _half_done(error, done) from error
                done.append(one.file)
        notices = []
        try:
            self.ledger.append(self._line("done", batch))
        except StoreError as error:
            notices.append(f"All files are written; the ledger could not be ended: {error}")
        return Carried(plan, notices + _committed(some, branches, branch))

    def _noted(self, one: Planned, action: BatchAction, batch: str, undoes: str) -> LedgerLine:
        made = missing_folders(one.file) if one.before is None and one.after is not None else []
        return replace(
            self._line(action, batch),
            site=one.site,
            root=one.root,
            file=one.file,
            kind=one.kind,
            rules=list(one.rules),
            glue=one.glue,
            is_made=one.is_made,
            folders=[*dict.fromkeys([*made, *one.folders])],
            offset=one.offset,
            old=one.old,
            new=one.new,
            before=hash_of(one.before),
            after=hash_of(one.after),
            head=head_of(one.root) if one.site != USER else "",
            held=list(one.held),
            undoes=undoes,
        )

    def _branches(self, some: Sequence[Planned], branch: str) -> dict[str, Branch]:
        roots = {one.root: None for one in some if one.site != USER and one.is_write}
        return {
            root: prepare_commit(root, branch, [one.file for one in some if one.root == root])
            for root in roots
        }


def _half_done(error: HelixError, done: Sequence[str]) -> HelixError:
    """An error with what was written before it."""
    if done:
        written = f"Written before that: {', '.join(done)}."
        error.todo = f"{error.todo} {written} `helix distribute apply` goes on.".strip()
    return error


def _committed(some: Sequence[Planned], branches: dict[str, Branch], branch: str) -> list[str]:
    notices = []
    for root, (current, _) in branches.items():
        files = [one.file for one in some if one.root == root and one.is_write]
        done = commit_on(root, branch, current, files)
        if done.reason:
            notices.append(f"{root}: written, but not committed: {done.reason}")
        else:
            notices.append(
                f"{root}: committed on {branch} as {done.commit[:10]}; nothing is pushed"
            )
    return notices


def _essence(plan: Plan) -> list[object]:
    """What of a plan a person agreed to."""
    return [(one.file, one.before, one.after) for one in plan.writes if one.is_write]


def _look(path: str, lines: Sequence[LedgerLine]) -> Found:
    root = next((line.root for line in lines if line.file == path), "/")
    return look_at(path, root, list(agent_homes().values()))
