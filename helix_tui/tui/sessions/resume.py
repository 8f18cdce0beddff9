"""The command that goes on with a session in its own agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema import Session

_RESUMING = {
    "claude": "claude --resume",
    "codex": "codex resume",
    "grok": "grok --resume",
    "opencode": "opencode --session",
    "kilo": "kilo --session",
    "cursor": "cursor-agent --resume",
    "copilot": "copilot --resume",
    "gemini": "gemini --resume",
    "qwen": "qwen --resume",
    "pi": "pi --session",
    "droid": "droid --resume",
}
# An id goes into somebody's shell: only what no shell and no terminal reads anything into.
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def resume_command(session: Session) -> tuple[str, str]:
    """The command that resumes a session in its agent, or why there is none.

    A sub-agent cannot be resumed: its parent can.
    """
    start = _RESUMING.get(session.flavor)
    if start is None:
        return "", f"How {safe_line(session.flavor, 40)} resumes a session is not known."
    name = session.native_id
    if session.parent is not None:
        name = session.parent.partition(":")[2] or session.parent
    if not _PLAIN_ID.fullmatch(name):
        return "", "Its id is not one that is safe in a shell."
    return f"{start} {name}", ""
