"""What a reviewer writes of a page, field by field, and what of it cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from helix_tui.curate.catalog.scan import page_refusals
from helix_tui.curate.page.mistakes import Mistake
from helix_tui.curate.page.page import BadPageError, read_page, write_page
from helix_tui.curate.page.pattern import Hint, Pattern
from helix_tui.curate.page.prose import HEADINGS, escaped
from helix_tui.curate.page.sections import write_body
from helix_tui.distribute.scope import read_scope
from helix_tui.distribute.words import rule_faults
from helix_tui.engine.review.rewording import by_person, name_of
from helix_tui.schema.board import ApprovalPreview
from helix_tui.schema.distribute import RUNGS
from helix_tui.schema.guard import ANSWERS

Part = Literal["title", "prose", "hints", "rule", "page"]
# What is written as one text under its headings; the rest of a page is measured or quoted.
_PROSE = ("problem", "applies", "does_not_apply", "guidance")
_EDGE = "---"


class Written(NamedTuple):
    """The words of a page: its title, its prose under headings, and the hints by agent.

    `scope`, `rung` and `rule` say where, how and in which words it is taught; None leaves each. The
    rung of a pattern with a guard has its answer behind it: `guard deny`.
    """

    title: str
    prose: str
    hints: Mapping[str, Hint]
    scope: str | None = None
    rung: str | None = None
    rule: str | None = None


class Fault(NamedTuple):
    """A place that keeps a page from being written; lines are counted within the part."""

    part: Part
    line: int
    reason: str

    def __str__(self) -> str:
        where = f"line {self.line}" if self.part == "prose" else self.part
        return f"{where}: {self.reason}"


class CheckedPage(NamedTuple):
    """A card in the words that somebody wrote, or what is wrong with them."""

    preview: ApprovalPreview | None
    pattern: Pattern | None
    faults: Sequence[Fault]


class _Composed(NamedTuple):
    text: str
    title_line: int
    prose_line: int
    tail_line: int


def written_of(page: str, name: str) -> Written:
    """The words of a page, to be changed."""
    pattern = read_page(page, name)
    lines: list[str] = []
    for field in _PROSE:
        text = getattr(pattern, field)
        lines += [f"## {HEADINGS[field]}", "", *(escaped(text) if text else ()), ""]
    rung = f"guard {pattern.guard}" if pattern.guard else pattern.rung
    taught = (pattern.scope, rung, pattern.rule)
    return Written(pattern.title, "\n".join(lines), dict(pattern.rendering), *taught)


def page_with(page: str, name: str, written: Written) -> str:
    """The page with these words in it, whether it can be read or not."""
    return _composed(page, name, written).text


def check(preview: ApprovalPreview, page: str, written: Written) -> CheckedPage:
    """What the words come to on a card; `page` is the one that they were written over."""
    name = name_of(preview)
    if faults := [Fault("rule", 0, reason) for reason in _teaching_faults(page, name, written)]:
        return CheckedPage(None, None, faults)
    try:
        composed = _composed(page, name, written)
    except BadPageError as bad:
        return CheckedPage(None, None, [Fault("hints", 0, one.reason) for one in bad.mistakes])
    mistakes = [Mistake(*one) for one in page_refusals(composed.text)]
    if not mistakes:
        try:
            pattern = read_page(composed.text, name)
        except BadPageError as bad:
            mistakes = bad.mistakes
        else:
            return CheckedPage(by_person(preview, composed.text), pattern, [])
    return CheckedPage(None, None, [_fault(composed, one) for one in mistakes])


def _teaching_faults(page: str, name: str, written: Written) -> list[str]:
    """What is wrong with where, how and in which words it would be taught."""
    faults = rule_faults(written.rule) if written.rule else []
    if written.scope:
        _, trouble = read_scope(written.scope, read_page(page, name).evidence.repo_names)
        # What a page leaves open is asked for when it is distributed.
        faults += [trouble] if trouble and written.scope != "repo" else []
    rung, guard = _rung_and_guard(written.rung or "")
    if (rung and rung not in RUNGS) or (guard and (rung != "guard" or guard not in ANSWERS)):
        guards = ", ".join(f"guard {answer}" for answer in ANSWERS)
        faults.append(f"how it is taught is one of {', '.join(RUNGS)}, {guards}")
    elif guard and not read_page(page, name).shape:
        todo = f"`helix catalog set {name} --guard {guard}` finds it"
        faults.append(f"a guard needs the command that it is about, once it is approved: {todo}")
    return faults


def _rung_and_guard(text: str) -> tuple[str, str]:
    rung, _, guard = text.partition(" ")
    return rung, guard.strip()


def _composed(page: str, name: str, written: Written) -> _Composed:
    """Head and tail as they are, the words in between as they were typed."""
    pattern = read_page(page, name)
    # One that the page has stays, empty or not: it may hold what this version does not know.
    known = pattern.rendering
    hints = {one: hint for one, hint in written.hints.items() if hint != Hint() or one in known}
    taught = {"scope": written.scope, "rule": written.rule}
    given = {field: value for field, value in taught.items() if value is not None}
    if written.rung is not None:
        given["rung"], given["guard"] = _rung_and_guard(written.rung)
    pattern = replace(pattern, rendering=hints, **given)
    whole = write_page(pattern).split("\n")
    head = whole[: whole.index(_EDGE, 1) + 1]
    rest = replace(pattern, **dict.fromkeys(_PROSE, ""))
    tail = list(write_body(rest))[2:]
    prose = written.prose.rstrip("\n").split("\n")
    lines = [*head, "", f"# {written.title}", "", *prose]
    text = "\n".join([*lines, *tail, ""])
    return _Composed(text, len(head) + 2, len(head) + 4, len(lines) + 1)


def _fault(composed: _Composed, mistake: Mistake) -> Fault:
    line, reason = mistake
    if line < composed.title_line - 1:
        return Fault("hints", 0, reason)
    if line < composed.prose_line:
        return Fault("title", 0, reason)
    if line < composed.tail_line:
        return Fault("prose", line - composed.prose_line + 1, reason)
    return Fault("page", line, reason)
