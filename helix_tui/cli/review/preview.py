"""One candidate as a reviewer sees it: laid out for the screen there is, the head never cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.text.human import plural, sparkline, wrap
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.schema.board import ApprovalPreview

Style = Literal["", "bold", "dim"]
_ROOMY = 34  # so many lines leave room for empty ones
_MOST_TITLE = 2
_MOST_NOTES = 3
_MOST_MESSAGE = 8
_MOST_EXCERPTS = 2
_LEAST_GUIDANCE = 3
_LEAST_EXCERPT = 3
_GATE_COLUMN = 38


class PreviewLine(NamedTuple):
    """One line of the screen."""

    text: str
    style: Style = ""


class Size(NamedTuple):
    """The size of the screen in lines and columns."""

    width: int
    height: int


def rows_of(
    preview: ApprovalPreview,
    pattern: Pattern,
    place: str,
    message: Sequence[str],
    keys: str,
    size: Size,
) -> list[PreviewLine]:
    """An approval preview that fits the screen; excerpts are cut first, then notes."""
    width = size.width
    head = [
        *_head(preview, place, width),
        *_told(preview, width),
        *_gate(preview, width),
        *_approving(preview, pattern, width),
    ]
    message_lines = _wrapped_all(map(safe_line, message), width)
    if len(message_lines) > _MOST_MESSAGE:
        message_lines[_MOST_MESSAGE - 1 :] = ["…"]
    message_rows = [PreviewLine(line, "bold") for line in message_lines]
    foot = [*message_rows, *(PreviewLine(line) for line in wrapped(keys, width - 1))]
    room = size.height - len(head) - len(foot)
    gap = [PreviewLine("")] if size.height >= _ROOMY else []
    body = _body(preview, pattern, width, room - 3 * len(gap), gap)
    # On a screen of a few lines the keys and the message are what must be seen.
    return [*head, *gap, *body][: max(0, size.height - len(foot))] + foot


def all_rows(preview: ApprovalPreview, pattern: Pattern, width: int) -> list[PreviewLine]:
    """The whole approval preview, whatever room it takes."""
    cited = {excerpt.session for excerpt in pattern.excerpts}
    rows = [PreviewLine(line) for line in _wrapped_all(preview.page.split("\n"), width)]
    for session, at, text in preview.excerpts:
        if session in cited:
            continue
        rows += [PreviewLine(""), PreviewLine(safe_line(f"{session}  {(at or '')[:16]}"), "dim")]
        rows += [PreviewLine(f"  {line}") for line in _wrapped_all(text.split("\n"), width - 2)]
    return [*rows, *(PreviewLine(line) for line in _notes(preview, width))]


def origin_rows(preview: ApprovalPreview, pattern: Pattern, width: int) -> list[PreviewLine]:
    """Where words come from that are not ours, with the fields that hold them."""
    rows: list[PreviewLine] = []
    fields = preview.words_of_log
    if preview.program:
        rows.append(
            PreviewLine(safe_line(f"Worded by the drafting program {preview.program}."), "bold")
        )
        fields = ["title", "problem", "applies", "does_not_apply", "guidance"]
    if preview.words_of_log:
        listed = ", ".join(preview.words_of_log)
        rows.append(
            PreviewLine(f"Words of a log stand in: {listed}. Agents would follow them.", "bold")
        )
    for name in fields:
        rows.append(PreviewLine(f"{name}:", "dim"))
        text = str(getattr(pattern, name))
        rows += [PreviewLine(f"  {line}") for line in _wrapped_all(text.split("\n"), width - 2)]
    for session, text in preview.origins:
        rows.append(PreviewLine(f"from {safe_line(session)}:", "dim"))
        rows += [PreviewLine(f"  {line}") for line in _wrapped_all(text.split("\n"), width - 2)]
    return rows


def wrapped(line: str, width: int) -> list[str]:
    """One line of any text, made safe, as lines of the screen."""
    return wrap(safe(line), width)


def _wrapped_all(lines: Iterable[str], width: int) -> list[str]:
    return [piece for line in lines for piece in wrapped(line, width)]


def _cut(lines: list[str], most: int) -> list[str]:
    """At most so many lines; the last says how many more there are."""
    if len(lines) <= most:
        return lines
    if most <= 0:
        return []
    return [*lines[: most - 1], f"… {plural(len(lines) - most + 1, 'line')} more: v shows all"]


def _head(preview: ApprovalPreview, place: str, width: int) -> Iterator[PreviewLine]:
    ranked, review = preview.reviewed.ranked, preview.reviewed.review
    candidate = ranked.candidate
    cross = "XX" if ranked.is_cross_flavor_firm else "X" if ranked.is_cross_flavor else ""
    first = f"{place}  score {ranked.score:.1f}  {cross}".rstrip()
    for line in wrapped(f"{first}  {safe_line(candidate.id)}", width)[:1]:
        yield PreviewLine(line, "dim")
    for line in _cut(wrapped(safe_line(candidate.title), width), _MOST_TITLE):
        yield PreviewLine(line, "bold")
    facts = [candidate.kind, candidate.signal, candidate.error_class, candidate.subject]
    classification = ", ".join(safe_line(part) for part in facts if part)
    merged = f"; {plural(len(review.merged), 'candidate')} merged in" if review.merged else ""
    yield PreviewLine(wrapped(f"{classification}{merged}", width)[0])
    for line in _cut(wrapped(_figures(preview), width), 2):
        yield PreviewLine(line)
    if preview.reviewed.verdict != "open" and preview.reviewed.changed:
        by = f"{review.verdict} {review.at[:10]} by {review.author}"
        changed = f"Since it was {by}: {preview.reviewed.changed}"
        yield PreviewLine(wrapped(safe_line(changed), width)[0], "bold")
    elif preview.reviewed.verdict != "open":
        decided = f"{preview.reviewed.verdict} {review.at[:10]} by {review.author}"
        yield PreviewLine(wrapped(safe_line(decided), width)[0])


def _figures(preview: ApprovalPreview) -> str:
    ranked = preview.reviewed.ranked
    times = f", {ranked.frequency:,} times" if ranked.frequency > ranked.brief.sessions else ""
    agents = ", ".join(f"{name} {rate.having:,}" for name, rate in sorted(ranked.flavors.items()))
    repos = plural(sum(1 for name in ranked.repos if name), "repository", "repositories")
    trend = sparkline(ranked.trend)
    return safe_line(
        f"{plural(ranked.brief.sessions, 'session')}{times}: {agents}; {repos}; "
        f"{ranked.cost_impact:,} tokens; {ranked.state}, last seen "
        f"{(iso(ranked.last_ts) or '-')[:10]}{f' {trend}' if trend else ''}"
    )


def _told(preview: ApprovalPreview, width: int) -> Iterator[PreviewLine]:
    """The line that says it already, and what to do about that."""
    told = preview.told
    if told.state == "no":
        return
    from helix_tui.text.told import next_step, told_words

    line = told.lines[0]
    place = f"{line.file}:{line.line}: {line.text}"
    yield PreviewLine(wrapped(safe_line(told_words(told)), width)[0], "bold")
    yield PreviewLine(wrapped(safe_line(place), width)[0])
    if step := next_step(told):
        for text in _cut(wrapped(step, width), 2):
            yield PreviewLine(text)


def _gate(preview: ApprovalPreview, width: int) -> Iterator[PreviewLine]:
    """Every floor with what there is and what is needed, in as many columns as fit."""
    cells = [
        f"{'ok  ' if is_met else 'low '} {name} {actual:,} of {needed:,}"
        for name, actual, needed, is_met in preview.floors
    ]
    columns = max(1, width // _GATE_COLUMN)
    for start in range(0, len(cells), columns):
        row = cells[start : start + columns]
        yield PreviewLine(
            "  ".join(cell.ljust(_GATE_COLUMN - 2) for cell in row)[:width].rstrip(), "dim"
        )


def _approving(preview: ApprovalPreview, pattern: Pattern, width: int) -> Iterator[PreviewLine]:
    """What approving would write, into what, and why."""
    name, version = safe_line(pattern.id), pattern.version
    standing = (
        f"{preview.status}, ready for agents" if pattern.distribution_ready else preview.status
    )
    why = dict(preview.resembles)
    if preview.action == "unchanged":
        effect = f"a changes nothing in {name} {version}, {standing}"
    elif preview.action == "created":
        effect = f"a makes {name} {version}, {standing}"
    elif preview.into:
        reason = f": {why[preview.into]}" if preview.into in why else ""
        effect = f"a adds to {name}, now {version}, {standing}{reason}"
    else:
        effect = f"a brings {name} to {version}, {standing}"
    for line in _cut(wrapped(safe_line(effect), width), 2):
        yield PreviewLine(line)
    similar = [(other, reason) for other, reason in preview.resembles if other != preview.into]
    for other, reason in similar[:1]:
        more = f" (and {len(similar) - 1} more)" if len(similar) > 1 else ""
        yield PreviewLine(wrapped(safe_line(f"It resembles {other}: {reason}{more}"), width)[0])
    if preview.program:
        effect = f"Worded by {preview.program}: a shows the words again before it is approved"
        yield PreviewLine(wrapped(safe_line(effect), width)[0])
    if preview.words_of_log:
        effect = (
            f"Words of a log in {', '.join(preview.words_of_log)}: a shows first whose they are"
        )
        yield PreviewLine(wrapped(effect, width)[0])


def _body(
    preview: ApprovalPreview, pattern: Pattern, width: int, room: int, gap: list[PreviewLine]
) -> list[PreviewLine]:
    """Guidance, notes and excerpts, each cut so that something of the others is seen."""
    notes = _notes(preview, width)
    notes = notes[-_MOST_NOTES:] if len(notes) > _MOST_NOTES else notes
    has_excerpt = bool(preview.excerpts)
    guidance = [
        *wrapped(safe_line(pattern.title), width),
        *_wrapped_all(pattern.guidance.split("\n"), width),
    ]
    reserved = len(notes) + (_LEAST_EXCERPT if has_excerpt else 0)
    guidance = _cut(guidance, max(_LEAST_GUIDANCE, room - reserved))
    notes = notes[: max(0, room - len(guidance))]
    rows = [
        PreviewLine(line, "bold" if number == 0 else "") for number, line in enumerate(guidance)
    ]
    rows += [*gap, *(PreviewLine(line) for line in notes)] if notes else []
    excerpt_room = room - len(guidance) - len(notes)
    excerpts = list(_excerpts(preview, width, excerpt_room))
    return [*rows, *gap, *excerpts] if excerpts else rows


def _notes(preview: ApprovalPreview, width: int) -> list[str]:
    return [
        line
        for at, author, text in preview.reviewed.review.notes
        for line in wrapped(safe_line(f"{at[:10]} {author}: {text}"), width)
    ]


def _excerpts(preview: ApprovalPreview, width: int, room: int) -> Iterator[PreviewLine]:
    """A piece or two of sessions, of two agents where there are two."""
    chosen = preview.excerpts[:1]
    agents = {session.partition(":")[0] for session, _, _ in chosen}
    chosen += [
        excerpt for excerpt in preview.excerpts[1:] if excerpt[0].partition(":")[0] not in agents
    ][:1]
    chosen = (chosen + preview.excerpts[1:2])[:_MOST_EXCERPTS]
    if room < 2 * _LEAST_EXCERPT:
        chosen = chosen[:1]
    for number, (session, at, text) in enumerate(chosen):
        share = room // (len(chosen) - number)
        if share < 2:
            return
        lines = _cut(_wrapped_all(text.split("\n"), width - 2), share - 1)
        yield PreviewLine(wrapped(safe_line(f"{session}  {(at or '')[:16]}"), width)[0], "dim")
        yield from (PreviewLine(f"  {line}") for line in lines)
        room -= len(lines) + 1
