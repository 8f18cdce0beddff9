"""Write titles that a person understands without opening anything."""

from __future__ import annotations

from helix_tui.schema.signal import Signal

_LENGTH = 110
# By class; `{0}` is the subject. Other classes are called by their names.
_BY_CLASS = {
    "command_not_found": "`{0}` is not installed",
    "module_not_found": "module `{0}` is not installed",
    "file_not_found": "file does not exist",
    "edit_no_match": "text to replace not found in file",
    "edit_not_unique": "text to replace is found more than once",
    "file_not_read": "file was not read before it was edited",
    "file_changed": "file changed since it was read",
    "port_in_use": "port is already in use",
    "permission_denied": "permission denied",
    "connection_refused": "connection refused",
    "host_unresolved": "host name cannot be resolved",
    "push_rejected": "push rejected, the remote has newer commits",
    "timeout": "command timed out",
    "externally_managed_python": "pip refuses, Python is managed by the system",
}
_TITLES = {
    "edit_test_fix": "edit and `{0}` again and again, still failing",
    "false_claim": "said to be done, then `{0}` failed",
    "error_persistence": "said to be done, the user reports that it still fails",
    "interruption": "user stopped the agent at `{0}`",
    "compaction": "context compacted more than once in a session",
    "retry_loop": "`{0}` repeated with the same result",
    "slow_command": "`{0}` takes unusually long",
    "first_pass": "`{0}` green at once after edits",
    "kept_work": "work committed and kept",
}


def error_title(signal: Signal, place: str, template: str) -> str:
    """Say what failed, and in which kind of tool."""
    place = place or "agent"
    if signal.name == "api_error":
        place = "model"
    title = _BY_CLASS.get(signal.error_class)
    if title:
        return f"{place}: {title.format(signal.subject)}"
    if signal.error_class:
        class_words = signal.error_class.replace("_", " ")
        about = f" `{signal.subject}`" if signal.subject else ""
        return cut(f"{place}: {class_words}{about}{f': {template}' if template else ''}")
    return cut(f"{place}: {template}")


def moment_title(signal: Signal) -> str:
    """Say what happened, where it is no error of a tool."""
    if signal.name == "abandoned":
        ending = "an open question" if signal.subject == "question" else "an error"
        return f"session left with {ending}, and nobody went on"
    title = _TITLES[signal.name].format(signal.subject or "a check")
    return f"{signal.tool_class}: {title}" if signal.tool_class else title


def correction_title(subject: str, example: str) -> str:
    """Quote what users keep saying, in the words of one of them."""
    return cut(f"user on {subject}: “{' '.join(example.split())}”")


def recovery_title(problem: str, verb: str) -> str:
    """Say what failed and what then worked."""
    return cut(f"{problem} → {verb}, then it works")


def cut(text: str) -> str:
    """Cut a title to its greatest length."""
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"
