"""What happened, told to screens: each message is a fact of the past with a snapshot in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.message import Message

if TYPE_CHECKING:
    from helix_tui.engine.catalog.catalog_reader import Edition
    from helix_tui.engine.review.page_edit import CheckedPage
    from helix_tui.engine.review.undo_preview import Restored
    from helix_tui.engine.status import Status
    from helix_tui.engine.transcripts.reading import Reading
    from helix_tui.events import SweepReport
    from helix_tui.schema import Evictable, RetentionReport, SearchResult, SweepSummary
    from helix_tui.schema.board import ApprovalPreview, Listed, News, Outcome
    from helix_tui.schema.memory import Compiled, Flushed, SessionMemory
    from helix_tui.schema.review import JournalLine, Seen
    from helix_tui.tui.catalog.rows import PatternRow
    from helix_tui.tui.kit.text_pane import Line as PageLine
    from helix_tui.tui.memory.rows import MemoryRow
    from helix_tui.tui.problems.screen import ProblemLine
    from helix_tui.tui.review.rows import ReviewRow
    from helix_tui.tui.review.text import Occurrence
    from helix_tui.tui.sessions.rows import SessionLine
    from helix_tui.tui.transcript.rows import TranscriptRow


class SweepState(NamedTuple):
    """How far a running sweep is."""

    units_done: int = 0
    units_total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    seconds: float = 0.0
    is_stopping: bool = False


class _Fact(Message):
    """A message that goes to whom it is posted, and no further."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__(bubble=False)


class SourceOpened(_Fact):
    """The store can be asked from now on."""

    def __init__(self, notice: str, *, has_store: bool) -> None:
        super().__init__()
        self.notice = notice
        self.has_store = has_store


class BoardLoaded(_Fact):
    """The candidates, as they stand, and the orders that they can be in."""

    def __init__(
        self,
        rows: Mapping[str, ReviewRow],
        orders: Mapping[str, Sequence[str]],
        stale: str,
        troubles: Sequence[str],
        changes: int,
        seen: Seen | None = None,
    ) -> None:
        """`changes` is how many the list had seen when this was asked for, `seen` its journal."""
        super().__init__()
        self.seen = seen
        self.changes = changes
        self.rows = rows
        self.orders = orders
        self.stale = stale
        self.troubles = troubles


class CandidatesFound(_Fact):
    """A sweep that goes on has grouped what is in so far."""


class StatusLoaded(_Fact):
    """What the store holds."""

    def __init__(self, status: Status) -> None:
        super().__init__()
        self.status = status


class BudgetLoaded(_Fact):
    """What the next sweep would evict, and how the store grew."""

    def __init__(self, plan: RetentionReport, growth: Sequence[SweepSummary]) -> None:
        super().__init__()
        self.plan = plan
        self.growth = growth


class HoldingsLoaded(_Fact):
    """What is kept, how it came to that, and what goes next; no plan where nothing is stored."""

    def __init__(
        self,
        status: Status,
        plan: RetentionReport | None,
        growth: Sequence[SweepSummary],
        holdings: Sequence[Evictable],
    ) -> None:
        super().__init__()
        self.status = status
        self.plan = plan
        self.growth = growth
        self.holdings = holdings


class EvidenceLoaded(_Fact):
    """The occurrences of one candidate."""

    def __init__(self, candidate_id: str, occurrences: Sequence[Occurrence]) -> None:
        super().__init__()
        self.candidate_id = candidate_id
        self.occurrences = occurrences


class TranscriptOpened(_Fact):
    """A session can be read; `marked` is the event that counts, `slices` is what is around it.

    Without a reading, `gone` says why there is none.
    """

    def __init__(
        self,
        wanted: tuple[str, int],
        reading: Reading | None,
        marked: int | None,
        slices: Mapping[int, Sequence[TranscriptRow]],
        gone: str = "",
    ) -> None:
        super().__init__()
        self.wanted = wanted
        self.reading = reading
        self.marked = marked
        self.slices = slices
        self.gone = gone


class SliceRead(_Fact):
    """Some events of a transcript came into sight and were read."""

    def __init__(self, reading: Reading, number: int, pieces: Sequence[TranscriptRow]) -> None:
        super().__init__()
        self.reading = reading
        self.number = number
        self.pieces = pieces


class SessionsLoaded(_Fact):
    """Every session, the latest first, or the latest of them while the others are read."""

    def __init__(self, rows: Sequence[SessionLine], *, is_all: bool) -> None:
        super().__init__()
        self.rows = rows
        self.is_all = is_all


class SessionAsked(_Fact):
    """What a session was asked for first."""

    def __init__(self, session_id: str, asked: str) -> None:
        super().__init__()
        self.session_id = session_id
        self.asked = asked


class SessionsFound(_Fact):
    """What a full-text search came to, or why it could not be done."""

    def __init__(self, query: str, result: SearchResult | None, trouble: str = "") -> None:
        super().__init__()
        self.query = query
        self.result = result
        self.trouble = trouble


class ProblemsLoaded(_Fact):
    """What could not be read."""

    def __init__(self, rows: Sequence[ProblemLine]) -> None:
        super().__init__()
        self.rows = rows


class CatalogLoaded(_Fact):
    """The patterns, and what is wrong with them as far as that is known."""

    def __init__(self, rows: Sequence[PatternRow], damaged: int) -> None:
        super().__init__()
        self.rows = rows
        self.damaged = damaged


class EditionsLoaded(_Fact):
    """The versions of one pattern, the oldest first."""

    def __init__(self, pattern_id: str, editions: Sequence[Edition]) -> None:
        super().__init__()
        self.pattern_id = pattern_id
        self.editions = editions


