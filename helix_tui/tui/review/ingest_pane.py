"""The ingest pane: what came in by agent, what is wrong, what vanishes, the last sweep."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from helix_tui.text.human import ago, plural, short_bytes, wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.lines import Lines, Span, Toned, cells_of, named

if TYPE_CHECKING:
    from helix_tui.engine.status import FlavorStatus, Status
    from helix_tui.tui.messages import SweepState

# How often it is looked whether a sweep is another minute ago.
_SECONDS_BETWEEN_LOOKS = 20
# Agents that are named however little room there is, and the lines below them; agents on one line.
_LEAST_AGENTS, _OTHER_LINES = 3, 4
_MOST_ON_A_LINE = 5


class IngestPane(Lines, can_focus=True):
    """Counts by agent; one line where there is room for no more."""

    _status: Status | None = None
    _clock: Callable[[], float] = time.time
    _sweep: SweepState | None = None
    notice = ""

    def on_mount(self) -> None:
        """How long ago a sweep was changes by itself."""
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self.refresh)

    def show(self, status: Status, clock: Callable[[], float] = time.time) -> None:
        """Show how things stand; the clock says how long ago something was."""
        self._status = status
        self._clock = clock
        self.refresh()

    def show_sweep(self, sweep: SweepState | None) -> None:
        """Say how fast a sweep runs, or that none does."""
        self._sweep = sweep
        self.refresh()

    def lines(self, width: int, height: int) -> Sequence[Sequence[Toned]]:
        """What fits."""
        if self._status is None:
            name = f"{self.key_of('pane.focus_1')} Ingest "
            return [[(f"{name if height == 1 else ''} {self.waiting}", "dim")]]
        if height == 1:
            line = ingest_line(self._status, self._clock(), self._sweep, self.key_of, width)
            return [named(line, has_focus=self.has_focus)]
        figures = ingest_lines(self._status, self._clock(), self._sweep, self.key_of, height)
        if self.notice:
            # What a toast says for a moment stays where there is room for it.
            notice: list[list[Span]] = [[(piece, "warn")] for piece in wrap(self.notice, width - 2)]
            figures += [[], *notice] if len(figures) + len(notice) < height else []
        return [[(" ", "plain"), *line] for line in figures]


def ingest_lines(
    status: Status,
    now: float,
    sweep: SweepState | None,
    key: Callable[[str], str],
    height: int = 24,
) -> list[list[Span]]:
    """The ingest pane: agents with their counts, problems, what vanishes, the last sweep.

    `key` says which key an action has. Where there is no room for all agents, those with the most
    sessions are named.
    """
    lines: list[list[Span]] = []
    agents, others = _with_room(status.shown, max(_LEAST_AGENTS, height - _OTHER_LINES))
    for agent in agents:
        line: list[Span] = [
            (f"{safe_line(agent.flavor, 8):<8}", "plain"),
            (f"{agent.sessions:>7,}", "strong"),
        ]
        if agent.uncaptured:
            line.append((f"  +{agent.uncaptured:,}", "good"))
        lines.append(line)
    if others:
        sessions = sum(agent.sessions for agent in others)
        lines.append([(f"{f'{len(others)} more':<8}", "plain"), (f"{sessions:>7,}", "strong")])
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


def _with_room(
    agents: list[FlavorStatus], room: int
) -> tuple[list[FlavorStatus], list[FlavorStatus]]:
    """The agents that are named, in their order, and those for which there is no room."""
    if len(agents) <= room:
        return agents, []
    most = sorted(agents, key=lambda agent: -agent.sessions)[: room - 1]
    return [agent for agent in agents if agent in most], [
        agent for agent in agents if agent not in most
    ]


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
    """The ingest pane on one line; where room is short the last sweep goes first, then agents."""
    rest: list[Span] = [
        (f"  {plural(status.problems, 'problem')}", "warn" if status.problems else "dim")
    ]
    soon, _ = vanishing(status)
    if soon:
        rest.append((f"  {soon:,} vanish in 3 d", "warn"))
    spans: list[Span] = []
    for most in range(_MOST_ON_A_LINE, 0, -1):
        spans = [(f"{key('pane.focus_1')} Ingest", "dim"), *_agent_spans(status, most), *rest]
        if cells_of(spans) <= width:
            break
    last = rate_text(sweep) if sweep is not None else last_sweep_line(status, now, key)
    return [*spans, (f"  {last}", "dim")] if cells_of(spans) + len(last) + 2 <= width else spans


def _agent_spans(status: Status, most: int) -> list[Span]:
    """At most so many agents with their sessions, and how many there are besides."""
    spans: list[Span] = []
    named_agents, others = _with_room(status.shown, most)
    for agent in named_agents:
        spans.append((f" {safe_line(agent.flavor, 9)} ", "plain"))
        spans.append((f"{agent.sessions:,}", "strong"))
        if agent.uncaptured:
            spans.append((f" +{agent.uncaptured:,}", "good"))
    if others:
        spans.append((f" and {len(others)} more", "dim"))
    return spans
