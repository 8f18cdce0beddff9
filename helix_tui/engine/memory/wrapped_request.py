"""What a person asks for at the end of a long text that a client or a skill puts around it."""

from __future__ import annotations

import re

# A shorter prompt is a person's own as it stands.
_LONG = 1_000
_MOST = 1_500
_LEAST_WORDS = 3
_HEADING = re.compile(
    r"(?im)^[ \t]{0,3}#{1,4}[ \t]+(?:the )?(?:(?:user(?:['’]s)?|current|actual|your)[ \t]+)?"
    r"(?:requests?|task|question|query|arguments?|user input)[ \t]*:?[ \t]*$"
)
_ANY_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,4}[ \t]+\S")
# Clients end the text of a skill with such a line, and put what was typed behind it.
_BEHIND_SKILL = re.compile(
    r"(?m)^(?:Relative paths in this skill\b|Base directory for this skill:)[^\n]*\n"
)
_NAME_OF_SKILL = re.compile(r"(?m)^Base directory for this skill:\s*\S*?([\w.-]{1,80})/?\s*$")
_ARGUMENTS = re.compile(r"(?m)^ARGUMENTS:[ \t]*(?=\S)")


def request_in(asked: str) -> str:
    """The request of a long prompt that names it as such, or ends with it; else the whole."""
    behind = [match.end() for match in _BEHIND_SKILL.finditer(asked)]
    if behind:
        name = _NAME_OF_SKILL.search(asked)
        request = _worded(asked[max(behind) :])
        return f"{name[1]}: {request}" if request and name else request or asked
    if arguments := list(_ARGUMENTS.finditer(asked)):
        return _worded(asked[arguments[-1].end() :]) or asked
    if len(asked) < _LONG:
        return asked
    found = [_section(asked, match) for match in _HEADING.finditer(asked)]
    return next((one for one in reversed(found) if one), asked)


def _section(asked: str, heading: re.Match[str]) -> str:
    """What stands below a heading, to the next one."""
    following = _ANY_HEADING.search(asked, heading.end())
    return _worded(asked[heading.end() : following.start() if following else None])


def _worded(text: str) -> str:
    """A text of some words, and none so long that it is a template itself."""
    plain = text.strip().strip('"').strip()
    return plain if len(plain) <= _MOST and len(plain.split()) >= _LEAST_WORDS else ""
