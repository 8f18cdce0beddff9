"""What a person ran by hand before asking: the check with the options that tell it apart."""

from __future__ import annotations

from helix_tui.digest.runs.recognise import may_run, plan_of
from helix_tui.digest.shape.command import says_how_much_is_printed
from helix_tui.text.redact import redact

# Longer ones are of their moment.
_LONGEST = 120


def check_as_run(command: str) -> str:
    """The last check that a command line runs, as it was run; nothing where it runs none.

    `-m browser` and `-m "not browser"` are two suites. Options that only say how much is printed
    are left out, and so are the folder, pipes and redirections.
    """
    if not may_run(command):
        return ""
    part = next((part for part in reversed(plan_of(command).parts) if part.is_check), None)
    stage = next((stage for stage in part.pipeline.stages if stage.words), None) if part else None
    if stage is None:
        return ""
    words = [word for word in stage.words if not says_how_much_is_printed(word)]
    told = " ".join(map(_as_typed, words))
    # What may hold a secret is left out whole.
    return told if len(told) <= _LONGEST and redact(told) == told else ""


def _as_typed(word: str) -> str:
    return f'"{word}"' if not word or any(map(word.__contains__, " ()&|;<>*")) else word
