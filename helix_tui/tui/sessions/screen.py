"""Every session: filter, search what was said, look into one, take it up again in its agent."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.cache import LRUCache
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from helix_tui.errors import HelixError
from helix_tui.schema import SearchHit, Session, SessionFilter
from helix_tui.text.safe import safe_line
from helix_tui.tui.actions import Action
from helix_tui.tui.base.screen import HelixScreen, Movable
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.prompt import Prompt
from helix_tui.tui.kit.virtual_list import VirtualList
from helix_tui.tui.messages import SessionPinned, SourceOpened, SweepEnded
from helix_tui.tui.sessions.messages import SessionAsked, SessionsFound, SessionsLoaded
from helix_tui.tui.sessions.rows import (
    SORTS,
    SessionLine,
    line_of,
    parse_session_filter,
    resume_command,
)
from helix_tui.tui.sessions.widget import SessionDetails, SessionHeadings, SessionList
from helix_tui.yielding import yielding

_MOST_HITS = 500
_MANY = 5_000
_FIRST = 500
_KEPT_ASKED = 512
_SECONDS_TO_SIFT = 0.03
_HINT = "words, !not, flavor: repo: outcome: branch: model: raw: pinned:   ?words searches texts"


class SessionsScreen(HelixScreen):
    """The list of sessions over what is known of the one under the cursor."""

    SCOPE: ClassVar[str] = "sessions"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "transcript",
        "item.copy": "copy resume command",
        "session.pin": "pin",
        "list.sort": "sort",
        "pane.leave": "back",
    }

    def __init__(self, row: ReviewRow | None = None, at: int = 0) -> None:
        super().__init__(row, at)
        self._all: list[SessionLine] = []
        self._wanted = parse_session_filter("")
        self._sort = "latest"
        self._hits: dict[str, SearchHit] | None = None
        self._searching = ""
        self._note = ""
        self._is_loaded = False
        self._asked: LRUCache[str, str] = LRUCache(_KEPT_ASKED)
        self._is_all = True
        self._sifting: Timer | None = None

    @property
    def sessions(self) -> SessionList:
        """The list."""
        return self.query_one(SessionList)

    def compose_body(self) -> ComposeResult:
        """Headings and list in a frame, the details below."""
        with Vertical(id="sessions-column"):
            yield PaneTitle("Sessions", id="sessions-title")
            yield SessionHeadings(id="sessions-headings")
            yield SessionList(id="sessions")
            yield PaneTitle("Session", "├┤", id="session-title")
            yield SessionDetails(id="session")
            yield PaneBottom(classes="bottom")

    def on_mount(self) -> None:
        """The list has the keys; sessions follow the first frame."""
        self.query_one("#sessions-title", PaneTitle).is_active = True
        self.set_focus(self.sessions)
        if self.jobs.connection is not None:
            self.load()

    def on_unmount(self) -> None:
        """Lets go of the rows at once: the collector would find them late."""
        self._all.clear()

    @on(SourceOpened)
    def _on_source(self) -> None:
        self.load()

    @on(SweepEnded)
    def _on_swept(self) -> None:
        self.load()

    def load(self) -> None:
        """Asks for every session."""

        def read() -> Message:
            source = self.jobs.source
            if not source.has_store():
                return SessionsLoaded([], is_all=True)
            if not self._is_loaded:
                # Of many, the latest are there before all are read.
                latest = [line_of(one) for one in source.sessions(SessionFilter(most=_FIRST))]
                if len(latest) < _FIRST:
                    return SessionsLoaded(latest, is_all=True)
                self.post_message(SessionsLoaded(latest, is_all=False))
            found = [line_of(one) for one in yielding(source.sessions(SessionFilter()))]
            return SessionsLoaded(found, is_all=True)

        self.jobs.ask("sessions", read, self, "sessions", is_latest_only=True)

    @on(SessionsLoaded)
    def _on_loaded(self, event: SessionsLoaded) -> None:
        self._all = list(event.rows)
        self._is_loaded = True
        self._is_all = event.is_all
        self.refill()

    # What is shown

    def unread(self) -> None:
        """Says so in the list."""
        self.refill()

    def refill(self) -> None:
        """Shows what the filter and the search leave, the cursor on the same session."""
        current = self.sessions.current
        rows: list[SessionLine] = self._all
        if self._hits is not None:
            places = {name: at for at, name in enumerate(self._hits)}
            found = [row for row in rows if row.id in places]
            rows = sorted(found, key=lambda row: places[row.id])
        rows = self._wanted.narrowed(rows)
        if self._sort != "latest":
            rows = sorted(rows, key=SORTS[self._sort])
        self.sessions.said = self._empty()
        self.sessions.show(rows, current.id if current else None)
        self._retitle(len(rows))
        self._show_details()
        self.keys_changed()

    def _empty(self) -> list[str]:
        if not self._is_loaded:
            return [self.sessions.waiting]
        if self._searching:
            return ["searching…"]
        if self._wanted.text:
            return [
                self.with_keys(
                    "No session fits. {list.filter} changes the filter, {pane.leave} clears it."
                )
            ]
        return [
            self.with_keys(
                "No session yet. {sweep.start} takes in what is new in the agents' logs."
            )
        ]

    def _retitle(self, shown: int) -> None:
        title = self.query_one("#sessions-title", PaneTitle)
        known = f"{len(self._all):,}" if self._is_all else "…"
        title.label = f"Sessions  {shown:,} of {known}"
        order = "best" if self._hits is not None and self._sort == "latest" else self._sort
        title.detail = f"· {order} ▼{self._note}"
        title.right = f"/{safe_line(self._wanted.text, 40)}" if self._wanted.text else ""

    @on(VirtualList.CursorMoved)
    def _on_cursor(self) -> None:
        self._show_details()

    def _show_details(self) -> None:
        row = self.sessions.current
        hit = self._hits.get(row.id) if row and self._hits else None
        asked = self._asked.get(row.id) if row else None
        self.query_one(SessionDetails).show(row, hit, asked or "")
        title = self.query_one("#session-title", PaneTitle)
        title.detail = safe_line(row.id, 120) if row else ""
        if row is not None and asked is None:
            self._ask_of(row.session)

    def _ask_of(self, session: Session) -> None:
        """Reads what a session was about, which its line has no room for."""

        def read() -> Message:
            found = self.jobs.source.digest(session)
            return SessionAsked(session.id, found.facts.first_prompt if found else "")

        self.jobs.ask("what was asked", read, self, "digest", is_latest_only=True)

    @on(SessionAsked)
    def _on_asked(self, event: SessionAsked) -> None:
        self._asked[event.session_id] = event.asked or "nothing that is known"
        row = self.sessions.current
        if row is not None and row.id == event.session_id:
            self._show_details()

    # Filter and search

    def action_filter(self) -> None:
        """Narrows the list as somebody types; what stands behind `?` is searched for by enter."""

        def typed(text: str) -> None:
            self._stop_sifting()
            if len(self._all) < _MANY:
                self._narrow(text)
            else:
                # What was typed is seen first; many rows are looked through a moment later.
                self._sifting = self.set_timer(_SECONDS_TO_SIFT, lambda: self._narrow(text))

        def keep(text: str) -> None:
            self._stop_sifting()
            self.set_focus(self.sessions)
            self._narrow(text)
            self._search()

        def clear() -> None:
            self._stop_sifting()
            self.set_focus(self.sessions)
            self._clear()

        self.query_one(Prompt).ask(
            "/", keep, value=self._wanted.text, typed=typed, cancelled=clear, hint=_HINT
        )

    def _stop_sifting(self) -> None:
        if self._sifting is not None:
            self._sifting.stop()
            self._sifting = None

    def _narrow(self, text: str) -> None:
        before, self._wanted = self._wanted, parse_session_filter(text)
        if before.tests != self._wanted.tests or (
            self._hits is not None and not self._wanted.query
        ):
            if not self._wanted.query:
                self._forget_search()
            self.refill()
        else:
            self._retitle(self.sessions.count)

    def _clear(self) -> None:
        self._forget_search()
        self._wanted = parse_session_filter("")
        self.refill()

    def _forget_search(self) -> None:
        self._hits, self._searching, self._note = None, "", ""

    def _search(self) -> None:
        query = self._wanted.query
        if not query:
            return
        self._searching, self._hits, self._note = query, {}, " · searching…"
        self.refill()

        def look() -> Message:
            try:
                found = self.jobs.source.search(query, SessionFilter(), _MOST_HITS)
            except HelixError as error:
                return SessionsFound(query, None, str(error))
            return SessionsFound(query, found)

        self.jobs.ask("search", look, self, "search", is_latest_only=True)

    @on(SessionsFound)
    def _on_found(self, event: SessionsFound) -> None:
        if event.query != self._searching:
            return
        result = event.result
        if result is None:
            self._forget_search()
            self.refill()
            self.notify(safe_line(event.trouble, 300), severity="warning", markup=False)
            return
        self._searching = ""
        self._hits = {hit.session: hit for hit in result.hits}
        more = f" · the best {len(result.hits):,} of {result.total:,}"
        pending = f" · {result.pending:,} not indexed yet" if result.pending else ""
        self._note = (more if result.total > len(result.hits) else "") + pending
        self.refill()
        self.sessions.move_to(0)

    # Keys

    def refusal(self, action: Action) -> str:
        """Keys on a session need one."""
        needs_one = ("pane.open", "item.copy", "session.pin", "session.memory")
        if action.id in needs_one and not self.sessions.current:
            return "No session is selected."
        return super().refusal(action)

    def moving(self) -> Movable | None:
        """Cursor keys move in the list."""
        return self.sessions

    def action_open(self) -> None:
        """Into the transcript, where the search fits best if there was one."""
        if (row := self.sessions.current) is not None:
            hit = self._hits.get(row.id) if self._hits else None
            ts = hit.snippets[0].ts if hit and hit.snippets else None
            self.push("transcript", session=row.id, ts=ts)

    @on(VirtualList.Chosen)
    def _on_chosen(self) -> None:
        self.action_open()

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        if self._wanted.text:
            self._clear()
        else:
            super().action_leave()

    def action_sort(self) -> None:
        """The next order; the cursor stays on its session, or at the top."""
        is_at_top = self.sessions.cursor == 0
        names = list(SORTS)
        self._sort = names[(names.index(self._sort) + 1) % len(names)]
        self.refill()
        if is_at_top:
            self.sessions.move_to(0)

    def action_copy(self) -> None:
        """Copies the command that resumes the session in its agent."""
        if (row := self.sessions.current) is None:
            return
        command, reason = resume_command(row.session)
        if reason:
            self.notify(reason, severity="warning", timeout=4, markup=False)
            return
        self.app.copy_to_clipboard(command)
        where = safe_line(row.session.cwd or "", 80)
        hint = f" Run it in {where}." if where else ""
        self.notify(f"Copied: {command}.{hint}", timeout=4, markup=False)

    def action_remember(self) -> None:
        """What is remembered of the session."""
        if (row := self.sessions.current) is not None:
            self.push("memory", session=row.id)

    def action_pin(self) -> None:
        """Keeps the raw bytes of the session, or no longer."""
        if (row := self.sessions.current) is None:
            return
        name = row.id

        def pin() -> Message:
            source = self.jobs.source
            is_pinned = not source.session(name).is_pinned
            source.pin(name, is_pinned=is_pinned)
            return SessionPinned(name, is_pinned)

        self.jobs.ask("pin", pin, self, "verdicts")

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        for at, row in enumerate(self._all):
            if row.id == event.session_id:
                session = msgspec.structs.replace(row.session, is_pinned=event.is_pinned)
                self._all[at] = row._replace(session=session)
        self.refill()
        how = "Pinned" if event.is_pinned else "No longer pinned"
        self.say(f"{how}: {safe_line(event.session_id, 60)}. {{session.pin}} changes it.")
