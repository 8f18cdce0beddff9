"""Failures that a harness tells in words inside a success: known wordings, and those that are not.

The known ones are data (harness_failures.toml). Of others, a short text that says in a harness's
voice that a call was refused counts, and is kept apart, so that a new wording is seen.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from helix_tui.text.holding import may_hold

FailureKind = Literal[
    "permission", "sandbox", "hook", "person", "tool", "service", "stopped", "unknown"
]
_BEGINNING = 600
_SHORT = 600
_MOST_LINES = 6
# A harness speaks of calls, tools and what is allowed; a program's output rarely does both.
_VOICE = re.compile(
    r"(?i)\b(?:tool(?: call| use)?|this (?:command|action|call|operation|request|edit)|sandbox"
    r"|approval|hook|policy|permissions?)\b[^\n]{0,120}\b(?:denied|rejected|refused|blocked"
    r"|disallowed|forbidden|disabled|unavailable"
    r"|not (?:allowed|permitted|granted|approved|available)"
    r"|requires? (?:approval|permission)|cancell?ed|was aborted)\b"
    r"|\b(?:denied|rejected|refused|blocked|forbidden|cancell?ed) by (?:the |a |your )?(?:user|hook"
    r"|sandbox|policy|administrator|permission|configuration)\b"
)
# One of these is in whatever that fits.
_VOICE_WORDS = (
    *("denied", "rejected", "refused", "blocked", "disallowed", "forbidden", "disabled"),
    *("unavailable", "not ", "require", "cancel", "aborted"),
)


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One wording as its row has it."""

    agent: str
    kind: FailureKind
    says: str
    sample: str
    anywhere: bool = False


class _Wordings(msgspec.Struct, frozen=True):
    wording: tuple[Wording, ...]


class HarnessFailure(NamedTuple):
    """What a harness says of a call that it did not carry out: of which kind, and its line."""

    kind: FailureKind
    text: str


@cache
def wordings() -> tuple[Wording, ...]:
    """The known wordings."""
    text = (Path(__file__).parent / "harness_failures.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Wordings).wording


@cache
def _known() -> tuple[re.Pattern[str], re.Pattern[str], tuple[Wording, ...]]:
    at_start = tuple(row for row in wordings() if not row.anywhere)
    anywhere = tuple(row for row in wordings() if row.anywhere)
    return (
        re.compile("|".join(f"(?P<w{n}>{row.says})" for n, row in enumerate(at_start))),
        re.compile(
            "|".join(f"(?P<w{n}>^{row.says})" for n, row in enumerate(anywhere, len(at_start))),
            re.MULTILINE,
        ),
        (*at_start, *anywhere),
    )


def harness_failure_in(text: str, tool_class: str) -> HarnessFailure | None:
    """The failure that a harness tells in a result that it does not flag, if there is one."""
    at_start, anywhere, rows = _known()
    if tool_class == "read":
        return None  # what a file holds is nobody's voice
    # A harness speaks first, and shortly: what is laid on more takes its time with long words.
    match = at_start.match(text, 0, _BEGINNING)
    if match is None and tool_class == "web":
        match = anywhere.search(text, 0, _BEGINNING)
    if match is not None and match.lastgroup:
        return HarnessFailure(rows[int(match.lastgroup[1:])].kind, _line(text, match.start()))
    if len(text) > _SHORT or text.count("\n") >= _MOST_LINES or tool_class in ("search", "plan"):
        return None
    if may_hold(text, _VOICE_WORDS) and (voice := _VOICE.search(text)):
        return HarnessFailure("unknown", _line(text, voice.start()))
    return None


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)][:300].strip()
