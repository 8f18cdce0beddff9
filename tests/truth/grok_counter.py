"""What the Grok Build sessions of a home are, counted straight from their folders.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

from tests.truth.lines import Json, iso, mapping, moment, pieces, text_or_none, whole

RECORD_BEGINS = ('{"timestamp":', '{"ts":', '{"type":', '{"role":')
# The oldest updates, which have no envelope; with one, this is what the envelope holds.
BARE_BEGINS = ('{"sessionId":',)
RECORD_FILES = ("chat_history.jsonl", "updates.jsonl", "events.jsonl")
WRAPPERS = ("<user_info>", "<git_status>", "<system-reminder>")
QUERY = ("<user_query>", "</user_query>")
SUCCESS = ("success", "followup")
FINAL = ("completed", "failed")
TICKS_PER_USD = 10**10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What stands between two chunks of one promptIndex that makes them two prompts.
BETWEEN = frozenset(
    {
        "agent_message_chunk",
        "agent_thought_chunk",
        "tool_call",
        "tool_call_update",
        "turn_completed",
        "rewind_marker",
    }
)


@dataclass
class Counted:
    """The figures of one session."""

    id: str
    parent: str | None = None
    prompts: int = 0
    tool_calls: int = 0
    tool_errors: int = 0
    started_at: str | None = None
    ended_at: str | None = None
    cwd: str | None = None
    branch: str | None = None
    agent_version: str | None = None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    usd: float | None = None


@dataclass
class Folder:
    """The records of one session's folder."""

    path: Path
    native: str
    summary: Json
    chat: list[Json] | None
    updates: list[Json]
    events: list[Json]


@dataclass
class Prompt:
    """A prompt as updates tell it."""

    index: int | None
    text: str = ""
    has_image: bool = False
    is_open: bool = False


@dataclass
class Chat:
    """What chat_history tells: the session's own, and of `all_*` also what a fork inherited."""

    prompts: int = 0
    speaks: bool = False
    calls: set[str] = field(default_factory=set)
    results: dict[str, str] = field(default_factory=dict)
    inherited: set[str] = field(default_factory=set)
    all_calls: set[str] = field(default_factory=set)
    all_indexes: set[int] = field(default_factory=set)
    all_texts: set[str] = field(default_factory=set)
    numbered: set[tuple[int, str]] = field(default_factory=set)


def document(path: Path) -> Json:
    """A file that begins with a JSON object; empty if it is not there or no such thing."""
    try:
        text = path.read_bytes().decode("utf-8", "replace").strip("\0 \t\r\n")
        return mapping(json.JSONDecoder().raw_decode(text)[0])
    except (OSError, ValueError, RecursionError):
        return {}


def lines(path: Path) -> list[Json]:
    """The records of a JSON lines file."""
    if not path.is_file():
        return []
    found = pieces(path.read_bytes(), RECORD_BEGINS, BARE_BEGINS)
    return [piece for piece in found if piece is not None]


def of_summary(summary: Json, name: str) -> str | None:
    """A text of a summary, under its name or, in old files, the name in camel case."""
    first, *others = name.split("_")
    camel = first + "".join(word.title() for word in others)
    return text_or_none(summary.get(name)) or text_or_none(summary.get(camel))


def folders(home: Path) -> list[Folder]:
    """Every folder that may be a session."""
    found = []
    for path in sorted((home / ".grok" / "sessions").glob("*/*")):
        if not path.is_dir() or not any((path / name).is_file() for name in RECORD_FILES):
            continue
        summary = document(path / "summary.json")
        native = text_or_none(mapping(summary.get("info")).get("id")) or path.name
        history = path / "chat_history.jsonl"
        chat = lines(history) if history.is_file() else None
        updates = lines(path / "updates.jsonl")
        events = lines(path / "events.jsonl")
        found.append(Folder(path, native, summary, chat, updates, events))
    return found


def update_of(record: Json) -> Json:
    """The update that a record holds; the oldest rows have no envelope."""
    return mapping(mapping(record.get("params", record)).get("update"))


