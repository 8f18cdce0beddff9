"""What a command line runs, for a guard: whole shapes, and where each runs as far as is certain."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.digest.runs.recognise import expanded
from helix_tui.digest.runs.shell import pipelines
from helix_tui.digest.shape.command import LONGEST, MOST_FLAGS, NAME_LENGTH, joined, parts_of
from helix_tui.text.shape import HERE, TOOL_WORDS, Shape

_MOVING = frozenset({"cd", "pushd", "popd"})
_UNCERTAIN = frozenset("$`'\n*?")
_FOLDER_LENGTH = 120


class RunPart(NamedTuple):
    """A program that a command line runs: its shape wherever it runs, and the folder as it was
    written; None where the line does not say for certain."""

    text: str
    folder: str | None


def run_parts(command: str) -> list[RunPart]:
    """Every program that a command line runs; none where it is too long to be read whole."""
    if len(command) > LONGEST:
        return []
    is_certain = _is_certain(command)
    return [
        RunPart(
            part.shape.text_anywhere,
            part.shape.folder if _is_plain(part.shape, is_certain) else None,
        )
        for part in parts_of(command)
    ]


def guarded_shape(text: str) -> Shape | None:
    """The one shape that a text is about, if a guard can tell it from all others.

    Names and lists that were cut at their limits may stand for several actions.
    """
    parts = parts_of(text) if len(text) <= LONGEST else ()
    if len(parts) != 1:
        return None
    shape = parts[0].shape
    if shape.program in TOOL_WORDS:
        return None  # a tool that is no shell
    again = parts_of(shape.text)
    if len(again) != 1 or again[0].shape.text != shape.text:
        return None
    names = (shape.program, *shape.verb.split(), shape.script)
    is_cut = len(shape.flags) >= MOST_FLAGS or any(len(name) >= NAME_LENGTH for name in names)
    return None if is_cut or not _is_plain(shape, is_certain=True) else shape


def _is_plain(shape: Shape, is_certain: bool) -> bool:
    folder = shape.folder
    return is_certain and len(folder) < _FOLDER_LENGTH and _UNCERTAIN.isdisjoint(folder)


def _is_certain(command: str) -> bool:
    """Whether a reader of the line knows where its parts run: `cd x && …`, but no `(cd x; …)`."""
    moves = [
        stage.words
        for line in expanded(pipelines(command), 0)
        for stage in line.stages
        if stage.words and stage.words[0] in _MOVING
    ]
    if not moves:
        return True
    targets = [words[-1] for words in moves if len(words) > 1 and words[0] != "popd"]
    plain = [word for word in targets if joined(HERE, word) != HERE or word.rstrip("/") == HERE]
    is_grouped = "(" in command or "{" in command
    return len(plain) == len(moves) and not is_grouped and "-" not in targets
