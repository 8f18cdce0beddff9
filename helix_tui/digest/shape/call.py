"""The shape of a call, whichever agent made it and whatever it calls its tools."""

from __future__ import annotations

import re

import msgspec

from helix_tui.digest.shape.command import ESCALATED, joined, shape_of_command
from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.schema import ToolClass
from helix_tui.text.shape import HERE, TOOL_WORDS, Shape

_WORD_OF_CLASS: dict[ToolClass, str] = {
    "edit": "Edit",
    "read": "Read",
    "search": "Search",
    "web": "Web",
    "agent": "Agent",
    "plan": "Plan",
}
_WRITERS = frozenset({"Write", "write", "write_file", "create_file", "create", "Create"})
_DELETERS = frozenset({"delete_file"})
_NAME = re.compile(r"[\w.:-]{1,100}")
_OWN_TEXT = re.compile(r"(\w{3,8})((?: --\w{1,20}){0,4})((?: \{\w{1,12}\}){0,4})")
# Lines of a patch begin with one of these, or with the words of a header.
_PATCH_SIGNS = ("+", "-", " ", "@", "*")
_PATCH_WINDOW = 100_000
# How a refusal quotes the line that it stands at.
_BLAMED = re.compile(
    r"(?i)\b(?:got:?|unexpected line[^'\"`]{0,40}|invalid line:?) ?['\"`](?P<got>[^'\"`]?)"
    r"|['\"`](?P<header>[^'\"`]{0,500})['\"`] is not a valid hunk header"
)
UNPREFIXED, REPLACE_ALL = "--unprefixed", "--replace_all"


class Given(msgspec.Struct, gc=False, frozen=True):
    """What of a call's input its shape depends on, besides the command that it runs."""

    path: str = ""
    url: str = ""
    replaces_all: bool = False
    patch: str = ""


def escalated(shape: Shape) -> Shape:
    """The same outside of the sandbox."""
    if not shape.program:
        return shape
    return msgspec.structs.replace(shape, wrappers=(ESCALATED, *shape.wrappers))


def placed(shapes: tuple[Shape, ...], folder: str) -> tuple[Shape, ...]:
    """The same commands, run in a folder."""
    if folder == HERE:
        return shapes
    return tuple(
        msgspec.structs.replace(shape, folder=joined(folder, shape.folder)) for shape in shapes
    )


def shape_of_tool(kind: ToolClass, tool: str, given: Given, fields: tuple[str, ...] = ()) -> Shape:
    """The shape of a call that runs no command; `fields` are names of what a tool of one's own is
    given, which stand as flags."""
    word = _WORD_OF_CLASS.get(kind, "")
    if tool in _WRITERS:
        word = "Write"
    elif tool in _DELETERS:
        word = "Delete"
    name = word or (tool if _NAME.fullmatch(tool) else kind)
    target = kind_of_path(given.path or given.url)
    if not target and kind in ("edit", "read") and given.path:
        target = "file"
    flags = [f"--{name}" for name in fields if _NAME.fullmatch(name)]
    if given.replaces_all:
        flags.append(REPLACE_ALL)
    if given.patch and has_bare_lines(given.patch):
        flags.append(UNPREFIXED)
    return Shape(tool=name, flags=tuple(flags), kinds=(target,) if target else ())


def has_bare_lines(patch: str) -> bool:
    """Whether a patch has lines that begin with no sign: such a patch cannot be applied."""
    begin = patch.find("*** Begin Patch")
    if begin < 0:
        return False
    end = patch.find("*** End Patch", begin)
    body = patch[begin : end if end >= 0 else begin + _PATCH_WINDOW]
    return any(not line.startswith(_PATCH_SIGNS) for line in body.splitlines())


def blames_bare_line(error: str) -> bool:
    """Whether an error quotes a line of the patch that begins with no sign as its fault."""
    found = _BLAMED.search(error)
    return found is not None and not (found["got"] or found["header"] or "").startswith(
        _PATCH_SIGNS
    )


def shape_of_text(text: str) -> Shape:
    """The shape of a command line, or of a tool's shape in its own words."""
    own = _OWN_TEXT.fullmatch(text)
    if own is not None and own[1] in TOOL_WORDS:
        kinds = tuple(word[1:-1] for word in own[3].split())
        return Shape(tool=own[1], flags=tuple(own[2].split()), kinds=kinds)
    return shape_of_command(text)
