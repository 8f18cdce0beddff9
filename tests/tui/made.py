"""A source of made data, as many candidates as wanted, and an app on it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from helix_tui.config import Config, load
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern, PatternEvidence, Provenance
from helix_tui.detect.rank import brief_of
from helix_tui.engine.distribute.distribution import Carried
from helix_tui.engine.memory.flushing import Memory
from helix_tui.engine.review.reviewed_candidates import listed_of
from helix_tui.engine.review.undo_preview import Restored
from helix_tui.engine.status import DeletionClock, FlavorStatus, Status
from helix_tui.engine.transcripts.transcript import Reading
from helix_tui.errors import HelixError, LookNeededError, NotFoundError
from helix_tui.report.tables import report_of
from helix_tui.schema import (
    Caps,
    Digest,
    DiskUsage,
    Evictable,
    Problem,
    RetentionPlan,
    RetentionReport,
    SearchResult,
    Session,
    SessionFilter,
    SweepSummary,
)
from helix_tui.schema.board import ApprovalPreview, Listed, Listing, Look, News, Outcome, Reviewed
from helix_tui.schema.candidate import (
    Candidate,
    Evidence,
    Member,
    Ranked,
    Rate,
    ScoreParts,
)
from helix_tui.schema.context import NOT_TOLD, RepoContext
from helix_tui.schema.distribute import DistributeRequest, Plan
from helix_tui.schema.effect import EffectReport, Measured, Unmeasured
from helix_tui.schema.memory import Flushed
from helix_tui.schema.report import Gathered, Period, Report
from helix_tui.schema.review import JournalLine, RejectReason, Review, Seen
from helix_tui.store.database import Database
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.kit.candidate_row import ReviewRow
from helix_tui.tui.review.list_state import ListState

NOW = 1_794_000_000.0
_GIB = 1 << 30


def made_reviewed(number: int, title: str = "", flavors: Sequence[str] = ("claude",)) -> Reviewed:
    """One open candidate."""
    name = f"problem-{number:06}"
    begun, ended = 1_789_000_000_000, 1_790_000_000_000 + number
    members = {
        f"{flavor}:s{number}-{n}": Member(flavor, "api", 1, begun, ended, 54_667)
        for n, flavor in zip(range(3), cycle(flavors), strict=False)
    }
    evidence = [Evidence(session, at, 1_790_000_000_000) for at, session in enumerate(members)]
    candidate = Candidate(
        id=name,
        kind="success" if number % 5 == 4 else "problem",
        signal="tool_error",
        signals={"tool_error": 3},
        tool_class="shell",
        error_class="command_not_found",
        subject="rg",
        title=title or f"shell: tool {number} is not installed",
        members=members,
        evidence=evidence,
    )
    ranked = Ranked(
        candidate=candidate,
        brief=brief_of(candidate),
        flavors={flavor: Rate(3, 10) for flavor in flavors},
        repos={"api": Rate(3, 10)},
        score=max(0.1, 94 - number / 10),
        parts=ScoreParts(3, 3.0, 10, 0.1, 10.0, 1.0, 1.0),
        trend=[1, 2, 3],
        state="ongoing",
    )
    return Reviewed(ranked, Review(), "open", "", True)


def made_listed(number: int, title: str = "", flavors: Sequence[str] = ("claude",)) -> Listed:
    """The same as a list shows it."""
    return listed_of(made_reviewed(number, title, flavors))


def decided(table: ListState, name: str, verdict: Any) -> ReviewRow:
    """Shows a verdict that is written; returns the row as it was."""
    before = table.row(name)
    assert before is not None
    table.put([before._replace(verdict=verdict, is_asked=verdict in ("open", "discussed"))])
    return before


def made_page(name: str, words_of_log: Mapping[str, str]) -> str:
    """The page that approving a candidate would write."""
    evidence = PatternEvidence(sessions=3, frequency=3, flavors={"claude": 3}, repos=1)
    pattern = Pattern(
        id=name, version="1.0.0", kind="problem", status="approved", candidates=[name],
        evidence=evidence, title=f"Use grep instead of tool {name[-1]}", problem="It is missing.",
        applies="When a command is not found.", guidance=words_of_log.get(name, "- Use grep."),
        provenance=Provenance(author="me", at="2026-11-06", candidate=name, score=1.0),
    )  # fmt: skip
    return write_page(pattern)


class MadeVerdicts:
    """Verdicts kept in memory, in the order in which they came."""

    def __init__(self, source: MadeSource) -> None:
        self._source = source
        self.lines: list[JournalLine] = []
        self.gate = threading.Event()
        self.gate.set()
        self.undo_gate = threading.Event()
        self.undo_gate.set()
        self.words_of_log: dict[str, str] = {}
        self.refuses: set[str] = set()

    def preview(self, name: str, *, seen: Seen | None = None) -> ApprovalPreview:
        said = self.words_of_log.get(name)
        fields, origins = (["guidance"], [("claude:s1", said)]) if said else ([], [])
        found = self._source.find(name)
        page = made_page(name, self.words_of_log)
        told = self._source.made_told if found.told != "no" else NOT_TOLD
        return ApprovalPreview(
            found, page, "", "created", "", [], "", [], fields, origins, [], [], told=told
        )

    def previews(self, names: Sequence[str]) -> Iterator[tuple[str, ApprovalPreview | HelixError]]:
        for name in names:
            yield name, self.preview(name)

    def listed(self, names: Sequence[str]) -> list[Listed]:
        return [listed_of(self._source.find(name)) for name in names]

    @contextmanager
    def together(self) -> Iterator[MadeVerdicts]:
        yield self

    def untold(self) -> list[str]:
        return []

    def news(self, seen: Seen) -> News | None:
        return None

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
        preview = self.preview(name)
        if preview.words_of_log and look != "page":
            raise LookNeededError(name, preview.words_of_log, preview.origins, preview)
        return self._give("approve", name, "approved", note)

    def reject(
        self, name: str, *, note: str = "", reason: RejectReason = "", seen: Seen | None = None
    ) -> Outcome:
        outcome = self._give("reject", name, "rejected", note)
        self.lines[-1] = replace(self.lines[-1], reason=reason)
        return outcome

    def discuss(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        return self._give("discuss", name, "discussed", note)

    def snooze(self, name: str, until: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        return self._give("snooze", name, "snoozed", until)

    def merge(
        self,
        name: str,
        others: Sequence[str],
        *,
        note: str = "",
        seen: Seen | None = None,
        look: Look = "none",
    ) -> Outcome:
        for other in others:
            self._source.stand(other, "merged")
        line = self._line("merge", name, others=list(others), note=note)
        return Outcome(line, [], [], self.listed([name, *others]))

    def split(self, name: str, *, note: str = "", seen: Seen | None = None) -> Outcome:
        return self._give("split", name, "open", note)

    def restores(self, line: JournalLine) -> Restored:
        return Restored("open", [])

    def undo(self, line_id: str = "", *, seen: Seen | None = None) -> Outcome | None:
        assert self.undo_gate.wait(10)
        undone = {line.undoes for line in self.lines}
        left = [line for line in self.lines if line.action != "undo" and line.id not in undone]
        found = [line for line in left if line.id == line_id] if line_id else left
        if not found:
            return None
        self._source.stand(found[-1].candidate, "open")
        name, others = found[-1].candidate, found[-1].others
        line = self._line("undo", name, undoes=found[-1].id)
        return Outcome(line, [], [], self.listed([name, *others]))

    def undoable(self, most: int) -> list[JournalLine]:
        return self.lines[-most:]

    def _give(self, action: Any, name: str, verdict: Any, note: str) -> Outcome:
        assert self.gate.wait(10)
        if name in self.refuses:
            raise NotFoundError(f"{name} is gone.", "Sweep again.")
        self._source.stand(name, verdict)
        return Outcome(self._line(action, name, note=note), [], [], self.listed([name]))

    def _line(self, action: Any, name: str, **more: Any) -> JournalLine:
        seq = len(self.lines) + 1
        line = JournalLine(
            id=f"l{seq}", seq=seq, at="", author="me", action=action, candidate=name, **more
        )
        self.lines.append(line)
        return line


def _no_store() -> AbstractContextManager[Database]:
    raise NotFoundError("There is no store.")


class MadeDistribution:
    """What would be written, without any file; it remembers what was carried out."""

    def __init__(self) -> None:
        self.made_plan = Plan([], [], [], [])
        self.done: list[str] = []

    def plan(self, request: DistributeRequest) -> Plan:
        return self.made_plan

    def apply(self, request: DistributeRequest, shown: Plan | None = None) -> Carried:
        self.done.append("retract" if request.is_retract else "apply")
        return Carried(self.made_plan, [])

    def undo_plan(self) -> Plan:
        return self.made_plan

    def undo(self, shown: Plan | None = None) -> Carried:
        self.done.append("undo")
        return Carried(self.made_plan, [])


class MadeEffects:
    """What patterns came to, without any session."""

    def __init__(self) -> None:
        self.made: list[Measured] = []
        self.unmeasured: list[Unmeasured] = []

    def all(self) -> EffectReport:
        return EffectReport(self.made, self.unmeasured)

    def one(self, name: str) -> Measured:
        return next(one for one in self.made if one.id == name)


class MadeSource:
    """What the panes ask for, without a store."""

    def __init__(self, board: Sequence[Reviewed]) -> None:
        self._by_id = {one.ranked.candidate.id: one for one in board}
        self.config: Config = load(None, Path("/nowhere"), {"HOME": "/nowhere"})
        self.verdicts = MadeVerdicts(self)
        self.candidates = self  # the few that are asked of it are below
        self.texts = "$ rg retry src\nbash: rg: command not found\nthen $ grep -r retry src"
        self.fails = ""
        self.pinned: dict[str, bool] = {}
        self.made_sessions: list[Session] = []
        self.made_problems: list[Problem] = []
        self.made_told = NOT_TOLD
        self.made_contexts: list[RepoContext] = []
        self.made_result = SearchResult([], 0, 0)
        self.transcripts: dict[str, Reading] = {}
        self.held: list[Evictable] = []
        self.memory = Memory(self.config, _no_store, self.session)
        self.distribution = MadeDistribution()
        self.effects = MadeEffects()

    def add(self, *more: Reviewed) -> None:
        """What a sweep found meanwhile, ranked among the others by score."""
        self._by_id |= {one.ranked.candidate.id: one for one in more}
        ranked = sorted(self._by_id.items(), key=lambda item: -item[1].ranked.score)
        self._by_id = dict(ranked)

    def find(self, name: str) -> Reviewed:
        return self._by_id[name]

    def stand(self, name: str, verdict: Any) -> None:
        is_asked = verdict in ("open", "discussed")
        self._by_id[name] = self._by_id[name]._replace(verdict=verdict, is_asked=is_asked)

    def flush(self, name: str, cancelled: Callable[[], bool]) -> Flushed:
        return Flushed(name, "nothing_new")

    def has_store(self) -> bool:
        return True

    def listing(self) -> Listing:
        if self.fails:
            raise RuntimeError(self.fails)
        return Listing([listed_of(one) for one in self._by_id.values()], "", [])

    def whole(self, name: str, merged: Sequence[str]) -> Candidate:
        return self.find(name).ranked.candidate

    def repo_contexts(self) -> Sequence[RepoContext]:
        return self.made_contexts

    def status(self) -> Status:
        flavors = [
            FlavorStatus("claude", 8_104, 0, 8_104, 12, DeletionClock(30, 41, 60)),
            FlavorStatus("codex", 1_377, 0, 1_377, 3, None),
            FlavorStatus("grok", 319, 0, 319, 0, None),
        ]
        return Status(
            store=Path("/nowhere"),
            is_created=True,
            flavors=flavors,
            database_bytes=0,
            pack_bytes=0,
            usage=DiskUsage(int(1.3 * _GIB), 41 << 20),
            caps=Caps(int(1.6 * _GIB), 2 * _GIB, 0, 500 << 20),
            raw_states={"full": 1, "partial": 0, "evicted": 0},
            unanalyzed=0,
            problems=12,
            listed_problems=[],
            last_sweep=None,
        )

    def retain(self, *, is_dry_run: bool) -> RetentionReport:
        assert is_dry_run
        status = self.status()
        return RetentionReport(RetentionPlan(status.caps, status.usage), status.usage)

    def growth(self, most: int) -> Sequence[SweepSummary]:
        return []

    def holdings(self) -> Sequence[Evictable]:
        return self.held

    def excerpts(self, candidate: Candidate) -> Mapping[tuple[str, int], str]:
        return {(one.session, one.fingerprint): self.texts for one in candidate.evidence}

    def pin(self, name: str, *, is_pinned: bool) -> Session:
        self.pinned[name] = is_pinned
        return self.session(name)

    def digest(self, session: Session) -> Digest | None:
        return None

    def sessions(self, wanted: SessionFilter) -> Sequence[Session]:
        return self.made_sessions[: wanted.most]

    def search(self, query: str, wanted: SessionFilter, limit: int) -> SearchResult:
        return self.made_result

    def open_transcript(self, name: str) -> Reading:
        if name not in self.transcripts:
            raise NotFoundError(f"There is no session {name!r}.", "Sweep again.")
        return self.transcripts[name]

    def report(self, period: Period) -> Report:
        return report_of(Gathered(period, [], [], [], []))

    def problems(self, most: int) -> Sequence[Problem]:
        return self.made_problems[:most]

    def session(self, name: str) -> Session:
        is_pinned = self.pinned.get(name, False)
        found: Any = SimpleNamespace(id=name, is_pinned=is_pinned, title="Mend the retry loop.")
        return found  # type: ignore[no-any-return]


def made_app(
    source: MadeSource,
    sweep_command: list[str] | None = None,
    keymap: Mapping[str, tuple[str, ...]] | None = None,
) -> HelixApp:
    """An app on made data, with a frozen clock."""
    connection = Connection(source, sweep_command or ["true"])
    return HelixApp(lambda: connection, keymap, clock=lambda: NOW)
