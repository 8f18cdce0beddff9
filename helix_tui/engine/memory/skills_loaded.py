"""A prompt without the text of a skill that a client put into it: that is nobody's own word."""

from __future__ import annotations

import re

_LOADED = re.compile(
    r"<skill\s[^<>\n]{0,40}?\bname=[\"'](?P<name>[\w:.-]{1,80})[\"'][^<>\n]{0,400}>.*?(?:</skill>|\Z)",
    re.DOTALL,
)
_CLAUDE = "Base directory for this skill:"


def without_skills(asked: str) -> str:
    """What a person typed: a skill that was called by its name, with what stands behind it."""
    if asked.startswith(_CLAUDE):
        return ""
    match = _LOADED.match(asked.lstrip())
    if match is None:
        return asked
    return f"/{match['name']} {asked.lstrip()[match.end() :].strip()}".strip()
