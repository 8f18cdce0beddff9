"""What sub-agents answered to a session that waited for them."""

from __future__ import annotations

import re

import msgspec

from helix_tui.digest.excerpt import beginning, excerpt, excerpt_line
from helix_tui.schema import TOOL_CALL, StoredEvent
from helix_tui.schema.memory import AgentAnswer
from helix_tui.tools import tool_class

_LENGTH = 2_400
_TASK_LENGTH = 100
# Less is no report: that it was started, or is done.
_LEAST = 240
_MOST = 12
_MOST_PENDING = 50
_TAGS = re.compile(
    r"</?(?:task|task_result|result|output|response|answer|analysis)\b[^<>\n]{0,200}>"
)
_OTHER = frozenset(("skill", "Skill", "activate_skill", "SendMessage", "TaskStop", "TeamCreate"))


class _Given(msgspec.Struct, gc=False):
    description: str = ""


_decode = msgspec.json.Decoder(_Given).decode


class AgentsAsked:
    """Calls that hand work to a sub-agent, joined to what came back."""

    def __init__(self, flavor: str) -> None:
        self._flavor = flavor
        self._pending: dict[str, str] = {}
        self._answers: list[AgentAnswer] = []

    def take(self, event: StoredEvent) -> None:
        """Take a call or a result."""
        if event.kind == TOOL_CALL:
            self._ask(event)
            return
        task = self._pending.pop(event.call_id or "", "")
        if not task or event.is_error or len(event.text) < _LEAST or len(self._answers) >= _MOST:
            return
        text = _TAGS.sub("\n", event.text).strip()
        answer = excerpt(beginning(text, _LENGTH), _LENGTH)
        self._answers.append(AgentAnswer(excerpt_line(task, _TASK_LENGTH), answer))

    def _ask(self, event: StoredEvent) -> None:
        tool = event.tool or ""
        if tool in _OTHER or tool_class(self._flavor, tool) != "agent" or not event.call_id:
            return
        try:
            given = _decode(event.text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return  # its middle was cut, or it hands nothing over
        if given.description and len(self._pending) < _MOST_PENDING:
            self._pending[event.call_id] = given.description

    def answers(self) -> list[AgentAnswer]:
        """Return what came back, in its order."""
        return self._answers
