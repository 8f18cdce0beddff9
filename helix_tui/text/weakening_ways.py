"""Judge whether a way past a problem gives up a safeguard, by the change and by what was run.

A page proposes something, so that a doubt is enough there (`way_weakens`). A list tells what was
done: there the change itself must give something up (`change_weakens`).
"""

from __future__ import annotations

import re

from helix_tui.text.weakens import drops_guard, variable_weakens, weakens

_SHELL = "$ "
_LEAVE_OUT, _IN, _ADD = "leave out ", "run it in ", "add "
# Verbs of digests for what ends, removes or opens something.
_HARMFUL = frozenset({"kill", "remove", "chmod"})
_SET, _WITH, _OTHER_VALUE = "set ", "run it with ", "give another "
# Changes that only say what else was named, read or run in its place.
_TOLD = (
    "use ",
    "unset ",
    "run it without ",
    "read ",
    "other text",
    "give ",
    "quote",
    "begin ",
    "part ",
)
_CLEARING = frozenset({"remove", "kill", "run it where you are"})
# Anybody may write there what is then run.
_ANYBODYS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp")


def way_weakens(verb: str, *actions: str) -> bool:
    """Whether a way out gives up a safeguard: by its verb, or by an action that was run for it."""
    if verb in _HARMFUL or any(ran.startswith(_SHELL) and weakens(ran) for ran in actions):
        return True
    return any(_gives_up(edit) for edit in verb.split(", "))


def change_weakens(verb: str, ran: str, failed: str, works: str) -> bool:
    """Whether a change of how something is run gives up a safeguard, whatever else is run.

    `ran` is the step that was taken, `failed` and `works` are the two actions. Clearing a folder
    or ending a process may be all that is needed: that is told, and never proposed.
    """
    return any(_changes_guard(edit, ran, failed, works) for edit in verb.split(", "))


def _changes_guard(edit: str, ran: str, failed: str, works: str) -> bool:
    if edit.startswith(_SET):
        name = edit.removeprefix(_SET)
        value = re.search(rf"(?<![\w]){re.escape(name)}=['\"]?(\S{{0,200}})", works)
        return variable_weakens(name, value[1] if value else "")
    if edit.startswith((_LEAVE_OUT, _ADD, _IN, _WITH, _OTHER_VALUE)):
        is_new = works.startswith(_SHELL) and weakens(works) and not weakens(failed)
        return _gives_up(edit) or is_new
    if edit.startswith(_TOLD) or edit in _CLEARING:
        return False
    return ran.startswith(_SHELL) and weakens(ran)


def leaves_out(verb: str) -> bool:
    """Whether a way out leaves an option out."""
    return any(edit.startswith(_LEAVE_OUT) for edit in verb.split(", "))


def _gives_up(edit: str) -> bool:
    """Whether one change leaves a guard out, adds what weakens, or moves to an open folder."""
    if edit.startswith(_LEAVE_OUT):
        return drops_guard(edit.removeprefix(_LEAVE_OUT))
    if edit.startswith(_ADD):
        return weakens(f"_ {edit.removeprefix(_ADD)}")
    return edit.startswith(_IN) and edit.removeprefix(_IN).startswith(_ANYBODYS)
