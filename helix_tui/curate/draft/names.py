"""Decide which words from a log may stand in our sentences, and which only as a quotation."""

from __future__ import annotations

import re

from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals
from helix_tui.text.safe import safe, safe_line

# A program, module or command such as `go test`, and an option: too short to carry a message.
_PLAIN = re.compile(r"[A-Za-z0-9@][A-Za-z0-9@._/+-]{0,60}(?: [A-Za-z0-9@][A-Za-z0-9@._/+-]{0,60})?")
# What begins a comment, a tag, a link or an image; code is left as it is.
_LIVE = re.compile(
    r"<(?!(?:n|hex|ip|url|time|date|hash|uuid|place|quoted|path(?::\.?\w{1,8})?)>)(?=[!/?A-Za-z])"
    r"|\[(?=[^\]]{0,200}\]\()|!(?=\[)"
)
_CODE = re.compile(r"(`[^`]{0,400}`)")
_OPTION = re.compile(r"--?[A-Za-z0-9][A-Za-z0-9-]{0,40}")


def is_plain(name: str) -> bool:
    """Whether a name from a log is a mere name, at most two words, or an option."""
    return bool(_PLAIN.fullmatch(name) or _OPTION.fullmatch(name)) and redact(name) == name


def quoted(text: str, limit: int) -> str:
    """Make text from a log fit a line of ours: redacted, cut; empty where it is refused."""
    line = " ".join(redact(safe_line(text)).split()).replace("`", "'")
    line = line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return "" if refusals(line) else line


def shown_line(text: str, limit: int) -> str:
    """Make a line of ours that holds words of a log fit: redacted, cut; empty where refused."""
    line = " ".join(redact(safe_line(text)).split())[:limit]
    return "" if refusals(line) else line


def inert(text: str) -> str:
    """Keep words of a log from acting as Markdown where they stand outside of code."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else _LIVE.sub(r"\\\g<0>", part) for at, part in enumerate(parts))


def code(text: str) -> str:
    """Mark a name or a line up as code."""
    return f"`{text}`" if text else ""


def block(text: str, limit: int) -> str:
    """Make text from a log fit a quoted block: redacted, cut, refused lines left out."""
    clean = redact(safe(text)).strip()
    lines = clean.split("\n")
    for refusal in refusals(clean):
        lines[refusal.line - 1] = f"[left out: {refusal.what.partition(' (')[0]}]"
    clean = "\n".join(lines)
    return clean if len(clean) <= limit else clean[: limit - 1].rstrip() + "…"
