"""Issues and todos that an agent filed: what was put off then has a name."""

from __future__ import annotations

import re

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.state import Pending
from helix_tui.schema import Ending
from helix_tui.text.lazy import lazy

_MOST = 5
_LENGTH = 120
_EXAMINED = 20_000
_CREATES = lazy(
    r"(?i)(?:^|_|-)(?:create|add|save|open|file)_?(?:issue|ticket|work_?item|story|backlog_?item)\b"
)
_CREATES_BY_COMMAND = lazy(r"\b(?:gh|glab|linear|jira) issues? create\b")
_UPDATES = lazy(r"(?i)(?:^|_|-)(?:update|close|edit|save|transition)_?(?:issue|ticket|work_?item)")
_CLOSED = lazy(
    r'(?i)\\?"(?:state|status|statusType)\\?":\s?\\?"(?:cancell?ed|closed|done|completed|duplicate)\\?"'
)
_KEY = lazy(r'\\?"(?:identifier|key)\\?":\s?\\?"([A-Z][A-Z0-9]{1,9}-\d{1,6})')
_PAGE = lazy(r"https?://\S{3,120}/issues?/([A-Z][A-Z0-9]{1,9}-\d{1,6}|\d{1,6})\b")
_TITLE = lazy(r'\\?"(?:title|summary)\\?":\s?\\?"([^"\\\n]{5,160})')
# A folder of todos, one file each.
_TODO = re.compile(
    r"(?i)(?:^|/)(?:todos?|backlog|issues|tickets)/(?:[\w-]{1,30}/)?([\w.-]{4,100})\.\w{1,5}$"
)


def note_filed(ending: Ending, call: Pending, answer: str) -> None:
    """Takes a call that filed an issue or a todo, or closed one.

    What the person put off is called by it from then on. A change that was refused, and of which
    an issue was filed, is put off and not stopped.
    """
    if call.tool_class == "edit":
        if ending.wants_filing and (todo := _TODO.search(call.file)):
            _name(ending, todo[1])
    elif _CREATES.search(call.tool) or _CREATES_BY_COMMAND.search(call.command):
        if name := _name_in(answer[:_EXAMINED]):
            _name(ending, name)
    elif _UPDATES.search(call.tool) and (
        _CLOSED.search(call.summary) or _CLOSED.search(answer[:_EXAMINED])
    ):
        key = _KEY.search(answer[:_EXAMINED])
        ending.put_off = [one for one in ending.put_off if not (key and one.startswith(key[1]))]


def _name(ending: Ending, name: str) -> None:
    if ending.wants_filing and ending.put_off:
        ending.put_off[-1] = name
    elif ending.refused_change and len(ending.put_off) < _MOST:
        ending.put_off.append(name)
        ending.refused_change = ""
    ending.wants_filing = False


def _name_in(answer: str) -> str:
    """What an answer calls the issue that was made: its key, and its title where it tells that."""
    key = _KEY.search(answer)
    page = None if key else _PAGE.search(answer)
    title = _TITLE.search(answer)
    number = (
        key[1] if key else f"#{page[1]}" if page and page[1].isdigit() else page[1] if page else ""
    )
    return excerpt_line(f"{number} {title[1] if title else ''}".strip(), _LENGTH)
