"""The shapes of actions that stand on lines: command lines, or calls of tools as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.digest.actions import Action, action_of
from helix_tui.digest.shape.call import placed, shape_of_text
from helix_tui.digest.shape.command import chosen_shape
from helix_tui.text.shape import HERE, Shape


class _Call(msgspec.Struct):
    """A call as one of the agents records it; what it is given is an object, or its JSON."""

    tool: str | None = None
    name: str | None = None
    input: Any = None
    arguments: Any = None
    flavor: str = ""


_decode = msgspec.json.Decoder(_Call).decode
_PATCHES = ("apply_patch", "*** Begin Patch")


def shape_on_line(line: str) -> Shape:
    """The shape of the action that a line holds."""
    if line.lstrip().startswith("{"):
        call = _call_in(line)
        if call is not None:
            return _shape_of(call)
    if line.startswith(_PATCHES):
        return _shape_of(action_of("codex", "apply_patch", line))
    return shape_of_text(line.strip())


def _call_in(line: str) -> Action | None:
    try:
        call = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    tool = call.tool or call.name
    if not tool:
        return None
    given = call.input if call.input is not None else call.arguments
    text = given if isinstance(given, str) else msgspec.json.encode(given or {}).decode()
    return action_of(call.flavor, tool, text)


def _shape_of(action: Action) -> Shape:
    return chosen_shape(placed(action.shapes, action.workdir or HERE), action.behind)
