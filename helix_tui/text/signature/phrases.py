"""What the agents' own programs say of calls that came to nothing, but are no errors of a tool."""

from __future__ import annotations

import re

# A person, or the rules they set, said no: the tool itself did not fail.
REFUSED = (
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
    "User cancelled",
    "User declined",
    "Tool call rejected",
    "Permission denied by user",
    # Gemini CLI, Qwen Code
    "[Operation Cancelled] Reason: User denied",
    "[Operation Cancelled] Reason: User did not allow",
    "Tool execution denied by policy",
    # Copilot CLI
    "The user rejected this tool call",
    "Permission denied and could not request permission from user",
    "Denied by preToolUse hook",
)
_BLOCKED = re.compile(r".{0,400} was blocked\. For security")
_DECLINED = re.compile(
    r"exec_command failed for .{0,400}\bRejected\(|"
    r"(?:The )?[Uu]ser (?:has )?(?:elected|chose|chosen|decided|declined|refused|rejected|denied"
    r"|cancell?ed|skipped|does(?:n't| not) want|did(?:n't| not) (?:approve|allow|want))\b"
)
# Of these, what no person said: the rules of a sandbox or a hook did.
POLICY = (
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
    "This Bash command contains multiple operations",
    "approval policy is ",
    "Command blocked by PreToolUse hook",
    "This action was rejected due to unacceptable risk",
    "MCP tool call blocked by app configuration",
    "Tool execution denied by policy",
    "Permission denied and could not request permission from user",
    "Denied by preToolUse hook",
)
# Another call of the same message failed, and this one never ran.
CASCADE = ("Sibling tool call errored", "Cancelled: parallel tool call")
# A person stopped the call.
STOPPED = (
    *("aborted by user", "[Request interrupted by user", "Cancelled by user"),
    *("[Operation Cancelled] Reason: Operation cancelled", "Command aborted"),
)
_CODEX_HEAD = re.compile(r"Wall time: [^\n]{1,40}\n(?=aborted by user)")
_WRAPPER = "<tool_use_error>"
# What a harness writes around an output that is empty.
NO_OUTPUT = re.compile(
    r"\s*(?:(?:Error: )?Exit code:? 1\s*|Chunk ID: [^\n]{0,60}\n|Wall time: [^\n]{0,60}\n"
    r"|Process exited with code 1\s*|Original token count: \d{1,9}\n|Total output lines: \d{1,9}\n"
    r"|Output:\s*|exit: 1\s*){0,8}$"
)
# Answers of tools that look for something, and of programs that compare.
_ANSWER = re.compile(
    r"(?:No (?:files|matches) found\.?|\[no (?:matches|output)\]|\(no (?:content|output)\))\s*$"
    r"|diff --git \S|--- \S[^\n]{0,400}\n\+\+\+ \S[^\n]{0,400}\n@@ |Files \S.{0,400} differ$"
)


def unwrapped(text: str) -> str:
    """What a harness says, without how it marks it."""
    return text.removeprefix("Error: ").removeprefix(_WRAPPER)


def is_refusal(text: str) -> bool:
    """Whether a person or their rules did not let the call happen."""
    return (
        text.startswith(REFUSED)
        or _BLOCKED.match(text) is not None
        or _DECLINED.match(text) is not None
    )


def is_policy(refusal: str) -> bool:
    """Whether rules that were set before refused a call, and not a person at that moment."""
    text = unwrapped(refusal)
    return text.startswith(POLICY) or _BLOCKED.match(text) is not None


def is_cascade(text: str) -> bool:
    """Whether the call was dropped since another one failed."""
    return text.startswith(CASCADE)


def is_interruption(text: str) -> bool:
    """Whether a person stopped the call."""
    return text == "aborted" or text.startswith(STOPPED) or _CODEX_HEAD.match(text) is not None


_NOT_RUN = (*REFUSED, *CASCADE, *STOPPED)
_MAY_BE_BENIGN = re.compile(
    r"\s*(?:Wall|Chunk|Exit|Process|Error: |Output|aborted|[Nn]o |[\[(<-]|diff|Files|$)"
)


def is_benign_text(text: str) -> bool:
    """Whether a text alone tells of no error: an answer, a refusal, a cascade, an empty output."""
    if text.startswith(_NOT_RUN):
        return True
    if _MAY_BE_BENIGN.match(text) is None:
        return " was blocked. For security" in text[:500] and is_refusal(text)
    content = unwrapped(text.lstrip())
    return (
        is_refusal(content)
        or is_cascade(content)
        or is_interruption(content)
        or NO_OUTPUT.match(text) is not None
        or _ANSWER.match(content) is not None
    )
