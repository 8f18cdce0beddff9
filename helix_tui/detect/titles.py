"""Write titles that a person understands without opening anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from helix_tui.agent_homes import agent_name
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import Signal
from helix_tui.text.shape import TOOL_WORDS, text_anywhere
from helix_tui.text.shape_change import ITS_FORMATTER
from helix_tui.text.signature.classes import MEANINGS
from helix_tui.text.signature.module import found_above

_LENGTH = 140
_SUBJECT = re.compile(r" \(subject: [^)]{0,80}\)")
# By class; `{0}` is the subject. Other classes are called by what they mean.
_BY_CLASS = {
    "command_not_found": "`{0}` is not installed",
    "module_not_found": "module `{0}` is not found",
    "host_unresolved": "host name cannot be resolved",
    "push_rejected": "push rejected, the remote has newer commits",
    "remote_not_found": "the repository does not exist, or not under that owner",
    "timeout": "command timed out",
    "externally_managed_python": "pip refuses, Python is managed by the system",
    "no_glob_match": "a pattern of the shell matches no file",
    "no_tests_found": "the filter matches no test, so nothing is tested",
}
# What the agents' own tools refuse, told without the tool.
_OF_TOOLS = {
    "edit_no_match": "an edit quotes text that is not in the file",
    "edit_not_unique": "an edit quotes text that is in the file more than once",
    "edit_no_change": "an edit changes nothing: its new text is the old one",
    "file_not_read": "an edit of a file that the tool holds no read of: never read, or lost since",
    "file_changed": "a file is edited that changed since it was read",
    "invalid_patch": "a patch does not follow the format of patches",
    "output_too_large": "a file is larger than the tool may return",
    "invalid_tool_input": "the arguments of a call do not fit the tool",
    "is_a_directory": "a folder is read as if it were a file",
}
_PLACES = {
    "shell": "a command",
    "edit": "an edit",
    "read": "reading a file",
    "search": "a search",
    "web": "a web request",
    "agent": "a sub-agent",
    "mcp": "a tool",
}
_CHECKS = {
    "lint": "`{0}` finds faults in what was just written",
    "format": "`{0}` finds code that is not formatted",
    "check": "`{0}` is red",
    "hook": "a hook rejects `{0}`",
    "types": "`{0}` finds type errors",
    "build": "`{0}` does not build",
    "test": "`{0}` is red while it is worked on",
}
_READ_AS_PATTERN = "a path or name with `[ ]` is read as a pattern of the shell"
_KIND = re.compile(r" \{\w+\}")
_PLACE = re.compile(r"\S{0,200}\.\w{1,8}[:(]\d")
_MOST_KINDS = 4
_MOST_ACTIONS = 2
_TITLES = {
    "edit_test_fix": "edit and `{0}` again and again, still failing",
    "false_claim": "said to be done, then `{0}` failed",
    "interruption": "user stopped the agent at `{0}`",
    "compaction": "context compacted more than once in a session",
    "retry_loop": "`{0}` repeated with the same result",
    "slow_command": "`{0}` takes unusually long",
}


def error_title(
    candidate: Candidate, signal: Signal, template: str, actions: Sequence[str] = ()
) -> str:
    """Say who met it or where, what was done, and why it failed."""
    why = _why(signal, template)
    if candidate.error_class == "command_not_found" and signal.subject:
        return cut(f"{why}{_where(candidate)}")
    if signal.name == "api_error":
        return cut(f"the model's service: {why}")
    if candidate.error_class in _OF_TOOLS:
        title = f"{_who(candidate)}{_OF_TOOLS[candidate.error_class]}"
    else:
        where = _where(candidate)
        title = f"{'' if where else _who(candidate)}{_what(candidate, actions)}{where}: {why}"
    if candidate.is_remainder:
        title += " (what no other candidate explains)"
    return cut(title)


def check_title(candidate: Candidate, is_mostly: Callable[[str], bool] = bool) -> str:
    """Say which step is red, where, and what it finds: first of all what it found again.

    Where that is one thing, it has to be most of it: else the title would tell of something else.
    """
    told = _CHECKS.get(candidate.check, "`{0}` fails").format(candidate.shape)
    again = [kind for kind, number in candidate.kinds.items() if number >= RECURRING]
    # A place in the code that one conversation met says nothing of the others.
    named = again or [kind for kind in candidate.kinds if not _PLACE.match(kind)]
    if not named:
        return cut(f"{told}{_where(candidate)}")
    if len(named) == 1 and not is_mostly(named[0]):
        return cut(f"{told}{_where(candidate)}")
    shown = named[:_MOST_KINDS]
    # A rule has a name; a message is quoted.
    found = [f"“{kind}”" if " " in kind else kind for kind in shown]
    # What is not named is not kept from anybody either.
    finds = ", ".join(found) + (" and others" if len(shown) < len(candidate.kinds) else "")
    return cut(f"{told}{_where(candidate)}: {finds}")


def with_remedy(title: str, remedy: Remedy) -> str:
    """Add what works to a title, where that is something to do.

    A fixer is named there where two conversations ran it; else that one of several was enough.
    """
    if remedy.is_weakening:
        return title
    is_seen_once = remedy.fixer and remedy.ways.get(remedy.verb, 0) < RECURRING
    what = ITS_FORMATTER if is_seen_once else remedy.fixer or remedy.verb
    works = cut(f"; what works: {what}", _LENGTH // 2)
    return f"{cut(title, _LENGTH - len(works))}{works}"


def _why(signal: Signal, template: str) -> str:
    if signal.error_class == "no_glob_match" and signal.subject:
        return _READ_AS_PATTERN
    phrase = _BY_CLASS.get(signal.error_class)
    if signal.error_class == "module_not_found" and (found := found_above(signal.subject)):
        return f"module `{signal.subject}` is not found, though `{found}` is"
    if phrase and (signal.subject or "{0}" not in phrase):
        return phrase.format(signal.subject)
    if template:
        return f"“{template}”"
    about = f" (`{signal.subject}`)" if signal.subject else ""
    return _SUBJECT.sub("", MEANINGS.get(signal.error_class, signal.error_class)) + about


def _who(candidate: Candidate) -> str:
    agents = {member.flavor for member in candidate.members.values()}
    (agent,) = agents if len(agents) == 1 else ("",)
    return f"{agent_name(agent)}: " if agent else ""


def _what(candidate: Candidate, actions: Sequence[str]) -> str:
    shape = _KIND.sub("", text_anywhere(candidate.shape))
    if shape and shape.partition(" ")[0] not in TOOL_WORDS:
        return f"`{shape}`"
    commands = [action for action in actions if action.partition(" ")[0] not in TOOL_WORDS]
    if commands and not shape:
        more = " and others" if len(commands) > _MOST_ACTIONS else ""
        return ", ".join(f"`{action}`" for action in commands[:_MOST_ACTIONS]) + more
    return _PLACES.get(candidate.tool_class, "a call")


def _where(candidate: Candidate) -> str:
    repos = {member.repo for member in candidate.members.values()}
    (repo,) = repos if len(repos) == 1 else ("",)
    return f" in {repo}" if repo and len(candidate.members) > 1 else ""


def moment_title(signal: Signal) -> str:
    """Say what happened, where it is no error of a tool."""
    if signal.name == "abandoned":
        ending = "an open question" if signal.subject == "question" else "an error"
        return f"session left with {ending}, and nobody went on"
    title = _TITLES[signal.name].format(signal.subject or "a check")
    return f"{signal.tool_class}: {title}" if signal.tool_class else title


def said_where(repos: set[str]) -> str:
    """Name the repository in which people say something, where it is one."""
    (repo,) = repos if len(repos) == 1 else ("",)
    return f" in {repo}" if repo else ""


def correction_title(subject: str, example: str) -> str:
    """Quote what users keep saying, in the words of one of them."""
    return cut(f"user on {subject}: “{' '.join(example.split())}”")


def cut(text: str, length: int = _LENGTH) -> str:
    """Cut a title to its greatest length."""
    return text if len(text) <= length else text[: length - 1] + "…"
