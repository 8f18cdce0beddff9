"""What the output of a failed command names as the cure: a hint of the tool, in its own words.

A hint names a command, a sub-command or an option in quotation marks, or an option as it stands.
What a linter says of a place in the code is about code, and what git's status lists is no hint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.schema.digest import ErrorGroup
from helix_tui.text.shape import Shape

# The beginning and the end of an output say what went wrong with the call itself.
_MOST_LINES = 60
_LONGEST_LINE = 240
_SAYS_LENGTH = 120
_MOST = 3
_NAME = r"(?P<name>-{0,2}[A-Za-z@][\w./@:=-]{0,40}(?: [\w./@:=-]{1,40}){0,5})"
_MARKED = "|".join(
    f"{mark}{_NAME.replace('name', group)}{mark}"
    for mark, group in (("`", "a"), ("'", "b"), ('"', "c"))
)
_OPTION = r"(?P<option>--[a-z][\w-]{1,40})"
_ASKS = re.compile(
    r"(?i)\b(?:please |try )?"
    r"(?:use|using|try|run|running|execute|did you mean|perhaps you meant|maybe you meant"
    r"|similar (?:sub)?(?:command|option|argument|name)s?(?: is| exists)?"
    r"|replaced by|in favou?r of|renamed to)\b"
    r"(?: the| a| this| with|(?P<without> without)| to run| running| using| instead)*:?"
    rf" (?:{_MARKED}|{_OPTION})"
)
# `Did you mean this?` and the like are answered in the next line.
_ASKED_BELOW = re.compile(
    r"(?i)(?:did you mean (?:this|one of these)\?|most similar commands? (?:is|are))\s*$"
)
_BELOW = re.compile(rf"\s{{1,12}}{_NAME}(?:\s+#.*)?\s*$")
# A place in the code, a note of a type checker, what `git status` offers for each file.
_OF_CODE = re.compile(r":\d+[:)]|\(\d+,\d+\)|\bnote: |\(use \"|^\s*\d+ ?[│|:]|^\s*[-+] ")
# Other hints may name a step that is to be taken before.
_INSTEAD = re.compile(r"(?i)\b(?:instead|mean|meant|similar|replaced|renamed|favou?r)\b")
# What a line is decorated with.
_SIGNS = re.compile(r"^[^\w`'\"(<-]+")
_HELP = frozenset({"--help", "-h", "help", "--version", "man", "--verbose", "-v", "--debug"})


class Hint(NamedTuple):
    """What a tool named as the cure, the line in which it did, and if it is to be run instead."""

    name: str
    says: str
    is_instead: bool


def hints_in(text: str, failed: Shape) -> list[Hint]:
    """The cures that an output names, but for the command that failed and for asking for help."""
    lines = text.splitlines()
    if len(lines) > 2 * _MOST_LINES:
        lines = [*lines[:_MOST_LINES], *lines[-_MOST_LINES:]]
    found: dict[str, Hint] = {}
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE or _OF_CODE.search(line):
            continue
        says, names = _SIGNS.sub("", " ".join(line.split())), _names_in(line)
        if _ASKED_BELOW.search(line) and at + 1 < len(lines):
            below = _BELOW.match(lines[at + 1])
            names += [below["name"]] if below else []
            says = f"{says} {' '.join(lines[at + 1].split())}"
        for name in names:
            if len(found) < _MOST and _is_cure(name, failed):
                is_instead = _INSTEAD.search(says) is not None
                found.setdefault(name, Hint(name, says[:_SAYS_LENGTH], is_instead))
    return list(found.values())


def _names_in(line: str) -> list[str]:
    found = []
    for match in _ASKS.finditer(line):
        name = next(filter(None, (match["a"], match["b"], match["c"], match["option"])))
        found.append(f"without {name}" if match["without"] else name)
    return found


def _is_cure(name: str, failed: Shape) -> bool:
    words = name.split()
    is_asking = not _HELP.isdisjoint(words)
    return not is_asking and name not in (failed.base, failed.program)


def first_hint(one: ErrorGroup, other: ErrorGroup) -> tuple[str, str]:
    """Return the hint that stands for two groups of errors, and the action whose output has it."""
    told = [(group.hint, group.hinted) for group in (one, other) if group.hint]
    # One that is known to be of an action comes before the same of which nobody knows.
    return min(told, key=lambda each: (each[0], not each[1], each[1]), default=("", ""))


def followed(hints: Sequence[str], failed: Shape, passed: Sequence[Shape]) -> str:
    """The hint to run something else that an action of the same program follows, if one does.

    What a hint names is then the script or the sub-command, or the whole of what is run.
    """
    for shape in passed:
        if shape.program != failed.program or shape.base == failed.base:
            continue
        own = {shape.base, shape.verb, shape.script, *shape.verb.split()[-1:]}
        if name := next((hint for hint in hints if hint in own), ""):
            return name
    return ""
