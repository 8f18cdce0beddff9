"""Words of a log that may stand in a sentence of ours, and those that only may as a quotation."""

from __future__ import annotations

import re

from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals
from helix_tui.text.safe import safe, safe_line

# A program, module or command such as `go test`, and an option: too short to carry a message.
_PLAIN = re.compile(r"[A-Za-z0-9@][A-Za-z0-9@._/+-]{0,60}(?: [A-Za-z0-9@][A-Za-z0-9@._/+-]{0,60})?")
_OPTION = re.compile(r"--?[A-Za-z0-9][A-Za-z0-9-]{0,40}")


def is_plain(name: str) -> bool:
    """Whether a name from a log is a mere name, at most two words, or an option."""
    return bool(_PLAIN.fullmatch(name) or _OPTION.fullmatch(name)) and redact(name) == name


def quoted(text: str, limit: int) -> str:
    """Text of a log for a line of ours: one line, redacted, cut; empty where it may not stand."""
    line = " ".join(redact(safe_line(text)).split()).replace("`", "'")
    line = line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return "" if refusals(line) else line


def code(text: str) -> str:
    """A name or line as code in a sentence."""
    return f"`{text}`" if text else ""


def block(text: str, limit: int) -> str:
    """Text of a log for a quoted block: redacted, cut, lines that may not stand left out."""
    kept = redact(safe(text)).strip()
    lines = kept.split("\n")
    for found in refusals(kept):
        lines[found.line - 1] = f"[left out: {found.what.partition(' (')[0]}]"
    kept = "\n".join(lines)
    return kept if len(kept) <= limit else kept[: limit - 1].rstrip() + "…"
