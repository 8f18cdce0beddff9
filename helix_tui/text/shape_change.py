"""The difference between two shapes, as edits of the first: `+env PYTHONPATH`, `-flag --`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helix_tui.text.shape import Shape

JOINED_BY = ", "
# An action that differs in more is another action.
MOST_EDITS = 3
# What says nothing of why it then passed; these count only towards how often it was overcome.
AGAIN, EDIT_FIRST, OTHER = "again", "edit first", "other"
NO_REMEDY = frozenset({AGAIN, EDIT_FIRST, OTHER})
READ_FIRST, OTHER_TEXT, MORE_LINES = "read first", "other text", "more lines"
QUOTED, ABSOLUTE, PARTED = "quoted", "absolute path", "&& -> ;"
ESCALATED = "run it with escalated permissions"
BEFORE, PATH, PROGRAM, VALUE_OF = "before: ", "path -> ", "program ", "value of "
# A repository at its host, as `owner/name`.
REPOSITORY = "repository -> "
# How both are told.
PATH_WORDS, REPOSITORY_WORDS = "use the path ", "name the repository "
# What a check names was mended, by hand or by a fixer: all that there is to do about it.
MEND = "mend what it names"
# What running a formatter amounts to, whichever it is.
FORMAT = "format"
# A fixer of which only that is known.
ITS_FORMATTER = "its formatter"
# What the output of the failed action itself named, and was then done.
AS_TOLD, SAYS_SO = "as told: ", " (its own output says so)"


def edits_between(failed: Shape, passed: Shape) -> list[str]:
    """What was changed of an action of the same program: how it is run, its options, its folder."""
    edits = [
        *_wrappers(failed.wrappers, passed.wrappers),
        *_names("env", failed.env, passed.env),
        *_names("flag", failed.flags, passed.flags),
    ]
    if failed.folder != passed.folder:
        edits.append(f"folder {failed.folder} -> {passed.folder}")
    return edits


def exchanged(failed: Shape, passed: Shape) -> str:
    """That something else was run in its place."""
    return f"{PROGRAM}{_way(failed)} -> {_way(passed)}"


def joined(edits: Sequence[str]) -> str:
    """Edits as one change."""
    return JOINED_BY.join(edits)


def _way(shape: Shape) -> str:
    return " ".join((*(name for name in shape.wrappers if name[-1:] != "/"), shape.base))


def _wrappers(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(gone) == len(come) == 1:
        yield f"wrapper {gone[0]} -> {come[0]}"
        return
    yield from (f"-wrapper {name}" for name in gone)
    yield from (f"+wrapper {name}" for name in come)


def _names(part: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    yield from (f"-{part} {name}" for name in old if name not in new)
    yield from (f"+{part} {name}" for name in new if name not in old)


def in_words(change: str) -> str:
    """A change in a few words that follow “what helped was to”; nothing where it says nothing."""
    if change in NO_REMEDY:
        return ""
    return ", ".join(words for edit in change.split(JOINED_BY) if (words := _edit_in_words(edit)))


_FIXED = {
    READ_FIRST: "read the file again",
    OTHER_TEXT: "other text",
    MORE_LINES: "give more surrounding lines",
    QUOTED: "quote it",
    PARTED: "part the commands by `;`",
    ABSOLUTE: "use the absolute path",
    "+flag --replace_all": "add replace_all",
    "-flag --unprefixed": "begin every line of the patch with its sign",
    "+wrapper escalated": ESCALATED,
}
# What an agent's own tool asks for when it refuses: nobody need be told besides.
ASKED_BY_TOOLS = frozenset(
    {_FIXED[READ_FIRST], _FIXED[MORE_LINES], _FIXED["+flag --replace_all"], _FIXED[OTHER_TEXT]}
)
# What any linter or formatter asks for.
_OF_ANY_STYLE = frozenset({FORMAT, MEND})


def is_asked_by_tool(verb: str, scope: str) -> bool:
    """Whether what overcomes a failure is what the tool asks for by itself, wherever it is used.

    In one repository it says at least which check, formatter or command is meant.
    """
    is_of_any = verb in _OF_ANY_STYLE or verb.endswith(SAYS_SO)
    return verb in ASKED_BY_TOOLS or (is_of_any and scope != "repo")


_LEADS = (
    ("+flag ", "add "),
    ("-flag ", "leave out "),
    ("+env ", "set "),
    ("-env ", "unset "),
    ("+wrapper ", "run it with "),
    ("-wrapper ", "run it without "),
    (PATH, PATH_WORDS),
    (REPOSITORY, REPOSITORY_WORDS),
    (VALUE_OF, "give another "),
    (BEFORE, ""),
)


def _edit_in_words(edit: str) -> str:
    if edit in _FIXED:
        return _FIXED[edit]
    for lead, words in _LEADS:
        if edit.startswith(lead):
            return words + edit.removeprefix(lead)
    if edit.startswith(AS_TOLD):
        return f"use {edit.removeprefix(AS_TOLD)}{SAYS_SO}"
    _, _, new = edit.rpartition(" -> ")
    if edit.startswith("folder "):
        return f"run it in {new}" if new != "." else "run it where you are"
    return f"run it with {new}" if edit.startswith("wrapper ") else f"use {new}"
