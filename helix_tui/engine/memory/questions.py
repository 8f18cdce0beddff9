"""What an agent asked a person by a tool, and what the person chose."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.schema import TOOL_CALL, StoredEvent
from helix_tui.schema.memory import Choice

_LENGTH = 240
_MOST_PENDING = 50
_MOST = 40
_CHOSEN = re.compile(
    r"(?i)\b(?:user|person) (?:selected|chose|answered|replied)[^:\n]{0,40}:\s*(.{1,400})"
)
_RECOMMENDED = re.compile(r"(?i)\s*\((?:recommended|default)\)")


class _Option(msgspec.Struct, gc=False):
    label: str = ""


class _Question(msgspec.Struct, gc=False):
    question: str = ""
    id: str = ""
    options: list[_Option | str] | None = None


class _Asked(msgspec.Struct, gc=False):
    """A call that asks; agents give one question, or several."""

    questions: list[_Question] | None = None
    question: str = ""


_decode = msgspec.json.Decoder(_Asked).decode
_decode_any = msgspec.json.Decoder().decode


class Questions:
    """Calls that ask a person something, joined to what their results say was chosen."""

    def __init__(self) -> None:
        self._pending: dict[str, list[str]] = {}

    def take(self, event: StoredEvent) -> list[Choice]:
        """Take a call or a result; return what a person chose, where this tells it."""
        if event.kind == TOOL_CALL:
            if event.call_id and '"question' in event.text[:400]:
                self._ask(event.call_id, event.text)
            return []
        asked = self._pending.pop(event.call_id or "", [])
        if not asked or event.is_error:
            return []
        return [
            Choice(
                excerpt_line(question, _LENGTH), excerpt_line(answer, _LENGTH), event.fingerprint
            )
            for question, answer in _answers(asked, event.text)
            if answer.strip()
        ][:_MOST]

    def _ask(self, call: str, given: str) -> None:
        try:
            asked = _decode(given)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return  # no call that asks
        questions = [one.question for one in asked.questions or []] or [asked.question]
        if len(self._pending) < _MOST_PENDING and any(questions):
            self._pending[call] = [one for one in questions if one]


def _answers(asked: list[str], result: str) -> Iterator[tuple[str, str]]:
    """Each question with what the result says of it."""
    for question in asked:
        at = result.find(f'"{question}"="')
        if at >= 0:
            start = at + len(question) + 4
            end = result.find('"', start)
            yield question, _RECOMMENDED.sub("", result[start : end if end > 0 else None])
    if len(asked) > 1 or f'"{asked[0]}"="' in result:
        return
    if match := _CHOSEN.search(result):
        yield asked[0], _RECOMMENDED.sub("", match[1])
    elif answer := " ".join(_in_json(result)):
        yield asked[0], answer


def _in_json(result: str) -> Iterator[str]:
    """The strings under `answers` or `answer` of an object, wherever they stand in it."""
    try:
        value = _decode_any(result)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    if isinstance(value, dict):
        queue = [value.get(name) for name in ("answers", "answer", "selected", "choice")]
        while queue:
            part = queue.pop(0)
            if isinstance(part, str):
                yield part
            elif isinstance(part, list):
                queue += part
            elif isinstance(part, dict):
                queue += part.values()
