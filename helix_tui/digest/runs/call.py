"""The runs of one call: its command, what it printed, and what the agent says of its end."""

from __future__ import annotations

from helix_tui.digest.runs.judge import runs_in
from helix_tui.digest.runs.output import read_output
from helix_tui.digest.runs.run import Run

# The agent says that it failed, and not how it exited.
_SOME = -1


def runs_of(command: str, text: str, exit_code: int | None, is_error: bool) -> list[Run]:
    """What came of the checks, commits and pushes in a command."""
    output = read_output(text)
    status = exit_code
    if status is None:
        status = output.status
    if status is None and not output.is_running:
        status = _SOME if is_error else 0
    return runs_in(command, output, status)
