"""What a harness says of work that went on in the background, once it is over."""

from __future__ import annotations

import re

_START = "<task-notification>"
_FAILED = re.compile(r"<status>(?:failed|error)</status>")
_SUMMARY = re.compile(r"<summary>([^<]{1,2000})</summary>")
_EXAMINED = 4000


def background_failure_in(text: str) -> str:
    """What failed in the background, by the notice of it; nothing where it went well."""
    if not text.startswith(_START) or not _FAILED.search(text[:_EXAMINED]):
        return ""
    summary = _SUMMARY.search(text[:_EXAMINED])
    return summary[1].strip() if summary else "a task in the background failed"
