"""The editor: a pattern's words on the left, what they come to on the right."""

from __future__ import annotations

import subprocess
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, TextArea

from helix_tui.curate.catalog.scan import page_faults
from helix_tui.curate.page.pattern import Pattern
from helix_tui.engine.review.external_editor import edited, editor_command
from helix_tui.engine.review.page_check import CheckedPage, Written, check, page_with, written_of
from helix_tui.engine.review.reviewed_candidates import listed_of
from helix_tui.engine.review.rewording import by_program, name_of, pattern_of
from helix_tui.environment import outside_environment
from helix_tui.errors import HelixError
from helix_tui.schema.board import ApprovalPreview
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.dialogs import QuestionScreen
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.base.verdict_keys import VerdictScreen
from helix_tui.tui.base.verdicts_and_undo import PageDraft, VerdictDetails
from helix_tui.tui.editor.beside import agents_of, side_lines
from helix_tui.tui.editor.form import PageForm
from helix_tui.tui.editor.messages import PreviewLoaded, PreviewRefused, WordsChecked
from helix_tui.tui.kit.candidate_row import ReviewRow, row_of
from helix_tui.tui.kit.footer import KeyFooter
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.side_pane import SideView

_WIDE, _TALL = 100, 30
_SECONDS_TO_CHECK = 0.15
_FOOTER = {
    "editor.approve": "approve",
    "pane.leave": "leave",
    "candidate.edit_outside": "$EDITOR",
    "editor.look": "gate, preview",
    "editor.agent": "agent",
    "pane.next": "next field",
    "app.help": "help",
    "app.commands": "commands",
}
_WITHOUT_A_PAGE = frozenset({"pane.leave", "app.quit", "app.help", "app.commands"})


