"""A Markdown page as lines of tones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.text.human import wrap
from helix_tui.text.safe import safe_line
from helix_tui.tui.kit.text_pane import Line
from helix_tui.yielding import yielding

LINE_LIMIT = 2_000
MOST_LINES = 4_000


_FENCE = "```"
# How a line of running text begins: two of them below each other are one paragraph.
_RUNNING = re.compile(r"[^\W\d_]|[`“\"(]")


def text_lines(text: str, width: int) -> list[Line]:
    """A page without its front matter; headings stand out, what is quoted steps back."""
    lines: list[Line] = []
    is_code = False
    for raw in yielding(_paragraphs(_body(text))):
        shown = safe_line(raw, LINE_LIMIT)
        tone = "plain"
        if raw.startswith(_FENCE):
            is_code = not is_code
            continue
        if is_code:
            tone, shown = "dim", f"│ {shown}"
        elif raw.startswith("#"):
            marks, _, shown = shown.partition(" ")
            tone = "strong" if len(marks) < 2 else "title" if len(marks) == 2 else "accent"
        lines += [[(f" {piece}", tone)] for piece in wrap(shown, width - 2)]
    return lines


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """The lines of a page, those of running text joined: the width breaks them."""
    is_code, before = False, ""
    for line in lines:
        is_running = not is_code and not line.startswith(_FENCE) and bool(_RUNNING.match(line))
        if is_running and before and len(before) + len(line) < LINE_LIMIT:
            before = f"{before} {line}"
            continue
        if before:
            yield before
        is_code ^= line.startswith(_FENCE)
        before = line if is_running else ""
        if not is_running:
            yield line
    if before:
        yield before


def _body(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    while lines and not lines[0].strip():
        lines = lines[1:]
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], f"… {more:,} lines more"] if more > 0 else lines
