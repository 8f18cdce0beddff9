"""What happened, told to screens: each message is a fact of the past with a snapshot in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.message import Message

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.transcript import Reading
    from helix_tui.events import SweepReport
    from helix_tui.schema.board import ApprovalPreview, Listed, News, Outcome
    from helix_tui.schema.memory import Flushed, SessionMemory
    from helix_tui.tui.kit.excerpt import Occurrence
    from helix_tui.tui.kit.transcript_rows import TranscriptRow


class SweepState(NamedTuple):
    """How far a running sweep is."""

    units_done: int = 0
    units_total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    seconds: float = 0.0
    is_stopping: bool = False


class Fact(Message):
    """A message that goes to whom it is posted, and no further."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__(bubble=False)


class SourceOpened(Fact):
    """The store can be asked from now on."""

    def __init__(self, notice: str, *, has_store: bool) -> None:
        super().__init__()
        self.notice = notice
        self.has_store = has_store


class CandidatesFound(Fact):
    """A sweep that goes on has grouped what is in so far."""


class EvidenceLoaded(Fact):
    """The occurrences of one candidate."""

    def __init__(self, candidate_id: str, occurrences: Sequence[Occurrence]) -> None:
        super().__init__()
        self.candidate_id = candidate_id
        self.occurrences = occurrences


class TranscriptOpened(Fact):
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


class EventsSelected(Fact):
    """Other events of the session that is open are to be shown, from the one at `at` on."""

    def __init__(
        self, reading: Reading, at: int, slices: Mapping[int, Sequence[TranscriptRow]]
    ) -> None:
        super().__init__()
        self.reading = reading
        self.at = at
        self.slices = slices


class WordsFound(Fact):
    """Where in a transcript words stand; None where they do not."""

    def __init__(
        self,
        reading: Reading,
        words: str,
        event: int | None,
        slices: Mapping[int, Sequence[TranscriptRow]],
    ) -> None:
        super().__init__()
        self.reading = reading
        self.words = words
        self.event = event
        self.slices = slices


class SliceRead(Fact):
    """Some events of a transcript came into sight and were read."""

    def __init__(self, reading: Reading, number: int, pieces: Sequence[TranscriptRow]) -> None:
        super().__init__()
        self.reading = reading
        self.number = number
        self.pieces = pieces


class SessionFlushed(Fact):
    """A flush that a person asked for is over, whatever came of it."""

    def __init__(self, outcome: Flushed) -> None:
        super().__init__()
        self.outcome = outcome


class SessionRemembered(Fact):
    """What is remembered of the session that is shown."""

    def __init__(self, session_id: str, memory: SessionMemory) -> None:
        super().__init__()
        self.session_id = session_id
        self.memory = memory


class VerdictGiven(Fact):
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


class VerdictRefused(Fact):
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


class VerdictsFollowed(Fact):
    """What follows from verdicts is there, too: pages, index, and what waits for the hub."""


class OthersDecided(Fact):
    """Another process gave verdicts, or somebody touched pages of the catalog."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class LookNeeded(Fact):
    """Approving would bring words of a log along, which somebody has to see first."""

    def __init__(self, preview: ApprovalPreview) -> None:
        super().__init__()
        self.preview = preview


class VerdictUndone(Fact):
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


class SessionPinned(Fact):
    """A session's raw bytes are kept, or no longer."""

    def __init__(self, session_id: str, is_pinned: bool, title: str = "") -> None:
        super().__init__()
        self.session_id = session_id
        self.is_pinned = is_pinned
        self.title = title


class SweepProgressed(Fact):
    """A sweep runs, and is so far."""

    def __init__(self, state: SweepState) -> None:
        super().__init__()
        self.state = state

    def can_replace(self, message: Message) -> bool:
        """Only the latest is worth drawing."""
        return isinstance(message, SweepProgressed)


class SweepReported(Fact):
    """All that a sweep read is in the store; it may still be indexing."""

    def __init__(self, report: SweepReport) -> None:
        super().__init__()
        self.report = report


class SweepEnded(Fact):
    """A sweep is over: with its report, stopped, or with what went wrong."""

    def __init__(self, report: SweepReport | None, trouble: str, is_stopped: bool) -> None:
        super().__init__()
        self.report = report
        self.trouble = trouble
        self.is_stopped = is_stopped


class JobFailed(Fact):
    """A job could not be done; the workstation goes on."""

    def __init__(self, job: str, reason: str, todo: str) -> None:
        super().__init__()
        self.job = job
        self.reason = reason
        self.todo = todo
