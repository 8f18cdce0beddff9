"""Whether a run that failed looked at anything at all, or could not even begin."""

from __future__ import annotations

from helix_tui.text.lazy import lazy

# A script or a program that is not there, and words that a program does not take: nothing was
# checked, so nothing is known to be wrong with the work.
_NEVER_BEGAN = lazy(
    r"(?i)missing script|script not found|no such (?:file|script|command|task|recipe)"
    r"|command (?:\"?[\w:.-]{1,60}\"? )?not found|the program was not found|no module named"
    r"|ERR_PNPM_(?:NO_SCRIPT|RECURSIVE_EXEC_FIRST_FAIL|NO_IMPORTER_MANIFEST_FOUND)"
    r"|no rule to make target|does not contain recipe|task not found|task \S{1,60} does not exist"
    r"|failed to spawn|can(?:'t|not) find (?:module|file or directory|script)"
    r"|file or directory not found|unrecognized arguments|unknown (?:option|flag|argument|command)"
    r"|unexpected argument|permission denied|executable file not found"
    r"|\bblocked (?:an?|by|the)\b|\b(?:was|not) (?:refused|permitted|allowed)\b"
    r"|is not a valid statement separator"
    r"|-race requires cgo|couldn't find a package\.json"
)


def never_began(reason: str) -> bool:
    """Whether the reason of a failure says that nothing was checked."""
    return _NEVER_BEGAN.search(reason) is not None
