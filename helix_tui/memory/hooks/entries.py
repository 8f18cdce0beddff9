"""Our entries among an agent's hooks: found, added and removed in the text of its settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.memory.hooks import surgery
from helix_tui.memory.hooks.agents import GUARD_EVENT, GUARD_TOOL
from helix_tui.memory.hooks.command import is_guard, is_ours
from helix_tui.memory.settings_file import SettingsFileError

EMPTY = "{}\n"
HookFileError = SettingsFileError


class HookEntry(NamedTuple):
    """One of our entries: its event, its group, and where its command is in the text."""

    event: str
    group: int
    handler: int
    command: str
    start: int
    end: int

    @property
    def is_guard(self) -> bool:
        """Whether it answers before calls, instead of reporting what happened."""
        return is_guard(self.command)


class WantedEntry(NamedTuple):
    """An entry of ours as it should be."""

    event: str
    command: str

    @property
    def kind(self) -> tuple[str, bool]:
        """What there is one of: a hook for each event, and a guard."""
        return self.event, is_guard(self.command)


def wanted_entries(command: str, events: Sequence[str], guard: str = "") -> list[WantedEntry]:
    """One entry for each event, and one for the guard behind them."""
    wanted = [WantedEntry(event, command) for event in events]
    return wanted + ([WantedEntry(GUARD_EVENT, guard)] if guard else [])


def our_entries(text: str) -> list[HookEntry]:
    """Every entry of ours."""
    entries: list[HookEntry] = []
    hooks = _hooks(text)
    for event in surgery.members(text, hooks.value) if hooks else ():
        for group, handlers in _groups(text, event.value):
            for number, handler in enumerate(surgery.members(text, handlers.value)):
                if text[handler.value] != "{":
                    continue
                member = surgery.last_member(text, handler.value, "command")
                command = (
                    json.loads(text[member.value : member.end], parse_int=str) if member else None
                )
                if member and isinstance(command, str) and is_ours(command):
                    place = member.value, member.end
                    entries.append(HookEntry(event.key, group, number, command, *place))
    return entries


def with_entries(
    text: str, command: str, events: Sequence[str], guard: str = "", timeout: int = 5
) -> str:
    """The text with one entry of ours for each event, after the others; older ones are renewed.

    With a `guard` it has that command before calls as well, and without one none.
    """
    if not text.strip(" \t\r\n"):
        text += EMPTY
    wanted = wanted_entries(command, events, guard)
    check(text, [one.event for one in wanted])
    for one in wanted:
        ours = [entry for entry in our_entries(text) if (entry.event, entry.is_guard) == one.kind]
        if not ours:
            text = _added(text, one, timeout)
        elif ours[0].command != one.command:
            text = text[: ours[0].start] + json.dumps(one.command) + text[ours[0].end :]
    # One entry for each event, and none for any other event.
    kinds = [one.kind for one in wanted]
    while surplus := _surplus(our_entries(text), kinds):
        text = _without_entry(text, surplus)
    return text


def without_entries(text: str) -> str:
    """The text without our entries, and without what they leave empty."""
    check(text)
    while ours := our_entries(text):
        text = _without_entry(text, ours[-1])
    return text


def check(text: str, events: Sequence[str] = ()) -> None:
    """Refuse a text that is not JSON, or not of the shape that agents read."""
    try:
        value = surgery.parse(text)
    except RecursionError:
        raise _refused("it is nested too deeply") from None
    except ValueError as error:
        raise _refused(f"it is no valid JSON ({error})") from None
    if not isinstance(value, dict):
        raise _refused("it is no JSON object")
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise _refused('"hooks" in it is no object')
    for event in events:
        if not isinstance(hooks.get(event, []), list):
            raise _refused(f'"hooks.{event}" in it is no list')


def _refused(problem: str) -> HookFileError:
    return HookFileError(f"{problem}.")


def _hooks(text: str) -> surgery.JsonMember | None:
    at = surgery.start_of(text)
    if at >= len(text) or text[at] != "{":
        return None
    hooks = surgery.last_member(text, at, "hooks")
    return hooks if hooks and text[hooks.value] == "{" else None


def _groups(text: str, at: int) -> list[tuple[int, surgery.JsonMember]]:
    """The handler lists of an event, by the number of their group."""
    if text[at] != "[":
        return []
    groups = []
    for number, group in enumerate(surgery.members(text, at)):
        if text[group.value] == "{":
            handlers = surgery.last_member(text, group.value, "hooks")
            if handlers and text[handlers.value] == "[":
                groups.append((number, handlers))
    return groups


def _added(text: str, wanted: WantedEntry, timeout: int) -> str:
    event, is_guarding = wanted.kind
    of_tool = {"matcher": GUARD_TOOL} if is_guarding else {}
    handler = {"type": "command", "command": wanted.command, "timeout": timeout}
    group = {**of_tool, "hooks": [handler]}
    hooks = _hooks(text)
    if hooks is None:
        return surgery.append(text, surgery.start_of(text), {event: [group]}, "hooks")
    member = surgery.last_member(text, hooks.value, event)
    if member is None:
        return surgery.append(text, hooks.value, [group], event)
    return surgery.append(text, member.value, group)


def _surplus(ours: Sequence[HookEntry], kinds: Sequence[tuple[str, bool]]) -> HookEntry | None:
    seen: set[tuple[str, bool]] = set()
    for entry in ours:
        kind = entry.event, entry.is_guard
        if kind not in kinds or kind in seen:
            return entry
        seen.add(kind)
    return None


def _without_entry(text: str, entry: HookEntry) -> str:
    """The text without one entry, and without the group, event and hooks that it leaves empty."""
    hooks = _hooks(text)
    assert hooks is not None
    events = surgery.members(text, hooks.value)
    number = next(
        number for number, event in enumerate(events) if event.value < entry.start < event.end
    )
    groups = surgery.members(text, events[number].value)
    handlers = surgery.last_member(text, groups[entry.group].value, "hooks")
    assert handlers is not None
    if len(surgery.members(text, handlers.value)) > 1:
        return surgery.remove(text, handlers.value, entry.handler)
    if len(groups) > 1:
        return surgery.remove(text, events[number].value, entry.group)
    if len(events) > 1:
        return surgery.remove(text, hooks.value, number)
    root = surgery.start_of(text)
    keys = [member.start for member in surgery.members(text, root)]
    return surgery.remove(text, root, keys.index(hooks.start))
