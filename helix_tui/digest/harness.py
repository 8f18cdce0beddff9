"""What the agents' own programs say in a session, whichever agent: why a call came to nothing."""

from __future__ import annotations

import re

from helix_tui.schema import SYSTEM, TOOL_RESULT, Fault
from helix_tui.text.signature.phrases import (
    STOPPED,
    is_cascade,
    is_interruption,
    is_refusal,
    unwrapped,
)

_TIMEOUT = re.compile(
    r"(?:(?:Error: )?Exit code:? \d{1,4}\n)?(?:Error: )?(?i:command timed out)"
    r"|failed in sandbox \S{1,40} with execution error: command timed out"
    r"|Exit code: \d{1,4}\nWall time: [^\n]{1,40}\nOutput:\ncommand timed out after"
)
_API_MESSAGES = (
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Claude AI usage limit reached",
    "Claude usage limit reached",
    "You've hit your limit",
    "OAuth token has expired",
)
_API_RECORD = '{"subtype":"api_error"'


def fault_of(
    kind: int, is_error: bool, role: str | None, text: str, told: Fault | None
) -> Fault | None:
    """Why an event tells of something that came to nothing, if it does.

    What the agent told in a field counts; else it is read from how the text begins.
    """
    if told is not None:
        return told
    if kind == TOOL_RESULT:
        return _fault_of_result(text) if is_error else None
    if kind == SYSTEM:
        if text.startswith(STOPPED):
            return "interruption"
        if text.startswith(_API_MESSAGES if role == "assistant" else _API_RECORD):
            return "api_error"
    return None


def _fault_of_result(text: str) -> Fault | None:
    said = unwrapped(text)
    if is_refusal(said):
        return "refusal"
    if is_cascade(said):
        return "cascade"
    if is_interruption(said):
        return "interruption"
    return "timeout" if _TIMEOUT.match(said) else None
