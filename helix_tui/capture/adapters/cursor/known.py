"""What Cursor's databases know of a session: its title, model, times, and how calls ended."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import msgspec

from helix_tui.capture.adapters import Row
from helix_tui.capture.adapters.cursor.records import (
    Bubble,
    ChatMeta,
    Composer,
    ToolRun,
    decoded,
)
from helix_tui.text.lazy import lazy
from helix_tui.text.times import parse_iso
from helix_tui.tools import tool_class

_STAMP = lazy(
    r"<timestamp>\s*\w+, (\w{3} \d{1,2}, \d{4}), (\d{1,2}:\d\d [AP]M) "
    r"\(UTC([+-]\d{1,2})?(?::(\d\d))?\)"
)
# How many of the database's calls may be passed over to find the one that a transcript has.
_AHEAD = 3


class Outcome(msgspec.Struct, gc=False):
    """How a call ended."""

    run: ToolRun
    ts: int | None
    exit_code: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether anything came of it yet."""
        return self.run.status in ("completed", "error", "cancelled")

    @property
    def is_error(self) -> bool:
        """By the exit code first, by the status then."""
        return self.run.status != "completed" or bool(self.exit_code)


class Known(msgspec.Struct):
    """What the databases say of one session."""

    title: str = ""
    model: str = ""
    times: list[int] = []
    bubbles: list[tuple[str, Bubble]] = []
    _order: dict[str, int] = {}

    def take(self, name: str, row: Row) -> None:
        """Add a row of the editor's or of the command line's database."""
        if name == "composer":
            composer = decoded(row[0], Composer) or Composer()
            self.title = composer.name or self.title
            self.model = composer.model_config.model_name
            self._saw(composer.created_at, composer.last_updated_at)
            heads = composer.full_conversation_headers_only
            self._order = {head.bubble_id: nth for nth, head in enumerate(heads)}
        elif name == "bubble":
            key = str(row[0]).rpartition(":")[2]
            bubble = decoded(row[1], Bubble) if row[1] else None
            # A bubble that no header names is one of another branch.
            if bubble is not None and key in self._order:
                self.bubbles.append((key, bubble))
                self._saw(bubble.created_at)
        elif name == "meta":
            meta = _of_hex(row[0])
            self.title = self.title or meta.name
            self._saw(meta.created_at)

    def _saw(self, *times: object) -> None:
        self.times += [ts for time in times if (ts := millis(time)) is not None]

    def ordered(self) -> list[tuple[str, Bubble]]:
        """The bubbles in the order of the conversation."""
        return sorted(self.bubbles, key=lambda item: self._order[item[0]])

    def asked(self) -> list[int | None]:
        """When each prompt was typed."""
        return [millis(bubble.created_at) for _, bubble in self.ordered() if bubble.type == 1]

    def outcomes(self) -> list[Outcome]:
        """How each call ended, in order."""
        found: list[Outcome] = []
        for _, bubble in self.ordered():
            run = bubble.tool_former_data
            if run is not None:
                found.append(Outcome(run, millis(bubble.created_at), _exit_code(run.result)))
        return found


class Matching:
    """Finds, for the calls of a transcript in order, what the database knows of each."""

    def __init__(self, known: Known) -> None:
        self._outcomes = known.outcomes()
        self._asked = known.asked()
        self._next = self._prompt = 0

    def prompt(self) -> int | None:
        """When the next prompt was typed."""
        self._prompt += 1
        return self._asked[self._prompt - 1] if self._prompt <= len(self._asked) else None

    def call(self, tool: str) -> Outcome | None:
        """What came of the next call: the names differ, what they do does not."""
        wanted = tool_class("cursor", tool)
        for nth in range(self._next, min(self._next + _AHEAD, len(self._outcomes))):
            known = self._outcomes[nth].run.name
            if known == tool or tool_class("cursor", known) == wanted:
                self._next = nth + 1
                return self._outcomes[nth]
        return None


def millis(time: object) -> int | None:
    """A time, in milliseconds or as text; None where there is none."""
    if isinstance(time, str):
        return parse_iso(time)
    if isinstance(time, int | float) and not isinstance(time, bool) and 0 < time < 1 << 48:
        return int(time)
    return None


def typed_at(text: str) -> int | None:
    """When a prompt was typed, where the client says it beside the words."""
    found = _STAMP.search(text)
    if found is None:
        return None
    day, clock, hours, minutes = found.groups()
    try:
        when = datetime.strptime(f"{day} {clock}", "%b %d, %Y %I:%M %p").replace(tzinfo=UTC)
    except ValueError:
        return None
    sign = -1 if (hours or "").startswith("-") else 1
    away = timedelta(hours=int(hours or 0), minutes=sign * int(minutes or 0))
    return int((when - away).timestamp() * 1000)


def _of_hex(value: object) -> ChatMeta:
    try:
        data = bytes.fromhex(value) if isinstance(value, str) else bytes(value or b"")  # type: ignore[call-overload]
    except (ValueError, TypeError):
        return ChatMeta()
    return decoded(data, ChatMeta) or ChatMeta()


def _exit_code(result: str) -> int | None:
    if '"exit' not in result:
        return None
    try:
        told = json.loads(result)
    except (ValueError, RecursionError):
        return None
    code = told.get("exitCode", told.get("exit_code")) if isinstance(told, dict) else None
    return code if isinstance(code, int) and abs(code) < 1 << 31 else None
