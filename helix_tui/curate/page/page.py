"""Read and write a pattern's page: front matter, title, sections. See docs/pattern.md."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from helix_tui.curate.page.fields import IN_THE_PAGE, check_fields, tidy_extra, with_extra
from helix_tui.curate.page.front_matter import FrontMatter, Path
from helix_tui.curate.page.front_matter_writer import write_front_matter
from helix_tui.curate.page.mistakes import BadPageError, Mistake
from helix_tui.curate.page.pattern import Hint, Pattern, PatternEvidence, Provenance
from helix_tui.curate.page.prose import (
    CONTROL,
    HEADINGS,
    tidy_block,
    tidy_line,
    tidy_prose,
)
from helix_tui.curate.page.sections import read_body, write_body

__all__ = ["BadPageError", "Mistake", "known_page", "read_page", "tidy", "write_page"]

_LARGEST = 1 << 20
_MANY_CONTROLS = 20
_EDGE = "---"
# Pages that are kept as they were read: every verdict looks at all of them, few have changed.
_MOST_KEPT = 8_192
_read_pages: dict[tuple[str, str], Pattern] = {}


def known_page(text: str, name: str) -> Pattern:
    """Return what `read_page` gives, without reading a page twice."""
    pattern = _read_pages.get((text, name))
    return pattern if pattern is not None else _keep(text, name, read_page(text, name))


def _keep(text: str, name: str, pattern: Pattern) -> Pattern:
    if len(_read_pages) >= _MOST_KEPT:
        _read_pages.clear()
    _read_pages[text, name] = pattern
    return pattern


def read_page(text: str, name: str) -> Pattern:
    """Read the pattern of a page; `name` is that of its file, without the suffix."""
    if len(text.encode("utf-8", "surrogatepass")) > _LARGEST:
        raise _bad(name, [Mistake(1, "the page is larger than 1 MiB")])
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if controls := list(CONTROL.finditer(text)):
        raise _bad(name, [_control(text, match) for match in controls[:_MANY_CONTROLS]])
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _EDGE), 0)
    if lines[0].rstrip() != _EDGE or not end:
        reason = "the page is to begin with fields between two lines `---`"
        raise _bad(name, [Mistake(1, reason)])
    head = FrontMatter("\n".join(lines[1:end]) + "\n", 2)
    body = read_body(lines[end + 1 :], end + 2)
    mistakes = head.mistakes + body.mistakes
    # Where the YAML is broken, the fields after that are not missing.
    if not head.is_whole:
        raise _bad(name, mistakes)
    for field in IN_THE_PAGE & head.values.keys():
        mistakes.append(Mistake(head.line((field,)), f"`{field}` stands below the front matter"))
    if head.values.get("id", name) != name:
        mistakes.append(Mistake(head.line(("id",)), f"`id` is to be that of the file: {name}"))

    def line_of(path: Path) -> int:
        if path[0] not in IN_THE_PAGE:
            return head.line(path)
        while path and path not in body.lines:
            path = path[:-1]
        return body.lines.get(path, end + 1)

    checked = check_fields({**head.values, **body.values}, line_of)
    if mistakes or checked.mistakes:
        raise _bad(name, mistakes + checked.mistakes)
    return tidy(msgspec.convert({**checked.known, "extra": checked.extra}, Pattern))


def write_page(pattern: Pattern) -> str:
    """Write the page of a pattern; `read_page` returns `tidy(pattern)` for it.

    Raise `BadPageError` for a pattern that no page can hold (a title too long, a section without a
    name).
    """
    pattern = tidy(pattern)
    try:
        head = write_front_matter(with_extra(_head_values(pattern), pattern.extra))
    except UnicodeError:
        raise _bad(pattern.id, [Mistake(1, "a text in it is no valid Unicode")]) from None
    text = "\n".join([_EDGE, f"{head}{_EDGE}", *write_body(pattern), ""])
    if read_page(text, pattern.id) != pattern:
        raise _bad(pattern.id, [Mistake(1, "a name or a value in it cannot be written")])
    _keep(text, pattern.id, pattern)
    return text


def tidy(pattern: Pattern) -> Pattern:
    """Return the pattern as a page keeps it: texts without stray blanks, agents in order."""
    prose = {
        field: tidy_prose(getattr(pattern, field)) for field in HEADINGS if field != "excerpts"
    }
    flavors = dict(sorted(pattern.evidence.flavors.items()))
    return replace(
        pattern,
        title=tidy_line(pattern.title),
        **prose,
        excerpts=[replace(excerpt, text=tidy_block(excerpt.text)) for excerpt in pattern.excerpts],
        sections=_tidy_sections(pattern.sections),
        evidence=replace(pattern.evidence, flavors=flavors),
        rendering={flavor: _tidy_hint(hint) for flavor, hint in sorted(pattern.rendering.items())},
        extra=tidy_extra(pattern.extra, pattern.rendering),
    )


def _tidy_hint(hint: Hint) -> Hint:
    return replace(hint, wording=tidy_prose(hint.wording))


def _tidy_sections(sections: dict[str, str]) -> dict[str, str]:
    tidied: dict[str, str] = {}
    for name, text in sections.items():
        before = tidied.get(tidy_line(name), "")
        tidied[tidy_line(name)] = tidy_prose(f"{before}\n\n{text}" if before else text)
    return tidied


_KINDS: tuple[type[msgspec.Struct], ...] = (Pattern, PatternEvidence, Provenance)
_NEEDED = {field.encode_name for kind in _KINDS for field in fields(kind) if field.required}


_RARE = ("remedied", "unadvised")


def _head_values(pattern: Pattern) -> dict[str, Any]:
    values = msgspec.to_builtins(pattern)
    return _filled({name: value for name, value in values.items() if name not in IN_THE_PAGE})


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """Drop empty values; counts stay even where they are 0.

    `remedied` and `unadvised` are the exceptions: most pages recommend nothing that was tried, and
    few problems were overcome in a way that may not be recommended.
    """
    filled: dict[str, Any] = {}
    for name, value in values.items():
        if name == "rendering":
            value = {flavor: _filled(hint) for flavor, hint in value.items()}
        elif isinstance(value, dict) and name != "flavors":
            value = _filled(value)
        is_empty = value in (None, "", [], {}) or (name in _RARE and value == 0)
        if name in _NEEDED or not is_empty:
            filled[name] = value
    return filled


def _control(text: str, match: re.Match[str]) -> Mistake:
    line = text.count("\n", 0, match.start()) + 1
    return Mistake(line, f"a control character is here (U+{ord(match[0]):04X})")


def _bad(name: str, mistakes: list[Mistake]) -> BadPageError:
    return BadPageError(f"{name}.md", mistakes)
