"""What the agents' own programs say of a call that failed, as rows of the table of classes."""

from __future__ import annotations

from helix_tui.text.signature.classes.row import NAME, ClassRow, row, told

MEANINGS = {
    "edit_no_match": "the text to replace, or the context of a patch, is not in the file",
    "edit_not_unique": "the text to replace is in the file more than once",
    "edit_no_change": "the new text is the old text",
    "invalid_patch": "a patch does not follow the format of patches",
    "patch_not_applied": "`git apply` or `patch` could not place a hunk",
    "file_not_read": "a file was to be changed that was not read before",
    "file_changed": "a file changed since it was read",
    "output_too_large": "a file or an answer is larger than the tool may return",
    "invalid_tool_input": "the arguments of a call do not fit the tool",
    "no_such_tool": "the agent called a tool that does not exist (subject: the tool)",
    "process_gone": "a background process that is asked for does not run, or never did",
    "context_too_long": "the conversation no longer fits the model's window",
    "timeout": "a command or a request took longer than it was given",
}

_OLD_TEXT = (
    r"(?:the )?(?:exact |specified |provided )?"
    r"(?:old_?(?:string|str|text)|(?:old|search|original|target) (?:string|text|block)"
    r"|(?:string|text) to replace|exact text|edits?\[\d{1,4}\])"
)

