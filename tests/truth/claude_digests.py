"""What the digests of a home's Claude Code sessions must say, counted straight from the files.

Written from the definitions alone, without a look at Helix's own, with the standard library only
and no thought for speed: a session is laid out as one list of events, and every fact is a walk
over that list.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.truth.claude_counter import count_home
from tests.truth.claude_events import (
    Event,
    home_events,
)

LONGEST_PAUSE_MS = 5 * 60 * 1000
LEAST_OF_A_LOOP = 3

READ_TOOLS = ("Read", "NotebookRead")
EDIT_TOOLS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
PATH_FIELDS = ("file_path", "notebook_path", "path")
TURNS = ("prompt", "reply", "thinking", "call", "result")

ENDINGS = {
    "prompt": "prompt",
    "call": "tool_call",
    "interruption": "interrupted",
    "api_message": "api_error",
    "compaction": "compaction",
}
EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d+)")


@dataclass(frozen=True)
class Failure:
    """One error result: when, of which tool, and how many calls and prompts came after it."""

    ts: int | None
    tool: str
    exit_code: int | None
    later: int


@dataclass
class Distilled:
    """The facts of one session."""

    prompts: int = 0
    first_prompt: str = ""
    last_prompt: str = ""
    replies: int = 0
    last_reply: str = ""
    first_ts: int | None = None
    last_ts: int | None = None
    active_ms: int = 0
    tools: dict[str, tuple[int, int]] = field(default_factory=dict)
    command_runs: int = 0
    command_failures: int = 0
    exit_codes: Counter[int] = field(default_factory=Counter)
    timed: int = 0
    total_ms: int = 0
    longest_ms: int = 0
    reads: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    refusals: int = 0
    cascades: int = 0
    retries: int = 0
    loops: list[int] = field(default_factory=list)
    interruptions: int = 0
    api_errors: int = 0
    compactions: int = 0
    ended: str | None = None


def distill_home(home: Path) -> dict[str, Distilled]:
    """The facts of every session of a home by its id."""
    events = home_events(home)
    return {name: distill(events[name]) for name in count_home(home)}


def distill(events: list[Event]) -> Distilled:
    """Every fact of a session."""
    facts = Distilled()
    calls = {event.call_id: event for event in events if event.kind == "call"}
    count_talk(facts, events)
    count_tools(facts, events, calls)
    count_commands(facts, events, calls)
    count_files(facts, events, calls)
    count_failures(facts, events, calls)
    facts.active_ms = active_ms(events)
    facts.retries = retries(events, calls)
    facts.loops = loops(events, calls)
    facts.ended = ended(events)
    return facts


def count_talk(facts: Distilled, events: list[Event]) -> None:
    """What was said, and what stood in its way."""
    prompts = [event.text for event in events if event.kind == "prompt"]
    replies = [event.text for event in events if event.kind == "reply"]
    times = [event.ts for event in events if event.kind in TURNS and event.ts is not None]
    facts.prompts, facts.replies = len(prompts), len(replies)
    if prompts:
        facts.first_prompt, facts.last_prompt = prompts[0], prompts[-1]
    facts.last_reply = next((text for text in reversed(replies) if text.strip()), "")
    facts.first_ts, facts.last_ts = min(times, default=None), max(times, default=None)
    kinds = Counter(event.kind for event in events)
    facts.interruptions, facts.compactions = kinds["interruption"], kinds["compaction"]
    facts.api_errors = kinds["api_error"] + kinds["api_message"]
    facts.refusals = sum(event.is_refusal for event in events)
    facts.cascades = sum(event.is_cascade for event in events)


def tool_of(result: Event, calls: dict[str, Event]) -> str:
    """The tool that gave a result, nameless where its call is missing."""
    return calls[result.call_id].tool if result.call_id in calls else ""


def count_tools(facts: Distilled, events: list[Event], calls: dict[str, Event]) -> None:
    """How often every tool was called, and how often its result was an error."""
    made = Counter(event.tool for event in events if event.kind == "call")
    failed = Counter(tool_of(event, calls) for event in events if event.is_error)
    facts.tools = {tool: (made[tool], failed[tool]) for tool in made | failed}


def command_of(call: Event | None) -> str:
    """The shell command that a call runs, if it runs one."""
    command = call.input.get("command") if call and call.tool == "Bash" else None
    return command if isinstance(command, str) else ""


def count_commands(facts: Distilled, events: list[Event], calls: dict[str, Event]) -> None:
    """How often commands ran, how they ended and how long they took."""
    facts.command_runs = sum(event.kind == "call" and bool(command_of(event)) for event in events)
    for event in events:
        call = calls.get(event.call_id)
        if event.kind != "result" or call is None or not command_of(call):
            continue
        if event.is_refusal or event.is_cascade:
            continue
        facts.command_failures += event.is_error
        code = exit_code(event)
        if code is not None:
            facts.exit_codes[code] += 1
        if event.ts is not None and call.ts is not None and event.ts >= call.ts:
            took = event.ts - call.ts
            facts.timed += 1
            facts.total_ms += took
            facts.longest_ms = max(facts.longest_ms, took)


def exit_code(result: Event) -> int | None:
    """The exit code that an error result begins with."""
    found = EXIT_CODE.match(result.text) if result.is_error else None
    return int(found[1]) if found else None


def path_of(call: Event) -> str:
    """The file that a call names, if it does."""
    named = (call.input.get(name) for name in PATH_FIELDS)
    return next((path for path in named if isinstance(path, str) and path), "")


def count_files(facts: Distilled, events: list[Event], calls: dict[str, Event]) -> None:
    """How often every file was read and edited with success."""
    for event in events:
        call = calls.get(event.call_id)
        if event.kind != "result" or event.is_error or call is None or not path_of(call):
            continue
        if call.tool in READ_TOOLS:
            facts.reads[path_of(call)] += 1
        elif call.tool in EDIT_TOOLS:
            facts.edits[path_of(call)] += 1


def count_failures(facts: Distilled, events: list[Event], calls: dict[str, Event]) -> None:
    """Every error result in order, but for refusals and cascades."""
    for at, event in enumerate(events):
        if event.is_failure:
            later = sum(
                other.kind in ("call", "prompt") and other.path == event.path
                for other in events[at + 1 :]
            )
            tool = tool_of(event, calls)
            facts.failures.append(Failure(event.ts, tool, exit_code(event), later))


def active_ms(events: list[Event]) -> int:
    """The time between turns, without the pauses and without going back."""
    active, latest = 0, None
    for event in events:
        if event.kind not in TURNS or event.ts is None:
            continue
        if latest is None or event.ts > latest:
            gap = 0 if latest is None else event.ts - latest
            active += gap if gap <= LONGEST_PAUSE_MS else 0
            latest = event.ts
    return active


def retries(events: list[Event], calls: dict[str, Event]) -> int:
    """How many calls repeat one that failed and has not succeeded since."""
    failed: set[str] = set()
    count = 0
    for event in events:
        if event.kind == "call":
            count += event.asked in failed
        elif event.kind == "result" and event.call_id in calls:
            asked = calls[event.call_id].asked
            if event.is_failure:
                failed.add(asked)
            elif not event.is_error:
                failed.discard(asked)
    return count


def loops(events: list[Event], calls: dict[str, Event]) -> list[int]:
    """How often in a row each call that got nowhere gave the same result.

    A refusal or a cascade is no result of the call: it neither makes a row longer nor ends it.
    """
    rows: dict[str, tuple[str, int]] = {}
    longest: dict[tuple[str, str], int] = {}
    for event in events:
        if event.kind != "result" or event.call_id not in calls:
            continue
        if event.is_refusal or event.is_cascade:
            continue
        call = calls[event.call_id]
        if call.tool in EDIT_TOOLS and not event.is_error:
            rows.clear()
            continue
        text, count = rows.get(call.asked, ("", 0))
        count = count + 1 if text == event.text else 1
        rows[call.asked] = (event.text, count)
        if count >= LEAST_OF_A_LOOP:
            key = (call.asked, event.text)
            longest[key] = max(longest.get(key, 0), count)
    return sorted(longest.values())


def ended(events: list[Event]) -> str | None:
    """What a session's last event of consequence was."""
    last = None
    for event in events:
        if event.kind == "reply" and event.text.strip():
            last = "question" if event.text.strip().endswith("?") else "reply"
        elif event.kind == "result" and not event.is_cascade:
            last = "tool_error" if event.is_error else "tool_result"
            last = "refused" if event.is_refusal else last
        else:
            last = ENDINGS.get(event.kind, last)
    return last
