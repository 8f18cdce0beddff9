"""Judge whether a way past a problem gives up a safeguard, by the change and by what was run."""

from __future__ import annotations

from helix_tui.text.weakens import drops_guard, weakens

_SHELL = "$ "
_LEAVE_OUT, _IN, _ADD = "leave out ", "run it in ", "add "
# Verbs of digests for what ends, removes or opens something.
_HARMFUL = frozenset({"kill", "remove", "chmod"})
# Anybody may write there what is then run.
_ANYBODYS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp")


def way_weakens(verb: str, *actions: str) -> bool:
    """Whether a way out gives up a safeguard: by its verb, or by an action that was run for it."""
    if verb in _HARMFUL or any(ran.startswith(_SHELL) and weakens(ran) for ran in actions):
        return True
    return any(_gives_up(edit) for edit in verb.split(", "))


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