class MemoryLoaded(_Fact):
    """What is remembered, of all sessions or of one."""

    def __init__(self, rows: Sequence[MemoryRow], spent: str = "") -> None:
        super().__init__()
        self.rows = rows
        self.spent = spent


class MemoryPageRead(_Fact):
    """What a page of memory says, laid out for a width, or why it cannot be read."""

    def __init__(
        self, key: str, text: str, trouble: str, width: int, lines: Sequence[PageLine]
    ) -> None:
        super().__init__()
        self.key = key
        self.text = text
        self.trouble = trouble
        self.width = width
        self.lines = lines


class MemoryPageSaved(_Fact):
    """What a person made of a page is in a file: its own, or one beside it."""

    def __init__(self, path: str, saved: str) -> None:
        super().__init__()
        self.path = path
        self.saved = saved


class MemoryCompiled(_Fact):
    """Daily logs were brought into the knowledge base."""

    def __init__(self, done: Compiled) -> None:
        super().__init__()
        self.done = done


class SessionFlushed(_Fact):
    """A flush that a person asked for is over, whatever came of it."""

    def __init__(self, outcome: Flushed) -> None:
        super().__init__()
        self.outcome = outcome


class SessionRemembered(_Fact):
    """What is remembered of the session that is shown."""

    def __init__(self, session_id: str, memory: SessionMemory) -> None:
        super().__init__()
        self.session_id = session_id
        self.memory = memory


class VerdictGiven(_Fact):
    """A verdict is in the journal; `fresh` is how its candidates stand by it.

    `number` is that of the key: a later one may have said something else of them meanwhile.
    `names` are all candidates that it is on, of which some may be gone.
    """

    def __init__(
        self,
        verdict: str,
        outcomes: Sequence[Outcome],
        fresh: Sequence[Listed],
        number: int,
        names: Sequence[str],
    ) -> None:
        super().__init__()
        self.names = names
        self.number = number
        self.verdict = verdict
        self.outcomes = outcomes
        self.fresh = fresh


class VerdictRefused(_Fact):
    """A verdict was not given; its candidates stand as they did, or as others decided meanwhile.

    In the latter case `news` is what these did, which its author had not seen.
    """

    def __init__(
        self, verdict: str, candidate_ids: Sequence[str], reason: str, news: News | None = None
    ) -> None:
        super().__init__()
        self.verdict = verdict
        self.candidate_ids = candidate_ids
        self.reason = reason
        self.news = news


class VerdictsFollowed(_Fact):
    """What follows from verdicts is there, too: pages, index, and what waits for the hub."""


class OthersDecided(_Fact):
    """Another process gave verdicts, or somebody touched pages of the catalog."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class LookNeeded(_Fact):
    """Approving would bring words of a log along, which somebody has to see first."""

    def __init__(self, preview: ApprovalPreview) -> None:
        super().__init__()
        self.preview = preview


class PreviewLoaded(_Fact):
    """A candidate with what approving it would write; `is_worded` by the drafting program."""

    def __init__(self, preview: ApprovalPreview, *, is_worded: bool = False) -> None:
        super().__init__()
        self.preview = preview
        self.is_worded = is_worded


class PreviewRefused(_Fact):
    """There is no page to be shown of a candidate."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class WordsChecked(_Fact):
    """What somebody wrote was looked through."""

    def __init__(self, checked: CheckedPage) -> None:
        super().__init__()
        self.checked = checked


class UndoableLoaded(_Fact):
    """The last verdicts, each with the title of what it was given on."""

    def __init__(self, verdicts: Sequence[tuple[JournalLine, str]]) -> None:
        super().__init__()
        self.verdicts = verdicts


class RestoredLoaded(_Fact):
    """What taking one verdict back would restore."""

    def __init__(self, line_id: str, restored: Restored) -> None:
        super().__init__()
        self.line_id = line_id
        self.restored = restored


class VerdictUndone(_Fact):
    """Verdicts were taken back; without any there was none left. `number` is that of the key."""

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        fresh: Sequence[Listed],
        number: int,
        names: Sequence[str],
    ) -> None:
        super().__init__()
        self.names = names
        self.number = number
        self.outcomes = outcomes
        self.fresh = fresh


class SessionPinned(_Fact):
    """A session's raw bytes are kept, or no longer."""

    def __init__(self, session_id: str, is_pinned: bool) -> None:
        super().__init__()
        self.session_id = session_id
        self.is_pinned = is_pinned


class SweepProgressed(_Fact):
    """A sweep runs, and is so far."""

    def __init__(self, state: SweepState) -> None:
        super().__init__()
        self.state = state

    def can_replace(self, message: Message) -> bool:
        """Only the latest is worth drawing."""
        return isinstance(message, SweepProgressed)


class SweepReported(_Fact):
    """All that a sweep read is in the store; it may still be indexing."""

    def __init__(self, report: SweepReport) -> None:
        super().__init__()
        self.report = report


class SweepEnded(_Fact):
    """A sweep is over: with its report, stopped, or with what went wrong."""

    def __init__(self, report: SweepReport | None, trouble: str, is_stopped: bool) -> None:
        super().__init__()
        self.report = report
        self.trouble = trouble
        self.is_stopped = is_stopped


class JobFailed(_Fact):
    """A job could not be done; the workstation goes on."""

    def __init__(self, job: str, reason: str, todo: str) -> None:
        super().__init__()
        self.job = job
        self.reason = reason
        self.todo = todo
