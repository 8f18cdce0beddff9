"""What approving a candidate would write, in the words of a reviewer's screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from helix_tui.text.human import compact, plural, wrap
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.told import next_step, told_words
from helix_tui.tui.review.why_text import why_lines

if TYPE_CHECKING:
    from pathlib import Path

    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.schema.board import ApprovalPreview
    from helix_tui.schema.context import Told
    from helix_tui.tui.kit.text_pane import Line

_FLOORS = {
    "min_frequency": "times",
    "min_sessions": "sessions",
    "min_cost_impact": "tokens",
    "words": "on what to do",
    "dist_require_cross_flavor": "agents",
    "dist_min_frequency": "times",
    "dist_min_cost_impact": "tokens",
}
# What a page needs besides to be handed out to agents.
_HANDED = "dist_"
_LABEL = 7
_LONGEST_TOLD = 400


class DraftLine(NamedTuple):
    """A line of guidance, whose words it is in, and whether these are a log's."""

    text: str
    origin: str
    is_of_log: bool


class Draft(NamedTuple):
    """The page that `a` would write, as far as a reviewer decides by it; all of it made safe.

    `effect` is what becomes of the page, in fewer words `short_effect`, `unmet` the floors that are
    missed; `page` is its text, with which a verdict says what was looked at. Where there is none,
    `refused` says why.
    """

    name: str
    refused: str = ""
    page: str = ""
    effect: str = ""
    short_effect: str = ""
    title: str = ""
    problem: str = ""
    applies: str = ""
    does_not_apply: str = ""
    guidance: Sequence[DraftLine] = ()
    met: Sequence[str] = ()
    unmet: Sequence[str] = ()
    scope: str = ""
    file: str = ""
    alike: Sequence[str] = ()
    words_of_log: Sequence[str] = ()
    rank: str = ""
    told: Told | None = None
    why: Sequence[str] = ()


def draft_of(name: str, preview: ApprovalPreview, folder: Path) -> Draft:
    """Read a preview, beside the keys."""
    from helix_tui.engine.review.rewording import pattern_of

    pattern = pattern_of(preview)
    return Draft(
        name,
        "",
        preview.page,
        _effect(preview, pattern),
        _short_effect(preview, pattern),
        safe_line(pattern.title),
        safe_line(pattern.problem),
        safe_line(pattern.applies),
        safe_line(pattern.does_not_apply),
        list(_guidance(preview, pattern)),
        [_floor(*floor) for floor in preview.floors if floor[3]],
        _missed([floor for floor in preview.floors if not floor[3]]),
        safe_line(_scope(pattern)),
        safe_line(_short(folder / f"{pattern.id}.md")),
        [safe_line(f"{other}: {reason}") for other, reason in preview.resembles],
        preview.words_of_log,
        _rank(preview),
        preview.told,
        list(why_lines(preview.reviewed.ranked)),
    )


def _rank(preview: ApprovalPreview) -> str:
    """Why it stands where it does in the list, by what that is in the order of."""
    ranked = preview.reviewed.ranked
    candidate, cure = ranked.candidate, ranked.remedy
    reason = safe_line(candidate.tier_reason)
    if candidate.tier == "fix" and cure is not None:
        read = " read" if candidate.drawn else ""
        reason = f"a way past it worked in {cure.sessions:,} of {cure.of:,}{read}"
    agents = ", ".join(
        f"{safe_line(name, 20)} {rate.having:,}" for name, rate in sorted(ranked.flavors.items())
    )
    cross = "XX, " if ranked.is_cross_flavor_firm else "X, " if ranked.is_cross_flavor else ""
    place = f"{candidate.tier}: {reason.removesuffix('.')}"
    return f"{place}; {cross}{agents}; score {ranked.score:.1f}"


def _effect(preview: ApprovalPreview, pattern: Pattern) -> str:
    standing = safe_line(preview.status)
    if pattern.distribution_ready:
        standing += ", ready for agents"
    if preview.action == "created":
        return f"a new page, {standing}"
    if preview.action == "unchanged":
        return f"nothing new, {standing}"
    return f"{safe_line(pattern.id, 60)} {pattern.version}, {standing}"


def _short_effect(preview: ApprovalPreview, pattern: Pattern) -> str:
    """What becomes of a page that is there, without the id, which its file tells."""
    standing = safe_line(preview.status)
    if preview.action in ("created", "unchanged"):
        return _effect(preview, pattern).removesuffix(", ready for agents")
    return f"version {pattern.version}, {standing}"


def _guidance(preview: ApprovalPreview, pattern: Pattern) -> Iterator[DraftLine]:
    """Every line of guidance with where it comes from: what worked how often, or whose words."""
    from helix_tui.curate.page.why import line_mark

    evidence, cure = pattern.evidence, preview.reviewed.ranked.candidate.cure
    whole = cure.of if cure and cure.sessions == evidence.remedied else evidence.sessions
    read = " and were read" if preview.reviewed.ranked.candidate.drawn else ""
    worked = f"worked in {evidence.remedied:,} of {whole:,} that got past it{read}"
    if cure is None or cure.sessions != evidence.remedied:
        worked = f"worked in {evidence.remedied:,} of {plural(whole, 'session')}"
    for raw in pattern.guidance.split("\n"):
        line = safe(raw).rstrip()
        if not line.strip():
            continue
        said = [session for session, text in preview.origins if text and text in raw]
        is_of_log = "guidance" in preview.words_of_log and bool(said)
        origins = []
        if evidence.remedied and line_mark(raw) == evidence.remedied_line:
            origins.append(worked)
        if is_of_log:
            origins.append(f"in words of {safe_line(said[0].partition(':')[0], 20)}'s log")
        elif not origins:
            origins.append(_SOURCES.get(pattern.provenance.guidance, ""))
        yield DraftLine(line, ", ".join(filter(None, origins)), is_of_log)


