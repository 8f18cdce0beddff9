"""What the agents' own programs say in a session, whichever agent: why a call came to nothing."""

from __future__ import annotations

import re

from helix_tui.schema import SYSTEM, TOOL_RESULT, Fault

# A person, or the rules they set, said no: the tool itself did not fail.
_REFUSED = (
    # Claude Code
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected",
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
    "This Bash command contains multiple operations",
    # Codex
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "user rejected MCP tool call",
    "user cancelled MCP tool call",
    "approval policy is ",
    "Command blocked by PreToolUse hook",
    "This action was rejected due to unacceptable risk",
    "MCP tool call blocked by app configuration",
    # Grok
    "User rejected",
    "Tool call rejected",
    "Permission denied by user",
)
_BLOCKED = re.compile(r".{0,400} was blocked\. For security")
# Another call of the same message failed, and this one never ran.
_CASCADE = ("Sibling tool call errored", "Cancelled: parallel tool call")
# A person stopped the call.
_STOPPED = ("aborted by user", "[Request interrupted by user", "Cancelled by user")
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
_WRAPPER = "<tool_use_error>"
_CODEX_HEAD = re.compile(r"Wall time: [^\n]{1,40}\n(?=aborted by user)")


# Of these, what no person said: the rules of a sandbox or a hook did.
_POLICY = (
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
    "This Bash command contains multiple operations",
    "approval policy is ",
    "Command blocked by PreToolUse hook",
    "This action was rejected due to unacceptable risk",
    "MCP tool call blocked by app configuration",
)


def is_policy(refusal: str) -> bool:
    """Whether rules that were set before refused a call, and not a person at that moment."""
    said = refusal.removeprefix("Error: ").removeprefix(_WRAPPER)
    return said.startswith(_POLICY) or _BLOCKED.match(said) is not None


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
        if text.startswith(_STOPPED):
            return "interruption"
        if text.startswith(_API_MESSAGES if role == "assistant" else _API_RECORD):
            return "api_error"
    return None


def _fault_of_result(text: str) -> Fault | None:
    said = text.removeprefix("Error: ").removeprefix(_WRAPPER)
    if said.startswith(_REFUSED) or _BLOCKED.match(said) is not None:
        return "refusal"
    if said.startswith(_CASCADE):
        return "cascade"
    if said == "aborted" or said.startswith(_STOPPED) or _CODEX_HEAD.match(said):
        return "interruption"
    return "timeout" if _TIMEOUT.match(said) else None
