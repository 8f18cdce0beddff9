"""Words of a log in the form that notes hold: on one line, bounded, quoted as code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from helix_tui.memory.distill.prose import plain_line, shortened
from helix_tui.text.hidden import without_hidden
from helix_tui.text.markdown import code_span
from helix_tui.text.redact import redact

_MORE_LENGTH = 40
_FENCE = re.compile(r"`{3,}\w*|~{3,}")
_MARK = re.compile(r"^\s*(?:#{1,6}|>)\s+", re.MULTILINE)


def _one_line(text: str, limit: int) -> str:
    """Redact once more before cutting: half a secret does not look like one."""
    return shortened(" ".join(without_hidden(redact(text)).split()), limit)


def quote(text: str, limit: int) -> str:
    """Words that somebody said, without their Markdown."""
    plain = plain_line(_FENCE.sub(" ", redact(_MARK.sub("", text))))
    return code_span(_one_line(plain, limit))


def code(text: str, limit: int) -> str:
    """A command, a path or an error, character by character."""
    return code_span(_one_line(text.removeprefix("$ "), limit))


def fitting(lines: Sequence[str], most: int, left_out: str) -> list[str]:
    """The first lines that fit into `most` characters; the last line then counts the rest."""
    fitted: list[str] = []
    room = most
    for number, line in enumerate(lines):
        room -= len(line) + 1
        is_last = number == len(lines) - 1
        if room < (0 if is_last else _MORE_LENGTH):
            return [*fitted, f"- {len(lines) - number:,} {left_out}"]
        fitted.append(line)
    return fitted


def items(lines: Iterable[str]) -> list[str]:
    """Lines of a list, each once."""
    return list(dict.fromkeys(f"- {line}" for line in lines))
