"""Render the text of a pattern that an agent would receive."""

from __future__ import annotations

from helix_tui.curate.page.pattern import Hint, Pattern
from helix_tui.curate.page.prose import tidy_line, tidy_prose
from helix_tui.text.markdown import code_span

_MARK = "<!-- helix:"


def render(pattern: Pattern, flavor: str) -> str:
    """Render short Markdown for one agent, marked with a comment by which it is found again.

    A deprecated or superseded pattern is not handed out: its text is empty.
    """
    if pattern.status == "deprecated" or pattern.superseded_by:
        return ""
    hint = pattern.rendering.get(flavor, Hint())
    parts = [
        f"{_MARK} {pattern.id} {pattern.version} -->",
        f"## {_harmless(tidy_line(pattern.title))}",
        _labelled("Applies", pattern.applies),
        _labelled("Does not apply", pattern.does_not_apply),
        _labelled("Only for", ", ".join(code_span(glob) for glob in hint.scope)),
        _harmless(tidy_prose(hint.wording) or tidy_prose(pattern.guidance)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _labelled(label: str, text: str) -> str:
    text = _harmless(tidy_prose(text))
    if not text:
        return ""
    # Lists and fences must begin a line.
    return f"{label}:\n\n{text}" if "\n" in text else f"{label}: {text}"


def _harmless(text: str) -> str:
    """Escape a comment that could be taken for ours."""
    return text.replace(_MARK, _MARK.replace("<", "&lt;"))
