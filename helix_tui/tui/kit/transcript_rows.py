"""What a transcript shows of an event: one line of it, and all of it where it is unfolded."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from rich.cells import cell_len

from helix_tui.text.asked import spoken
from helix_tui.text.human import compact, duration, wrap
from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.kit.edit_diff import Change, diff_of
from helix_tui.tui.kit.excerpt import excerpt_lines
from helix_tui.tui.kit.lines import Span, Tone

if TYPE_CHECKING:
    from helix_tui.engine.transcripts.transcript import TimedEvent
    from helix_tui.schema import SessionEvent

_KEPT = 40_000
_HEADING_WINDOW = 600
_MOST_LINES = 1_000
_SUMMARY = 400
_WHO = {
    "prompt": "user",
    "reply": "agent",
    "thinking": "thinks",
    "compaction": "compacted",
    "system": "system",
    "other": "other",
}
_TONES: dict[str, Tone] = {
    "prompt": "strong",
    "reply": "plain",
    "tool_call": "plain",
}
_CHANGES: dict[Change, tuple[str, Tone]] = {
    "same": ("  ", "dim"),
    "old": ("- ", "bad"),
    "new": ("+ ", "good"),
    "file": ("", "strong"),
}
# What says most of a call, first come first served.
_TELLING = (
    "command", "cmd", "file_path", "filePath", "pattern", "query", "path", "target_file",
    "notebook_path", "url", "description", "prompt", "skill", "explanation",
)  # fmt: skip
# What Codex puts above what a command said.
_HEADINGS = (
    "Chunk ID:", "Wall time:", "Process exited with code", "Original token count:", "Output:",
    "Exit code:", "Total output lines:",
)  # fmt: skip
_MARKS: dict[str, tuple[str, Tone]] = {
    "wrong": ("✗ ", "bad"),
    "right": ("✓ ", "good"),
    "said": ("  ", "strong"),
    "call": ("▸ ", "plain"),
}


class TranscriptRow(NamedTuple):
    """An event, made safe and cut to what a screen takes.

    `body` is what unfolds; `summary` stands for it while it is folded.
    """

    at: str
    who: str
    sign: str
    summary: str
    tone: Tone
    price: str
    body: tuple[Span, ...]
    left_out: int = 0
    is_diff: bool = False


def piece_of(step: TimedEvent) -> TranscriptRow:
    """An event as it is drawn."""
    event = step.event
    text = event.text
    body: list[Span] = []
    is_diff = False
    if event.kind == "tool_call":
        who, sign = safe_line(event.tool or "call", 24), "▸"
        summary, body, is_diff = _call(text)
    elif event.kind == "tool_result":
        who, sign = safe_line(event.tool or "result", 24), _result_sign(event)
        text = _without_headings(text)
        summary = _result_line(text, is_error=event.is_error)
    else:
        # What a person typed stands above what the client put around it, which is in the text.
        typed = spoken(text[:_KEPT]) if event.kind == "prompt" else ""
        who, sign, summary = _WHO[event.kind], " ", _first_line(typed or text)
    tone: Tone = _TONES.get(event.kind, "dim")
    if event.is_error:
        tone = "bad"
    if event.fault or event.exit_code:
        why = event.fault or f"exit {event.exit_code}"
        summary = f"({why}) {summary}"
    body = body or _lines(text, tone if event.kind != "tool_result" else "plain")
    left_out = max(0, len(text) - _KEPT)
    return TranscriptRow(
        _clock(event.ts), who, sign, summary, tone, _price(step), tuple(body[:_MOST_LINES]),
        left_out, is_diff,
    )  # fmt: skip


def excerpt_piece(text: str, kind: str, error_class: str = "") -> TranscriptRow:
    """What was kept of an occurrence whose events are gone."""
    lines = excerpt_lines(text[:_KEPT], kind, error_class)[:_MOST_LINES]
    signs = [_MARKS.get(mark, ("  ", "dim")) for mark, _ in lines]
    body: list[Span] = [
        (sign + line, tone) for (sign, tone), (_, line) in zip(signs, lines, strict=True)
    ]
    summary = next((line for mark, line in lines if mark in ("wrong", "right")), "")
    return TranscriptRow("", "excerpt", " ", safe_line(summary, _SUMMARY), "plain", "", tuple(body))


def _first_line(text: str) -> str:
    """The first line that says something."""
    head = text[:4_000].lstrip()
    return safe_line(head.split("\n", 1)[0].rstrip("\r"), _SUMMARY)


def _without_headings(text: str) -> str:
    """What a command said, without the lines above it that only repeat what is shown anyway."""
    lines = text[:_HEADING_WINDOW].split("\n")
    for at, line in enumerate(lines):
        if line.startswith("Output:") and at:
            return text[sum(len(heading) + 1 for heading in lines[: at + 1]) :]
        if not line.startswith(_HEADINGS):
            break
    return text


def _result_line(text: str, *, is_error: bool) -> str:
    """The line that tells how a call went: the error, or the first one that is not a heading."""
    if is_error:
        from helix_tui.text.signature.naming import error_line

        named = error_line(text[:_KEPT], None)
        if named:
            return safe_line(named, _SUMMARY)
    lines = [line for line in text[:4_000].split("\n")[:40] if line.strip()]
    first = next((line for line in lines if not line.startswith(_HEADINGS)), "")
    return safe_line((first or "".join(lines[:1])).strip(), _SUMMARY)


def _result_sign(event: SessionEvent) -> str:
    return "✗" if event.is_error else "✓"


def _lines(text: str, tone: Tone) -> list[Span]:
    shown = safe(text[:_KEPT]).rstrip("\n")
    return [(line, tone) for line in shown.split("\n")[:_MOST_LINES]]


def _call(arguments: str) -> tuple[str, list[Span], bool]:
    """What a call is about on one line, what it was given, and whether that is a diff."""
    changes = diff_of(arguments)
    if changes:
        named = changes[0].text if changes[0].change == "file" else ""
        body = [
            (_CHANGES[change][0] + safe_line(text[:_KEPT]), _CHANGES[change][1])
            for change, text in changes[bool(named) : _MOST_LINES]
        ]
        return safe_line(named, _SUMMARY), body, True
    try:
        fields = msgspec.json.decode(arguments) if arguments[:1] == "{" else None
    except (msgspec.DecodeError, UnicodeError):
        fields = None
    if not isinstance(fields, dict) or not fields:
        return _first_line(arguments), _lines(arguments, "plain"), False
    body = []
    for name, value in fields.items():
        value_text = value if isinstance(value, str) else _words(value)
        label = safe_line(str(name), 40)
        first, *rest = safe(value_text[:_KEPT]).split("\n")[:_MOST_LINES]
        body.append((f"{label}: {first}" if len(fields) > 1 else first, "plain"))
        body += [(f"  {line}", "plain") for line in rest]
    telling = next((fields[name] for name in _TELLING if fields.get(name)), None)
    if telling is None:
        return _first_line(arguments), body, False
    value_text = telling if isinstance(telling, str) else _words(telling)
    return _first_line(value_text), body, False


def _words(value: object) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return msgspec.json.encode(value).decode("utf-8", "replace")


def _clock(ts_ms: int | None) -> str:
    if ts_ms is None:
        return ""
    try:
        return datetime.fromtimestamp(ts_ms / 1000, UTC).strftime("%H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return ""


def _price(step: TimedEvent) -> str:
    parts = []
    if step.took_ms is not None and step.took_ms >= 100:
        parts.append(duration(step.took_ms / 1000))
    if step.tokens:
        parts.append(f"{compact(step.tokens)} tokens")
    return f"({', '.join(parts)})" if parts else ""


def wrapped(piece: TranscriptRow, width: int) -> list[Span]:
    """All that an event says, broken for a width."""
    lines: list[Span] = []
    for text, tone in piece.body:
        lines += [(part, tone) for part in wrap(text, width)]
        if len(lines) > _MOST_LINES:
            del lines[_MOST_LINES:]
            lines.append(("… and more, which is not shown here", "dim"))
            return lines
    if piece.left_out:
        lines.append((f"… {piece.left_out:,} characters more, which are not shown here", "dim"))
    return lines


def is_foldable(piece: TranscriptRow, room: int) -> bool:
    """Whether unfolding shows more than the one line."""
    if len(piece.body) > 1 or piece.left_out:
        return True
    return bool(piece.body) and (
        cell_len(piece.summary) > room or piece.body[0][0].strip() != piece.summary.strip()
    )