def text_of(content: object) -> str:
    """The text of a content in any of its forms."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return str(content.get("text") or "")
    parts = content if isinstance(content, list) else []
    return "\n".join(str(mapping(part).get("text") or "") for part in parts)


def has_image(content: object) -> bool:
    """Whether some part of a content is a picture."""
    parts = content if isinstance(content, list) else [content]
    return any(mapping(part).get("type") in ("image", "image_url") for part in parts)


def asked(text: str) -> str:
    """What is left of a text when the tags that the agent puts around a query are gone."""
    for tag in QUERY:
        text = text.replace(tag, "")
    return text.strip()


def is_human(text: str, pictured: bool) -> bool:
    """Whether a person may have sent this: not the agent's context, and not nothing."""
    if text.lstrip().startswith(WRAPPERS) and QUERY[0] not in text:
        return False
    return bool(asked(text)) or pictured


def call_ids(row: Json, place: int) -> list[str]:
    """The ids of the tool calls that a chat row makes."""
    kind = row.get("type") or row.get("role")
    if kind == "backend_tool_call":
        made = mapping(row.get("kind"))
        named = text_or_none(made.get("id")) or text_or_none(made.get("call_id"))
        return [named or f"backend {place}"]
    calls = row.get("tool_calls")
    if kind != "assistant" or not isinstance(calls, list):
        return []
    return [
        text_or_none(mapping(call).get("id")) or f"call {place} {index}"
        for index, call in enumerate(calls)
    ]


def read_chat(folder: Folder) -> Chat:
    """What chat_history tells, what a fork inherited kept apart."""
    chat = Chat()
    inherited = whole(folder.summary.get("inherited_prefix_len"))
    for place, row in enumerate(folder.chat or []):
        kind = row.get("type") or row.get("role")
        is_own = place >= inherited
        made = call_ids(row, place)
        chat.all_calls.update(made)
        answered = (
            text_or_none(row.get("tool_call_id")) if kind in ("tool_result", "tool") else None
        )
        if not is_own:
            chat.inherited.update(made, [answered] if answered else [])
        if kind == "user":
            count_user_row(chat, row, is_own)
        if not is_own:
            continue
        chat.calls.update(made)
        if kind in ("tool_result", "tool"):
            chat.results[answered or f"result {place}"] = text_of(row.get("content"))
            chat.speaks = True
        said = kind == "assistant" and (asked(text_of(row.get("content"))) or made)
        thought = kind in ("reasoning", "backend_tool_call") or row.get("reasoning_content")
        chat.speaks = chat.speaks or bool(said or thought)
    return chat


def count_user_row(chat: Chat, row: Json, is_own: bool) -> None:
    """Adds a user row of chat_history if a person wrote it."""
    text = text_of(row.get("content"))
    if row.get("synthetic_reason") not in (None, "", "interjection"):
        return
    if not is_human(text, has_image(row.get("content"))):
        return
    index = row.get("prompt_index")
    if isinstance(index, int):
        chat.all_indexes.add(index)
        if (index, text) in chat.numbered:
            return  # written twice
        chat.numbered.add((index, text))
    else:
        chat.all_texts.add(asked(text))
    chat.prompts += is_own


def prompts_of(updates: list[Json]) -> list[Prompt]:
    """The prompts that updates hold, chunks of one promptIndex in a row put together."""
    found: list[Prompt] = []
    is_open = False
    for record in updates:
        update = update_of(record)
        kind = update.get("sessionUpdate")
        if kind in BETWEEN:
            is_open = False
        if kind != "user_message_chunk" or is_hidden(record, update):
            continue
        told = mapping(update.get("_meta")).get("promptIndex")
        index = told if isinstance(told, int) else None
        if not is_open or found[-1].index != index:
            found.append(Prompt(index))
        is_open = True
        found[-1].text += text_of(update.get("content"))
        found[-1].has_image = found[-1].has_image or has_image(update.get("content"))
    if is_open:
        found[-1].is_open = True
    return [prompt for prompt in found if is_human(prompt.text, prompt.has_image)]


