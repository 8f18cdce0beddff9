"""A call: what the agent does, kept until its result comes."""

from __future__ import annotations

from helix_tui.digest.actions import Action, action_of
from helix_tui.digest.shape.call import placed
from helix_tui.digest.shape.failing import in_base
from helix_tui.digest.shape.tallies import count_runs
from helix_tui.digest.state import Pending
from helix_tui.digest.steps.folding import Folding, follow
from helix_tui.digest.tables import put, tally
from helix_tui.digest.task_list import note_list_call
from helix_tui.digest.title.named import NAMING, note_planned_work
from helix_tui.digest.trouble import note_call
from helix_tui.schema import COMMAND_TEXT, REPLY_TEXT, CommandTally, ToolTally
from helix_tui.text.hashing import hash64
from helix_tui.text.shape import Shape

SEARCHED_COMMAND = 500
# Calls that may wait for a result, or results for a call.
MOST_PENDING = 200
# Calls that only ask, plan or wait are no work.
_IDLE_CLASSES = frozenset({"plan", "other", ""})


def take_call(part: Folding, tool: str, call_id: str | None, given: str, ts: int | None) -> None:
    """Takes what the agent does."""
    facts, memory = part.facts, part.memory
    action = action_of(part.flavor, tool, given)
    part.listener.take_call(action, given)
    tally(facts.tools, action.tool, "tools", ToolTally).calls += 1
    facts.calls_since_prompt += 1
    facts.useful_calls += action.kind not in _IDLE_CLASSES
    if action.kind == "plan":
        note_list_call(facts.ending, memory, tool, given)
    if action.kind in NAMING:
        part.texts.add(REPLY_TEXT, ts, note_planned_work(facts, action.kind, given))
    if memory.troubles:
        note_call(memory)
    if action.command:
        if action.command not in facts.commands:
            _search_command(part, action, ts)
        tally(facts.commands, action.command, "commands", CommandTally).runs += 1
    if action.identity in memory.failed:
        facts.retries += 1
    follow(part, action.summary)
    memory.has_acted = True
    memory.last_action = action.summary
    facts.ended, facts.ended_text = "tool_call", action.summary
    shapes = placed(action.shapes, in_base(memory, action.workdir))
    count_runs(facts, shapes)
    if call_id:
        key = hash64(call_id.encode("utf-8", "replace"))
        put(memory.pending, key, _pending(action, ts, shapes, len(given)), MOST_PENDING)


def _search_command(part: Folding, action: Action, ts: int | None) -> None:
    if action.whole:
        part.texts.add_beginning(COMMAND_TEXT, ts, action.whole, SEARCHED_COMMAND)
    else:
        part.texts.add(COMMAND_TEXT, ts, action.command)


def _pending(action: Action, ts: int | None, shapes: tuple[Shape, ...], chars: int) -> Pending:
    return Pending(
        action.tool,
        action.kind,
        action.identity,
        action.command,
        action.file,
        action.summary,
        action.check.tells_pass,
        action.check.tells_failure,
        action.is_commit,
        ts,
        action.asked,
        shapes,
        action.behind,
        action.lines,
        chars,
    )
