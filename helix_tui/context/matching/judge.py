"""Whether a line of instructions is the cause of what fails."""

from __future__ import annotations

from helix_tui.context.matching.asks import asks_for, names_what_works
from helix_tui.context.matching.units import Unit
from helix_tui.context.matching.wanted import Sought

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
    if not asks_for(unit.text, sought.failed, is_code=unit.is_code):
        return False
    if not sought.works:
        return sought.error_class in _UNWORKABLE
    return not names_what_works(unit.text, sought.works, is_code=unit.is_code)