def is_hidden(record: Json, update: Json) -> bool:
    """Whether a chunk is a command of the person's own shell, or injected."""
    content = mapping(mapping(update.get("content")).get("_meta"))
    outer = mapping(mapping(record.get("params", record)).get("_meta"))
    metas = (content, mapping(update.get("_meta")), outer)
    return bool(content.get("bash_command")) or any(m.get("hideFromScrollback") for m in metas)


def count_prompts(folder: Folder, chat: Chat) -> int:
    """The prompts of chat_history and those that only updates still hold.

    With nothing behind it in updates, a prompt may be the beginning of one: as long as there is a
    chat that will have it whole, it is not counted.
    """
    told = prompts_of(folder.updates)
    if folder.chat is None:
        return len(told)
    gone = {
        prompt.index
        for prompt in told
        if prompt.index is not None
        and not prompt.is_open
        and prompt.index not in chat.all_indexes
        and asked(prompt.text) not in chat.all_texts
    }
    return chat.prompts + len(gone)


def outcomes(events: list[Json]) -> dict[str, bool]:
    """By call, whether the telemetry says that it failed; the workspace's rows only repeat."""
    first: dict[str, bool] = {}
    repeated: dict[str, bool] = {}
    for event in events:
        call = text_or_none(event.get("tool_call_id"))
        if event.get("type") != "tool_completed" or call is None:
            continue
        kept = repeated if event.get("source") == "workspace" else first
        kept[call] = kept.get(call, False) or event.get("outcome") not in SUCCESS
    return {**repeated, **first}


def finals(updates: list[Json]) -> dict[str, bool]:
    """By call, whether its final update says that it failed."""
    status: dict[str, str] = {}
    codes: dict[str, object] = {}
    for record in updates:
        update = update_of(record)
        call = text_or_none(update.get("toolCallId"))
        if update.get("sessionUpdate") not in ("tool_call", "tool_call_update") or call is None:
            continue
        if update.get("status") in FINAL:
            status[call] = str(update["status"])
        raw = mapping(update.get("rawOutput"))
        code = raw.get("exit_code", raw.get("exitCode"))
        if code is not None:
            codes[call] = code
    return {call: told == "failed" or codes.get(call, 0) != 0 for call, told in status.items()}


def failed_calls(folder: Folder, chat: Chat) -> tuple[set[str], set[str]]:
    """The calls that have a result, and those of them that failed.

    The telemetry tells how a call ended, not what came of it: where neither chat nor updates have
    that any more, there is no result that could be counted as a failed one.
    """
    by_event, by_update = outcomes(folder.events), finals(folder.updates)
    results = (set(by_update) | set(chat.results)) - chat.inherited
    failed = set()
    for call in results:
        if call in by_event:
            is_failed = by_event[call]
        elif call in by_update:
            is_failed = by_update[call]
        else:
            is_failed = chat.results[call].startswith("Error:")
        if is_failed:
            failed.add(call)
    return results, failed


def count_usage(session: Counted, folder: Folder) -> None:
    """Adds the tokens of each turn, the last word on a prompt; without any, the session's sum."""
    turns: dict[str, Json] = {}
    for place, record in enumerate(folder.updates):
        update = update_of(record)
        usage = update.get("usage")
        if update.get("sessionUpdate") == "turn_completed" and isinstance(usage, dict):
            stamps = mapping(mapping(record.get("params", record)).get("_meta"))
            when = stamps.get("agentTimestampMs") or record.get("timestamp") or place
            event = text_or_none(stamps.get("eventId")) or f"turn {when}"
            turns[text_or_none(update.get("prompt_id")) or event] = usage
    if not turns:
        total = document(folder.path / "usage.json").get("session")
        turns = {"session": total} if isinstance(total, dict) else {}
    ticks = None
    for usage in turns.values():
        read, write = whole(usage.get("cachedReadTokens")), whole(usage.get("cacheCreationTokens"))
        session.input += max(0, whole(usage.get("inputTokens")) - read - write)
        session.cache_read += read
        session.cache_write += write
        session.output += whole(usage.get("outputTokens"))
        session.reasoning += whole(usage.get("reasoningTokens"))
        if "costUsdTicks" in usage:
            ticks = (ticks or 0) + whole(usage["costUsdTicks"])
    session.usd = None if ticks is None else ticks / TICKS_PER_USD


