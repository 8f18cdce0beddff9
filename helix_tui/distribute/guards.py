"""Which patterns answer an agent before a call: those that a person switched on, with a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from helix_tui.schema.distribute import Teaching
from helix_tui.schema.guard import GuardRule, GuardTrouble
from helix_tui.text.shape import HERE, Shape

# Reads a text as the one action that it names, or says that it names none.
ReadShape = Callable[[str], Shape | None]


def guard_rules(
    teachings: Iterable[Teaching], read_shape: ReadShape
) -> tuple[list[GuardRule], list[GuardTrouble]]:
    """The rules of all guards, and those that cannot hold."""
    rules: list[GuardRule] = []
    troubles: list[GuardTrouble] = []
    for one in teachings:
        if not one.guard:
            continue
        shape = read_shape(one.shape)
        reason = guard_fault(one, shape)
        if reason or shape is None:
            troubles.append(GuardTrouble(one.id, reason))
            continue
        folder = "" if shape.folder == HERE else shape.folder
        rules.append(
            GuardRule(
                one.id, one.version, one.guard, shape.text_anywhere, shape.program, one.rule,
                folder, list(one.scope.repos),
            )
        )  # fmt: skip
    return sorted(rules, key=lambda rule: rule.pattern), troubles


def guard_fault(one: Teaching, shape: Shape | None) -> str:
    """Why a pattern cannot be guarded; empty where it can."""
    if not one.shape:
        return "it names no command: `helix catalog set ID --shape COMMAND` does"
    if shape is None:
        return f"`{one.shape}` is no one command that can be told from others"
    if one.trouble:
        return one.trouble
    if one.scope.globs:
        return "it is about some files (`path:`), and a command does not say which it is about"
    if not one.rule:
        return "it has no words to answer with: `helix catalog set ID --rule TEXT` gives them"
    return ""
