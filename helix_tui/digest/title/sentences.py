"""The sentences of a prompt that may name its matter, without marks, greetings and personas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.digest.pasted import is_pasted_line
from helix_tui.digest.tasks import is_task
from helix_tui.text.lazy import lazy

_WORD = re.compile(r"\w")
_MOST_SENTENCES = 40
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_MARKS = re.compile(r"^(?:#{1,6}\s+|[*+-]\s+|(?:\d{1,3}|[A-Za-z])[.)]\s+|>\s?)+")
_BOLD = re.compile(r"\*\*|__(?=\S)|(?<=\S)__")
_HEADING = re.compile(r"^#{1,6}\s+\S")
_TASK_HEADING = lazy(
    r"(?im)^(?:#{1,6}\s+(?:your |the )?(?:task|goal|objective|mission|assignment|request"
    r"|user input)\b.{0,60}|(?:your |the )?(?:task|goal|objective|mission|assignment):\s{0,4})$"
)
# What stands before the words themselves: a comment, a label, something in brackets.
_BEFORE = re.compile(
    r"(?i)^(?:<!--.{0,200}?-->|\[\[.{0,80}?\]\]|\[[^\]\n]{20,300}\]"
    r"|@\[\w{1,20}\]:|(?:task|goal|objective|request):)\s*"
)
FORBIDS = re.compile(r"(?i)^(?:do not|don'?t|never|no)\b")
_PLAN = re.compile(r"(?i)^(?:implementation )?plan:\s+(?=\S)")
_GREETING = re.compile(
    r"(?i)^(?:(?:hey|hi|hello|good (?:morning|evening|day))(?: (?:claude|codex|grok|there|again))?"
    r"[\s,.!:–-]+)(?=\S)"
)
# Who the agent shall be is no task.
_PERSONA = re.compile(
    r"(?i)^(?:(?:you are|you're|act as|your (?:role|name) is|imagine you)\b"
    r"(?! (?!not\b)(?:\w{1,20} )?\w{2,20}ing\b)"
    r"|your (?!task\b|job\b|goal\b|mission\b|objective\b)(?:[\w-]{1,20} ){1,4}is\b)"
)
# A sentence that ends in a colon and only points at what follows it.
POINTS_ON = re.compile(
    r"(?i)(?:\b(?:the following|these|below)(?: [\w-]{1,30}){0,3}"
    r"|\b(?:i (?:got|get|have|received|see)|here(?: is|'s| are)|got) .{0,40}"
    r"\b(?:this|these|following|feedback|comments?|errors?|review)\b.{0,80}"
    r"|\b(?:look at|check|address|consider|see|running|brainstorm)\s?):\s*$"
)
# The same before something that is quoted.
_QUOTES = re.compile(
    r"(?i)^(?:i (?:got|get|have|received|see)|here(?: is|'s| are)|got|there(?:'s| is| are))\b"
    r"[^\"“\n]{0,160}[\"“](?=[^\"”\n]{20})"
)


def sentences_in(text: str) -> list[str]:
    """The sentences that may name the matter, in order; a heading of some words stands alone."""
    lines = lines_in(text)
    first = next(filter(None, map(clean, lines)), "")
    if _PERSONA.match(first) and (task := _TASK_HEADING.search(text)):
        lines = lines_in(text[task.end() :]) or lines
    found: list[str] = []
    lead = ""
    for number, line in enumerate(lines):
        if (is_pasted_line(line) and number) or len(found) >= _MOST_SENTENCES:
            continue
        is_last = number == len(lines) - 1
        if _HEADING.match(line) and not found[1:] and (not found or found[0].endswith(":")):
            heading = _PLAN.sub("", clean(line))
            if len(heading.split()) > 2 or is_last:
                return [heading]
            continue
        if _HEADING.match(line):
            break
        is_label = not is_last and len(line.split()) < 3
        for said in _said(line):
            if not found and (is_label or _PERSONA.match(said) or not is_task(said)):
                continue
            if not (lead or found or is_last) and POINTS_ON.search(said):
                lead = said
                continue
            found.append(_behind_pointer(said) if not found else said)
    if found and not lead and FORBIDS.match(found[0]) and not FORBIDS.match(first_line(text)):
        found = [said for said in found if not FORBIDS.match(said)]
    return found or ([lead] if lead else [])


def lines_in(text: str) -> list[str]:
    """The lines of a text that are not empty; one that was broken within a sentence is whole."""
    found: list[str] = []
    for line in text.split("\n"):
        is_broken = found and line[:1].islower() and found[-1][-1:].isalnum()
        if is_broken and not _MARKS.match(line):
            found[-1] = f"{found[-1]} {line.rstrip()}"
        elif line.strip():
            found.append(line.rstrip())
    return found


def _said(line: str) -> Iterator[str]:
    """The sentences of a line, without greetings."""
    for sentence in _SENTENCE.split(clean(line)):
        said = _GREETING.sub("", sentence).strip()
        if _WORD.search(said):
            yield said


def _behind_pointer(sentence: str) -> str:
    """A sentence without a beginning that only points at the rest of it."""
    if quoted := _QUOTES.match(sentence):
        return re.split('["”]', sentence[quoted.end() :], maxsplit=1)[0]
    head, _, rest = sentence.partition(": ")
    return rest if len(rest.split()) > 2 and POINTS_ON.search(f"{head}:") else sentence


def first_line(text: str) -> str:
    """The first line of a text that says anything."""
    return next((line for line in map(clean, text.split("\n")) if line), "")


def clean(line: str) -> str:
    """A line without the marks of Markdown, and without what breaks lines in a terminal."""
    plain = _BOLD.sub("", _MARKS.sub("", line.strip())).strip().rstrip("\\").strip()
    while before := _BEFORE.match(plain):
        plain = plain[before.end() :]
    return plain