ROWS: tuple[ClassRow, ...] = (
    row("edit_no_match", "replace", r"^(?:the )?string to replace (?:was )?not found"),
    row("edit_no_match", "replace", r"^(?:failed to edit, )?could not find the string to replace"),
    row(
        "edit_no_match", "string", r"^(?:the )?(?:old_?string|specified string) (?:was )?not found"
    ),
    row("edit_no_match", "string", r"^string not found in file"),
    row("edit_no_match", "occurrences", r"^(?:failed to edit, )?(?:0|no) occurrences found"),
    row("edit_no_match", "lines", r"^failed to find expected lines\b"),
    # Whatever an agent calls the text that is to be replaced.
    row(
        "edit_no_match",
        "find",
        rf"^(?:failed to edit, )?(?:could not|cannot|can't|unable to) find {_OLD_TEXT} in\b",
    ),
    row(
        "edit_no_match",
        "match",
        rf"^no (?:exact )?match(?:es)? (?:was |were )?found for {_OLD_TEXT}",
    ),
    row("edit_no_match", "found", rf"^{_OLD_TEXT} (?:was |is )?not found in\b"),
    row("edit_no_match", "context", r"^failed to find context\b"),
    row("edit_not_unique", "replace", r"^found \d{1,6} matches of the string to replace"),
    row(
        "edit_not_unique",
        "replace",
        r"^(?:the )?string to replace (?:was found (?:multiple|\d{1,6}) times|is not unique"
        r"|appears (?:multiple|\d{1,6}) times)",
    ),
    row("edit_not_unique", "string", r"^(?:the )?old_?string is not unique\b"),
    row("edit_not_unique", "string", r"^(?:the )?old_?string appears \d{1,6} times"),
    row("edit_not_unique", "occurrences", r"^found \d{1,6} occurrences of (?:the )?old_?string"),
    row(
        "edit_not_unique",
        "found",
        rf"^found (?:multiple|\d{{1,6}}) (?:matches|occurrences) (?:of|for) {_OLD_TEXT} in\b",
    ),
    row(
        "edit_not_unique",
        "expected",
        r"^(?:failed to edit, )?expected (?:1|one) occurrence,? but found \d",
    ),
    row("edit_no_change", "changes", r"^no changes to (?:make|apply)\b"),
    row(
        "edit_no_change",
        "string",
        r"^old_?string and new_?string (?:are (?:exactly )?the same|are identical|must be diff)",
    ),
    row("invalid_patch", "hunk", r"^invalid hunk at line \d"),
    row("invalid_patch", "patch", r"^invalid patch\b"),
    row("invalid_patch", "patch", r"^the (?:first|last) line of the patch must be"),
    row("invalid_patch", "patch", r"^patch contain(?:s|ed) no (?:hunks|files)"),
    row("patch_not_applied", "apply", r"^\S{1,300}: patch does not apply$"),
    row("patch_not_applied", "patch", r"^patch failed: \S{1,300}:\d{1,7}$"),
    row("patch_not_applied", "hunk", r"^hunk #\d{1,5} failed at \d"),
    row("patch_not_applied", "patch", r"^corrupt patch at line \d"),
    row("file_not_read", "read", r"^file has not been read\b"),
    row("file_not_read", "read", r"^file must be read (?:first|before)"),
    row(
        "file_not_read",
        "read",
        r"^you must (?:first )?(?:read|use (?:your|the) read)\b.{0,80}\bfile",
    ),
    row("file_not_read", "read", r"^you must use (?:your|the) \W?read\w{0,10}\W? tool"),
    row("file_changed", "modified", r"^file has been (?:unexpectedly )?modified\b"),
    row("file_changed", "modified", r"^file was modified since\b"),
    row("file_changed", "since", r"^(?:the )?file \S{0,300} ?(?:has )?changed since\b"),
    row(
        "file_changed",
        "modified",
        r"^\S{1,300} (?:has been|was) modified since (?:it was )?(?:last )?read",
    ),
    row("output_too_large", "exceeds", r"^file content \([^)]{1,40}\) exceeds maximum"),
    row(
        "output_too_large",
        "exceeds",
        r"\b(?:response|output|result) \([^)]{1,40}\) exceeds maximum",
    ),
    row("output_too_large", "large", r"^(?:file|output) (?:is )?too large (?:to read|\()"),
    row("no_such_tool", "tool", rf"^no such tool(?: available)?: {NAME}"),
    row("no_such_tool", "unsupported", rf"^unsupported (?:custom tool )?call: {NAME}"),
    row("no_such_tool", "tool", rf"^unknown tool(?: name)?:? {NAME}"),
    row("no_such_tool", "tool", rf"^invalid tool(?: name)?:? {NAME}"),
    row("no_such_tool", "tool", rf"^tool not found: {NAME}"),
    told(
        "no_such_tool",
        "tool",
        rf"^(?:the )?tool {NAME} (?:not found|does not exist|is not available)",
    ),
    row("no_such_tool", "tools", rf"^{NAME} is not one of the available tools"),
    row("invalid_tool_input", "inputvalidationerror", r"^inputvalidationerror\b"),
    row("invalid_tool_input", "arguments", r"^failed to parse (?:function|tool) arguments\b"),
    row("invalid_tool_input", "arguments", r"^invalid (?:tool )?arguments for (?:tool|function)\b"),
    row("invalid_tool_input", "required", r"^the required parameter \S{1,60} is missing"),
    row(
        "invalid_tool_input", "validation", r"^(?:argument|tool input) validation (?:error|failed)"
    ),
    row("process_gone", "process", r"^(?:write_stdin failed: )?unknown process id\b"),
    row("process_gone", "session", r"^(?:write_stdin failed: )?unknown session(?: id)?\b"),
    row("process_gone", "shell", r"^no shell found with id\b"),
    row("process_gone", "task", r"^no (?:background )?task found with id\b"),
    row("process_gone", "running", r"^shell \S{1,60} is not running\b"),
    row("process_gone", "stdin", r"^(?:write_stdin failed: )?stdin is closed for this session"),
    row("context_too_long", "prompt", r"^(?:api error: .{0,60})?prompt is too long\b"),
    row("context_too_long", "context", r"\bran out of room in the model's context window"),
    row("context_too_long", "context", r"\bmaximum context length is \d"),
    row("timeout", "timed", r"^(?:execution error: )?(?:the )?command (?:has )?timed out\b"),
    row("timeout", "timed", r"^(?:tool|request|operation|script|test) timed out\b"),
    row("timeout", "timed", r"\btimed out after \d{1,9}(?:\.\d{1,9})? ?(?:m?s\b|sec|min|milli)"),
    row("timeout", "timeout", r"^(?:test )?timeout of \d{1,9} ?m?s exceeded"),
    row("timeout", "deadline", r"\bcontext deadline exceeded\b"),
    row("timeout", "timeout", r"^timeout waiting for (?:child )?process"),
)
