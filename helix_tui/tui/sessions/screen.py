"""Every session: filter, search what was said, look into one, take it up again in its agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.cache import LRUCache
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from helix_tui.errors import HelixError
from helix_tui.schema import SearchHit, Session, SessionFilter
from helix_tui.text.human import plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.base.list_screen import ListScreen
from helix_tui.tui.base.pinning import pin_session, say_pinned
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.kit.frame import PaneBottom, PaneTitle
from helix_tui.tui.kit.lines import title_width
from helix_tui.tui.messages import SessionPinned
from helix_tui.tui.sessions.messages import SessionAsked, SessionsFound, SessionsLoaded
from helix_tui.tui.sessions.resume import resume_command
from helix_tui.tui.sessions.rows import SORTS, SessionLine, line_of, short_id, short_name
from helix_tui.tui.sessions.session_filter import FIELDS, parse_session_filter
from helix_tui.tui.sessions.widget import (
    SessionDetails,
    SessionHeadings,
    SessionList,
    SessionPlaces,
)
from helix_tui.yielding import yielding

_MOST_HITS = 500
# As one types, the best are enough, and only when no key follows at once.
_MOST_TYPED = 100
_SECONDS_TO_SEARCH = 0.12
_HIGH = 30
_FIRST = 500
_KEPT_ASKED = 512
_LONGEST_FOLDER = 80


class SessionsScreen(ListScreen[SessionLine]):
    """The list of sessions over what is known of the one under the cursor."""

    SCOPE: ClassVar[str] = "sessions"
    LIST, ORDERS = "sessions", tuple(SORTS)
    NOTHING_FITS = "No session fits. {list.filter} changes the filter, {pane.leave} clears it."
    NEEDS_ROW = frozenset({"pane.open", "item.copy", "session.pin", "session.memory"})
    NO_ROW = "No session is selected."
    FILTER_HINT = "words, !not, on:tue since:7d until: cost:>5 title: repo: flavor: outcome: …"
    FOOTER: ClassVar[dict[str, str]] = {
        "pane.open": "transcript",
        "item.copy": "copy resume command",
        "session.pin": "pin",
        "list.sort": "sort",
        "pane.leave": "back",
    }

    def __init__(
        self,
        row: ReviewRow | None = None,
        at: int = 0,
        *,
        only: frozenset[str] | None = None,
        about: str = "",
    ) -> None:
        super().__init__(row, at)
        # Where somebody asked for the sessions behind a figure: these, and what that was.
        self._only, self._about = only, about
        self._filter = parse_session_filter("")
        self._hits: dict[str, SearchHit] | None = None
        self._searching = ""
        self._note = ""
        self._asked: LRUCache[str, str] = LRUCache(_KEPT_ASKED)
        self._is_all = True
        self._search_timer: Timer | None = None

    def compose_body(self) -> ComposeResult:
        """Headings and list in a frame, the details below."""
        with Vertical(id="sessions-column"):
            yield PaneTitle("Sessions", id="sessions-title")
            yield SessionHeadings(id="sessions-headings")
            yield SessionList(id="sessions")
            yield PaneTitle("Places", "├┤", id="places-title")
            yield SessionPlaces(id="places")
            yield PaneTitle("Session", "├┤", id="session-title")
            yield SessionDetails(id="session")
            yield PaneBottom(classes="bottom")

    def on_unmount(self) -> None:
        """Let go of the rows at once: the collector would find them late."""
        self.all_rows = ()

    def load(self) -> None:
        """Ask for every session."""

        def read() -> Message:
            source = self.jobs.source
            if not source.has_store():
                return SessionsLoaded([], is_all=True)
            if not self.row_list.is_loaded:
                # Of many, the latest are there before all are read.
                latest = [
                    line_of(session) for session in source.sessions(SessionFilter(most=_FIRST))
                ]
                if len(latest) < _FIRST:
                    return SessionsLoaded(latest, is_all=True)
                self.post_message(SessionsLoaded(latest, is_all=False))
            lines = [line_of(session) for session in yielding(source.sessions(SessionFilter()))]
            return SessionsLoaded(lines, is_all=True)

        self.jobs.ask("sessions", read, self, "sessions", is_latest_only=True)

    @on(SessionsLoaded)
    def _on_loaded(self, event: SessionsLoaded) -> None:
        only = self._only
        self.all_rows = [row for row in event.rows if only is None or row.id in only]
        self.row_list.is_loaded = True
        self.query_one(SessionList).now_ms = int(self.station.clock() * 1000)
        wide = title_width(short_name(row.session) for row in self.all_rows)
        self.query_one(SessionList).title_width = wide
        self.query_one(SessionHeadings).title_width = wide
        self._is_all = event.is_all
        self.refill()

    # What is shown

    def arranged(self) -> Sequence[SessionLine]:
        """What fields let through: lines with the words first, then those that said them."""
        rows = self._filter.by_fields(self.all_rows)
        is_by_text = bool(self._filter.query) and self._hits is not None
        named = [] if is_by_text else self._filter.by_words(rows)
        if self._hits is not None:
            known = {row.id for row in named}
            places = {name: at for at, name in enumerate(self._hits)}
            said = [row for row in rows if row.id in places and row.id not in known]
            named = [*named, *sorted(said, key=lambda row: places[row.id])]
        return named if self.order == "latest" else sorted(named, key=SORTS[self.order])

    def no_rows(self) -> Sequence[str]:
        """Say how sessions come in."""
        return ["No session yet. {sweep.start} takes in what is new in the agents' logs."]

    def narrowed_by(self) -> str:
        """The filter; the order stands behind the count."""
        return super().narrowed_by() if self.filter_text else ""

    def retitle(self, shown: int) -> None:
        """Say how many sessions are shown, in which order, and what is no filter."""
        total = f"{len(self.all_rows):,}" if self._is_all else "…"
        self.list_title.label = f"Sessions  {shown:,} of {total}"
        about = f"{safe_line(self._about, 60)} · " if self._about else ""
        is_by_search = self._hits is not None and self.order == "latest"
        mistakes = "".join(f" · {safe_line(words, 40)}" for words in self._filter.mistakes[:2])
        order = "best" if is_by_search else self.order
        self.list_title.detail = f"· {about}{order} ▼{mistakes}{self._note}"
        if self._searching:
            self.row_list.empty = ["searching…"]
        elif self._filter.mistakes:
            known = wrap(f"Filters: {': '.join(FIELDS)}:", max(20, self.size.width - 8))
            self.row_list.empty = [self.NOTHING_FITS, *known]

    def show_current(self) -> None:
        """Show what is known of the session, and ask for what is not."""
        row = self.current
        asked = self._asked.get(row.id) if row else None
        self.query_one(SessionDetails).show(row, asked or "")
        self._show_places(row)
        title = self.query_one("#session-title", PaneTitle)
        title.label = f"Session {short_id(row.session)}" if row else "Session"
        title.detail = f"· {short_name(row.session)}" if row else ""
        if row is not None and asked is None:
            self._ask_of(row.session)

    def _show_places(self, row: SessionLine | None) -> None:
        """Where the search found something, in a pane that is there while one searches."""
        is_searching = self._hits is not None
        self.set_class(is_searching, "-searching")
        if not is_searching:
            return
        hit = self._hits.get(row.id) if row and self._hits else None
        self.query_one(SessionPlaces).show(hit, is_named=row is not None)
        title = self.query_one("#places-title", PaneTitle)
        title.detail = f"· {plural(hit.matches, 'place')} in this session" if hit else ""

    def on_resize(self, event: events.Resize) -> None:
        """A low screen has no room for all panes at once."""
        self.set_class(event.size.height < _HIGH, "-low")

    def _ask_of(self, session: Session) -> None:
        """Read what a session was about, which its line has no room for."""

        def read() -> Message:
            digest = self.jobs.source.digest(session)
            return SessionAsked(session.id, digest.facts.first_prompt if digest else "")

        self.jobs.ask("what was asked", read, self, "digest", is_latest_only=True)

    @on(SessionAsked)
    def _on_asked(self, event: SessionAsked) -> None:
        self._asked[event.session_id] = event.asked or "nothing that is known"
        row = self.current
        if row is not None and row.id == event.session_id:
            self.show_current()

    # Filter and search

    def narrow(self, text: str) -> None:
        """Show what a filter leaves at once, and a moment later what was said in sessions."""
        self._stop_timer()
        self._stop_search_timer()
        before = self._filter
        self._filter = parse_session_filter(text, int(self.station.clock() * 1000))
        self.filter_text = text
        if before.text == text:
            self.list_title.right = self.narrowed_by()
            return
        wanted = self._filter.searched
        if not wanted:
            self._forget_search()
        is_at_top = self.row_list.cursor == 0
        self.refill()
        if is_at_top:  # what fits best is looked at, unless somebody chose another
            self.row_list.move_to(0)
        if wanted and wanted != before.searched:
            self._search_timer = self.set_timer(
                _SECONDS_TO_SEARCH, lambda: self._search(wanted, _MOST_TYPED)
            )

    def keep_filter(self, text: str) -> None:
        """Narrow the list for good, and search the texts."""
        super().keep_filter(text)
        if self._filter.query:
            self._hits, self._note = {}, " · searching…"
            self._search(self._filter.query, _MOST_HITS)
            self.refill()
        if self._filter.mistakes:
            told = ". ".join(self._filter.mistakes)
            self.say(
                f"{safe_line(told, 120)}. There are {': '.join(FIELDS)}:",
                severity="warning",
                seconds=6,
            )

    def clear_filter(self) -> None:
        """Show all sessions again."""
        self.set_focus(self.row_list)
        self._stop_search_timer()
        self._forget_search()
        self._filter, self.filter_text = parse_session_filter(""), ""
        self.refill()

    def _stop_search_timer(self) -> None:
        if self._search_timer is not None:
            self._search_timer.stop()
            self._search_timer = None

    def _forget_search(self) -> None:
        self._hits, self._searching, self._note = None, "", ""

    def _search(self, query: str, most: int) -> None:
        self._searching = query

        def look() -> Message:
            try:
                result = self.jobs.source.search(query, SessionFilter(), most)
            except HelixError as error:
                return SessionsFound(query, None, str(error))
            return SessionsFound(query, result)

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
        self._searching, is_at_top = "", self.row_list.cursor == 0
        self._hits = {hit.session: hit for hit in result.hits}
        more = f" · the best {len(result.hits):,} of {result.total:,}"
        pending = f" · {result.pending:,} not indexed yet" if result.pending else ""
        self._note = (more if result.total > len(result.hits) else "") + pending
        self.refill()
        if self._filter.query or is_at_top:
            self.row_list.move_to(0)

    # Keys

    def action_open(self) -> None:
        """Into the transcript, where the search fits best if there was one."""
        if (row := self.current) is not None:
            hit = self._hits.get(row.id) if self._hits else None
            ts = hit.snippets[0].ts if hit and hit.snippets else None
            self.push("transcript", session=row.id, ts=ts)

    def action_copy(self) -> None:
        """Copy the command that resumes the session in its agent."""
        if (row := self.current) is None:
            return
        command, reason = resume_command(row.session)
        if reason:
            self.notify(reason, severity="warning", timeout=4, markup=False)
            return
        self.app.copy_to_clipboard(command)
        where = safe_line(row.session.cwd or "")
        if len(where) > _LONGEST_FOLDER:  # its end tells more than its beginning
            where = f"…{where[1 - _LONGEST_FOLDER :]}"
        hint = f" Run it in {where}." if where else ""
        self.notify(f"Copied: {command}.{hint}", timeout=4, markup=False)

    def action_remember(self) -> None:
        """What is remembered of the session."""
        if (row := self.current) is not None:
            self.push("memory", session=row.id)

    def action_pin(self) -> None:
        """Keep the raw bytes of the session, or no longer."""
        if (row := self.current) is not None:
            pin_session(self, row.id)

    @on(SessionPinned)
    def _on_pinned(self, event: SessionPinned) -> None:
        self.all_rows = [
            row._replace(session=replace(row.session, is_pinned=event.is_pinned))
            if row.id == event.session_id
            else row
            for row in self.all_rows
        ]
        self.refill()
        say_pinned(self, event)
