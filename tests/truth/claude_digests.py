"""What the digests of a home's Claude Code sessions must say, counted straight from the files.

Written from the definitions alone, without a look at Helix's own, with the standard library only
and no thought for speed: a session is laid out as one list of events, and every fact is a walk
over that list.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.truth.claude_counter import (
    Json,
    count_home,
    is_human_text,
    is_prompt,
    owner_of,
    records,
    session_files,
    when,
)

Place = tuple[str, int]  # a record's uuid and the index of a block in it
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_PAUSE_MS = 5 * 60 * 1000
LEAST_OF_A_LOOP = 3

READ_TOOLS = ("Read", "NotebookRead", "LS")
EDIT_TOOLS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
PATH_FIELDS = ("file_path", "notebook_path", "path")
TURNS = ("prompt", "reply", "thinking", "call", "result")

REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected",
    "Claude requested permissions to",
    "This command requires approval",
    "Permission to use",
    "Permission for this action",
)
CASCADES = ("Sibling tool call errored", "Cancelled: parallel tool call")
API_ERRORS = (
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Claude AI usage limit reached",
    "Claude usage limit reached",
    "You've hit your limit",
    "OAuth token has expired",
)
ENDINGS = {
    "prompt": "prompt",
    "call": "tool_call",
    "interruption": "interrupted",
    "api_message": "api_error",
    "compaction": "compaction",
}
INTERRUPTION = "[Request interrupted by user"
EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d+)")


@dataclass(frozen=True)
class Event:
    """One thing that happened in a session."""

    kind: str
    ts: int | None
    text: str = ""
    tool: str = ""
    call_id: str = ""
    input: Json = field(default_factory=dict)
    is_error: bool = False
    path: Path = Path()

    @property
    def is_refusal(self) -> bool:
        return self.is_error and unwrapped(self.text).startswith(REFUSALS)

    @property
    def is_cascade(self) -> bool:
        return self.is_error and unwrapped(self.text).startswith(CASCADES)

    @property
    def is_failure(self) -> bool:
        return self.is_error and not self.is_refusal and not self.is_cascade

    @property
    def asked(self) -> str:
        """What a call asked for, the same text for the same call."""
        return json.dumps([self.tool, self.input])


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


def unwrapped(text: str) -> str:
    """A result's text without the tag that some clients put around errors."""
    return text.removeprefix("<tool_use_error>")


def distill_home(home: Path) -> dict[str, Distilled]:
    """The facts of every session of a home by its id."""
    events = home_events(home)
    return {name: distill(events[name]) for name in count_home(home)}


def home_events(home: Path) -> dict[str, list[Event]]:
    """The events of every session, its files in the order of their first times."""
    parts: dict[str, list[tuple[str, list[tuple[Place, Event]]]]] = {}
    for path in session_files(home):
        own: dict[str, list[Json]] = {}
        roots: dict[str, str] = {}
        repeats: Counter[str] = Counter()
        for record in records(path):
            owner = owner_of(record, path, roots)
            if not owner:
                continue
            if "uuid" not in record:  # told apart by content, and how often it came here
                said = json.dumps([owner[0], record.get("timestamp"), record.get("message")])
                record["uuid"] = f"{said} {repeats[said]}"
                repeats[said] += 1
            own.setdefault(owner[0], []).append(record)
        for name, found in own.items():
            times = [str(record["timestamp"]) for record in found if when(record)]
            events = [placed for record in found for placed in events_of(record, path)]
            parts.setdefault(name, []).append((min(times, default="~"), events))
    return {name: list(once(sorted(found, key=first_time))) for name, found in parts.items()}


def first_time(part: tuple[str, object]) -> str:
    """The key that puts the files of a session in order."""
    return part[0]


def once(parts: Iterable[tuple[str, list[tuple[Place, Event]]]]) -> Iterator[Event]:
    """The events of several files, those that were copied from one to the next only once."""
    seen = set()
    for _, events in parts:
        for place, event in events:
            if place not in seen:
                seen.add(place)
                yield event


def events_of(record: Json, path: Path) -> Iterator[tuple[Place, Event]]:
    """What a record says, each event with the record's uuid and the block's index."""
    uuid, ts = str(record["uuid"]), milliseconds(record)
    kind, subtype = record.get("type"), record.get("subtype")
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if is_prompt(record):
        yield (uuid, -1), Event("prompt", ts, prompt_text(record), path=path)
    elif kind == "system" and subtype in ("compact_boundary", "api_error"):
        name = "compaction" if subtype == "compact_boundary" else "api_error"
        yield (uuid, -1), Event(name, ts, path=path)
    if kind not in ("user", "assistant"):
        return
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for index, block in enumerate(blocks):
        if isinstance(block, dict):
            event = block_event(record, block, ts, path)
            if event:
                yield (uuid, index), event


def block_event(record: Json, block: Json, ts: int | None, path: Path) -> Event | None:
    """What one block of a user's or an assistant's message says, but for prompts."""
    kind, text = block.get("type"), str(block.get("text") or "")
    if kind == "tool_result":
        return Event(
            "result",
            ts,
            result_text(block.get("content")),
            call_id=str(block.get("tool_use_id") or ""),
            is_error=block.get("is_error") is True,
            path=path,
        )
    if record["type"] == "user":
        is_interruption = kind == "text" and text.startswith(INTERRUPTION)
        return Event("interruption", ts, path=path) if is_interruption else None
    if kind == "tool_use":
        asked = block.get("input")
        return Event(
            "call",
            ts,
            tool=str(block.get("name") or ""),
            call_id=str(block.get("id") or ""),
            input=asked if isinstance(asked, dict) else {},
            path=path,
        )
    if kind == "text" and is_clients(record):
        return Event("api_message", ts, path=path) if text.startswith(API_ERRORS) else None
    if kind == "text":
        return Event("reply", ts, text, path=path)
    is_thought = kind in ("thinking", "redacted_thinking")
    return Event("thinking", ts, path=path) if is_thought else None


def is_clients(record: Json) -> bool:
    """Whether the client wrote an assistant's message by itself."""
    model = record["message"].get("model")
    return model == "<synthetic>" or bool(record.get("isApiErrorMessage"))


def milliseconds(record: Json) -> int | None:
    """A record's time since the epoch."""
    moment = when(record)
    if moment is None:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // timedelta(milliseconds=1)


def prompt_text(record: Json) -> str:
    """What a person typed, without what the client put in front of it."""
    content = (
        record["attachment"].get("prompt")
        if record["type"] == "attachment"
        else record["message"].get("content")
    )
    if isinstance(content, str):
        return content
    texts = [str(block.get("text", "")) for block in content if isinstance(block, dict)]
    return "\n".join(text for text in texts if is_human_text(text))


def result_text(content: object) -> str:
    """A tool's result as text, whether it came as a string or in blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        str(block.get("text", ""))
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text"
    )


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
