"""Instructions that an agent read with a tool: the text stands in what the call answered."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from helix_tui.tools import tool_class

# A file of instructions is short; of a longer one its beginning is kept.
_LONGEST = 1 << 16
_PATHS = ("filePath", "file_path", "absolute_path", "path")
# A playbook is a task, of which other sessions are told nothing.
_NAMES = re.compile(
    r"(?i)(?:\A|[/\\])(?:(?:agents|claude|gemini|qwen)(?:\.local|\.override)?\.md|contributing\.md"
    r"|copilot-instructions\.md|\.cursorrules|[^/\\]{1,80}\.mdc)\Z"
)
# How tools put the text of a file: tags, numbers of lines, a note at the end.
_CONTENT = re.compile(r"(?s)<(?:content|file)>\n?(.*?)(?:\n?</(?:content|file)>|\Z)")
_NUMBER = re.compile(r"(?m)^[ \t]{0,8}\d{1,6}(?:: |\||\t|\u2192|$) ?")
_NOTE = re.compile(
    r"(?m)^\((?:End of file|File has more lines|Showing lines)[^\n]{0,200}\)\s{0,8}$"
)
_LEAST_NUMBERED = 0.9


def read_instructions(flavor: str, tool: str, given: str, answer: str) -> str:
    """The instructions that a call read, as they stand in their file; nothing where it read none.

    An agent is told by them from then on, as by those that its client loads.
    """
    if not answer.strip() or tool_class(flavor, tool) != "read" or not _reads_such(given):
        return ""
    found = _CONTENT.search(answer)
    text = _NOTE.sub("", found[1] if found else answer)[:_LONGEST]
    lines = [line for line in text.split("\n") if line.strip()]
    numbered = sum(_NUMBER.match(line) is not None for line in lines)
    return _NUMBER.sub("", text) if lines and numbered >= _LEAST_NUMBERED * len(lines) else text


def _reads_such(given: str) -> bool:
    try:
        asked: Any = msgspec.json.decode(given)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    if not isinstance(asked, dict):
        return False
    paths = (asked.get(name) for name in _PATHS)
    return any(isinstance(path, str) and _NAMES.search(path) is not None for path in paths)
