"""The content of Gemini's messages, which Qwen Code writes as well."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from helix_tui.capture.adapters.lines import ABSENT, IMAGE, said_in
from helix_tui.schema import Fault

SHELL = "run_shell_command"
_EXIT = re.compile(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)
# What the shell tool writes around what a command printed; older versions have all of it.
_HEAD = re.compile(
    r"(?:Command: .{0,20000}?\nDirectory: [^\n]{0,4096}\n)?(?:Output|Stdout): ", re.DOTALL
)
_TAIL = re.compile(
    r"Exit Code: -?\d{1,10}|Signal: [^\n]{0,80}|Background PIDs: [^\n]{0,400}"
    r"|Process Group PGID: [^\n]{0,40}|(?:Error|Stderr): \((?:none|empty)\)"
)
_MOST_TAILS = 8
_NOTHING = ("(empty)", "(none)")
_CANCELLED = "[Operation Cancelled]"
_BY_HAND = ("User denied", "User did not allow", "User rejected")


class FunctionCall(msgspec.Struct, gc=False):
    """A call as the model wrote it."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = ABSENT


class FunctionResponse(msgspec.Struct, gc=False):
    """What a call came to: `output`, or `error` where it failed."""

    id: str | None = None
    name: str | None = None
    response: dict[str, Any] | str | None = None


class Part(msgspec.Struct, gc=False, rename="camel"):
    """A part of a message; the data of files is left out."""

    text: str | None = None
    thought: bool | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    inline_data: dict[str, Any] | None = None
    file_data: dict[str, Any] | None = None


Content = str | list[Part] | Part | None


def parts_of(content: Content) -> list[Part]:
    """The parts of a content of any form."""
    if isinstance(content, str):
        return [Part(text=content)]
    if isinstance(content, Part):
        return [content]
    return content or []


def words_of(parts: list[Part]) -> str:
    """The text of parts, with a placeholder for each picture; no thoughts."""
    pieces = [
        IMAGE if part.inline_data or part.file_data else part.text or ""
        for part in parts
        if not part.thought
    ]
    return "\n".join(filter(None, pieces))


def output_of(response: FunctionResponse | None) -> str:
    """The text of what a call came to."""
    told = response.response if response else None
    if isinstance(told, dict):
        for name in ("output", "error"):
            if name in told:
                return said_in(told[name])
    return said_in(told) if told is not None else ""


def exit_code_of(tool: str | None, text: str) -> int | None:
    """How a command ended, by a line of the shell tool's own."""
    told = _EXIT.search(text) if tool == SHELL and "Exit Code: " in text else None
    return int(told[1]) if told else None


def printed(tool: str | None, text: str) -> str:
    """What a command printed, without what the shell tool writes around it."""
    head = _HEAD.match(text) if tool == SHELL else None
    if head is None:
        return text
    body = text[head.end() :]
    for _ in range(_MOST_TAILS):
        end = len(body.rstrip())
        begin = body.rfind("\n", 0, end) + 1
        if _TAIL.fullmatch(body, begin, end) is None:
            break
        body = body[: max(0, begin - 1)]
    return "" if body.strip() in _NOTHING else body


def fault_of(status: str | None, text: str) -> Fault | None:
    """Whether a person refused a call or broke it off."""
    if status != "cancelled" and not text.startswith(_CANCELLED):
        return None
    return "refusal" if any(words in text[:400] for words in _BY_HAND) else "interruption"
