"""Failures that a status does not tell: a program's own complaint in a pipe or a list."""

from __future__ import annotations

import re

from helix_tui.digest.programs import programs_in
from helix_tui.digest.runs.shell import pipelines

_JOINED = re.compile(r"[|;\n&]")
# How programs say that they could not even begin; the name is that of the program.
_COMPLAINT = re.compile(
    r"^(?:(?P<git>fatal|error): \S"
    r"|(?:\S*/)?(?P<shell>(?:ba|z|da)?sh|\(eval\)):(?:\d+:| line \d+:|(?P<builtin>\w+):\d+:)?+"
    r" (?!warning\b)\S"
    r"|(?:\S*/)?(?P<name>[\w.+-]{1,40}): (?:(?:invalid|illegal|unrecognized|unknown) option"
    r"|unknown (?:sub)?command|option requires an argument|missing operand|syntax error))",
    re.MULTILINE,
)
_LONGEST = 8000
_LINE = 300


def complaint_in(command: str, text: str) -> str:
    """The line by which a program of a command says that it failed, where no status does."""
    if "||" in command or not _JOINED.search(command):
        return ""
    text = _without_head(text[:_LONGEST])
    for found in _COMPLAINT.finditer(text):
        if _is_of(command, found) and _begins(command, text, found):
            end = text.find("\n", found.start())
            return text[found.start() : end if end >= 0 else len(text)][:_LINE]
    return ""


def _without_head(text: str) -> str:
    if text.startswith(("Exit code: ", "Chunk ID: ", "Wall time: ")):
        return text.partition("\nOutput:\n")[2]
    return text.removeprefix("exit: 0\n")


def _is_of(command: str, found: re.Match[str]) -> bool:
    """Whether the program that complains is one that the command runs."""
    programs = {program.partition(" ")[0] for program in programs_in(command)}
    if found["git"]:
        return "git" in programs and "git fsck" not in programs_in(command)  # whose answer it is
    if found["builtin"]:
        # What a shell's start-up files print before every command is of none of them.
        return found["builtin"] in command.split()
    return bool(found["shell"]) or found["name"] in programs


def _begins(command: str, text: str, found: re.Match[str]) -> bool:
    """Whether a line begins what a program printed: it is the first, or one that `echo` ended."""
    if found["git"] == "fatal" or found.start() == 0:
        return True
    before = text[: found.start() - 1].rpartition("\n")[2].strip()
    echoed = {
        " ".join(line.stages[0].words[1:]).strip()
        for line in pipelines(command)
        if line.stages[0].words[0] == "echo"
    }
    return before in echoed
