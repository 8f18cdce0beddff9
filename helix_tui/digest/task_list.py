"""The agent's own list of what it has to do: what of it is not done."""

from __future__ import annotations

import re

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.state import Memory
from helix_tui.schema import Ending

_LENGTH = 160
_MOST = 20
_DONE = frozenset({"completed", "complete", "done", "deleted", "cancelled", "canceled"})
_LISTING = frozenset({"TodoWrite", "todo_write", "update_plan"})
_CREATED = re.compile(r"Task #(\S{1,20}) created successfully: ([^\n]{1,400})")


class _Task(msgspec.Struct, gc=False):
    """One line of a list; agents differ in the names of its fields."""

    status: str = ""
    content: str = ""
    step: str = ""


class _Listed(msgspec.Struct, gc=False):
    todos: list[_Task] | None = None
    plan: list[_Task] | None = None


class _Changed(msgspec.Struct, gc=False):
    task_id: str = msgspec.field(name="taskId", default="")
    status: str = ""


_decode_listed = msgspec.json.Decoder(_Listed).decode
_decode_changed = msgspec.json.Decoder(_Changed).decode


def note_list_call(ending: Ending, memory: Memory, tool: str, given: str) -> None:
    """Takes a call that writes the list anew, or changes one task of it."""
    try:
        if tool in _LISTING:
            listed = _decode_listed(given)
            tasks = listed.todos if listed.todos is not None else listed.plan
            if tasks is not None:
                ending.open_tasks = [
                    excerpt_line(task.content or task.step, _LENGTH)
                    for task in tasks
                    if task.status not in _DONE
                ][:_MOST]
                ending.tasks_since_list = 0
        elif tool == "TaskUpdate":
            changed = _decode_changed(given)
            if changed.status in _DONE and changed.task_id in memory.tasks:
                del memory.tasks[changed.task_id]
                ending.open_tasks = list(memory.tasks.values())
            ending.tasks_since_list = 0
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return  # a call that the harness refuses as well


def note_created(ending: Ending, memory: Memory, text: str) -> None:
    """Takes what a harness says of a task that was made."""
    if (created := _CREATED.match(text)) and len(memory.tasks) < _MOST:
        memory.tasks[created[1]] = excerpt_line(created[2], _LENGTH)
        ending.open_tasks = list(memory.tasks.values())
        ending.tasks_since_list = 0
