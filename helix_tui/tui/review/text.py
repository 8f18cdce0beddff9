"""What panes say of plain data; every word of a log in it went through `safe`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from helix_tui.text.human import ago, compact, gauge, plural, short_bytes, sparkline
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.candidate_row import ReviewRow, score_text
from helix_tui.tui.kit.lines import Span, Tone

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import RetentionReport, SweepSummary
    from helix_tui.tui.messages import SweepState

# The budget on one line, the best first: how long its bar is, whether it is short of words, and
# whether there is room for what is distilled.
_BUDGET_LINES = (
    (16, False, True), (10, False, True), (8, True, True), (5, True, True), (4, True, False),
)  # fmt: skip


def why_here(row: ReviewRow) -> str:
    """Why a candidate stands where it does, in its own figures."""
    return (
        f"why here: {plural(row.sessions, 'session')}, "
        f"{plural(len(row.flavors), 'agent')}, {plural(len(row.repos), 'repo')}, "
        f"{compact(row.cost)} tokens spent, score {score_text(row.score)}"
    )


def ingest_lines(
    status: Status, now: float, sweep: SweepState | None, key: Callable[[str], str]
) -> list[list[Span]]:
    """The ingest pane: agents with their counts, problems, what vanishes, the last sweep.

    `key` says which key an action has.
    """
    lines: list[list[Span]] = []
    for agent in status.flavors:
        line: list[Span] = [
            (f"{safe_line(agent.flavor, 8):<8}", "plain"),
            (f"{agent.sessions:>7,}", "strong"),
        ]
        if agent.uncaptured:
            line.append((f"  +{agent.uncaptured:,}", "good"))
        lines.append(line)
    problems: list[Span] = [
        (f"{'problems':<8}", "plain"),
        (f"{status.problems:>7,}", "warn" if status.problems else "dim"),
    ]
    if status.problems:
        problems.append((f"  {key('screen.problems')} shows", "dim"))
    lines.append(problems)
    soon, later = vanishing(status)
    if soon or later:
        days, count = (3, soon) if soon else (7, later)
        lines.append([(f"vanish in {days} d  {count:,}", "warn")])
    if status.unanalyzed:
        lines.append([(f"{status.unanalyzed:,} not analyzed yet", "dim")])
    last = last_sweep_line(status, now, key)
    stops = f"  {key('sweep.stop')} stops"
    lines.append([(f"{rate_text(sweep)}{stops}" if sweep is not None else last, "dim")])
    return lines


def rate_text(sweep: SweepState) -> str:
    """How fast a sweep reads."""
    if sweep.seconds < 1 or not sweep.bytes_done:
        return "sweeping"
    return f"sweep {short_bytes(int(sweep.bytes_done / sweep.seconds))}/s"


def vanishing(status: Status) -> tuple[int, int]:
    """How many logs that are not captured go within three and within seven days."""
    clocks = [agent.clock for agent in status.flavors if agent.clock]
    return (
        sum(agent.vanish_within_3_days for agent in clocks),
        sum(agent.vanish_within_7_days for agent in clocks),
    )


def last_sweep_line(status: Status, now: float, key: Callable[[str], str]) -> str:
    """When the last sweep was and how it ended."""
    last = status.last_sweep
    if last is None:
        return f"no sweep yet  {key('sweep.start')} starts"
    how = "" if last.is_complete else ", stopped"
    return f"swept {ago(now - last.started_ts / 1000)}{how}"


def ingest_line(
    status: Status, now: float, sweep: SweepState | None, key: Callable[[str], str], width: int
) -> list[Span]:
    """The ingest pane on one line; when the last sweep was goes first where room is short."""
    spans: list[Span] = [(f"{key('pane.focus_1')} Ingest", "dim")]
    for agent in status.flavors:
        spans.append((f" {safe_line(agent.flavor, 9)} ", "plain"))
        spans.append((f"{agent.sessions:,}", "strong"))
        if agent.uncaptured:
            spans.append((f" +{agent.uncaptured:,}", "good"))
    spans.append((f"  {plural(status.problems, 'problem')}", "warn" if status.problems else "dim"))
    soon, _ = vanishing(status)
    if soon:
        spans.append((f"  {soon:,} vanish in 3 d", "warn"))
    last = rate_text(sweep) if sweep is not None else last_sweep_line(status, now, key)
    return [*spans, (f"  {last}", "dim")] if _cells(spans) + len(last) + 2 <= width else spans


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)


def _load_tone(value: int, soft: int, hard: int) -> Tone:
    return "bad" if value > hard else "warn" if value > soft else "good"


def budget_lines(
    status: Status,
    plan: RetentionReport | None,
    growth: Sequence[SweepSummary],
    width: int,
) -> list[list[Span]]:
    """The budget pane: raw against its caps, what goes next, the distilled rest, growth."""
    usage, caps = status.usage, status.caps
    bar = gauge(usage.raw, caps.hard, caps.soft, max(4, width - 9))
    tone = _load_tone(usage.raw, caps.soft, caps.hard)
    lines: list[list[Span]] = [
        [("raw   ", "plain"), (bar, tone)],
        [(f"      {_of(usage.raw, caps.hard)}", "plain")],
        [(_caps(caps.soft, caps.hard), "dim")],
        [next_sweep_frees(plan)],
        [
            (
                f"distilled {_of(usage.distilled, caps.distilled)}",
                "warn" if usage.distilled > caps.distilled else "plain",
            )
        ],
    ]
    line = sparkline([sweep.raw_usage for sweep in growth], max(4, width - 8))
    if len(growth) > 1 and line:
        lines.append([("growth ", "plain"), (line, "dim")])
    return lines


def next_sweep_frees(plan: RetentionReport | None) -> Span:
    """What the next sweep would evict."""
    if plan is None:
        return "next sweep frees …", "dim"
    freed = plan.plan.freed
    if not freed:
        return "next sweep frees nothing", "dim"
    if plan.plan.data_loss:
        return f"next sweep LOSES {len(plan.plan.data_loss):,}", "bad"
    return f"next sweep frees {short_bytes(freed)}", "warn"


def budget_line(
    status: Status, plan: RetentionReport | None, key: Callable[[str], str], width: int
) -> list[Span]:
    """The budget pane on one line, with as much of it as there is room for."""
    usage, caps = status.usage, status.caps
    tone = _load_tone(usage.raw, caps.soft, caps.hard)
    frees, frees_tone = next_sweep_frees(plan)
    spans: list[Span] = []
    for cells, is_short, has_distilled in _BUDGET_LINES:
        spans = [
            (f"{key('pane.focus_2')} Budget", "dim"),
            (" raw ", "plain"),
            (gauge(usage.raw, caps.hard, caps.soft, cells), tone),
            (f" {_of(usage.raw, caps.hard)}  ", "plain"),
            (frees.removeprefix("next ") if is_short else frees, frees_tone),
        ]
        if has_distilled:
            spans.append((f"  distilled {short_bytes(usage.distilled)}", "plain"))
        if _cells(spans) <= width:
            break
    return spans


def _of(value: int, limit: int) -> str:
    """A size of a limit, with one unit where both have the same."""
    some, most = short_bytes(value), short_bytes(limit)
    if some.split()[1] == most.split()[1]:
        some = some.split()[0]
    return f"{some} of {most}"


def _caps(soft: int, hard: int) -> str:
    some, most = short_bytes(soft), short_bytes(hard)
    if some.split()[1] == most.split()[1]:
        return f"soft ┊ {some.split()[0]}  hard {most}"
    return f"soft ┊{some} hard {most}"
