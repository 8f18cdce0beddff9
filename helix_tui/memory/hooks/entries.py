"""Our entries among the hooks of an agent: found, put in and taken out, text to text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.errors import ExitCode, HelixError
from helix_tui.memory.hooks import surgery
from helix_tui.memory.hooks.command import is_ours

EMPTY = "{}\n"
# The agents' own bounds are longer, and one of them ends a session only when its hooks are done.
_SECONDS = 5


class HookFileError(HelixError):
    """A file of an agent's settings is not what it should be; it was not touched."""

    exit_code = ExitCode.CONFIG


class HookEntry(NamedTuple):
    """One of our entries: for which event, in which group, where its command stands."""

    event: str
    group: int
    handler: int
    command: str
    start: int
    end: int


def our_entries(text: str) -> list[HookEntry]:
    """Every entry of ours, whatever stands around it."""
    found: list[HookEntry] = []
    hooks = _hooks(text)
    for event in surgery.members(text, hooks.value) if hooks else ():
        for group, handlers in _groups(text, event.value):
            for number, handler in enumerate(surgery.members(text, handlers.value)):
                if text[handler.value] != "{":
                    continue
                held = surgery.last_member(text, handler.value, "command")
                command = json.loads(text[held.value : held.end], parse_int=str) if held else None
                if held and isinstance(command, str) and is_ours(command):
                    place = held.value, held.end
                    found.append(HookEntry(event.key, group, number, command, *place))
    return found


def with_entries(text: str, command: str, events: Sequence[str]) -> str:
    """The text with one entry of ours for each event, behind the others; older ones are renewed."""
    if not text.strip(" \t\r\n"):
        text += EMPTY
    check(text, events)
    for event in events:
        ours = [entry for entry in our_entries(text) if entry.event == event]
        if not ours:
            text = _added(text, event, command)
        elif ours[0].command != command:
            text = text[: ours[0].start] + json.dumps(command) + text[ours[0].end :]
    # One entry an event, and none for an event that no longer counts.
    while surplus := _surplus(our_entries(text), events):
        text = _taken_out(text, surplus)
    return text


def without_entries(text: str) -> str:
    """The text without any entry of ours; what only held one goes with it."""
    check(text)
    while ours := our_entries(text):
        text = _taken_out(text, ours[-1])
    return text


def check(text: str, events: Sequence[str] = ()) -> None:
    """Refuses what is no JSON, or has another shape than agents read."""
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


def _refused(what: str) -> HookFileError:
    return HookFileError(f"{what}.")


def _hooks(text: str) -> surgery.JsonMember | None:
    at = surgery.start_of(text)
    if at >= len(text) or text[at] != "{":
        return None
    hooks = surgery.last_member(text, at, "hooks")
    return hooks if hooks and text[hooks.value] == "{" else None


def _groups(text: str, at: int) -> list[tuple[int, surgery.JsonMember]]:
    """The lists of handlers of an event, by the number of the group that has them."""
    if text[at] != "[":
        return []
    found = []
    for number, group in enumerate(surgery.members(text, at)):
        if text[group.value] == "{":
            handlers = surgery.last_member(text, group.value, "hooks")
            if handlers and text[handlers.value] == "[":
                found.append((number, handlers))
    return found


def _added(text: str, event: str, command: str) -> str:
    group = {"hooks": [{"type": "command", "command": command, "timeout": _SECONDS}]}
    hooks = _hooks(text)
    if hooks is None:
        return surgery.append(text, surgery.start_of(text), {event: [group]}, "hooks")
    held = surgery.last_member(text, hooks.value, event)
    if held is None:
        return surgery.append(text, hooks.value, [group], event)
    return surgery.append(text, held.value, group)


def _surplus(ours: Sequence[HookEntry], events: Sequence[str]) -> HookEntry | None:
    seen: set[str] = set()
    for entry in ours:
        if entry.event not in events or entry.event in seen:
            return entry
        seen.add(entry.event)
    return None


def _taken_out(text: str, entry: HookEntry) -> str:
    """Without one entry, and without the group, the event and the hooks that it leaves empty."""
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