class EditorScreen(HelixScreen):
    """Fields and prose of the pattern that approving a candidate would write."""

    SCOPE: ClassVar[str] = "editor"

    def __init__(
        self,
        row: ReviewRow | None = None,
        at: int = 0,
        *,
        preview: ApprovalPreview | None = None,
        is_outside: bool = False,
    ) -> None:
        super().__init__(row, at)
        self._given = preview
        self._is_outside = is_outside
        self._preview: ApprovalPreview | None = None
        # The page that the words are written over: the preview's, or what the own editor saved.
        self._page = ""
        self._unread = ""
        self._initial = Written("", "", {})
        self._agents: list[str] = []
        self._pattern: Pattern | None = None
        self._checked: CheckedPage | None = None
        self._waiting: Timer | None = None

    def compose_body(self) -> ComposeResult:
        """Words on the left, what they come to on the right."""
        with Horizontal(id="editor"):
            yield PageForm(id="page-column")
            with Vertical(id="side-column"):
                yield PaneTitle("Gate and preview", id="side-title")
                yield SideView(id="side")
                yield PaneBottom()

    def footer(self) -> KeyFooter:
        """The keys that type nothing."""
        return KeyFooter(
            self.SCOPE, self.station.keymap, self.refusal, _FOOTER, is_only=True, is_typing=True
        )

    def on_mount(self) -> None:
        """Nothing can be typed until the page is there."""
        self.app.clear_notifications()
        self.query_one("#page-title", PaneTitle).detail = "reading…"
        self.form.allow(False)
        if self._given is not None:
            self.post_message(PreviewLoaded(self._given))
        elif self.row is not None:
            self._load(self.row.id)

    def on_resize(self, event: events.Resize) -> None:
        """A small screen has one side at a time."""
        self.set_class(event.size.width < _WIDE or event.size.height < _TALL, "-small")

    def refusal(self, action: Action) -> str:
        """Without a page there is nothing to do but to leave."""
        if self._preview is None and action.id not in _WITHOUT_A_PAGE:
            return "The page is being read."
        return super().refusal(action)

    # The approval preview

    def _load(self, name: str) -> None:
        def read() -> Message:
            try:
                return PreviewLoaded(self.jobs.source.verdicts.preview(name))
            except HelixError as error:
                return PreviewRefused(str(error))

        # Behind the verdicts that were given before: they may change what it would write.
        self.jobs.ask("page", read, self, "verdicts")

    def _ask_program(self, preview: ApprovalPreview) -> None:
        settings = self.jobs.source.config.curate
        if not settings.draft_command or preview.action != "created":
            return

        def word() -> Message:
            return PreviewLoaded(by_program(preview, settings), is_worded=True)

        self.query_one("#page-title", PaneTitle).right = "the drafting program is at work…"
        self.jobs.ask("draft", word, self, "drafting")

    @on(PreviewRefused)
    def _on_refused(self, event: PreviewRefused) -> None:
        self.notify(safe_line(event.reason, 400), severity="error", timeout=8, markup=False)
        self.app.pop_screen()

    @on(PreviewLoaded)
    def _on_preview(self, event: PreviewLoaded) -> None:
        title = self.query_one("#page-title", PaneTitle)
        if event.is_worded:
            title.right = ""
            for notice in event.preview.notices:
                self.notify(safe_line(notice, 400), severity="warning", markup=False)
            if self.is_changed:
                self.notify("The drafting program was too late; your words stay.", markup=False)
                return
        preview = self._preview = event.preview
        pattern = self._pattern = pattern_of(preview)
        self._page = preview.page
        title.label = f"Pattern  {pattern.kind}"
        title.detail = f"· {safe_line(pattern.id, 60)} {pattern.version}"
        self._agents = agents_of(preview, pattern, self.jobs.source.config.sources)
        self.form.agent = self._agents[0]
        self.form.fill(written_of(preview.page, name_of(preview)))
        self._initial = self.form.written()
        self._keep_up(preview)
        self.form.allow(True)
        if not event.is_worded:
            # Words of a log are looked at before anything is typed over them.
            self._look(self._given is not None)
            self._ask_program(preview)
        self._check()
        self.keys_changed()
        if self._is_outside:
            self._is_outside = False
            self.call_after_refresh(self.action_edit_outside)

    def _keep_up(self, preview: ApprovalPreview) -> None:
        """Put back what was written of it before, and not approved or taken back."""
        draft = self.station.deciding.drafts.get(preview.reviewed.ranked.candidate.id)
        if draft is not None:
            self._page = draft.page
            self.form.fill(draft.written)
            self.notify("These are your words of before.", timeout=4, markup=False)

    # What is typed

    @property
    def form(self) -> PageForm:
        """The fields."""
        return self.query_one(PageForm)

    @property
    def is_changed(self) -> bool:
        """Whether anything would be lost."""
        if self._preview is None:
            return False
        is_other_page = self._page != self._preview.page or bool(self._unread)
        return is_other_page or self.form.written() != self._initial

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _on_typed(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
        self._waiting = self.set_timer(_SECONDS_TO_CHECK, self._check)

    @on(Input.Submitted)
    def _on_submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "prompt-line":
            self.focus_next()

    # What the words come to

    def _check(self) -> None:
        preview, page, written = self._preview, self._page, self.form.written()
        if preview is None:
            return

        def work() -> Message:
            return WordsChecked(check(preview, page, written))

        self.jobs.ask("check", work, self, "checking", is_latest_only=True)

    @on(WordsChecked)
    def _on_checked(self, event: WordsChecked) -> None:
        self._show(event.checked)

    def _show(self, checked: CheckedPage) -> None:
        assert self._preview is not None
        shown = checked.preview or self._preview
        faults, pattern, agent = checked.faults, checked.pattern, self.form.agent
        self._checked = checked
        self.query_one(SideView).show_beside(
            lambda width: side_lines(shown, pattern, faults, agent, width)
        )
        title = self.query_one("#page-title", PaneTitle)
        count = len(faults)
        title.right = f"{count} mistake{'s' if count > 1 else ''}" if count else ""

    def action_next_agent(self) -> None:
        """Preview and hints of the next agent."""
        at = self._agents.index(self.form.agent)
        self.form.turn_to(self._agents[(at + 1) % len(self._agents)])
        if self._checked is not None:
            self._show(self._checked)

    def action_look(self) -> None:
        """To the gate and the preview, or back to the text."""
        self._look(not self.has_class("-looking"))

    def _look(self, is_looking: bool) -> None:
        self.set_class(is_looking, "-looking")
        # At once: keys behind the first frame that shows the page belong into it.
        self.set_focus(self.query_one(SideView) if is_looking else self.form.prose)

    # Ways out

    def action_approve_written(self) -> None:
        """Approve what is written; what is wrong with it is told, and everything stays."""
        assert self._preview is not None
        written, preview = self.form.written(), self._preview
        checked = check(preview, self._page, written)
        if self._unread:
            self.say(_UNREAD, severity="error")
            return
        if checked.preview is None:
            self._show(checked)
            self._go_to(checked)
            return
        words = VerdictDetails(is_looked_at=True, into=preview.into, seen=preview.seen)
        if self.is_changed or preview.drafted:
            words = words._replace(words=checked.preview.page, shown=checked.preview.drafted)
        name = preview.reviewed.ranked.candidate.id
        if self.is_changed:
            # Where the verdict is refused, or somebody takes it back, the words are still there.
            self.station.deciding.drafts[name] = PageDraft(self._page, written)
        row = self.row or row_of(listed_of(preview.reviewed), 0)
        below = [screen for screen in self.app.screen_stack if isinstance(screen, VerdictScreen)]
        self.app.pop_screen()
        below[-1].give("approve", below[-1].fresh([row]), words)

    def _go_to(self, checked: CheckedPage) -> None:
        fault = checked.faults[0]
        message = f"Not approved, nothing was written: {fault}."
        self.notify(safe_line(message, 400), severity="error", timeout=8, markup=False)
        self.set_class(False, "-looking")
        self.form.go_to(fault)

    def action_leave(self) -> None:
        """Back to the text, or out; what would be lost is asked for."""
        if self.has_class("-looking") and self._given is None:
            self._look(False)
            return
        if not self.is_changed:
            self.app.pop_screen()
            return

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._drop()
                self.app.pop_screen()

        self.ask(QuestionScreen("Leave, and drop what you wrote?"), answered)

    def _drop(self) -> None:
        if self._preview is not None:
            self.station.deciding.drafts.pop(self._preview.reviewed.ranked.candidate.id, None)

    async def action_quit(self) -> None:
        """Leave the workstation; what would be lost is asked for."""
        if not self.is_changed:
            await super().action_quit()
            return

        async def answered(is_yes: bool | None) -> None:
            if is_yes:
                await self.app.action_quit()

        self.ask(QuestionScreen("Quit, and drop what you wrote?"), answered)

    # The reviewer's own editor

    def action_edit_outside(self) -> None:
        """Hand the whole page to $VISUAL or $EDITOR, and take over what was saved."""
        assert self._preview is not None
        name = name_of(self._preview)
        try:
            before = self._unread or page_with(self._page, name, self.form.written())
            command = editor_command()
            with self.app.suspend():
                saved = edited(before, name, command, _run)
        except SuspendNotSupported:
            self.notify("This terminal cannot be lent to an editor.", severity="error")
        except HelixError as error:
            self.notify(safe_line(str(error), 400), severity="error", timeout=8, markup=False)
        else:
            self._take_over(saved, before, name)

    def _take_over(self, saved: str, before: str, name: str) -> None:
        if saved == before:
            self.notify("Nothing was changed.", timeout=4)
            return
        faults = page_faults(saved, name)
        if not faults:
            self._unread = ""
            self._page = saved
            self.form.fill(written_of(saved, name))
            self._check()
            return
        self._unread = saved

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.action_edit_outside()

        mistakes = [f"line {line}: {reason}" for line, reason in faults]
        self.ask(QuestionScreen("The page cannot be read. Open it again?", mistakes), answered)


_UNREAD = "What your editor saved cannot be read yet; {candidate.edit_outside} opens it again."


def _run(command: list[str]) -> int:
    return subprocess.run(command, env=outside_environment(), check=False).returncode
