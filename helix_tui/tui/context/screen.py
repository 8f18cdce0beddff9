"""What agents load in each repository: files in order, warnings, lines that are not kept to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from helix_tui.text.filter import is_fitting
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.dialogs import AgreeScreen
from helix_tui.tui.base.list_screen import PageListScreen
from helix_tui.tui.base.own_editor import open_in_editor
from helix_tui.tui.context.messages import (
    BelowFound,
    ContextsLoaded,
    PlanAsked,
    PlanCarriedOut,
    PlanLoaded,
)
from helix_tui.tui.context.plan_text import (
    drifted,
    plan_lines,
    plan_title,
    standing_at,
    waiting,
)
from helix_tui.tui.context.rows import SORTS, page_lines, searched, warnings_of
from helix_tui.tui.context.widget import ContextList
from helix_tui.tui.kit.candidate_row import ReviewRow

if TYPE_CHECKING:
    from helix_tui.schema.context import ContextFile, RepoContext
    from helix_tui.schema.distribute import DistributeRequest, Plan
else:
    RepoContext = object


class ContextScreen(PageListScreen[RepoContext]):
    """The list of contexts over the one under the cursor."""

    SCOPE: ClassVar[str] = "context"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "page", "context.plan": "plan", "context.retract": "retract",
        "context.undo": "undo", "list.sort": "sort", "pane.leave": "back",
    }  # fmt: skip
    LIST, PAGE, TITLES, ORDERS = "contexts", "context", ("Context", "Loaded"), tuple(SORTS)
    FILTER_HINT = "words, !not"
    NEEDS_ROW: ClassVar[frozenset[str]] = frozenset(
        {"pane.open", "item.copy", "context.edit", "context.retract"}
    )
    NOTHING_FITS = "No context fits. {list.filter} changes the filter, {pane.leave} clears it."
    NO_ROW = "There is no context here."
    row_id = attrgetter("repo", "agent")

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._plan: Plan | None = None

    def new_list(self) -> ContextList:
        """The contexts."""
        return ContextList(id=self.LIST)

    def load(self) -> None:
        """Ask what agents load in each repository."""

        def read() -> Message:
            source = self.jobs.source
            return ContextsLoaded(source.repo_contexts() if source.has_store() else [])

        self.jobs.ask("contexts", read, self, is_latest_only=True)
        self._load_plan()

    def on_screen_resume(self) -> None:
        """Look again at files that somebody may have edited meanwhile."""
        if self._plan is not None:
            self._load_plan()

    def _load_plan(self) -> None:
        def planned() -> Message:
            from helix_tui.schema.distribute import DistributeRequest

            return PlanLoaded(self.jobs.source.distribution.plan(DistributeRequest()))

        self.jobs.ask("distribution", planned, self, is_latest_only=True)

    @on(PlanLoaded)
    def _on_planned(self, event: PlanLoaded) -> None:
        self._plan = event.plan
        self.refill()

    @on(ContextsLoaded)
    def _on_loaded(self, event: ContextsLoaded) -> None:
        self.all_rows = event.contexts
        self.row_list.is_loaded = True
        self.refill()

    def unread(self) -> None:
        """Say that nothing is to be waited for."""
        self.row_list.is_loaded = True
        self.refill()

    def arranged(self) -> Sequence[RepoContext]:
        """The contexts that the filter leaves, in the order in force."""
        rows = sorted(self.all_rows, key=SORTS[self.order])
        if not self.filter_text:
            return rows
        return [row for row in rows if is_fitting(searched(row), self.filter_text)]

    def retitle(self, shown: int) -> None:
        """Say how many contexts are shown, and how many warnings there are."""
        self.list_title.label = f"Context  {shown:,} of {len(self.all_rows):,}"
        warnings = sum(warnings_of(row) for row in self.all_rows)
        told = [plural(warnings, "warning")]
        if self._plan is not None:
            told += [f"{count:,} drifted" for count in (drifted(self._plan),) if count]
            written = waiting(self._plan)
            files = plural(written, "file")
            told += [self.with_keys(f"{files} to write: {{context.plan}}")] if written else []
        self.list_title.detail = f"· {', '.join(told)}"

    def no_rows(self) -> Sequence[str]:
        """Say what there would be."""
        return [
            "No repository yet in which an agent was at work.",
            "{sweep.start} sweeps for what is new, {pane.leave} goes back.",
        ]

    def show_current(self) -> None:
        """Show all of the context under the cursor."""
        row = self.current
        detail = f"· {safe_line(row.agent, 20)} in {safe_line(row.cwd, 200)}" if row else ""
        self.page_title.detail = detail
        self._show(())
        if row is None or row.context is None:
            return
        agent, folder, row_id = row.agent, Path(row.cwd), (row.repo, row.agent)

        def look() -> Message:
            from helix_tui.engine.context.effective import below_here

            return BelowFound(row_id, below_here(agent, folder))

        self.jobs.ask("below", look, self, "below", is_latest_only=True)

    @on(BelowFound)
    def _on_below(self, event: BelowFound) -> None:
        row = self.current
        if row is not None and (row.repo, row.agent) == event.row_id and event.files:
            self._show(event.files)

    def _show(self, below: Sequence[ContextFile]) -> None:
        row = self.current
        standing = standing_at(self._plan, row) if self._plan is not None and row else []
        self.page.show(
            lambda width: page_lines(row, below, width, standing) if row is not None else ()
        )

    def refusal(self, action: Action) -> str:
        """Say that there is no file to be opened."""
        if action.id == "context.edit" and self.current is not None and not self._place():
            return "No file is left to be opened."
        return super().refusal(action)

    def _place(self) -> tuple[str, int] | None:
        """The file and line that matter most: one not kept to, one with a warning, the first."""
        row = self.current
        if row is None or row.context is None:
            return None
        files = {file.path for file in row.context.files}
        places = [(about.line.file, about.line.line) for about in row.lines]
        places += [(warning.path, 1) for warning in row.context.warnings]
        places += [(file.path, 1) for file in row.context.files]
        return next((place for place in places if place[0] in files), None)

    def action_edit(self) -> None:
        """Open the file that matters most in one's own editor."""
        if (place := self._place()) is not None:
            open_in_editor(self, *place)
            self.load()

    # What gets into agents' files

    def action_plan(self) -> None:
        """Show what would be written for every agent, to be carried out or left."""
        from helix_tui.schema.distribute import DistributeRequest

        self._ask_for_plan(DistributeRequest())

    def action_retract(self) -> None:
        """Show what taking the rules out of the repository under the cursor would write."""
        from helix_tui.schema.distribute import DistributeRequest

        if (row := self.current) is not None:
            self._ask_for_plan(DistributeRequest(repo=row.repo, is_retract=True))

    def action_undo(self) -> None:
        """Show what taking the last step back would write."""
        self._ask_for_plan(None)

    def _ask_for_plan(self, request: DistributeRequest | None) -> None:
        def read() -> Message:
            distribution = self.jobs.source.distribution
            plan = distribution.undo_plan() if request is None else distribution.plan(request)
            return PlanAsked(plan, request)

        self.jobs.ask("plan", read, self, is_latest_only=True)

    @on(PlanAsked)
    def _on_plan(self, event: PlanAsked) -> None:
        plan, request = event.plan, event.request
        has_writes = any(one.is_write for one in plan.writes)
        has_work = has_writes or any(one.is_noted for one in plan.writes)
        verb = "takes it back" if request is None else "writes it" if has_writes else "notes it"

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._carry_out(plan, request)

        does = verb if has_work else ""
        self.ask(AgreeScreen(plan_title(plan), plan_lines(plan), does), answered)

    def _carry_out(self, plan: Plan, request: DistributeRequest | None) -> None:
        def work() -> Message:
            distribution = self.jobs.source.distribution
            carry = distribution.undo if request is None else partial(distribution.apply, request)
            done = carry(plan)
            written = plural(len(done.written), "file")
            return PlanCarriedOut(" ".join([f"{written} written.", *done.notices]))

        self.jobs.ask("apply", work, self, "distribute")

    @on(PlanCarriedOut)
    def _on_carried_out(self, event: PlanCarriedOut) -> None:
        self.say(safe_line(event.sentence, 300))
        self.load()

    def action_copy(self) -> None:
        """Copy the command that prints the context."""
        if (row := self.current) is not None:
            command = f"helix context {safe_line(row.cwd)} --agent {row.agent}"
            self.copy(command, "the command")
