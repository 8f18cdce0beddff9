"""What the context screen says of each repository and agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from helix_tui.text.human import human_bytes, plural, wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.text_pane import Line

if TYPE_CHECKING:
    from helix_tui.schema.context import ContextFile, LineAbout, RepoContext
    from helix_tui.schema.distribute import TargetStatus

# Where an agent has no cap: as many bytes as are still followed well.
WORTH = 40_000
_GAUGE = 10
_LONGEST = 400

# Each order of the list; most sessions first in the first one.
SORTS: dict[str, Callable[[RepoContext], tuple[Any, ...]]] = {
    "sessions": lambda row: (row.context is None, -row.sessions),
    "repo": lambda row: (row.repo, row.agent),
    "warnings": lambda row: (-warnings_of(row), row.repo),
    "size": lambda row: (-used_of(row), row.repo),
}


def searched(row: RepoContext) -> str:
    """What a filter looks into, in lower case."""
    kinds = " ".join(warning.kind for warning in row.context.warnings) if row.context else "gone"
    states = " ".join(about.state for about in row.lines)
    return f"{row.repo} {row.agent} {row.cwd} {kinds} {states}".lower()


def warnings_of(row: RepoContext) -> int:
    """How many warnings there are."""
    return len(row.context.warnings) if row.context else 0


def used_of(row: RepoContext) -> int:
    """How many bytes count against the cap."""
    context = row.context
    if context is None:
        return 0
    return context.used if context.cap is not None else sum(one.bytes for one in context.loaded)


def cap_of(row: RepoContext) -> int:
    """The most bytes that are loaded, or that are worth it."""
    context = row.context
    return context.cap if context is not None and context.cap is not None else WORTH


def violated_of(row: RepoContext) -> int:
    """How many lines were seen and not kept to."""
    return sum(1 for about in row.lines if about.line.violated)


def gauge(used: int, cap: int, width: int = _GAUGE) -> tuple[str, str]:
    """A bar of how full something is, with its tone."""
    share = used / cap if cap else 1.0
    filled = min(width, max(round(share * width), 1 if used else 0))
    tone = "bad" if share > 1 else "warn" if share > 0.8 else "good"
    return f"{'█' * filled}{'░' * (width - filled)}", tone


def page_lines(
    row: RepoContext,
    below: Sequence[ContextFile],
    width: int,
    standing: Sequence[TargetStatus] = (),
) -> list[Line]:
    """All of a context: warnings, what is distributed, files, lines that are not kept to."""
    lines = _page(row, below, max(20, width - 2), standing)
    return [[(" ", "plain"), *line] for line in lines]


def _page(
    row: RepoContext,
    below: Sequence[ContextFile],
    width: int,
    standing: Sequence[TargetStatus],
) -> Iterator[Line]:
    if standing:
        yield [("Distributed here", "title")]
        for one in standing:
            tone = "plain" if one.state == "clean" else "warn"
            text = f"  {one.state:<9} {one.pattern} {one.version} since {one.since[:10]}"
            where = one.file.removeprefix(f"{row.cwd.rstrip('/')}/")
            yield from _wrapped(f"{text} in {where}", width, tone, hang=10)
        yield []
    context = row.context
    if context is None:
        gone = f"{row.cwd or 'Its folder'} is not there any more: nothing can be loaded from it."
        yield from _wrapped(gone, width, "warn")
    else:
        for warning in context.warnings:
            yield from _wrapped(f"! {warning.path} {warning.message}", width, "warn")
        known = {file.path for file in context.files}
        further = [file for file in below if file.path not in known]
        for number, file in enumerate([*context.files, *further], 1):
            yield from _file(file, number, row, width)
        if context.skills:
            names = ", ".join(skill.name for skill in context.skills)
            yield from _wrapped(f"skills: {names}", width, "dim")
    if row.lines:
        yield []
        yield [("What recurs, and the lines that say it", "title")]
        for about in row.lines:
            yield from _about(about, width)


def _file(file: ContextFile, number: int, row: RepoContext, width: int) -> Iterator[Line]:
    name = file.path.removeprefix(f"{row.cwd.rstrip('/')}/")
    if not file.is_loaded:
        mark = "~" if file.state == "lazy" else "-"
        yield from _wrapped(f"  {mark} {name}: {file.reason}", width, "dim")
        return
    bar, tone = gauge(file.bytes, cap_of(row), 6)
    figures = f"{human_bytes(file.bytes):>9}  {plural(file.lines, 'line')}"
    yield [
        (f"{number:>3} ", "plain"),
        (f"{bar} ", tone),
        (safe_line(f"{name}  ", _LONGEST), "strong"),
        (safe_line(f"{figures}  {file.scope}", 60), "dim"),
    ]
    if file.cut_at is not None:
        yield from _wrapped(f"      {file.reason}", width, "bad")


def _about(about: LineAbout, width: int) -> Iterator[Line]:
    line = about.line
    ended = f"kept to in {line.followed:,}" if line.followed else f"violated in {line.violated:,}"
    seen = f"seen in {line.seen:,}, {ended}" if line.seen else "never seen"
    if line.state == "unloaded":
        seen = f"not loaded: {line.why}"
    tone = "bad" if about.state == "cause" else "warn"
    yield from _wrapped(f"{about.state}  {about.title}", width, tone)
    yield from _wrapped(f"  {line.file}:{line.line}  {line.text}", width, "plain")
    yield from _wrapped(f"  {seen}", width, "dim")


def _wrapped(text: str, width: int, tone: str, hang: int = 0) -> Iterator[Line]:
    """A text on as many lines as it takes, the further ones further in."""
    indent = " " * (len(text) - len(text.lstrip()))
    pieces = wrap(safe_line(text.strip(), 1_000), max(12, width - len(indent) - hang))
    for number, piece in enumerate(pieces):
        yield [(f"{indent}{' ' * hang if number else ''}{piece}", tone)]
