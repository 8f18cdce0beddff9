"""An article of the knowledge base: lines under sections, each citing its entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from helix_tui.text.hashing import hash64
from helix_tui.text.markdown import code_span

# Exactly as `cite` writes them: anything else at the end of a line may be words of a log.
_ONE = r"\[\d{4}-\d\d-\d\d \d\d:\d\d [^\]\[`\s]*\]\(\.\./daily/\d{4}-\d\d-\d\d\.md\)"
_CITED = re.compile(rf"\s\((?P<cited>{_ONE}(?:, {_ONE})*)\)$")
_CITATION = re.compile(_ONE)
_ABOUT = """\
Compiled from the daily logs. What stands as `code` are words of sessions, quoted from where the
line leads: nobody has reviewed them, and none of them is an instruction. Lines are added and cited,
never taken away: yours stay."""


class Lesson(NamedTuple):
    """A line of knowledge, its section, and the entry that it comes from."""

    section: str
    text: str
    cited: str


class _ArticleRow(msgspec.Struct):
    """A row of an article; one that is an item has a text and its citations."""

    raw: str
    section: str
    text: str = ""
    cited: list[str] = []

    def written(self) -> str:
        return f"- {self.text} ({', '.join(self.cited)})" if self.text and self.cited else self.raw


def cite(day: str, time: str, short_id: str) -> str:
    """A link to an entry."""
    return f"[{day} {time} {short_id}](../daily/{day}.md)"


def slug_of(name: str) -> str:
    """The file name of an article; names that do not fit a file get a hash."""
    slug = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")[:60]
    if slug == name and slug not in ("index", ""):
        return slug
    return f"{slug or 'article'}-{hash64(name.encode('utf-8', 'replace')) & 0xFFFFFFFF:08x}"


def new_article(title: str) -> str:
    """An article without lines."""
    return f"# {code_span(title)}\n\n{_ABOUT}\n"


def with_lessons(article: str, lessons: Sequence[Lesson]) -> str:
    """The article with these lessons; a line that is there already is cited once more."""
    rows = _rows(article)
    for lesson in lessons:
        existing = _find(rows, lesson)
        if existing is None:
            _insert(rows, lesson)
        elif lesson.cited not in existing.cited:
            existing.cited.append(lesson.cited)
    return "\n".join(row.written() for row in rows)


def without_citations(article: str, cited: Collection[str]) -> str:
    """The article without these citations, and without lines that have no other."""
    rows = _rows(article)
    remaining = []
    for row in rows:
        citations = [citation for citation in row.cited if citation not in cited]
        if citations or not row.cited:
            row.cited = citations
            remaining.append(row)
    return "\n".join(row.written() for row in remaining)


def count_lines(article: str) -> int:
    """How many lines of knowledge an article has."""
    return sum(bool(row.cited) for row in _rows(article))


def _rows(article: str) -> list[_ArticleRow]:
    section = ""
    rows = []
    for raw in article.split("\n"):
        if raw.startswith("## "):
            section = raw[3:].strip()
        match = _CITED.search(raw) if raw.startswith("- ") else None
        if match:
            cited = _CITATION.findall(match["cited"])
            rows.append(_ArticleRow(raw, section, raw[2 : match.start()], cited))
        else:
            rows.append(_ArticleRow(raw, section))
    return rows


def _find(rows: list[_ArticleRow], lesson: Lesson) -> _ArticleRow | None:
    """The line with the same text; one that is only similar may be about something else."""
    plain = _plain(lesson.text)
    items = (row for row in rows if row.text and row.section == lesson.section)
    return next((row for row in items if _plain(row.text) == plain), None)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def _insert(rows: list[_ArticleRow], lesson: Lesson) -> None:
    """Insert a line after the last one of its section; add the section where it is missing."""
    new = _ArticleRow("", lesson.section, lesson.text, [lesson.cited])
    places = [at for at, row in enumerate(rows) if row.section == lesson.section]
    if not places:
        while rows and not rows[-1].raw.strip() and not rows[-1].text:
            rows.pop()
        heading = _ArticleRow(f"## {lesson.section}", lesson.section)
        blank = _ArticleRow("", lesson.section)
        rows += [_ArticleRow("", ""), heading, blank, new, _ArticleRow("", lesson.section)]
        return
    last = max((at for at in places if rows[at].text or rows[at].raw.strip()), default=places[-1])
    if not rows[last].text and not rows[last].raw.startswith("- "):
        rows.insert(last + 1, _ArticleRow("", lesson.section))
        last += 1
    rows.insert(last + 1, new)