_SOURCES = {
    "advice": "general advice",
    "person": "in a person's words",
    "command": "worded by the drafting program",
}
_SCOPES = {
    "repo": "this repository",
    "machine": "this machine",
    "agent": "this agent",
    "everyone": "every agent and repository",
}


def _scope(pattern: Pattern) -> str:
    if pattern.scope.startswith("repo:"):
        return f"{_SCOPES['repo']}: {pattern.scope.removeprefix('repo:')}"
    named = _SCOPES.get(pattern.scope, pattern.scope)
    repos, flavors = pattern.evidence.repo_names, sorted(pattern.evidence.flavors)
    if pattern.scope == "repo" and len(repos) == 1:
        return f"{named}: {repos[0]}"
    return f"{named}: {flavors[0]}" if pattern.scope == "agent" and len(flavors) == 1 else named


def _floor(name: str, actual: int, needed: int, is_met: bool) -> str:
    if name == "words":
        return "says what to do" if is_met else "nothing says what to do yet"
    if is_met:
        return f"{compact(actual)} {_FLOORS.get(name, name)}"
    return f"{compact(actual)} of {compact(needed)} {_FLOORS.get(name, name)}"


def _missed(floors: Sequence[tuple[str, int, int, bool]]) -> list[str]:
    """What is missing to be a pattern, then to be handed out to agents: each said once."""
    own = [_floor(*floor) for floor in floors if not floor[0].startswith(_HANDED)]
    handed = [_floor(*floor) for floor in floors if floor[0].startswith(_HANDED)]
    return [*own, *([f"to be handed out: {', '.join(handed)}"] if handed else [])]


def _short(path: Path) -> str:
    """A path, from the home folder on where it is in there."""
    try:
        return f"~/{path.relative_to(path.home())}"
    except (ValueError, RuntimeError):
        return str(path)


def cut_path(path: str, width: int) -> str:
    """A path without the folders at its beginning, where it is too long for a line."""
    if cell_len(path) <= width:
        return path
    parts = path.split("/")
    shorter = (f"…/{'/'.join(parts[-left:])}" for left in (2, 1) if len(parts) > left)
    return next((one for one in shorter if cell_len(one) <= width), path)


def draft_lines(draft: Draft, width: int) -> tuple[list[Line], int]:
    """A draft in lines of a width, and how many of them must be seen: those with a log's words."""
    if draft.refused:
        return [[(f" {piece}", "dim")] for piece in wrap(draft.refused, width - 2)], 0
    words, width = draft.words_of_log, width - 2
    lines: list[Line] = []
    lines += _told("", draft.title, width, "strong")
    for at, line in enumerate(draft.guidance):
        lines += _told("", line.text, width, "warn" if line.is_of_log else "plain")
        following = draft.guidance[at + 1].origin if at + 1 < len(draft.guidance) else ""
        if line.origin and line.origin != following:  # what several have in common stands once
            lines += _told("  ", f"↳ {line.origin}", width, "dim")
    if not draft.guidance:
        lines += _told("", "(no guidance: what to do is for you to write)", width, "warn")
    lines += _told_already(draft.told, width) if not words else ()
    parts = (
        ("when", "applies", draft.applies),
        ("problem", "problem", draft.problem),
        ("not", "does_not_apply", draft.does_not_apply),
    )
    # Words of a log come first, so that they are in sight; they are read before `a` writes them.
    for label, field, text in parts:
        lines += _labelled(label, text, width, "warn") if field in words else ()
    if words:
        lines += _labelled(
            "note", f"a log's words in {', '.join(words)}: agents follow them", width
        )
    must_be_seen = len(lines) if words else 0
    for label, field, text in parts:
        lines += _labelled(label, text, width) if field not in words else ()
    lines += _told_already(draft.told, width) if words else ()
    met = list(dict.fromkeys(draft.met))
    lines += _labelled("gate", "; ".join([*(f"✗ {one}" for one in draft.unmet)]), width, "warn")
    lines += _labelled("" if draft.unmet else "gate", f"✓ {', '.join(met)}" if met else "", width)
    lines += _labelled("scope", draft.scope, width)
    lines += _labelled("file", cut_path(draft.file, width - _LABEL - 1), width)
    for other in draft.alike:
        lines += _labelled("alike", other, width)
    lines += _labelled("rank", draft.rank, width)
    return [[(" ", "plain"), *line] for line in lines], must_be_seen


def _told_already(told: Told | None, width: int) -> Iterator[Line]:
    """The lines of instructions that say it already, with file and line, and what to do then."""
    if told is None or told.state == "no":
        return
    yield from _labelled("rules", safe_line(told_words(told)), width, "warn")
    for line in told.lines:
        if line.coverage >= told.lines[0].coverage / 2:
            text = safe_line(f"{line.file}:{line.line}: {line.text}", _LONGEST_TOLD)
            yield from _labelled(" ", text, width)
    yield from _labelled(" ", next_step(told), width, "warn")


def _told(indent: str, text: str, width: int, tone: str) -> Iterator[Line]:
    for piece in wrap(text, max(8, width - len(indent))):
        yield [(indent + piece, tone)]


def _labelled(label: str, text: str, width: int, tone: str = "plain") -> Iterator[Line]:
    if not text:
        return
    for number, piece in enumerate(wrap(text, max(8, width - _LABEL - 1))):
        head = label if not number else ""
        yield [(f"{head:<{_LABEL}} ", "dim"), (piece, tone)]
