"""Tell from a tool's output whether it failed: Codex has no flag for errors, only text."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from helix_tui.capture.adapters.codex.records import Content
from helix_tui.capture.adapters.fields import ExitCode, compact_json

IMAGE = "[image]"
# The first words of Codex's own message about a call that failed. Long enough that a program's
# output is not taken for one.
FAILURES = (
    "failed in sandbox ",
    "failed to parse function arguments",
    "failed to parse exec_command arguments",
    "failed to parse write_stdin arguments",
    "failed to parse tool_search arguments",
    "failed to determine path to codex executable",
    "error: Failed to ",
    "error: invalid hunk ",
    "error: invalid patch",
    "error: I/O error",
    "error: patch detected without explicit call to apply_patch",
    "execution error: ",
    "exec_command failed",
    "write_stdin failed",
    "exec command rejected",
    "rejected by user",
    "retry failed: ",
    "command timed out after ",
    "aborted by user",
    "approval policy is ",
    "apply_patch verification failed",
    "apply_patch handler received ",
    "patch rejected by user",
    "patch rejected: ",
    "unsupported call: ",
    "unsupported custom tool call: ",
    "unsupported payload for ",
    "unsupported unified exec function ",
    "unified_exec handler received unsupported payload",
    "LocalShellCall without call_id or id",
    "Command blocked by PreToolUse hook",
    "Tool call blocked by PreToolUse hook",
    "This action was rejected due to unacceptable risk.",
    "Fatal error: ",
    "Script failed\n",
    "err: ",
    "tool call error: ",
    "user rejected MCP tool call",
    "user cancelled MCP tool call",
    "MCP tool call blocked by app configuration",
    "unable to locate image at ",
    "unable to read image at ",
    "unable to process image at ",
    "image path `",
    "view_image is not allowed ",
    "view_image is unavailable ",
    "view_image.detail only supports ",
    "collab spawn failed: ",
    "collab manager unavailable",
    "request_user_input is unavailable in ",
)
# The output that history has for a call that never had one.
_NO_OUTPUT = "aborted"
# The first words of the header before a command's output; the line `Output:` ends it.
_WALL_TIME = "Wall time: "
_HEADS = ("Exit code: ", "Chunk ID: ", _WALL_TIME, "Process exited with code ")
_EXIT_CODE = re.compile(r"(?:Exit code:|Process exited with code) (-?\d{1,10})\s*$", re.MULTILINE)
_DENIED = re.compile(r"failed in sandbox .{1,80}?exit code: (-?\d{1,10}),")
# The end of the JSON form, for where its text was damaged.
_METADATA = re.compile(r'"metadata":\{"exit_code":(-?\d{1,10}),"duration_seconds":[\d.eE+-]+\}\}$')
_MAX_HEAD = 600


class _Metadata(msgspec.Struct, gc=False):
    exit_code: ExitCode | None = None


class _WrappedOutput(msgspec.Struct, gc=False):
    output: str
    metadata: _Metadata


_decode_wrapped = msgspec.json.Decoder(_WrappedOutput).decode


class Output(msgspec.Struct, frozen=True):
    """A tool's output: what it printed, how it exited, and whether the call failed."""

    text: str
    exit_code: int | None
    is_error: bool


def read_output(raw: str | Content | dict[str, Any] | None) -> Output:
    """An output in any of its dialects."""
    if isinstance(raw, str):
        return _read_text(raw)
    if isinstance(raw, dict):
        content = raw.get("content")
        has_failed = raw.get("success") is False or raw.get("isError") is True
        text = content if isinstance(content, str) else compact_json(raw)
        output = _read_text(text)
        return Output(output.text, output.exit_code, output.is_error or has_failed)
    text = "\n".join(_piece_text(piece.type, piece.text) for piece in raw or ())
    return _read_text(text)


def _read_text(text: str) -> Output:
    if text.startswith('{"output":'):
        return _read_wrapped(text)
    code = None
    body_text = text
    if text.startswith(_HEADS):
        head, _, body = text.partition("\nOutput:")
        code = _EXIT_CODE.search(head[:_MAX_HEAD])
        if head.startswith(_WALL_TIME) and "\n" not in head:
            body_text = body.lstrip("\n")  # only a time before it: the text may be Codex's own
    elif text.startswith("failed in sandbox"):
        code = _DENIED.match(text)
    if code is not None:
        exit_code = int(code[1])
        return Output(text, exit_code, exit_code != 0 or text.startswith(FAILURES))
    has_failed = body_text.startswith(FAILURES) or body_text == _NO_OUTPUT
    return Output(text, None, has_failed or _is_error_result(body_text))


def _read_wrapped(text: str) -> Output:
    """The JSON form: the output itself, and the exit code beside it."""
    try:
        wrapped = _decode_wrapped(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        match = _METADATA.search(text[-200:])
        exit_code = int(match[1]) if match else None
        return Output(text, exit_code, exit_code not in (None, 0))
    exit_code = wrapped.metadata.exit_code
    return Output(wrapped.output, exit_code, exit_code not in (None, 0))


def _is_error_result(text: str) -> bool:
    """Whether an MCP server said that its tool failed."""
    return text.startswith("{") and ('"isError":true' in text[-40:] or text.startswith('{"Err":'))


def _piece_text(kind: str, text: str | None) -> str:
    return IMAGE if kind.endswith("image") else text or ""
