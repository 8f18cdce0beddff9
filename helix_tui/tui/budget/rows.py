"""What the budget screen says of what is kept: gauges, months, and in which order it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from helix_tui.retain.plan import is_growing
from helix_tui.text.human import gauge, human_bytes, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Span, Tone

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import Evictable, RetentionReport, SweepSummary

SORTS = ("plan", "size", "age")
_MOST_MONTHS = 24
_WIDE = 92
_MOST_FLAVORS = 6
_LABEL = 11


class Holding(NamedTuple):
    """A session that has raw bytes, and what becomes of them; all but its own id is for the eye."""

    session_id: str
    id: str
    last_ts: int | None
    raw_bytes: int
    why: str
    is_going: bool
    is_loss: bool
    is_pinned: bool
    title: str = ""

    @property
    def told(self) -> str:
        """What becomes of it, and why."""
        fate = "LOST: " if self.is_loss else "goes: " if self.is_going else ""
        return f"{fate}{self.why}"

    @property
    def fate(self) -> str:
        """What becomes of it, in a word."""
        if self.is_going or self.is_loss:
            return "LOST" if self.is_loss else "goes"
        return "pinned" if self.is_pinned else "kept"


class Share(NamedTuple):
    """What one agent, or one month, takes."""

    name: str
    sessions: int
    raw_bytes: int


class BudgetSummary(NamedTuple):
    """All that the gauges show."""

    status: Status
    plan: RetentionReport | None
    growth: Sequence[int]
    flavors: Sequence[Share]
    months: Sequence[Share]


def holdings_of(
    plan: RetentionReport | None, evictables: Iterable[Evictable], now_ms: int
) -> list[Holding]:
    """What goes, in the order in which it goes, then what would go after it."""
    by_id = {session.id: session for session in evictables if session.is_session}
    going = plan.plan.evicted if plan is not None else []
    rows = [
        Holding(
            session.id,
            safe_line(session.id, 200),
            by_id[session.id].last_ts if session.id in by_id else None,
            session.raw_bytes,
            session.reason,
            True,
            session.is_data_loss,
            session.id in by_id and by_id[session.id].is_pinned,
            safe_line(by_id[session.id].title, 120) if session.id in by_id else "",
        )
        for session in going
    ]
    gone = {session.id for session in going}
    staying = [session for session in by_id.values() if session.id not in gone]
    # What is pinned keeps its place, so that a row does not run away when it is.
    staying.sort(key=lambda session: (session.last_ts or 0, session.id))
    for session in staying:
        why = _standing(session, now_ms)
        shown = safe_line(session.id, 200)
        rows.append(
            Holding(
                session.id,
                shown,
                session.last_ts,
                session.raw_bytes,
                why,
                False,
                False,
                session.is_pinned,
                safe_line(session.title, 120),
            )
        )
    return rows


def _standing(session: Evictable, now_ms: int) -> str:
    """What keeps a session that does not go now."""
    if not session.is_analyzed:
        return "kept until it is analyzed"
    if session.is_pinned:
        return "pinned"
    if session.last_ts is not None and is_growing(session.last_ts, now_ms):
        return "still growing"
    return "kept for now"


def sorted_holdings(rows: Sequence[Holding], sort: str) -> list[Holding]:
    """Rows in another order; `plan` is the one they came in."""
    if sort == "size":
        return sorted(rows, key=lambda row: -row.raw_bytes)
    if sort == "age":
        return sorted(rows, key=lambda row: row.last_ts or 0)
    return list(rows)


def summary_of(
    status: Status,
    plan: RetentionReport | None,
    growth: Sequence[SweepSummary],
    evictables: Sequence[Evictable],
) -> BudgetSummary:
    """Sums by agent and by month, so that nothing is summed while it is drawn."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    months: Counter[int] = Counter()
    for item in evictables:
        flavor = item.id.partition(":")[0]
        counts[flavor] += item.is_session
        sizes[flavor] += item.raw_bytes
        if (month := _month(item.last_ts)) is not None:
            months[month] += item.raw_bytes
    named = dict.fromkeys([*(item.flavor for item in status.shown), *sizes])
    flavors = [Share(safe_line(name, _LABEL - 1), counts[name], sizes[name]) for name in named]
    flavors.sort(key=lambda share: -share.raw_bytes)
    return BudgetSummary(
        status, plan, [item.raw_usage for item in growth], flavors, _months_of(months)
    )  # fmt: skip


