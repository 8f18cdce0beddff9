"""What stands beside a page that somebody writes: gate, doubles, mistakes, and the preview."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len

from helix_tui.curate.page.pattern import Pattern
from helix_tui.distribute.words import rule_faults, tokens_of_rule
from helix_tui.engine.distribute.taught_text import taught_text
from helix_tui.engine.distribute.teachings import rule_of
from helix_tui.engine.review.page_check import Fault
from helix_tui.schema.board import ApprovalPreview
from helix_tui.text.human import wrap
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.kit.lines import Toned

_MOST_FAULTS, _SHORT_ID = 20, 8
_FLOORS = {
    "min_frequency": "times",
    "min_sessions": "sessions",
    "min_cost_impact": "tokens spent",
    "dist_require_cross_flavor": "agents, to hand out",
    "dist_min_frequency": "times, to hand out",
    "dist_min_cost_impact": "tokens, to hand out",
}


def side_lines(
    preview: ApprovalPreview,
    pattern: Pattern | None,
    faults: Sequence[Fault],
    agent: str,
    width: int,
) -> list[list[Toned]]:
    """All that is said beside the page, in lines of a width."""
    parts = (
        _mistakes(faults, width),
        _origins(preview, width),
        _approving(preview, width),
        _gate(preview, width),
        _doubles(preview, width),
        _preview(pattern, agent, width),
    )
    lines: list[list[Toned]] = []
    for part in parts:
        part_lines = list(part)
        if part_lines:
            lines += [[("", "plain")], *part_lines] if lines else part_lines
    return lines


def agents_of(preview: ApprovalPreview, pattern: Pattern, configured: Iterable[str]) -> list[str]:
    """Whose preview there is: the agents that had it first, then the others."""
    seen = sorted(pattern.evidence.flavors)
    return list(dict.fromkeys([*seen, *sorted(pattern.rendering), *configured]))


def globs_of(text: str) -> list[str]:
    """The patterns of file names in a line: commas part them, but within braces."""
    globs, depth = [""], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}" and depth > 0)
        if sign == "," and not depth:
            globs.append("")
        else:
            globs[-1] += sign
    return [glob.strip() for glob in globs if glob.strip()]


def _mistakes(faults: Sequence[Fault], width: int) -> Iterator[list[Toned]]:
    if not faults:
        return
    yield [("Mistakes  ", "title"), ("it cannot be approved like this", "bad")]
    for fault in faults[:_MOST_FAULTS]:
        yield from _told("✗ ", safe_line(str(fault)), width, "bad")


def _approving(preview: ApprovalPreview, width: int) -> Iterator[list[Toned]]:
    if preview.action == "unchanged":
        effect = "changes nothing but what you write"
    elif preview.action == "created":
        effect = "makes a new pattern"
    else:
        effect = (
            f"adds to {safe_line(preview.into)}"
            if preview.into
            else "brings the pattern up to date"
        )
    yield [("Approving  ", "title"), (effect, "plain")]


def _gate(preview: ApprovalPreview, width: int) -> Iterator[list[Toned]]:
    ready = "met" if all(is_met for *_, is_met in preview.floors) else "not all met"
    yield [("Gate  ", "title"), (f"{safe_line(preview.status)}, floors {ready}", "plain")]
    for name, actual, needed, is_met in preview.floors:
        sign, tone = ("✓ ok  ", "good") if is_met else ("✗ low ", "warn")
        figures = f"{actual:>7,} {'≥' if is_met else '<'} {needed:,} {_FLOORS.get(name, name)}"
        if name == "words":
            figures = "says what to do" if is_met else "nothing says what to do yet"
        yield [(sign, tone), (figures[: max(8, width - 6)], "plain")]


def _doubles(preview: ApprovalPreview, width: int) -> Iterator[list[Toned]]:
    if not preview.resembles and not preview.into:
        yield [("Alike in the catalog  ", "title"), ("nothing", "dim")]
        return
    yield [("Alike in the catalog", "title")]
    why = dict(preview.resembles)
    if preview.into:
        reason = f": {why[preview.into]}" if preview.into in why else ""
        yield from _told("→ ", safe_line(f"goes into {preview.into}{reason}"), width, "warn")
    for name, reason in preview.resembles:
        if name != preview.into:
            yield from _told("≈ ", safe_line(f"{name}: {reason}"), width, "plain")


def _origins(preview: ApprovalPreview, width: int) -> Iterator[list[Toned]]:
    """Whose words stand in it that are not ours."""
    if preview.program:
        sentence = f"Worded by {safe_line(preview.program)}; read it before you approve."
        yield from _told("", sentence, width, "warn")
    if not preview.words_of_log:
        return
    head, fields = "Words of a log  ", f"in {', '.join(preview.words_of_log)}"
    if cell_len(head + fields) <= width:
        yield [(head, "title"), (fields, "warn")]
    else:
        yield [(head, "title")]
        yield from _told("", fields, width, "warn")
    yield from _told("", "Agents would follow them: read them before you approve.", width, "warn")
    # A session stands once, above all that is from it.
    texts: dict[str, list[str]] = {}
    for session, text in dict.fromkeys(preview.origins):
        texts.setdefault(session, []).append(text)
    for session, parts in texts.items():
        yield [(_shortened(f"from {session}", width), "dim")]
        for line in (line for text in parts for line in safe(text).split("\n")):
            yield from _told("  ", line, width, "plain")


def _shortened(text: str, width: int) -> str:
    """The id of a session, of which its beginning is enough, where not all of it fits."""
    name = safe_line(text)
    if cell_len(name) <= width:
        return name
    head, colon, native = name.partition(":")
    return f"{head}{colon}{native[:_SHORT_ID]}"


def _preview(pattern: Pattern | None, agent: str, width: int) -> Iterator[list[Toned]]:
    if pattern is None:
        yield [("Preview  ", "title"), ("when the mistakes are mended", "dim")]
        return
    yield [
        ("As ", "title"),
        (safe_line(agent, 40), "title"),
        (" would receive it", "title"),
    ]
    taught = taught_text(pattern, agent)
    if not taught:
        yield [("Nothing: it is retired, or has no words yet.", "dim")]
    for place, text in taught:
        yield [(safe_line(place, width), "dim")]
        for line in safe(text).rstrip("\n").split("\n"):
            yield from _told("  ", line, width, "plain")
    rule = rule_of(pattern)
    size = f"{len(rule):,} characters, about {tokens_of_rule(rule):,} tokens in every session"
    yield from _told("  ", size, width, "dim")
    for fault in rule_faults(rule) if rule else ():
        yield from _told("✗ ", f"no agent gets it: {fault}", width, "warn")


def _told(sign: str, text: str, width: int, tone: str) -> Iterator[list[Toned]]:
    for number, piece in enumerate(wrap(text, max(8, width - len(sign)))):
        yield [(sign if not number else " " * len(sign), tone), (piece, tone)]
