"""What the Codex sessions of a home are, counted straight from the rollout files.

Written from the format notes, the data and the agent's published source, not from the adapter,
with no thought for speed, so that a disagreement with Helix points at a real mistake in one of
the two.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import zstandard

from tests.truth.lines import Json, iso, mapping, moment, pieces, text_or_none, whole

RECORD_BEGINS = ('{"timestamp":', '{"type":', '{"id":', '{"record_type":')
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
BURST = timedelta(seconds=1)
TURN_BEGINS = ("task_started", "turn_started")

CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "image_generation_call",
    }
)
OUTPUTS = frozenset(
    {
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "mcp_tool_call_output",
        "tool_search_output",
    }
)
ITEMS = CALLS | OUTPUTS | {"message", "reasoning"}

INJECTED = (
    "<user_instructions>",
    "<environment_context>",
    "# AGENTS.md instructions",
    "<permissions",
    "<turn_aborted>",
)
WRAPPED = re.compile(r"<([a-z][a-z0-9_-]*)(?: [^>]*)?>.*</\1>", re.DOTALL)
CWD = re.compile(r"<cwd>(.*?)</cwd>|^Current working directory: (.*?)$", re.DOTALL | re.MULTILINE)

# How an output begins that the harness wrote instead of a result. (d): seen in the data.
FAILURES = (
    # codex.rs until about October 2025
    "failed in sandbox ",  # (d)
    "error: Failed to ",  # (d) a patch given to the shell, ApplyPatchError
    "error: invalid hunk ",  # (d)
    "error: invalid patch",
    "error: I/O error",
    "error: patch detected without explicit call to apply_patch",
    "exec command rejected: ",
    "retry failed: ",
    "command timed out after ",
    "failed to determine path to codex executable",
    # codex.rs and core/src/tools/events.rs
    "execution error: ",  # (d)
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    # core/src/apply_patch.rs, core/src/tools/handlers/apply_patch.rs
    "patch rejected: ",
    "apply_patch verification failed: ",  # (d)
    "apply_patch handler received ",
    # core/src/tools/handlers: shell.rs, unified_exec.rs, mod.rs
    "failed to parse function arguments",
    "failed to parse exec_command arguments",
    "failed to parse write_stdin arguments",
    "failed to parse tool_search arguments",
    "exec_command failed",
    "write_stdin failed",
    "approval policy is ",
    "unsupported payload for ",
    "unsupported unified exec function ",
    "unified_exec handler received unsupported payload",
    # core/src/tools/registry.rs, hook_runtime.rs, guardian, function_tool.rs
    "unsupported call: ",
    "unsupported custom tool call: ",
    "Command blocked by PreToolUse hook",
    "Tool call blocked by PreToolUse hook",
    "This action was rejected due to unacceptable risk.",
    "LocalShellCall without call_id or id",
    "Fatal error: ",
    # core/src/tools/parallel.rs
    "aborted by user",
    # core/src/tools/code_mode
    "Script failed\n",
    # core/src/mcp_tool_call.rs, protocol/src/models.rs
    "err: ",
    "tool call error: ",
    "user rejected MCP tool call",
    "user cancelled MCP tool call",
    "MCP tool call blocked by app configuration",
    # core/src/tools/handlers: view_image.rs, multi-agent, request_user_input
    "unable to locate image at ",
    "unable to read image at ",
    "unable to process image at ",
    "image path `",
    "view_image is not allowed ",
    "view_image is unavailable ",
    "view_image.detail only supports ",
    "collab spawn failed: ",
    "collab manager unavailable",
    "request_user_input is unavailable in ",
)
FAILURE_WHOLE = frozenset({"aborted"})  # what history gets for a call without an output
EXIT = re.compile(r"(?:Exit code:|Process exited with code) (-?\d+)")
HEAD = (
    "Chunk ID: ",
    "Wall time: ",
    "Exit code: ",
    "Process exited with code ",
    "Process running with session ID ",
    "Original token count: ",
    "Total output lines: ",
)

TOTALS = {
    "input": "input_tokens",
    "cache_read": "cached_input_tokens",
    "cache_write": "cache_write_input_tokens",
    "output": "output_tokens",
    "reasoning": "reasoning_output_tokens",
}
FALLING = ("input", "cache_read", "output", "reasoning")


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
    is_session: bool = False
    times: list[datetime] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    errors: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)


def rollout_files(home: Path) -> list[Path]:
    """The rollouts, in the place of a plain file and its compressed twin only the plain one."""
    codex = home / ".codex"
    found = [*(codex / "sessions").rglob("rollout-*"), *(codex / "archived_sessions").glob("*")]
    named = {
        path
        for path in found
        if path.name.startswith("rollout-") and path.name.endswith((".jsonl", ".jsonl.zst"))
    }
    return sorted(
        path for path in named if path.suffix != ".zst" or path.with_suffix("") not in named
    )


def content_of(path: Path) -> bytes:
    """A file's bytes, of a compressed one as many as can be had.

    Byte by byte: what is unpacked together with the place of the damage would be lost with it.
    """
    data = path.read_bytes()
    if path.suffix != ".zst":
        return data
    out = bytearray()
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        for at in range(len(data)):
            out += frame.decompress(data[at : at + 1])
            if frame.eof:
                frame = zstandard.ZstdDecompressor().decompressobj()
    except zstandard.ZstdError:
        pass
    return bytes(out)


def meta_of(record: Json) -> Json | None:
    """What a record says of its session: a session_meta, or the first line of the old form."""
    if record.get("type") == "session_meta" and isinstance(record.get("payload"), dict):
        return mapping(record["payload"])
    if "type" not in record and "payload" not in record and "id" in record:
        return record
    return None


def native_id(path: Path, first: Json | None) -> str:
    """The session's own id: of the first record if that is its meta, else of the file's name."""
    meta = meta_of(first) if first else None
    if meta and text_or_none(meta.get("id")):
        return str(meta["id"])
    in_name = UUID.search(path.name)
    return in_name.group() if in_name else path.name.split(".")[0].removeprefix("rollout-")


def parent_of(meta: Json) -> str | None:
    """The id of the thread that spawned this one."""
    spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    return text_or_none(meta.get("parent_thread_id")) or text_or_none(spawn.get("parent_thread_id"))


def replayed(records: list[Json], meta: Json) -> set[int]:
    """Which records, by place, are a parent's history written again into this file."""
    if not (text_or_none(meta.get("forked_from_id")) or parent_of(meta)):
        return set()
    start = meta.get("subagent_history_start_ordinal")
    ordinals = [record.get("ordinal") for record in records]
    if isinstance(start, int) and any(isinstance(ordinal, int) for ordinal in ordinals[1:]):
        places: set[int] = set()
        own = False
        for place, ordinal in enumerate(ordinals):
            own = ordinal >= start if isinstance(ordinal, int) else own
            if place and not own:
                places.add(place)
        return places
    return burst(records)