def times_of(folder: Folder) -> list[datetime]:
    """The times of all records; where none has one, those of the summary."""
    found: list[datetime | None] = []
    for record in folder.updates:
        meta = mapping(mapping(record.get("params", record)).get("_meta"))
        millis = whole(meta.get("agentTimestampMs"))
        if millis:
            found.append(EPOCH + timedelta(milliseconds=millis))
        elif whole(record.get("timestamp")):
            found.append(EPOCH + timedelta(seconds=whole(record["timestamp"])))
    found += [moment(event.get("ts")) for event in folder.events]
    found += [moment(row.get("timestamp")) for row in folder.chat or []]
    if not any(found):
        names = ("created_at", "updated_at")
        found += [moment(of_summary(folder.summary, name)) for name in names]
    return [time for time in found if time]


def cwd_of(folder: Folder) -> str | None:
    """The working folder: of the summary, of the `.cwd` file, or of the folder's own name."""
    told = text_or_none(mapping(folder.summary.get("info")).get("cwd"))
    if told:
        return told
    above = folder.path.parent
    if (above / ".cwd").is_file():
        return (above / ".cwd").read_text("utf-8", "replace").strip() or None
    return unquote(above.name) if "%" in above.name else None


def spawned(found: list[Folder]) -> dict[str, str]:
    """By child, the session that tells to have spawned it."""
    parents: dict[str, str] = {}
    for folder in found:
        for record in folder.updates:
            update = update_of(record)
            child = text_or_none(update.get("child_session_id"))
            if update.get("sessionUpdate") != "subagent_spawned" or child is None:
                continue
            # A fork's copy names the session that really spawned the child.
            parent = text_or_none(update.get("parent_session_id")) or folder.native
            parents.setdefault(child, parent)
    return parents


def parent_of(folder: Folder, parents: dict[str, str]) -> str | None:
    """The session that a session works for; what it was forked from is none."""
    named = of_summary(folder.summary, "parent_session_id")
    if named is None or of_summary(folder.summary, "session_kind") in ("fork", "worktree"):
        named = parents.get(folder.native)
    return f"grok:{named}" if named else None


def count_folder(folder: Folder, parents: dict[str, str]) -> Counted | None:
    """The figures of a folder, if it is a session."""
    chat = read_chat(folder)
    session = Counted(f"grok:{folder.native}", parent_of(folder, parents))
    session.prompts = count_prompts(folder, chat)
    kinds = [update_of(record).get("sessionUpdate") for record in folder.updates]
    called = {
        text_or_none(update_of(record).get("toolCallId")) or f"update {place}"
        for place, (record, kind) in enumerate(zip(folder.updates, kinds, strict=True))
        if kind == "tool_call"
    }
    session.tool_calls = len(chat.calls | (called - chat.all_calls))
    results, failed = failed_calls(folder, chat)
    session.tool_errors = len(failed)
    speaks = chat.speaks or "agent_message_chunk" in kinds or "agent_thought_chunk" in kinds
    if not (session.prompts or session.tool_calls or results or speaks):
        return None
    count_usage(session, folder)
    times = times_of(folder)
    if times:
        session.started_at, session.ended_at = iso(min(times)), iso(max(times))
    session.cwd = cwd_of(folder)
    session.branch = of_summary(folder.summary, "head_branch")
    return session


def count_home(home: Path) -> dict[str, Counted]:
    """Every Grok session of a home by id."""
    found = folders(home)
    parents = spawned(found)
    sessions: dict[str, Counted] = {}
    for folder in found:
        session = count_folder(folder, parents)
        if session:
            sessions.setdefault(session.id, session)
    return sessions
