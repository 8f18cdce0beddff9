"""Which lines tell of the same cure: by the error without its values, and the way past it."""

from __future__ import annotations

import re

from helix_tui.text.markdown import said_in

_OVERCOME = re.compile(
    r"^After the error (?P<error>`.+?`) "
    r"(?:this passed: |this got past it, then failed otherwise: |the agent ran )(?P<rest>.+)$"
)
_ERROR = re.compile(r"^After the error (?P<error>`.+?`) (?:the agent|this|it)\b")
_VERB = re.compile(r"\((`+ ?.+? ?`+)\)$")
_VALUE = re.compile(r"\d+|(?:[\w.~-]*/)+[\w.-]*|['\"][^'\"]*['\"]|[^\w\s]+")
# A folder of one machine, or of a worktree that is gone, in which a command is run.
OWN_FOLDER = re.compile(r"""(?<=[`: ])cd ["']?[~/$][^;&|`]{0,200}(?:;|&&) *""")
# What is quoted as a name, or written as one.
_NAMED = re.compile(r"['\"][\w@][\w./@-]+['\"]|\w[._/]\w")
_LEAST_WORDS = 3
_LENGTH = 80


def error_of(line: str) -> str:
    """The error that a line begins with; empty where its words may be of any."""
    match = _ERROR.match(line)
    if match is None:
        return ""
    error = _VALUE.sub(" ", said_in(match["error"])).casefold().split()
    # Of an error in which nothing is named, or of which little is left, there may be many.
    is_telling = len(error) >= _LEAST_WORDS and _NAMED.search(match["error"]) is not None
    return said_in(match["error"]) if is_telling else ""


def cure_of(line: str) -> str:
    """By what a line that tells of a cure is the same as another; empty for any other line."""
    match = _OVERCOME.match(line)
    if match is None:
        return ""
    error = _VALUE.sub(" ", said_in(match["error"])).casefold().split()
    verb = _VERB.search(match["rest"])
    # An error of which little is left without its values may be any.
    if len(error) < _LEAST_WORDS:
        return ""
    return f"{' '.join(error)[:_LENGTH]} | {said_in(verb[1]) if verb else ''}"


def is_one_cure(one: str, other: str) -> bool:
    """Whether two lines tell of one error and of a way past it that both took."""
    errors = [_OVERCOME.match(line) for line in (one, other)]
    named = {said_in(match["error"]) for match in errors if match}
    # An error without a name may be of anything, also in another repository of that name.
    if len(named) != 1 or not all(errors) or not _NAMED.search(named.pop()):
        return False
    left, right = cure_of(one), cure_of(other)
    if not left or not right:
        return False
    (error, _, verbs), (other_error, _, other_verbs) = left.partition(" | "), right.partition(" | ")
    if error != other_error:
        return False
    steps, other_steps = (set(some.split(", ")) - {""} for some in (verbs, other_verbs))
    return bool(steps & other_steps)
