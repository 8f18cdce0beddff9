"""The words of a rule: drafted from what a page says to do, and what speaks against them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.schema.distribute import Rung
from helix_tui.text.human import plural
from helix_tui.text.refuse import refusals

MOST_LINES = 2
LONGEST_LINE = 300
# From so many steps on something is a procedure, which a line cannot tell.
_STEPS = 4
_CHARACTERS_PER_TOKEN = 4
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_IMPORT = re.compile(r"(?:^|\s)@[\w./~-]")
# By which a line says itself when it holds.
_CONDITION = re.compile(
    r"(?:Where|When|If|In|On|At|After|Before|Behind|Once|While|Until|Unless|For|With)\b"
)
_STOPS = ".!?:;,"
_MARKS = ("<!--", "-->")
_SKILL_LENGTH = 64


def draft_rule(guidance: str) -> str:
    """One line or two of what a page says to do: as many whole sentences as they hold."""
    lines: list[str] = []
    for line in _said(guidance):
        for piece in _SENTENCE.split(line):
            is_fitting = lines and len(lines[-1]) + 2 + len(piece) <= LONGEST_LINE // 2
            if is_fitting:
                between = " " if lines[-1][-1] in _STOPS else "; "
                lines[-1] = f"{lines[-1]}{between}{piece}"
            elif len(lines) < MOST_LINES:
                lines.append(piece)
            else:
                return "\n".join(lines)
    return "\n".join(lines)


def with_condition(rule: str, applies: str) -> str:
    """A rule that begins with when it applies, unless it says so, or that makes it too long."""
    first, _, rest = rule.partition("\n")
    if not rule or not applies.startswith("When ") or _CONDITION.match(first):
        return rule
    first = f"{applies.rstrip('.')}: {first[:1].lower()}{first[1:]}"
    return "\n".join(filter(None, (first, rest))) if len(first) <= LONGEST_LINE else rule


def _said(guidance: str) -> list[str]:
    """The lines of a text without the marks of lists; code blocks are no words."""
    lines, is_code = [], False
    for line in guidance.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and line.strip():
            lines.append(" ".join(_ITEM.sub("", line, count=1).split()))
    return lines


def tidy_rule(text: str) -> str:
    """A rule without blanks at the ends of its lines, and without blank lines."""
    return "\n".join(" ".join(line.split(" ")).strip() for line in text.split("\n") if line.strip())


def tokens_of_rule(rule: str) -> int:
    """About how many tokens it takes in every session."""
    return -(-len(rule) // _CHARACTERS_PER_TOKEN)


def rule_faults(rule: str) -> list[str]:
    """Why a rule may not be written; nothing where it may."""
    lines = rule.split("\n")
    faults = [f"{one.what} is in it" for one in refusals(rule)]
    if not rule.strip():
        return ["it has no words"]
    if len(lines) > MOST_LINES:
        faults.append(f"it has {plural(len(lines), 'line')}, of which {MOST_LINES} are the most")
    if longest := max(map(len, lines)) > LONGEST_LINE and max(map(len, lines)):
        faults.append(f"a line of it has {longest:,} characters, of which {LONGEST_LINE} are all")
    if any(mark in rule for mark in _MARKS):
        faults.append("it begins or ends a comment, which agents do not see")
    if any(_IMPORT.search(_CODE.sub("", line)) for line in lines):
        faults.append("it has an `@` that Claude Code takes for an import: put it in backquotes")
    return faults


def proposed_rung(guidance: str, globs: Sequence[str]) -> Rung:
    """How it is taught unless somebody says otherwise: a procedure by a skill, else by a line."""
    steps = sum(1 for line in guidance.split("\n") if _ITEM.match(line))
    if steps >= _STEPS or _FENCE.search(guidance):
        return "skill"
    return "rule" if globs else "line"


def skill_name(pattern: str) -> str:
    """The name of a pattern's skill: small letters, digits and hyphens, 64 at most."""
    name = re.sub(r"[^a-z0-9]+", "-", pattern.lower()).strip("-")
    return f"helix-{name}"[:_SKILL_LENGTH].rstrip("-")


def skill_text(name: str, description: str, body: str) -> str:
    """The file of a skill."""
    summary = " ".join(description.split())
    return f"---\nname: {name}\ndescription: {_quoted(summary)}\n---\n\n{body.strip()}\n"


def scoped_rule_text(globs: Sequence[str], rule: str) -> str:
    """The file of a rule that Claude Code loads when it reads a file that fits."""
    paths = "".join(f"  - {_quoted(glob)}\n" for glob in globs)
    return f"---\npaths:\n{paths}---\n\n{rule}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
