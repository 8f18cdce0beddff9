"""What was run in a session, as its notes look at it: checks, looks, and what git was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.schema import Facts

_FOLDER = re.compile(r"^cd \S+ && ")
_SHORTENED = re.compile(r"\s+(?:2>&1\s*)?\|\s*(?:head|tail)\b.*$|\s+2>&1$")
# Programs that only show something.
LOOK = re.compile(
    r"(?:cat|ls|sed -n|head|tail|rg|grep|find|nl|wc|pwd|tree|file|stat|which|echo|date|cd|awk|jq|gh"
    r"|sleep|mkdir|rm|cp|mv|touch|true"
    r"|(?i:get-\w+|select-string|test-path|write-(?:host|output)|dir|type))\b"
)
# Kinds of runs that are no checks.
_OF_GIT = ("git", "commit", "push")
_ADDING = re.compile(r"(?:^|&& |; )git add (?P<files>[^&|;<>\n]+)")
_PATH = re.compile(r"^[\w@~][\w@./~+\[\]()-]*\.\w+$")
_CUT = "…"
_MOST_ADDED = 12


def plain_command(command: str) -> str:
    """A command without the folder that it begins with, and without what shortens its output."""
    return _SHORTENED.sub("", _FOLDER.sub("", command.removeprefix("$ ")))


def last_check_passed(facts: Facts) -> bool | None:
    """Whether the last check passed; not known where nothing is seen of it behind a filter."""
    runs = [run for run in facts.runs if run.kind not in _OF_GIT]
    if runs and runs[-1].state == "unknown":
        return None
    return facts.last_check_passed


def added_files(facts: Facts) -> list[str]:
    """The files that commands named to git as changed."""
    return list(dict.fromkeys(_added(facts)))[:_MOST_ADDED]


def _added(facts: Facts) -> Iterator[str]:
    for command in facts.commands:
        for match in _ADDING.finditer(command):
            is_cut = match.end() == len(command) and command.endswith(_CUT)
            words = match["files"].split()
            yield from (word for word in words[: -1 if is_cut else None] if _PATH.match(word))
