"""Whether a line of instructions is the cause of what fails."""

from __future__ import annotations

import re

from helix_tui.context.matching.asks import (
    asks_for,
    commands_in,
    names_other,
    names_what_works,
    only_tells_of,
    words_of_command,
)
from helix_tui.context.matching.tokens import tokens_of
from helix_tui.context.matching.units import Unit
from helix_tui.context.matching.wanted import Sought

_TOOL = re.compile(r"(?:Edit|Write|Read|Search|Web|Agent|Plan|MultiEdit|Glob|Grep)\b")
# A command that ends so can never work as it is written, wherever it stands.
_UNWORKABLE = frozenset(
    {
        "command_not_found",
        "npm_script_missing",
        "make_target_missing",
        "unknown_option",
        "unknown_subcommand",
        "no_such_tool",
    }
)


def is_cause(unit: Unit, sought: Sought) -> bool:
    """Whether a line asks for the very command that fails.

    That is one that can never work, or one for which another had to be run.
    """
    is_unworkable = sought.error_class in _UNWORKABLE
    # A program alone may be asked for to do something else.
    least = 1 if is_unworkable else 2
    if not asks_for(unit.text, sought.failed, is_code=unit.is_code, least=least):
        return False
    if not is_unworkable and only_tells_of(unit.text, sought.failed):
        return False
    if not sought.works:
        return is_unworkable
    return not names_what_works(unit.text, sought.works, is_code=unit.is_code)


def is_order(unit: Unit, sought: Sought) -> bool:
    """Whether a line only asks for a command that failed: whoever ran that kept to the line.

    One that names what helps as well, an option, a variable or another command, was not kept to.
    """
    text, is_code = unit.text, unit.is_code
    if not any(asks_for(text, command, is_code=is_code) for command in sought.tried):
        return False
    names = {token for token in sought.change if token[0] == "-" or "=" in token or "_" in token}
    if not names.isdisjoint(tokens_of(text)):
        return False
    helps = filter(None, (sought.works, *sought.first))
    return not any(names_other(text, one, sought.tried, is_code=is_code) for one in helps)


def is_of_tool(action: str) -> bool:
    """Whether an action is a call of an agent's own tool: `Edit main.go`."""
    return _TOOL.match(action) is not None


def is_other_purpose(unit: Unit, sought: Sought) -> bool:
    """Whether all that a line runs with the program that works is something else.

    `uv run pytest` says nothing of `uv pip install`.
    """
    working = [words for words in words_of_command(sought.works) if words[0] != "cd"]
    wanted = {word for words in (*working, *words_of_command(sought.failed)) for word in words}
    programs = {words[0] for words in working}
    named = [
        words
        for command, _ in commands_in(unit.text, is_code=unit.is_code)
        for words in words_of_command(command)
        if words[0] in programs and len(words) > 1
    ]
    return bool(named) and all(wanted.isdisjoint(words[1:]) for words in named)
