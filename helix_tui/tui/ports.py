"""What the workstation asks of the engine; tests put made data in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine.distribute.distribution import Carried
    from helix_tui.engine.memory.flushing import Memory
    from helix_tui.engine.review.undo_preview import Restored
    from helix_tui.engine.status import Status
    from helix_tui.engine.transcripts.transcript import Reading
    from helix_tui.errors import HelixError
    from helix_tui.schema import (
        Digest,
        Evictable,
        Problem,
        RetentionReport,
        SearchResult,
        Session,
        SessionFilter,
        SweepSummary,
    )
    from helix_tui.schema.board import ApprovalPreview, Listed, Listing, Look, News, Outcome
    from helix_tui.schema.candidate import Candidate
    from helix_tui.schema.context import RepoContext
    from helix_tui.schema.distribute import DistributeRequest, Plan
    from helix_tui.schema.effect import EffectReport, Measured
    from helix_tui.schema.memory import Flushed
    from helix_tui.schema.report import Period, Report
    from helix_tui.schema.review import JournalLine, RejectReason, Seen


class VerdictsPort(Protocol):
    """Where verdicts are given: `engine.review.verdicts.Verdicts`.

    Each carries what its author saw; where others changed that, it is refused (`ChangedError`).
    """

    def together(self) -> AbstractContextManager[VerdictsPort]:
        """A transaction in which each verdict is durable when it is given, and files come last."""

    def untold(self) -> list[str]:
        """What went wrong behind verdicts that were given together."""

    def news(self, seen: Seen) -> News | None:
        """What others did since somebody looked."""

    def preview(self, name: str, *, seen: Seen | None = None) -> ApprovalPreview:
        """A candidate with what approving it would write."""

    def previews(self, names: Sequence[str]) -> Iterator[tuple[str, ApprovalPreview | HelixError]]:
        """What approving each of some candidates would write, or why not; nothing is held."""

    def listed(self, names: Sequence[str]) -> list[Listed]:
        """How candidates stand now, those that are still there."""

    def approve(
        self,
        name: str,
        *,
        note: str = "",
        into: str = "",
        words: str | None = None,
        shown: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        """Make a candidate a pattern, in the words of a page that was made of the shown one."""

    def reject(
        self, name: str, *, note: str = "", reason: RejectReason = "", seen: Seen | None = None
    ) -> Outcome:
        """Decide that a candidate is not to be taught, and why."""

    def discuss(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Add to a candidate's thread."""

    def snooze(self, name: str, until: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Put a candidate off."""

    def merge(
        self,
        name: str,
        others: Sequence[str],
        *,
        note: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        """Count candidates as the first one."""

    def split(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        """Take merged candidates apart again."""

    def restores(self, line: JournalLine) -> Restored:
        """What taking a verdict back would restore."""

    def undo(self, line_id: str = "", *, seen: Seen | None = None) -> Outcome | None:
        """Take a verdict back."""

    def undoable(self, most: int) -> list[JournalLine]:
        """The last verdicts that can be taken back."""


class CandidatesPort(Protocol):
    """What recurs: `engine.candidates.Candidates`."""

    def listing(self) -> Listing:
        """Candidates by rank with how they stand."""

    def whole(self, name: str, merged: Sequence[str]) -> Candidate:
        """A candidate with all of its evidence, and that of those which count as it."""

    def excerpts(self, candidate: Candidate) -> Mapping[tuple[str, int], str]:
        """What the evidence of a candidate says, by session and fingerprint."""


class DistributionPort(Protocol):
    """What gets into agents' files: `engine.distribute.distribution.Distribution`."""

    def plan(self, request: DistributeRequest) -> Plan:
        """What would be written; nothing is."""

    def apply(self, request: DistributeRequest, shown: Plan | None = None) -> Carried:
        """Carry a plan out, as it was shown."""

    def undo_plan(self) -> Plan:
        """What taking the last step back would write."""

    def undo(self, shown: Plan | None = None) -> Carried:
        """Take the last step back, as it was shown."""


class EffectsPort(Protocol):
    """Whether patterns helped: `engine.effect.effects.Effects`."""

    def all(self) -> EffectReport:
        """Every pattern that was taught."""

    def one(self, name: str) -> Measured:
        """One of them with the sessions behind it."""


class EnginePort(Protocol):
    """What the panes show and verdicts change: `engine.Engine`."""

    @property
    def config(self) -> Config:
        """The settings in force."""

    @property
    def verdicts(self) -> VerdictsPort:
        """Where verdicts are given."""

    @property
    def candidates(self) -> CandidatesPort:
        """What recurs."""

    @property
    def distribution(self) -> DistributionPort:
        """What gets into agents' files."""

    @property
    def effects(self) -> EffectsPort:
        """Whether patterns helped."""

    @property
    def memory(self) -> Memory:
        """What sessions taught."""

    def flush(self, name: str, cancelled: Callable[[], bool]) -> Flushed:
        """Bring what is new of a session into the daily log."""

    def has_store(self) -> bool:
        """Whether anything was ever taken in."""

    def status(self) -> Status:
        """What the store holds."""

    def retain(self, *, is_dry_run: bool) -> RetentionReport:
        """The eviction plan."""

    def growth(self, most: int) -> Sequence[SweepSummary]:
        """The last sweeps, the oldest first."""

    def holdings(self) -> Sequence[Evictable]:
        """Every session that has raw bytes."""

    def pin(self, name: str, *, is_pinned: bool) -> Session:
        """Keep the raw bytes of a session, or no longer."""

    def session(self, name: str) -> Session:
        """One session."""

    def digest(self, session: Session) -> Digest | None:
        """What was distilled of a session."""

    def sessions(self, wanted: SessionFilter) -> Sequence[Session]:
        """Sessions, the latest first."""

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        """Sessions by what was said in them, the best first."""

    def report(self, period: Period) -> Report:
        """Where the work and the waste of a period went."""

    def open_transcript(self, name: str) -> Reading:
        """A session's events, to be read in any order."""

    def repo_contexts(self) -> Sequence[RepoContext]:
        """What agents load in each repository."""

    def problems(self, most: int) -> Sequence[Problem]:
        """What could not be read, the newest first."""