def _month(ts_ms: int | None) -> int | None:
    """Months since the year 0; None for a time that is none."""
    try:
        when = datetime.fromtimestamp((ts_ms or 0) / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return when.year * 12 + when.month - 1 if ts_ms else None


def _months_of(sizes: Counter[int]) -> list[Share]:
    if not sizes:
        return []
    last = max(sizes)
    first = max(min(sizes), last - _MOST_MONTHS + 1)
    return [
        Share(f"{month // 12}-{month % 12 + 1:02}", 0, sizes[month])
        for month in range(first, last + 1)
    ]


def gauge_lines(summary: BudgetSummary, width: int) -> list[list[Span]]:
    """Gauges by tier and agent, and how it grew."""
    caps, usage = summary.status.caps, summary.status.usage
    bar = 40 if width >= 100 else 20
    over: Tone = "bad" if usage.raw > caps.hard else "warn" if usage.raw > caps.soft else "good"
    is_alert = usage.distilled > caps.distilled
    lines: list[list[Span]] = [
        [
            (f" {'raw':<{_LABEL}}", "strong"),
            (gauge(usage.raw, caps.hard, caps.soft, bar), over),
            (f"  {human_bytes(usage.raw)} of {human_bytes(caps.hard)}", "plain"),
            (f"   soft ┊ {human_bytes(caps.soft)}", "dim"),
        ],
        [
            (f" {'distilled':<{_LABEL}}", "strong"),
            (gauge(usage.distilled, caps.distilled, None, bar), "warn" if is_alert else "good"),
            (f"  {human_bytes(usage.distilled)} of {human_bytes(caps.distilled)}", "plain"),
            ("   over its cap; nothing of it is dropped" if is_alert else "   stays", "dim"),
        ],
        [],
    ]
    total = max(1, sum(share.raw_bytes for share in summary.flavors))
    for share in summary.flavors[:_MOST_FLAVORS]:
        lines.append(
            [
                (f" {share.name:<{_LABEL}}", "plain"),
                (gauge(share.raw_bytes, total, None, bar), "plain"),
                (f"  {human_bytes(share.raw_bytes):>10}", "plain"),
                (f"  {share.raw_bytes / total:>4.0%}", "dim"),
                (f"  {share.sessions:,} with raw", "dim"),
            ]
        )
    if len(summary.flavors) > _MOST_FLAVORS:
        lines.append([(f" and {len(summary.flavors) - _MOST_FLAVORS} more agents", "dim")])
    lines.append([])
    lines += _growth_lines(summary, width)
    return lines


def _growth_lines(summary: BudgetSummary, width: int) -> list[list[Span]]:
    lines: list[list[Span]] = []
    if summary.months:
        # On a narrow screen the last year is enough, so that the figures behind it are seen.
        months = summary.months[-(_MOST_MONTHS if width >= _WIDE else _MOST_MONTHS // 2) :]
        bars = sparkline([share.raw_bytes for share in months], _MOST_MONTHS)
        first, last = months[0], months[-1]
        span = first.name if first is last else f"{first.name} to {last.name}"
        most = max(months, key=lambda share: share.raw_bytes)
        lines.append(
            [
                (f" {'by month':<{_LABEL}}", "plain"),
                (f" {bars} ", "good"),
                (f" {span}, most in {most.name}: {human_bytes(most.raw_bytes)}", "dim"),
            ]
        )
    if len(summary.growth) > 1:
        bars = sparkline(list(summary.growth), _MOST_MONTHS)
        lines.append(
            [
                (f" {'by sweep':<{_LABEL}}", "plain"),
                (f" {bars} ", "good"),
                (f" raw after each of the last {min(len(summary.growth), _MOST_MONTHS)}", "dim"),
            ]
        )
    states = summary.status.raw_states
    evicted, partial = states.get("evicted", 0), states.get("partial", 0)
    lines.append(
        [
            (f" {'raw kept':<{_LABEL}}", "plain"),
            (f" {states.get('full', 0):,} whole", "plain"),
            (f" · {partial:,} in part · {evicted:,} evicted, their digests stay", "dim"),
        ]
    )
    return lines


def plan_title(plan: RetentionReport | None, shown: int, total: int) -> str:
    """What the next sweep does, for the title of the list."""
    count = f"{shown:,} of {total:,}"
    if plan is None:
        return count
    going = plan.plan.evicted
    if plan.held:
        return f"{count} · held back: {safe_line(plan.held, 80)}"
    if not going:
        return f"{count} · the next sweep evicts nothing"
    lost = len(plan.plan.data_loss)
    loss = f", {lost:,} not analyzed: DATA LOSS" if lost else ""
    freed = human_bytes(plan.plan.freed)
    return f"{count} · the next sweep evicts {len(going):,}, frees {freed}{loss}"