def burst(records: list[Json]) -> set[int]:
    """The leading records that are older than the meta or written in one go behind it."""
    born = moment(records[0].get("timestamp"))
    if born is None:
        return set()
    end, last = 1, born
    while end < len(records):
        time = moment(records[end].get("timestamp")) or last
        if time >= born:
            if time - last > BURST:
                break
            last = max(last, time)
        end += 1
    turns = [place for place in range(1, end) if event_type(records[place]) in TURN_BEGINS]
    turns = turns or [place for place in range(1, end) if is_type(records[place], "turn_context")]
    if turns and not any(is_work(record) for record in records[turns[-1] : end]):
        end = turns[-1]
    return set(range(1, end))


def is_type(record: Json, kind: str) -> bool:
    """Whether a record is an envelope of a kind."""
    return record.get("type") == kind and isinstance(record.get("payload"), dict)


def event_type(record: Json) -> str | None:
    """The kind of event that a record holds, if it holds one."""
    payload = mapping(record.get("payload"))
    return text_or_none(payload.get("type")) if is_type(record, "event_msg") else None


def item_of(record: Json) -> Json:
    """The response item that a record is or holds, empty if none."""
    if is_type(record, "response_item"):
        return mapping(record["payload"])
    return record if "payload" not in record and record.get("type") in ITEMS else {}


