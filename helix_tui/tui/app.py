"""The workstation's app: build screens, own jobs and theme, tell what happened in toasts."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import App
from textual.cache import LRUCache
from textual.command import Provider
from textual.screen import Screen

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import with_keys
from helix_tui.tui.base.screen import HelixScreen
from helix_tui.tui.base.verdicts_and_undo import BECOMES, VerdictQueue
from helix_tui.tui.jobs import Connection, Jobs
from helix_tui.tui.key_priority import KeyPriority
from helix_tui.tui.messages import (
    JobFailed,
    OthersDecided,
    SourceOpened,
    SweepEnded,
    SweepReported,
    VerdictGiven,
    VerdictRefused,
    VerdictsFollowed,
    VerdictUndone,
)
from helix_tui.tui.preferences import Preferences
from helix_tui.tui.review.hints import next_hint
from helix_tui.tui.review.merging import linked
from helix_tui.tui.review.screen import ReviewScreen
from helix_tui.tui.review.watching import SECONDS_BETWEEN_LOOKS, Watching
from helix_tui.tui.themes import THEMES, TITLES, VARIABLES, starting_theme
from helix_tui.yielding import give_way_by

if TYPE_CHECKING:
    from helix_tui.schema.board import Outcome, PatternOutcome
    from helix_tui.schema.context import Told
    from helix_tui.tui.kit.excerpt import Occurrence

_TUI = Path(__file__).parent
# What the first frame is drawn by; the styles of other screens are read behind it.
_FIRST_STYLES = ("base", "review")
_SECONDS_TOLD = 8
_TITLE, _LEAST_TITLE = 50, 12
# From which width on a toast is a box, and says more than what is taken back by which key.
_ROOM_FOR_MORE = 100
# How long a thread may hold the interpreter: the keyboard waits so long at most for each step.
_SWITCH_SECONDS = 0.001
_SECONDS_TO_TIDY = 30.0
_KEPT_EVIDENCE = 256


def _action_commands() -> type[Provider]:
    from helix_tui.tui.palette import ActionCommands

    return ActionCommands


def _named_things() -> type[Provider]:
    from helix_tui.tui.palette import NamedThings

    return NamedThings


class HelixApp(App[None]):
    """The full-screen workstation on a source that is opened behind the first frame."""

    TITLE = "helix"
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        _TUI / name / "style.tcss" for name in _FIRST_STYLES
    ]
    ENABLE_COMMAND_PALETTE = True
    # Loaded when the palette is opened.
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        _action_commands,
        _named_things,
    }
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        open_source: Callable[[], Connection],
        keymap: Mapping[str, tuple[str, ...]] | None = None,
        clock: Callable[[], float] = time.time,
        preferences: Preferences | None = None,
    ) -> None:
        # Colours are left to the terminal where somebody wants none: then none are sent at all.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._open_source = open_source
        self.keymap = keymap or {}
        self.clock = clock
        self._last_failure = ("", 0.0)
        self.jobs = Jobs(self)
        self.deciding = VerdictQueue(self.jobs)
        self._watching = Watching(self.jobs, self.deciding)
        # What was read of candidates that were looked at, by id; a new board drops it.
        self.evidence: LRUCache[str, Sequence[Occurrence]] = LRUCache(_KEPT_EVIDENCE)
        self.told: LRUCache[str, Told] = LRUCache(_KEPT_EVIDENCE)
        self._keys_first = KeyPriority()
        for theme in THEMES:
            self.register_theme(theme)
        self.preferences = preferences or Preferences()
        self.theme = starting_theme(self.preferences.theme, is_plain=self.no_color)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What our styles name, for themes that are not ours."""
        return VARIABLES

    def watch_theme(self, name: str) -> None:
        """Remember the theme for the next start."""
        if not self.no_color and name in TITLES:
            self.preferences.keep_theme(name)

    def refresh_css(self, animate: bool = True) -> None:
        """Read styles again where something is drawn by them: the first theme changes none."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> Screen[None]:
        """The review screen is there from the first frame on."""
        return ReviewScreen()

    def on_mount(self) -> None:
        """Open the source once something can be seen."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        give_way_by(self._keys_first.give_way)
        self.set_interval(_SECONDS_TO_TIDY, self._tidy)
        self.set_interval(SECONDS_BETWEEN_LOOKS, self._watching.look)
        self.set_keymap({name: ",".join(keys) for name, keys in self.keymap.items()})
        self.jobs.listen(self)
        ends = {signal.SIGTERM: self.exit, signal.SIGHUP: self._leave_closed_terminal}
        for number, end in ends.items():
            with suppress(NotImplementedError, RuntimeError, ValueError):
                asyncio.get_running_loop().add_signal_handler(number, end)
        self.call_after_refresh(self._begin)

    def _tidy(self) -> None:
        if self._keys_first.is_quiet():
            gc.collect()

    def _leave_closed_terminal(self) -> None:
        """Write what was decided and end at once: there is no screen left to put in order.

        Textual would read from what is no longer there for ever.
        """

        def leave() -> None:
            try:
                self.jobs.close()
            finally:
                os._exit(128 + signal.SIGHUP)

        threading.Thread(target=leave, name="leave").start()

    def _begin(self) -> None:
        other_styles = [path for path in sorted(_TUI.rglob("*.tcss")) if path not in self.css_path]
        self.stylesheet.read_all(other_styles)
        self.stylesheet.parse()

        def work() -> None:
            connection = self._open_source()
            self.jobs.connection = connection
            has_store = connection.source.has_store()
            self.jobs.tell(lambda: SourceOpened(connection.notice, has_store=has_store))

        self.jobs.do("open the store", work, "opening")

    def on_unmount(self) -> None:
        """Nothing that was begun is left behind."""
        give_way_by(None)
        self.jobs.close()

    async def on_event(self, event: events.Event) -> None:
        """Hand keys to the prompt of the screen first, in the order in which they come."""
        if isinstance(event, events.Key):
            self._keys_first.key_came()
        screen = self.screen if self.screen_stack else None
        if isinstance(screen, HelixScreen) and screen.is_mounted and not event.is_forwarded:
            if isinstance(event, events.Key) and screen.take_key(event):
                return
            if isinstance(event, events.Paste) and screen.take_paste(event.text):
                return
            if isinstance(event, events.Key) and await screen.let_type():
                await self._check_bindings(event.key)
                return
        if (
            isinstance(event, events.Resize)
            and screen is not None
            and event.size == screen.outer_size
        ):
            # Resized and back again, before that was drawn: what the terminal has cut off
            # meanwhile is drawn anew, which Textual leaves out where a screen has its size already.
            screen.refresh(layout=True)
        await super().on_event(event)

    def used(self, action_id: str) -> None:
        """Show a hint no more whose action somebody found."""
        hint = next_hint(self.preferences)
        if hint is not None and action_id in hint.actions:
            self.preferences.hint_done(hint.name)
            for screen in self.screen_stack:
                if isinstance(screen, ReviewScreen):
                    screen.show_hint()

    async def action_quit(self) -> None:
        """End the sweep, wait for verdicts to be written, and leave."""
        await asyncio.to_thread(self.jobs.close)
        self.exit()

    def toast(self, text: str, severity: str = "information") -> None:
        """Say something of foreign text in a corner, for a moment."""
        self.notify(
            safe_line(text, 400), severity=severity, markup=False,  # type: ignore[arg-type]
            timeout=_SECONDS_TOLD if severity == "error" else 4,
        )  # fmt: skip

    @on(SourceOpened)
    def _on_opened(self, event: SourceOpened) -> None:
        if event.notice:
            self.notify(event.notice, timeout=12, markup=False)

    @on(JobFailed)
    def _on_failed(self, event: JobFailed) -> None:
        # What several jobs meet at once is told once; the list of problems has each of them.
        now = time.monotonic()
        if event.reason == self._last_failure[0] and now - self._last_failure[1] < _SECONDS_TOLD:
            return
        self._last_failure = (event.reason, now)
        self.toast(f"{event.job}: {event.reason} {event.todo}".strip(), "error")

    @on(VerdictGiven)
    def _on_given(self, event: VerdictGiven) -> None:
        self.clear_notifications()
        verb = BECOMES[event.verdict].capitalize()  # type: ignore[index]
        titles = [item.brief.title for item in event.fresh]
        count = len(event.outcomes)
        subject = titles[0] if count == 1 and titles else f"{count:,} candidates"
        if event.verdict in ("merge", "split"):
            verb, subject = linked(event)
        changes = [item for outcome in event.outcomes for item in outcome.patterns]
        if count == 1 and len(changes) == 1:
            verb += written_as(changes[0], event.outcomes[0])
        back = {1: "it", 2: "both"}.get(count, f"all {count:,}")
        end = f". {{verdict.undo}} takes {back} back."
        if self.size.width >= _ROOM_FOR_MORE:
            kept = self._kept_as(event, changes)
            if kept and len(changes) == 1:  # which says the status
                verb = verb.removesuffix(f" ({changes[0].pattern.status})")
            end = f".{kept} {{verdict.undo}} takes {back} back"
            says_why = event.verdict == "reject" and not has_reason(event)
            end += ", {candidate.reject_why} says why." if says_why else "."
        end = with_keys(end, self.keymap)
        # On a narrow screen it is one line, which hides nothing that is read.
        room = _TITLE
        if self.size.width < _ROOM_FOR_MORE:
            room = min(_TITLE, self.size.width - len(verb) - len(end) - 5)
        subject = _cut(subject, max(room, _LEAST_TITLE))
        self.toast(f"{_ended(f'{verb}: {subject}')}{end.removeprefix('.')}")
        for outcome in event.outcomes:
            for notice in outcome.notices:
                self.toast(notice, "warning")

    def _kept_as(self, event: VerdictGiven, changes: Sequence[PatternOutcome]) -> str:
        """Where the page of an approve is, and how it stands."""
        if event.verdict != "approve" or not changes:
            return ""
        if len(changes) > 1:
            return f" {plural(len(changes), 'page')} in the catalog, {{screen.catalog}} shows them."
        change = changes[0]
        file = safe_line("/".join(Path(change.path).parts[-2:]), 80)
        keys = "{screen.catalog} shows it, {screen.context} brings it to agents."
        return f" {file} is {change.pattern.status}, {keys}"

    @on(VerdictsFollowed)
    def _on_followed(self) -> None:
        self.jobs.send_decisions()

    @on(OthersDecided)
    def _on_others(self, event: OthersDecided) -> None:
        self.toast(event.news.told)

    @on(VerdictRefused)
    def _on_refused(self, event: VerdictRefused) -> None:
        where = ""
        if event.news is not None and not any(listed.is_asked for listed in event.news.listed):
            where = with_keys(" {list.filter}verdict:all lists what is decided.", self.keymap)
        self.toast(f"Not done ({event.verdict}): {event.reason}{where}", "error")

    @on(VerdictUndone)
    def _on_undone(self, event: VerdictUndone) -> None:
        self.clear_notifications()
        if not event.outcomes:
            self.toast("There is no verdict to take back.", "warning")
            return
        titles = [listed.brief.title for listed in event.fresh]
        count = len(event.outcomes)
        subject = _cut(titles[0]) if count == 1 and titles else f"{count:,} verdicts"
        self.toast(_ended(f"Taken back: {subject}"))

    @on(SweepReported)
    def _on_reported(self, event: SweepReported) -> None:
        report = event.report
        candidates, state = report.candidates, self.jobs.sweep_state
        if state is not None and state.is_stopping:
            goes_on = with_keys("{sweep.start} goes on from there", self.keymap)
            self.toast(f"Stopped: {report.ingested:,} logs are taken in; {goes_on}.")
            return
        self.toast(
            f"Swept: {report.ingested:,} of {report.discovered:,} logs taken in, "
            f"{plural(candidates.new, 'new candidate')}, "
            f"{plural(report.new_problems, 'new problem')}."
        )

    @on(SweepEnded)
    def _on_swept(self, event: SweepEnded) -> None:
        if event.is_stopped and event.report is None and not event.trouble:
            goes_on = with_keys("{sweep.start} goes on from there", self.keymap)
            self.toast(f"The sweep is stopped; {goes_on}.")


def has_reason(event: VerdictGiven) -> bool:
    """Whether somebody said why a candidate is rejected."""
    return any(one.line is not None and one.line.reason for one in event.outcomes)


def written_as(change: PatternOutcome, outcome: Outcome) -> str:
    """What a verdict made of a pattern, where that is more than a new one in force."""
    pattern, line = change.pattern, outcome.line
    if change.action == "unchanged" or line is None or line.action != "approve":
        return ""
    suffix = f" {pattern.version}" if change.action != "created" else ""
    suffix += f" into {safe_line(pattern.id, 30)}" if pattern.id != line.candidate else ""
    return f"{suffix} ({pattern.status})" if pattern.status != "approved" else suffix


def _ended(sentence: str) -> str:
    """With a full stop, unless it has ended or was cut."""
    return sentence if sentence.endswith((".", ".”", "…")) else f"{sentence}."


def _cut(title: str, room: int = _TITLE) -> str:
    """A title within a sentence, whose full stop is enough."""
    return safe_line(title, room).removesuffix(".")
