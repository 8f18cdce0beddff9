"""Finds the words of a person in an event, whatever way they took into the log."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from helix_tui.digest.turns.written import fault_in, reads_as_sentence
from helix_tui.schema import OTHER, PROMPT, QUEUED_ROLE, SYSTEM, Via
from helix_tui.text.signature.signature import classify

# What a harness writes before the words with which a person refused a call.
_REFUSED = re.compile(
    r"(?:the user said|following reason for the rejection|with (?:the )?(?:feedback|reason)"
    r"|user(?:'s)? (?:feedback|message|reason)|reason given"
    r"|(?:rejected|declined|denied) by (?:the )?user"
    r"|user (?:rejected|declined|denied|cancelled)[^\n:]{0,60})\s{0,3}:\s{0,8}",
    re.IGNORECASE,
)
_REFUSAL_HEAD = 1000
_REJECTED = re.compile(
    r"(?:The user doesn't want to|The user rejected|[Uu]ser (?:rejected|declined|denied|cancelled)"
    r"|exec command rejected|patch rejected|rejected by user|Tool call rejected"
    r"|Permission denied by user)"
)
# Words of a person that stand alone in the place of a result are few, and end soon.
_BARE_LENGTH = 400
_BARE_LINES = 3
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 2
_AFTER_WORDS = "\n\nNote: The user's next message"
_QUEUED = "queue-operation: "
_COMMAND = re.compile(r"<command-name>\s{0,8}(/?[^<\s]{1,120})\s{0,8}</command-name>")
_OWN_RUN = re.compile(r"\s{0,8}<bash-input>([^<]{1,2000})</bash-input>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,8000})</command-args>")
# Commands of the client itself: they change what it shows and ask for no work.
_OF_CLIENT = re.compile(
    r"/(?:clear|compact|config|context|cost|doctor|exit|export|help|hooks|ide|init|login|logout|mcp"
    r"|memory|model|permissions|plugin|quit|release-notes|resume|rewind|status|statusline"
    r"|terminal-setup|theme|todos|usage|vim)$"
)
# What a client or an agent puts among the words of a person.
_MADE = (
    "<",
    "{",
    "[Request interrupted",
    "[image",
    "[Image: ",
    "Caveat: The messages below",
    "This session is being continued from a previous conversation",
    "Base directory for this skill:",
    "# AGENTS.md instructions",
    "Stop hook feedback",
)


class Heard(NamedTuple):
    """What a person said, and the way it took."""

    via: Via
    text: str
    # The slash command that it is an argument of, or that was given alone.
    command: str = ""


class _Queued(msgspec.Struct, gc=False):
    operation: str = ""
    content: str | None = None


_WENT_WRONG = re.compile(
    r"(?i)\b(?:not found|no such|not exist|already exists|fail(?:ed|ure|s)?|errors?|unable|cannot"
    r"|could not|invalid|denied|missing|unknown|unexpected|unsupported|exceed\w{0,3}|timed out"
    r"|must be|required|expected|no match\w{0,3})\b"
)
_SPOKEN_TO = re.compile(
    r"(?i)\b(?:i|i'm|i'd|me|my|we|our|us|you|your|let's|please|don't|do not|instead)\b"
)

_decode_queued = msgspec.json.Decoder(_Queued).decode


def heard_in(kind: int, role: str | None, text: str, is_beside_result: bool) -> Heard | None:
    """The words of a person in an event that is no refusal, if it holds any."""
    if kind == PROMPT:
        heard = _plain(text)
        is_queued = role == QUEUED_ROLE and heard is not None and heard.via == "prompt"
        return heard._replace(via="queued") if heard is not None and is_queued else heard
    if kind == SYSTEM and role == "user":
        return _inserted(text, is_beside_result)
    if kind == OTHER and text.startswith(_QUEUED):
        return _queued(text)
    return None


def own_run_in(text: str) -> str:
    """The command that a person ran in the agent's client without the agent."""
    found = _OWN_RUN.match(text)
    return found[1].strip() if found else ""


def said_while_refusing(text: str) -> Heard | None:
    """What a person said while refusing a call, of the result that the call got."""
    if _REJECTED.search(text, 0, 60) is None:
        return None
    found = _REFUSED.search(text, 0, _REFUSAL_HEAD)
    if found is None:
        return None
    words = text[found.end() :].partition(_AFTER_WORDS)[0].strip()
    return Heard("refusal", words) if words else None


def said_instead_of_result(text: str, tool_class: str, exit_code: int | None) -> Heard | None:
    """What a person said while refusing a call, where a client puts nothing around the words.

    The result of a shell or an edit is flagged as an error then, has no exit code, and holds a
    sentence or two that no program is known to print.
    """
    if tool_class not in ("shell", "edit") or exit_code is not None or len(text) > _BARE_LENGTH:
        return None
    said = text.strip()
    if said.count("\n") >= _BARE_LINES or said.startswith(("<", "[", "{", "Error", "Exit code")):
        return None
    is_sentence = len(_WORDS.findall(said)) >= _LEAST_WORDS and reads_as_sentence(said)
    if not is_sentence or classify(said, tool_class)[0] or fault_in(said):
        return None
    # A tool or a hook may say a sentence, too; it speaks neither of itself nor to anybody, asks
    # nothing, and begins like one.
    is_typed = said[0].islower() and _WENT_WRONG.search(said) is None
    if _SPOKEN_TO.search(said) is None and not said.endswith("?") and not is_typed:
        return None
    return Heard("refusal", said)


def _plain(text: str) -> Heard | None:
    said = text.strip().removeprefix("[image]").strip()
    if found := _COMMAND.search(said, 0, 400):
        return _command(found[1], said)
    if said.startswith("/") and not said.startswith("//"):
        name, _, arguments = said.partition(" ")
        if "/" not in name[1:] and "\n" not in name and len(name) < 80:
            return _command(name, "", arguments)
    return None if not said or said.startswith(_MADE[2:]) else Heard("prompt", said)


def _inserted(text: str, is_beside_result: bool) -> Heard | None:
    said = text.strip()
    if found := _COMMAND.search(said, 0, 400):
        return _command(found[1], said)
    said = said.removeprefix("[image]").strip()
    if is_beside_result and said and not said.startswith(_MADE):
        return Heard("beside a result", said)
    return None


def _command(name: str, whole: str, arguments: str = "") -> Heard | None:
    name = name if name.startswith("/") else f"/{name}"
    if _OF_CLIENT.match(name):
        return None
    if not arguments and (found := _ARGUMENTS.search(whole)):
        arguments = found[1]
    return Heard("command", arguments.strip(), name)


def _queued(text: str) -> Heard | None:
    try:
        record = _decode_queued(text[len(_QUEUED) :])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None  # an operation without words: they have other fields
    said = (record.content or "").strip()
    if record.operation != "enqueue" or not said or said.startswith(_MADE):
        return None
    heard = _plain(said)
    return heard._replace(via="queued") if heard is not None and heard.via == "prompt" else heard
