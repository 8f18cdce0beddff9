"""Which part of a call failed, as far as the error says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.digest.shape.command import chosen_shape
from helix_tui.digest.state import Memory, Pending
from helix_tui.schema import REST
from helix_tui.text.shape import HERE, Shape, relative_folder

# How a program names itself before what it complains of; a shell names the program behind it.
_NAMED = re.compile(
    r"(?:(?:\S{0,80}/)?(?:ba|z|da)?sh(?:\[\d+\])?:(?: line)?[ \d:]{0,8} ?|\(eval\):\d{1,4}: )?"
    r"(?:\S{0,120}/)?(?P<name>[\w.+-]{1,40}): "
)
_GIT = re.compile(r"(?:fatal|error|hint|remote): ")
# From here on a line says what to do, or quotes what somebody wrote.
_ADVISING = re.compile(r"(?i)\b(?:run|running|try|use|using|see)\b.*|`[^`]*`|'[^']*'|\"[^\"]*\"")
_ENDINGS = r"(?:\w?ing|ed)?"
_MISSING = "command_not_found"
_MOST_SHAPES = 8


def failing_shape(call: Pending | None, line: str, error_class: str, subject: str) -> Shape:
    """The shape of what failed; one that says nothing where no call is known."""
    if call is None or not call.shapes:
        return Shape()
    program = _program_in(line, error_class, subject)
    named = _named_in(line, call.shapes) if len(call.shapes) > 1 else []
    if len({shape.base for shape in named}) == 1:
        others = {shape.program for shape in (*call.shapes, *call.behind)} - {named[0].program}
        if program not in others:
            return named[0]
    return chosen_shape(call.shapes, call.behind, program)


def _named_in(line: str, shapes: Sequence[Shape]) -> list[Shape]:
    """The parts of a call that a line names by program and sub-command; git's lines go without."""
    said = _ADVISING.sub("", line)
    of_git = {"git"} if _GIT.match(line) else set()
    return [
        shape
        for shape in shapes
        if (asked := (shape.script or shape.verb).split())
        and (shape.program in of_git or _has_word(said, shape.program))
        and all(_has_word(said, word) for word in asked)
    ]


def _has_word(line: str, word: str) -> bool:
    return re.search(rf"(?i)(?<![\w.-]){re.escape(word)}{_ENDINGS}(?![\w-])", line) is not None


def _program_in(line: str, error_class: str, subject: str) -> str:
    """The program that an error is of, where its line names one."""
    if error_class == _MISSING and subject:
        return subject
    found = _NAMED.match(line)
    if found is not None and not _GIT.match(line):
        return found["name"]
    return "git" if _GIT.match(line) and line.startswith("fatal: ") else ""


def count_shape(shapes: dict[str, int], shape: str) -> None:
    """Counts a shape among those of an error; what there is no room for counts for the rest."""
    if not shape:
        return
    if shape not in shapes and len(shapes) >= _MOST_SHAPES:
        shape = REST
    shapes[shape] = shapes.get(shape, 0) + 1


def in_base(memory: Memory, workdir: str) -> str:
    """A call's folder, in relation to the first one that calls of the part named."""
    if not workdir:
        return HERE
    memory.base = memory.base or workdir
    return relative_folder(workdir, memory.base)
