"""The keys that work on memory: flush a session, compile, edit a page; none holds up another."""

from __future__ import annotations

import subprocess

from textual import on
from textual.app import SuspendNotSupported
from textual.message import Message

from helix_tui.environment import outside_environment
from helix_tui.errors import HelixError
from helix_tui.schema.memory import Flushed
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.list_screen import PageListScreen
from helix_tui.tui.memory.messages import MemoryCompiled, MemoryPageRead, MemoryPageSaved
from helix_tui.tui.memory.rows import PAGES, MemoryRow, compiled_words, flushed_words
from helix_tui.tui.messages import SessionFlushed

_MOST_TO_EDIT = 1 << 20


class RememberingScreen(PageListScreen[MemoryRow]):
    """A screen on things that are remembered, of which one is current."""

    def __init__(self) -> None:
        super().__init__()
        self.page_read: MemoryPageRead | None = None
        self.flushing: set[str] = set()
        # What somebody wrote and could not be saved yet, by path: what it was made of, and it.
        self._unsaved: dict[str, tuple[str, str]] = {}

    @property
    def session_here(self) -> str:
        """The session that is flushed by a key, where there is one."""
        raise NotImplementedError

    def say_progress(self) -> None:
        """Say whether something is being flushed."""
        raise NotImplementedError

    def no_flush(self) -> str:
        """Why nothing can be flushed here now."""
        name = self.session_here
        if not name:
            return "No session is under the cursor: notes, failures and what waits have one."
        return "It is being flushed already." if name in self.flushing else ""

    def action_retry(self) -> None:
        """Flush the session under the cursor, however long that takes."""
        name, jobs = self.session_here, self.jobs
        self.flushing.add(name)
        self.say_progress()

        def work() -> None:
            try:
                outcome = jobs.source.flush(name, lambda: jobs.is_closed)
            except HelixError as error:
                outcome = Flushed(name, "failed", reason=str(error))
            if outcome.action in ("failed", "capped"):
                reason = f"{outcome.reason.rstrip('.')}."
                jobs.fail(f"flush {name}", reason, "The memory screen keeps it, to be tried again.")
            jobs.tell(lambda: SessionFlushed(outcome))

        jobs.do(f"flush {name}", work, "flushing")

    @on(SessionFlushed)
    def _on_flushed(self, event: SessionFlushed) -> None:
        outcome = event.outcome
        self.flushing.discard(outcome.session)
        if self.is_current and outcome.action not in ("failed", "capped"):
            self.notify(
                flushed_words(outcome),
                severity="warning" if outcome.action in ("busy", "fell_back") else "information",
                timeout=4,
                markup=False,
            )
        self.say_progress()
        self.load()

    def action_compile(self) -> None:
        """Bring daily logs that changed into the knowledge base, without waiting for the hour."""

        def work() -> Message:
            return MemoryCompiled(self.jobs.source.memory.compile(is_now=True))

        self.jobs.ask("compile", work, self, "compiling")

    @on(MemoryCompiled)
    def _on_compiled(self, event: MemoryCompiled) -> None:
        self.notify(compiled_words(event.compiled), timeout=4, markup=False)
        self.load()

    # The person's own editor

    def no_edit(self) -> str:
        """Why there is nothing to be edited here."""
        row, read = self.current, self.page_read
        if row is None or row.group not in PAGES:
            return "Daily logs, articles and notes can be edited; this is none of them."
        if read is None or read.trouble:
            return "Its page is not read."
        if len(read.text) > _MOST_TO_EDIT:
            return self.with_keys("It is too large for that; {item.copy} copies its path.")
        return ""

    def action_edit_outside(self) -> None:
        """Lend a page to $VISUAL or $EDITOR, and write what was saved back to it."""
        from helix_tui.engine.review.external_editor import edited, editor_command

        row, read = self.current, self.page_read
        if row is None or read is None:
            return
        before, text = self._unsaved.get(row.path, (read.text, read.text))
        name = row.path.rpartition("/")[2].removesuffix(".md")
        try:
            command = editor_command()
            with self.app.suspend():
                after = edited(text, name, command, _run)
        except SuspendNotSupported:
            self.notify("This terminal cannot be lent to an editor.", severity="error")
        except HelixError as error:
            self.notify(safe_line(str(error), 400), severity="error", timeout=8, markup=False)
        else:
            self._save(row.path, before, after)

    def _save(self, path: str, before: str, after: str) -> None:
        if after == before:
            self.notify("Nothing was changed.", timeout=4)
            return
        self._unsaved[path] = before, after

        def work() -> Message:
            saved = self.jobs.source.memory.save(path, before, after)
            return MemoryPageSaved(path, str(saved))

        # Like a verdict: it is written before the workstation is left.
        self.jobs.ask("save the page", work, self, "verdicts")

    @on(MemoryPageSaved)
    def _on_saved(self, event: MemoryPageSaved) -> None:
        self._unsaved.pop(event.path, None)
        name = safe_line(event.saved.rpartition("/")[2], 100)
        if event.saved == event.path:
            self.notify(f"Saved {name}.", timeout=4, markup=False)
        else:
            message = (
                f"The page changed meanwhile and is left as it is: yours is in {name} beside it."
            )
            self.notify(message, severity="warning", timeout=8, markup=False)
        self.load()


def _run(command: list[str]) -> int:
    return subprocess.run(command, env=outside_environment(), check=False).returncode
