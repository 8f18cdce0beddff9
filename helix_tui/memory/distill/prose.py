"""Split what an agent wrote into lines without Markdown, and into sentences."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\n]{0,500}\)")
# Signs in pairs alone: `__init__.py` and `*time.Time` are names.
_STRONG = re.compile(
    r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]{1,300})(?<=\S)\1(?![\w*])"
    r"|(?<![\w_])(__)(?=\S)([^_\n]{1,150} [^_\n]{1,150})(?<=\S)__(?![\w_])"
)
_BULLET = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)]|[A-Ha-h]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
# `**1. The cache** - it is never emptied` is an item, too.
_BOLD_BULLET = re.compile(r"^[ \t]*\*\*\d{1,2}[.)][ \t]+(?=[^*\n]{1,160}\*\*.*\w)")
_BOLD_HEAD = re.compile(r"^\W{0,3}\*\*(?P<head>[^*\n]{2,200}?)\*\*")
_LEAST_OF_SENTENCE = 6
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE_MARK = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+")
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$")
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}[-|: \t]*$")
# A stop within a name, a number or an abbreviation ends no sentence.
_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)[\"')\]]?\s+(?=[\"'(\[`]?[A-Z0-9`])"
)
_PAUSE = re.compile(r"(?:[.;:!?]|,| [–—-])(?= )")
# A tag within code is what the sentence is about.
# Tags that set text; `<name>` of a command or a pattern stands for a word of its own.
_MARKUP = re.compile(
    r"`[^`\n]{1,200}`|(?i:</?(?:a|abbr|b|blockquote|br|center|code|dd|del|details|div|dl|dt|em"
    r"|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|small|source|span|strike|strong"
    r"|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|video)"
    r"(?:\s[^<>\n]{0,200})?/?>)"
)


class ProseLine(NamedTuple):
    """A line of prose: its text, what kind of line it was, and what of it begins it in bold."""

    text: str
    is_heading: bool = False
    is_item: bool = False
    is_row: bool = False
    depth: int = 0
    head: str = ""


def lines_of(text: str, *, has_code: bool = False) -> list[ProseLine]:
    """The lines of a text without Markdown and code blocks; wrapped sentences are joined.

    The rows of a table are items, except its header. With `has_code` the content of blocks counts.
    """
    lines: list[ProseLine] = []
    is_open = False
    for raw in (_MARKS if has_code else _FENCE).sub("\n", text).split("\n"):
        row = _QUOTE_MARK.sub("", raw)
        if _TABLE_RULE.match(row) and lines and lines[-1].is_item:
            lines.pop()
            continue
        if row.lstrip().startswith("|"):
            cells = [plain_line(cell) for cell in row.strip().strip("|").split("|")]
            lines.append(ProseLine(" · ".join(filter(None, cells)), is_item=True, is_row=True))
            is_open = False
            continue
        if not row.strip() or _RULE.match(row):
            is_open = False
            continue
        row = _BOLD_BULLET.sub("- **", row)
        is_heading, is_item = bool(_HEADING.match(row)), bool(_BULLET.match(row))
        plain = plain_line(_HEADING.sub("", _BULLET.sub("", row)))
        if not plain:
            continue
        if is_open and not is_heading and not is_item:
            lines[-1] = lines[-1]._replace(text=f"{lines[-1].text} {plain}")
            continue
        # A whole line in bold serves as a heading, unless it is a sentence.
        is_bold = row.strip().startswith("**") and row.strip().endswith(("**", "**:", ":**"))
        is_sentence = plain[-1] in ".!" and len(plain.split()) >= _LEAST_OF_SENTENCE
        is_heading = is_heading or (is_bold and not (is_item or is_sentence))
        depth = len(row) - len(row.lstrip()) if is_item else 0
        bold = _BOLD_HEAD.match(_BULLET.sub("", row))
        head = plain_line(bold["head"]).rstrip(": ") if bold and not is_heading else ""
        lines.append(ProseLine(plain, is_heading, is_item, depth=depth, head=head))
        is_open = not is_heading
    return lines


def plain_line(text: str) -> str:
    """One line without links, emphasis and markup, with single blanks."""
    # Twice: one kind of emphasis may stand within another.
    without_emphasis = _STRONG.sub(_unmarked, _STRONG.sub(_unmarked, _LINK.sub(r"\1", text)))
    return " ".join(_MARKUP.sub(_without_tag, without_emphasis).split())


def _unmarked(match: re.Match[str]) -> str:
    return str(match[2] or match[4])


def _without_tag(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith("`") else " "


def sentences_of(text: str) -> list[str]:
    """The sentences of one line."""
    return [sentence for sentence in _END.split(text) if sentence]


def at_a_pause(text: str, limit: int) -> str:
    """A text of at most `limit` characters, cut where its writer paused, else between words."""
    if len(text) <= limit:
        return text
    pauses = [match.start() for match in _PAUSE.finditer(text, limit // 3, limit - 1)]
    return f"{text[: pauses[-1]]}…" if pauses else shortened(text, limit)


def shortened(text: str, limit: int) -> str:
    """A text of at most `limit` characters, cut between two words."""
    if len(text) <= limit:
        return text
    start = text[: limit - 1]
    blank = start.rfind(" ")
    return f"{start[:blank] if blank > limit // 2 else start}…"
