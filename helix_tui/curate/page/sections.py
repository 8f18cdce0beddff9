"""Read and write the body of a page: title, `## ` sections, excerpts in fences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from helix_tui.curate.page.mistakes import Mistake
from helix_tui.curate.page.pattern import Excerpt, Pattern
from helix_tui.curate.page.prose import (
    FIELDS,
    HEADINGS,
    escaped,
    fence_behind,
    fence_for,
    heading_of,
    tidy_line,
)

_TITLE = re.compile(r"#[ \t]+(?P<title>\S.*)")
_CITED = re.compile(r"###[ \t]+(?P<words>\S.*)")
_BETWEEN = " · "


class Section(NamedTuple):
    """A heading, the line it stands on, and the lines below it without their escapes."""

    name: str
    line: int
    body: list[str]


class Body(NamedTuple):
    """The fields of a page's body, the line of each, and the mistakes."""

    values: dict[str, Any]
    lines: dict[tuple[str | int, ...], int]
    mistakes: list[Mistake]


def read_body(lines: list[str], first_line: int) -> Body:
    """Read title, prose, excerpts and unknown sections from the lines after the front matter."""
    body = Body({"sections": {}, "excerpts": []}, {}, [])
    head, *sections = _sections(lines, first_line, body.mistakes)
    _take_title(head, body)
    headings: set[str] = set()
    for section in sections:
        field = FIELDS.get(section.name.casefold(), "")
        if (field or section.name) in headings:
            body.mistakes.append(Mistake(section.line, f"`## {section.name}` is here twice"))
            continue
        headings.add(field or section.name)
        if field == "excerpts":
            _take_excerpts(section, body)
        elif field:
            body.values[field] = "\n".join(section.body)
            body.lines[field,] = section.line
        else:
            body.values["sections"][section.name] = "\n".join(section.body)
            body.lines["sections", section.name] = section.line
    return body


def _sections(lines: list[str], first_line: int, mistakes: list[Mistake]) -> Iterator[Section]:
    """Yield the lines before the first heading as a section, then every section."""
    section, fence, opened_on = Section("", first_line, []), "", 0

    def check_fence() -> None:
        if fence:
            mistakes.append(Mistake(opened_on, "this fence is not closed before the next section"))

    for number, line in enumerate(lines, first_line):
        heading = heading_of(line, fence)
        if heading and not heading.escapes:
            check_fence()
            yield section
            section, fence = Section(heading.name, number, []), ""
            continue
        section.body.append(line[1:] if heading else line)
        behind = fence_behind(fence, line)
        if behind and not fence:
            opened_on = number
        fence = behind
    check_fence()
    yield section


def _take_title(head: Section, body: Body) -> None:
    for number, line in enumerate(head.body, head.line):
        match = _TITLE.fullmatch(line)
        if match and "title" not in body.values:
            body.values["title"] = tidy_line(match["title"])
            body.lines["title",] = number
        elif line.strip():
            where = "below a `## ` heading" if "title" in body.values else "a title, like `# …`"
            body.mistakes.append(Mistake(number, f"this is to be {where}"))
            # One mistake is enough: the title is not missing as well.
            body.values.setdefault("title", "-")
            return


def _take_excerpts(section: Section, body: Body) -> None:
    cited: dict[str, Any] | None = None
    quoted: list[str] = []
    fence, cited_on = "", section.line
    body.lines["excerpts",] = section.line
    for number, line in enumerate(section.body, section.line + 1):
        behind = fence_behind(fence, line)
        if fence and behind:
            quoted.append(line)
        elif fence and cited is not None:
            body.lines["excerpts", len(body.values["excerpts"])] = cited_on
            body.values["excerpts"].append({**cited, "text": "\n".join(quoted)})
            cited = None
        elif match := _CITED.fullmatch(line) if cited is None else None:
            cited, cited_on, quoted = _cited(match["words"]), number, []
        elif line.strip() and (cited is None or not behind):
            expected = "`### session · time · fingerprint`" if cited is None else "a fence"
            body.mistakes.append(Mistake(number, f"this is to be {expected}"))
            return
        fence = behind
    if cited is not None and not fence:
        body.mistakes.append(Mistake(cited_on, "the excerpt is missing below, between fences"))


def _cited(words: str) -> dict[str, Any]:
    session, _, rest = words.rstrip().partition(_BETWEEN)
    at, _, fingerprint = rest.rpartition(_BETWEEN)
    return {"session": session, "at": at or None, "fingerprint": fingerprint}


def write_body(pattern: Pattern) -> Iterator[str]:
    """Yield the lines after the front matter; the pattern must be tidy."""
    yield from ("", f"# {pattern.title}")
    for field, heading in HEADINGS.items():
        if field == "excerpts":
            text = "\n".join(_excerpt_lines(pattern.excerpts))
        else:
            text = getattr(pattern, field)
        if text:
            yield from _section_lines(heading, text)
    for name, text in pattern.sections.items():
        yield from _section_lines(name, text)


def _section_lines(heading: str, text: str) -> Iterator[str]:
    yield from ("", f"## {heading}")
    if text:
        yield from ("", *escaped(text))


def _excerpt_lines(excerpts: Iterable[Excerpt]) -> Iterator[str]:
    for number, excerpt in enumerate(excerpts):
        fence = fence_for(excerpt.text)
        words = (excerpt.session, excerpt.at, excerpt.fingerprint)
        if number:
            yield ""
        yield from (f"### {_BETWEEN.join(word for word in words if word)}", "", f"{fence}text")
        if excerpt.text:
            yield excerpt.text
        yield fence
