"""What panes say of plain data; every word of a log in it went through `safe`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len

from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.review.rows import ReviewRow, compact, score_text, sparkline

if TYPE_CHECKING:
    from helix_tui.engine.status import Status
    from helix_tui.schema import RetentionReport, SweepSummary
    from helix_tui.schema.candidate import Candidate
    from helix_tui.tui.messages import SweepState

_LINE_LIMIT = 2_000
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
# The budget on one line, the best first: how long its bar is, whether it is short of words, and
# whether there is room for what is distilled.
_BUDGET_LINES = (
    (16, False, True), (10, False, True), (8, True, True), (5, True, True), (4, True, False),
)  # fmt: skip
Mark = Literal["call", "wrong", "right", "said", "plain", "why", "dim"]
# What a part of a line is, for the eye: how it is drawn is a matter of the theme.
Tone = Literal["plain", "dim", "strong", "good", "warn", "bad"]
Span = tuple[str, Tone]


class Occurrence(NamedTuple):
    """One place where a candidate was seen."""

    session: str
    fingerprint: int
    flavor: str
    repo: str
    ts: int | None
    text: str


def occurrences_of(
    candidate: Candidate, excerpts: Mapping[tuple[str, int], str]
) -> list[Occurrence]:
    """The occurrences of a candidate that something is known of, as it cites them."""
    found: list[Occurrence] = []
    for cited in candidate.evidence:
        root = cited.session.rpartition(".")[0]
        member = candidate.members.get(cited.session) or candidate.members.get(root)
        flavor = cited.session.partition(":")[0]
        repo = member.repo if member else ""
        said = excerpts.get((cited.session, cited.fingerprint), "")
        found.append(Occurrence(cited.session, cited.fingerprint, flavor, repo, cited.ts, said))
    return found


def moment(ts_ms: int | None) -> str:
    """A time as people read it, UTC."""
    if ts_ms is None:
        return "at an unknown time"
    try:
        return datetime.fromtimestamp(ts_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"


def day(ts_ms: int | None) -> str:
    """The day of a time, UTC, in ten characters."""
    said = moment(ts_ms)[:10]
    return said if said[:1].isdigit() else "unknown"


def evidence_title(at: int, occurrences: Sequence[Occurrence]) -> str:
    """What stands in the title of the evidence pane."""
    if not occurrences:
        return ""
    one = occurrences[at]
    repo = f" · repo {safe_line(one.repo, 40)}" if one.repo else ""
    flavor = safe_line(one.flavor, 20)
    return f"{at + 1} of {len(occurrences):,} · {flavor}{repo} · {moment(one.ts)}"


def excerpt_lines(text: str, kind: str) -> list[tuple[Mark, str]]:
    """An excerpt line by line, each with what it is: a call, the decisive line, what came next."""
    raw = text.split("\n")
    decisive = _decisive(raw, kind)
    lines: list[tuple[Mark, str]] = []
    for at, line in enumerate(raw):
        shown = safe(line[:_LINE_LIMIT]) + ("…" if len(line) > _LINE_LIMIT else "")
        if at == decisive:
            lines.append(("right" if kind == "success" else "wrong", shown))
        elif line.startswith("then "):
            lines.append(("call", shown.removeprefix("then ")))
        elif at == 0 or line.startswith("$ "):
            lines.append(("call", shown))
        elif line.startswith(("user: ", "agent: ")):
            lines.append(("said", shown))
        else:
            lines.append(("plain", shown))
    return lines


def _decisive(lines: Sequence[str], kind: str) -> int:
    """The line that an occurrence is about: what a user said, what passed, or what failed."""
    user = [at for at, line in enumerate(lines) if line.startswith("user: ")]
    if user:
        return user[-1]
    if kind == "success":
        passed = [at for at, line in enumerate(lines) if line.startswith("passed")]
        return passed[-1] if passed else len(lines) - 1
    body = [at for at, line in enumerate(lines) if at and not line.startswith("then ")]
    if not body:
        return 0
    from helix_tui.text.signature.naming import error_line

    named = error_line("\n".join(lines[at] for at in body), None)
    return next((at for at in body if named and named in lines[at]), body[0])


def why_here(row: ReviewRow) -> str:
    """Why a candidate stands where it does, in its own figures."""
    return (
        f"why here: {_count(row.sessions, 'session')}, "
        f"{_count(len(row.flavors), 'agent')}, {_count(len(row.repos), 'repo')}, "
        f"{compact(row.cost)} tokens spent, score {score_text(row.score)}"
    )


def _count(count: int, one: str) -> str:
    return f"{count:,} {one if count == 1 else one + 's'}"


def human_bytes(count: int) -> str:
    """A size as people read it."""
    size = float(count)
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable: the last unit takes every size")


def ago(seconds: float) -> str:
    """How long ago something was, roughly."""
    if seconds < _MINUTE:
        return "just now"
    for limit, size, unit in ((_HOUR, _MINUTE, "min"), (_DAY, _HOUR, "h")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds / _DAY:.0f} d ago"


def clock(seconds: float) -> str:
    """A duration as minutes and seconds, or hours."""
    whole = int(seconds)
    if whole >= _HOUR:
        return f"{whole // _HOUR}:{whole % _HOUR // 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def ingest_lines(
    status: Status, now: float, sweep: SweepState | None, key: Callable[[str], str]
) -> list[list[Span]]:
    """The ingest pane: agents with their counts, problems, what vanishes, the last sweep.

    `key` says which key an action has.
    """
    lines: list[list[Span]] = []
    for one in status.flavors:
        line: list[Span] = [
            (f"{safe_line(one.flavor, 8):<8}", "plain"),
            (f"{one.sessions:>7,}", "strong"),
        ]
        if one.uncaptured:
            line.append((f"  +{one.uncaptured:,}", "good"))
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
    return f"sweep {_short(int(sweep.bytes_done / sweep.seconds))}/s"


def vanishing(status: Status) -> tuple[int, int]:
    """How many logs that are not captured go within three and within seven days."""
    clocks = [one.clock for one in status.flavors if one.clock]
    return (
        sum(one.vanish_within_3_days for one in clocks),
        sum(one.vanish_within_7_days for one in clocks),
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
    for one in status.flavors:
        spans.append((f" {safe_line(one.flavor, 9)} ", "plain"))
        spans.append((f"{one.sessions:,}", "strong"))
        if one.uncaptured:
            spans.append((f" +{one.uncaptured:,}", "good"))
    spans.append((f"  {_count(status.problems, 'problem')}", "warn" if status.problems else "dim"))
    soon, _ = vanishing(status)
    if soon:
        spans.append((f"  {soon:,} vanish in 3 d", "warn"))
    last = rate_text(sweep) if sweep is not None else last_sweep_line(status, now, key)
    return [*spans, (f"  {last}", "dim")] if _cells(spans) + len(last) + 2 <= width else spans


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)


def gauge(value: int, limit: int, mark: int | None, width: int) -> str:
    """A bar with eighths, where `┊` shows a lesser limit."""
    share = min(1.0, value / limit) if limit > 0 else 1.0
    eighths = round(share * width * 8)
    if value > 0:
        eighths = max(eighths, 1)
    full, rest = divmod(eighths, 8)
    bar = ["█"] * full + ([" ▏▎▍▌▋▊▉"[rest]] if rest else [])
    bar += ["·"] * (width - len(bar))
    if mark is not None and limit > 0:
        at = min(width - 1, int(mark / limit * width))
        if at >= full + bool(rest):
            bar[at] = "┊"
    return f"▕{''.join(bar[:width])}▏"


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
    line = sparkline([one.raw_usage for one in growth], max(4, width - 8))
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
    return f"next sweep frees {_short(freed)}", "warn"


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
            spans.append((f"  distilled {_short(usage.distilled)}", "plain"))
        if _cells(spans) <= width:
            break
    return spans


def _of(value: int, limit: int) -> str:
    """A size of a limit, with one unit where both have the same."""
    some, most = _short(value), _short(limit)
    if some.split()[1] == most.split()[1]:
        some = some.split()[0]
    return f"{some} of {most}"


def _caps(soft: int, hard: int) -> str:
    some, most = _short(soft), _short(hard)
    if some.split()[1] == most.split()[1]:
        return f"soft ┊ {some.split()[0]}  hard {most}"
    return f"soft ┊{some} hard {most}"


def _short(count: int) -> str:
    """A size in at most three digits."""
    size = float(count)
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if size >= 9.95 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable: the last unit takes every size")