def is_work(record: Json) -> bool:
    """Whether a record shows a turn at work: an item of the model's or a count of tokens."""
    item = item_of(record)
    if item:
        return not (item.get("type") == "message" and item.get("role") in ("user", "developer"))
    info = mapping(record.get("payload")).get("info")
    return event_type(record) == "token_count" and isinstance(info, dict)


def has_image(content: object) -> bool:
    """Whether some part of a message is a picture."""
    parts = content if isinstance(content, list) else []
    return any(mapping(part).get("type") in ("input_image", "image") for part in parts)


def text_of(content: object) -> str:
    """The text of a message or of an output that comes in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(mapping(part).get("text") or "") for part in parts).strip("\n")


def is_prompt(record: Json) -> bool:
    """Whether a record is what a person (or the parent agent) asked for."""
    if event_type(record) == "user_message":
        event = mapping(record["payload"])
        if event.get("kind") not in (None, "plain"):
            return False
        pictures = event.get("images") or event.get("local_images")
        return bool(str(event.get("message") or "").strip() or pictures)
    item = item_of(record)
    if "payload" in record or item.get("type") != "message" or item.get("role") != "user":
        return False
    text = text_of(item.get("content")).strip()
    if not text:
        return has_image(item.get("content"))
    return not text.startswith(INJECTED) and not WRAPPED.fullmatch(text)


def is_failure(output: object) -> bool:
    """Whether an output says that the call failed."""
    if isinstance(output, dict):
        return is_failed_json(output) or is_failure(output.get("content"))
    text = text_of(output)
    try:
        value = json.loads(text) if text.startswith(("{", "[")) else None
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return is_failed_json(value)
    if isinstance(value, list):
        return text_of(value).startswith(FAILURES)
    exit_code, body = head_of(text)
    if exit_code is not None:
        return exit_code != 0
    return text.startswith(FAILURES) or text in FAILURE_WHOLE or body.startswith(FAILURES)


def is_failed_json(value: Json) -> bool:
    """Whether an output that is a JSON object says that the call failed."""
    exit_code = mapping(value.get("metadata")).get("exit_code")
    if isinstance(exit_code, int) and not isinstance(exit_code, bool):
        return exit_code != 0
    return value.get("success") is False or True in (value.get("isError"), value.get("is_error"))


def head_of(text: str) -> tuple[int | None, str]:
    """The exit code that the harness's own lines before an output tell, and what follows them.

    Only behind a bare "Wall time:" can the harness itself speak on; else a program does.
    """
    exit_code = None
    lines = 0
    rest = text
    while rest.startswith(HEAD):
        line, _, rest = rest.partition("\n")
        lines += 1
        told = EXIT.fullmatch(line.rstrip("\r"))
        if told:
            exit_code = int(told.group(1))
    speaks = lines == 1 and text.startswith("Wall time: ")
    return exit_code, rest.removeprefix("Output:\n") if speaks else ""


def failed_mcp_call(record: Json) -> str | None:
    """The call that an event tells to have failed at its MCP server."""
    event = mapping(record.get("payload"))
    if event_type(record) != "mcp_tool_call_end":
        return None
    result = mapping(event.get("result"))
    answer = mapping(result.get("Ok"))
    failed = "Err" in result or True in (answer.get("isError"), answer.get("is_error"))
    return text_or_none(event.get("call_id")) if failed else None


def usage_of(record: Json) -> dict[str, int] | None:
    """The cumulative tokens that a record tells."""
    info = mapping(mapping(record.get("payload")).get("info"))
    total = info.get("total_token_usage")
    if event_type(record) != "token_count" or not isinstance(total, dict):
        return None
    return {name: whole(total.get(native)) for name, native in TOTALS.items()}


def deltas(records: list[Json]) -> Iterator[dict[str, int]]:
    """What each record adds to the tokens; a total that falls begins anew from zero."""
    before = dict.fromkeys(TOTALS, 0)
    for record in records:
        total = usage_of(record)
        if total is None or total == before:
            yield dict.fromkeys(TOTALS, 0)
            continue
        if any(total[name] < before[name] for name in FALLING):
            before = dict.fromkeys(TOTALS, 0)
        yield {name: total[name] - before[name] for name in TOTALS}
        before = total


def places_told(record: Json) -> tuple[str | None, str | None]:
    """The folder and the branch that a record names."""
    meta = meta_of(record)
    if meta is not None:
        branch = mapping(meta.get("git")).get("branch")
        return text_or_none(meta.get("cwd")), text_or_none(branch)
    if is_type(record, "turn_context"):
        return text_or_none(mapping(record["payload"]).get("cwd")), None
    is_bare_message = "payload" not in record and record.get("type") == "message"
    text = text_of(record.get("content")).strip() if is_bare_message else ""
    told = CWD.search(text) if text.startswith("<environment_context>") else None
    return text_or_none((told.group(1) or told.group(2) or "").strip()) if told else None, None


def count_item(session: Counted, record: Json, key: str) -> None:
    """Adds what one record shows of prompts, replies, calls and results."""
    item = item_of(record)
    kind = item.get("type")
    call = text_or_none(item.get("call_id")) or text_or_none(item.get("id")) or key
    if is_prompt(record):
        session.prompts += 1
        session.is_session = True
    if kind in CALLS:
        session.calls.add(call)
        session.is_session = True
    if kind in OUTPUTS:
        session.is_session = True
        if is_failure(item.get("output")):
            session.errors.add(call)
    if kind == "reasoning" or (kind == "message" and item.get("role") == "assistant"):
        session.is_session = True
    if event_type(record) in ("agent_message", "agent_reasoning"):
        session.is_session = True
    failed = failed_mcp_call(record)
    if failed:
        session.errors.add(failed)


def is_other(record: Json, native: str) -> bool:
    """Whether a record is the meta of another session, such as a parent's."""
    named = text_or_none((meta_of(record) or {}).get("id"))
    return named is not None and named != native


