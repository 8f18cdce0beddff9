"""What an edit call changes, as lines taken away and lines added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

import msgspec

Change = Literal["same", "old", "new", "file"]
_LONGEST = 20_000
_MOST_LINES = 400
_SAME_AROUND = 2
_PATCH_FILE = re.compile(r"^\*\*\* (?:(Add|Update|Delete) File|Move to): (.*)$")


class ChangedLine(NamedTuple):
    """A line of a diff."""

    change: Change
    text: str


class _Replacement(msgspec.Struct):
    old_string: str | None = None
    new_string: str | None = None
    old_str: str | None = None
    new_str: str | None = None


class _EditInput(_Replacement):
    file_path: str | None = None
    path: str | None = None
    target_file: str | None = None
    content: str | None = None
    contents: str | None = None
    file_text: str | None = None
    edits: list[_Replacement] | None = None
    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    input: str | None = None
    patch: str | None = None


def diff_of(arguments: str) -> list[ChangedLine]:
    """The diff of an edit call by what it was given; empty where it is none that is known."""
    patch = arguments if "*** Begin Patch" in arguments[:2_000] else ""
    if patch and not arguments.lstrip().startswith("{"):
        return list(_patch_lines(patch))
    try:
        call = msgspec.json.decode(arguments, type=_EditInput)
    except (msgspec.DecodeError, UnicodeError):
        return []
    for value in (call.input, call.patch, call.command, call.cmd):
        text = value[-1] if isinstance(value, list) and value else value
        if isinstance(text, str) and "*** Begin Patch" in text[:2_000]:
            return list(_patch_lines(text))
    name = call.file_path or call.path or call.target_file or ""
    lines = [ChangedLine("file", name)] if name else []
    for number, edit in enumerate(call.edits or [call]):
        old, new = edit.old_string or edit.old_str, edit.new_string or edit.new_str
        if old or new:
            lines += [ChangedLine("same", "⋯")] if number else []
            lines += replaced(old or "", new or "")
    written = call.content or call.contents or call.file_text
    if written:
        lines += [ChangedLine("new", line) for line in written[:_LONGEST].split("\n")]
    return lines if len(lines) > bool(name) else []


def replaced(old: str, new: str) -> list[ChangedLine]:
    """The lines of a replacement, those that stay only around those that change."""
    before, after = old[:_LONGEST].split("\n"), new[:_LONGEST].split("\n")
    if not old:
        return [ChangedLine("new", line) for line in after]
    if not new:
        return [ChangedLine("old", line) for line in before]
    if max(len(before), len(after)) > _MOST_LINES:
        gone = [ChangedLine("old", line) for line in before]
        return gone + [ChangedLine("new", line) for line in after]
    lines: list[ChangedLine] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(_SAME_AROUND):
        if lines:
            lines.append(ChangedLine("same", "⋯"))
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [ChangedLine("same", line) for line in before[a:b]]
            else:
                lines += [ChangedLine("old", line) for line in before[a:b]]
                lines += [ChangedLine("new", line) for line in after[c:d]]
    return lines


def _patch_lines(patch: str) -> Iterator[ChangedLine]:
    start = patch.index("*** Begin Patch")
    for line in patch[start : start + _LONGEST].split("\n")[1:]:
        if line.startswith("*** End Patch"):
            return
        named = _PATCH_FILE.match(line)
        if named:
            how = f"  ({named[1].lower()})" if named[1] and named[1] != "Update" else ""
            yield ChangedLine("file", named[2] + how)
        elif line.startswith("+"):
            yield ChangedLine("new", line[1:])
        elif line.startswith("-"):
            yield ChangedLine("old", line[1:])
        elif line.startswith("@@"):
            yield ChangedLine("same", line[2:].strip() or "⋯")
        else:
            yield ChangedLine("same", line[1:])
