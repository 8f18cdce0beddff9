"""Tell what a person wrote from what they pasted into a prompt, by its structure.

A fenced block, a diff, or a paragraph most of whose lines look like a log, a listing or code is
pasted; what else there is was written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A prompt's beginning is looked at: what was written stands at its start or behind one paste.
_EXAMINED = 20_000
_FENCE = re.compile(r"\s{0,8}(`{3,}|~{3,})\s{0,4}([\w+-]{0,20})")
# Fences in which people and templates put prose.
_PROSE = frozenset(("text", "txt", "md", "markdown"))
_DIFF = re.compile(r"diff --git |Index: \S|--- \S.{0,200}\n\+\+\+ ")
_PASTED_LINE = re.compile(
    r"\s{0,40}(?:"
    r"[$❯➜>] \S|PS [A-Z]:"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|at \S{1,200}[:(]|File \"[^\"]{1,300}\", line \d|Traceback \(|\^{2,}|~{3,}"
    r"|\d{1,6} ?[|│]|[├└┌│┃║─━═╭╰|+]"
    r"|@@ -|\+\+\+ |--- |index [0-9a-f]{7}"
    r"|(?i:error|warning|warn|info|debug|fatal|panic|fail|note|hint)(?:\[\w{1,20}\])?: ?\S"
    r"|E   |ERR! |npm (?:err|error|warn)\b|✓|✗|✘|✖|PASS\b|FAIL\b|ok \d"
    r"|</?[a-zA-Z][\w-]{0,40}[^<>\n]{0,300}/?>"
    r"|[\"'][\w .-]{1,80}[\"']\s{0,4}:|[{}\[\]()]+[,;]?\s{0,8}$"
    r"|(?:import|from|const|let|var|def|class|func|fn|pub|return|export|async|public|private|static"
    r"|#include|package|using)\b.{0,400}[;:{(,=]\s{0,8}$"
    r"|\S.{0,400}(?:[;{}]|\)[;,{])\s{0,8}$"
    r")"
)
_MARKDOWN = re.compile(r"\s{0,8}(?:#{1,6} |[*+-] |\d{1,3}[.)] )")
_PLACEHOLDER = re.compile(r"\[(?:Pasted text|Image|image|File)(?: ?#\d{1,4})?[^\]\n]{0,40}\]")


_LEAST_REPEATED = 80
_LETTERS = re.compile(r"[\W_]+")


class Prompt(NamedTuple):
    """A prompt in its two parts."""

    written: str
    pasted: str


def parted(text: str) -> Prompt:
    """What a person wrote in a prompt, and what they pasted into it."""
    # A terminal's way to break a line is a backslash before it.
    text = _PLACEHOLDER.sub("", text[:_EXAMINED]).replace("\\\n", "\n")
    written: list[str] = []
    pasted: list[str] = []
    diff = _DIFF.search(text)
    if diff is not None:
        text, rest = text[: diff.start()], text[diff.start() :]
        pasted.append(rest.strip())
    for block, is_fenced in _blocks(text):
        (pasted if is_fenced or _is_pasted(block) else written).append("\n".join(block).strip())
    return Prompt("\n\n".join(filter(None, written)), "\n\n".join(filter(None, pasted)))


def written_first(text: str) -> str:
    """A prompt with what its writer wrote before what they pasted."""
    if len(text) > _EXAMINED or text.count("\n") == 0:
        return text
    written, pasted = parted(text)
    if not written or not pasted or text.lstrip().startswith(written.split("\n")[0]):
        return text
    return f"{written}\n\n{pasted}"


def repeats(text: str, said: str) -> bool:
    """Whether a text begins as something does that was said before, whatever the markup."""
    if len(text) < _LEAST_REPEATED or len(said) < _LEAST_REPEATED:
        return False
    one, two = (_LETTERS.sub("", piece[: 2 * _LEAST_REPEATED]).lower() for piece in (text, said))
    least = min(len(one), len(two), _LEAST_REPEATED)
    return least >= _LEAST_REPEATED // 2 and one[:least] == two[:least]


def _blocks(text: str) -> list[tuple[list[str], bool]]:
    """The paragraphs of a text, and whether each is a fenced block of something else than prose."""
    blocks: list[tuple[list[str], bool]] = []
    lines: list[str] = []
    fence = ""
    is_code = False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            blocks.append((lines, is_code and bool(fence)))
            lines = []
            is_code = not fence and mark[2].lower() not in _PROSE
            fence = "" if fence else mark[1]
        elif not line.strip() and not fence:
            blocks.append((lines, False))
            lines = []
        else:
            lines.append(line)
    blocks.append((lines, is_code and bool(fence)))
    return [(block, is_fenced) for block, is_fenced in blocks if any(block)]


def is_pasted_line(line: str) -> bool:
    """Whether a line looks like one of a log, a listing or code."""
    return _PASTED_LINE.match(line) is not None


def _is_pasted(block: list[str]) -> bool:
    """Whether most lines of a paragraph look like a log, a listing or code."""
    alike = sum(map(is_pasted_line, block))
    marked = sum(_MARKDOWN.match(line) is not None for line in block)
    return 2 * alike > len(block) and 2 * marked <= len(block)
