"""What the agents' own programs say in a session: refusals, cascades, interruptions, API errors."""

from __future__ import annotations

import re

INTERRUPTED = ("[Request interrupted by user",)
# A person, or the rules they set, said no: the tool itself did not fail.
REFUSED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected",
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
    "This Bash command contains multiple operations",
)
_BLOCKED = re.compile(r".{0,400} was blocked\. For security")
# Another call of the same message failed, and this one never ran.
CASCADE = ("Sibling tool call errored", "Cancelled: parallel tool call")
API_ERROR = (
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Claude AI usage limit reached",
    "Claude usage limit reached",
    "You've hit your limit",
    "OAuth token has expired",
)
API_ERROR_RECORD = '{"subtype":"api_error"'
_WRAPPER = "<tool_use_error>"


def is_interruption(text: str) -> bool:
    """Whether a record says that the person stopped the agent."""
    return text.startswith(INTERRUPTED)


def is_refusal(result: str) -> bool:
    """Whether a call failed because it was not allowed to run."""
    said = result.removeprefix(_WRAPPER)
    return said.startswith(REFUSED) or _BLOCKED.match(said) is not None


def is_cascade(result: str) -> bool:
    """Whether a call failed only because another one did."""
    return result.removeprefix(_WRAPPER).startswith(CASCADE)


def is_api_error(role: str | None, text: str) -> bool:
    """Whether the client says that the model could not be reached or would not go on."""
    return text.startswith(API_ERROR if role == "assistant" else API_ERROR_RECORD)
