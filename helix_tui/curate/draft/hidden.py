"""How a program was run without something that a variable hides from it."""

from __future__ import annotations

import re

from helix_tui.curate.draft.allowed import is_known
from helix_tui.curate.draft.names import code, inert, quoted
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.text.leads import hiding_variables
from helix_tui.text.shape import action_in

_NAME_LENGTH, _SAID_LENGTH, _WARNING_LENGTH = 61, 100, 160
# What a warning is about on that day, at its end.
_OF_THE_DAY = re.compile(r" (?:for|in|at|of|to) \S{0,80}\d\S{0,80}$")


def hiding_line(candidate: Candidate, lead: Remedy) -> list[str]:
    """Say how something was hidden from a program, and what that then warned of."""
    variables = quoted(hiding_variables(lead), _NAME_LENGTH)
    action = quoted(action_in(candidate.shape), _NAME_LENGTH)
    if not variables or not action:
        return []
    warned = quoted(_OF_THE_DAY.sub("", lead.warned), _WARNING_LENGTH)
    warns = f", and warns: “{inert(warned)}”" if warned else ""
    said = quoted(candidate.said, _SAID_LENGTH)
    fails = f"says “{inert(said)}”" if said else "fails so"
    how = f"Where {code(action)} {fails}, run it with {code(variables)}"
    return [f"{how}: it then runs without {_hidden_by(variables)}{warns}."]


def _hidden_by(variables: str) -> str:
    """What a variable hides: the program that it is named after (`GIT_DIR`)."""
    name = variables.partition("_")[0].lower()
    return code(name) if is_known(name) else "what that hides"