def count_file(session: Counted, native: str, records: list[Json]) -> None:
    """Adds a file's records to its session, those that another file had already left out."""
    meta = {} if is_other(records[0], native) else meta_of(records[0]) or {}
    parent = parent_of(meta)
    session.parent = session.parent or (f"codex:{parent}" if parent else None)
    skipped = replayed(records, meta)
    in_file: Counter[str] = Counter()
    for place, (record, added) in enumerate(zip(records, deltas(records), strict=True)):
        said = json.dumps(record, sort_keys=True)
        # With the same words at the same moment it is one record that was written twice.
        key = f"{said} {0 if record.get('timestamp') else in_file[said]}"
        in_file[said] += 1
        if place in skipped or key in session.seen or is_other(record, native):
            continue
        session.seen.add(key)
        time = moment(record.get("timestamp"))
        if time:
            session.times.append(time)
        cwd, branch = places_told(record)
        session.cwd = session.cwd or cwd
        session.branch = session.branch or branch
        version = text_or_none(mapping(meta_of(record)).get("cli_version"))
        session.agent_version = session.agent_version or version
        for name, value in added.items():
            setattr(session, name, getattr(session, name) + value)
        count_item(session, record, key)


def count_home(home: Path) -> dict[str, Counted]:
    """Every Codex session of a home by id."""
    found: dict[str, Counted] = {}
    for path in rollout_files(home):
        read = list(pieces(content_of(path), RECORD_BEGINS))
        records = [record for record in read if record is not None]
        if not records:
            continue
        native = native_id(path, read[0])
        session = found.setdefault(f"codex:{native}", Counted(f"codex:{native}"))
        count_file(session, native, records)
    for session in found.values():
        session.tool_calls = len(session.calls)
        session.tool_errors = len(session.errors)
        session.input = max(0, session.input - session.cache_read - session.cache_write)
        if session.times:
            session.started_at = iso(min(session.times))
            session.ended_at = iso(max(session.times))
    return {key: session for key, session in found.items() if session.is_session}
