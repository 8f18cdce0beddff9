"""The budget pane: raw bytes against their caps, what the next sweep frees, growth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from helix_tui.text.human import gauge, short_bytes, sparkline
from helix_tui.tui.kit.lines import Lines, Span, Tone, Toned, cells_of, named

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import RetentionReport, SweepSummary

# The budget on one line, the best first: how long its bar is, whether it is short of words, and
# whether there is room for what is distilled.
_BUDGET_LINES = (
    (16, False, True), (10, False, True), (8, True, True), (5, True, True), (4, True, False),
)  # fmt: skip


class BudgetPane(Lines, can_focus=True):
    """Gauges; one line where there is room for no more."""

    _status: Status | None = None
    _plan: RetentionReport | None = None
    _growth: Sequence[SweepSummary] = ()

    def show(self, status: Status) -> None:
        """Show what is used."""
        self._status = status
        self.refresh()

    def show_plan(self, plan: RetentionReport, growth: Sequence[SweepSummary]) -> None:
        """Show what goes next, and how it grew."""
        self._plan, self._growth = plan, growth
        self.refresh()

    def lines(self, width: int, height: int) -> Sequence[Sequence[Toned]]:
        """What fits."""
        if self._status is None:
            name = f"{self.key_of('pane.focus_2')} Budget "
            return [[(f"{name if height == 1 else ''} {self.waiting}", "dim")]]
        if height == 1:
            line = budget_line(self._status, self._plan, self.key_of, width)
            return [named(line, has_focus=self.has_focus)]
        figures = budget_lines(self._status, self._plan, self._growth, width - 2)
        return [[(" ", "plain"), *line] for line in figures]


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
        [(_caps(caps.soft, caps.hard, width), "dim")],
        [next_sweep_frees(plan, is_first=status.last_sweep is None)],
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


def next_sweep_frees(plan: RetentionReport | None, *, is_first: bool = False) -> Span:
    """What the next sweep would evict; the first one has nothing to."""
    if plan is None:
        return "nothing is kept yet" if is_first else "next sweep frees …", "dim"
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
    frees, frees_tone = next_sweep_frees(plan, is_first=status.last_sweep is None)
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
        if cells_of(spans) <= width:
            break
    return spans


def _of(value: int, limit: int) -> str:
    """A size of a limit, with one unit where both have the same."""
    some, most = short_bytes(value), short_bytes(limit)
    if some.split()[1] == most.split()[1]:
        some = some.split()[0]
    return f"{some} of {most}"


def _caps(soft: int, hard: int, width: int) -> str:
    """Both caps; where there is no room the hard one stands above."""
    some, most = short_bytes(soft), short_bytes(hard)
    if some.split()[1] == most.split()[1]:
        return f"soft ┊ {some.split()[0]}  hard {most}"
    both = f"soft ┊ {some}  hard {most}"
    return both if len(both) <= width else f"soft ┊ {some}"
