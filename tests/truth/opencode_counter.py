"""What the OpenCode sessions of a home are, counted straight from its database and its storage.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.truth.lines import Json, iso, mapping, text_or_none, whole

PLACES = {"opencode": ".local/share/opencode", "kilo": ".local/share/kilo"}
# From this version on `output` leaves out what was spent on reasoning.
APART_SINCE = (1, 4)


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
    model: str | None = None
    compactions: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    usd: float | None = None


@dataclass
class Stored:
    """One session as it is stored: what is said of it, and its messages with their parts."""

    id: str
    info: Json
    messages: list[tuple[Json, list[Json]]]


def loaded(text: object) -> Json:
    """A JSON object, or an empty one."""
    try:
        return mapping(json.loads(text)) if isinstance(text, str | bytes) else {}
    except (ValueError, RecursionError):
        return {}


def from_database(path: Path) -> Iterator[Stored]:
    """The sessions of a database, whoever else has it open."""
    live = Path(f"{path}-wal").exists()
    place = f"file:{path}?mode=ro" + ("" if live else "&immutable=1")
    with sqlite3.connect(place, uri=True) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("SELECT * FROM session").fetchall():
            session = dict(row)
            messages: list[tuple[Json, list[Json]]] = []
            for message in database.execute(
                "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id",
                (session["id"],),
            ).fetchall():
                parts = database.execute(
                    "SELECT data FROM part WHERE message_id = ? ORDER BY id", (message["id"],)
                )
                messages.append((loaded(message["data"]), [loaded(part["data"]) for part in parts]))
            yield Stored(session["id"], session, messages)
    database.close()


def from_storage(storage: Path) -> Iterator[Stored]:
    """The sessions of the old storage, a file for each row."""
    for file in sorted(storage.glob("session/*/ses_*.json")):
        info = loaded(file.read_bytes())
        name = text_or_none(info.get("id")) or file.stem
        row = {
            "directory": info.get("directory"),
            "parent_id": info.get("parentID"),
            "version": info.get("version"),
        }
        messages: list[tuple[Json, list[Json]]] = []
        for message in sorted((storage / "message" / name).glob("msg_*.json")):
            parts = sorted((storage / "part" / message.stem).glob("prt_*.json"))
            messages.append(
                (loaded(message.read_bytes()), [loaded(part.read_bytes()) for part in parts])
            )
        messages.sort(key=lambda message: whole(mapping(message[0].get("time")).get("created")))
        yield Stored(name, row, messages)


def is_apart(tokens: Json, version: str) -> bool:
    """Whether a message's output leaves out its reasoning: by its total, else by the version."""
    cache = mapping(tokens.get("cache"))
    with_it = (
        whole(tokens.get("input"))
        + whole(tokens.get("output"))
        + whole(cache.get("read"))
        + whole(cache.get("write"))
    )
    reasoning = whole(tokens.get("reasoning"))
    total = tokens.get("total")
    if total is not None and reasoning and whole(total) in (with_it, with_it + reasoning):
        return whole(total) != with_it
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    return not numbers or tuple(numbers) >= APART_SINCE


def failed(part: Json) -> bool:
    """Whether a call failed: by its exit code first, by its status then."""
    state = mapping(part.get("state"))
    metadata = mapping(state.get("metadata"))
    if state.get("status") == "error" or part.get("tool") == "invalid":
        return state.get("status") in ("error", "completed")
    if state.get("status") == "completed" and "exit" in metadata:
        return bool(metadata["exit"] != 0)
    return False


def moments(message: Json, parts: list[Json]) -> Iterator[int]:
    """Every time that a message and its parts name."""
    of = [mapping(message.get("time"))]
    of += [mapping(part.get("time")) for part in parts]
    of += [mapping(mapping(part.get("state")).get("time")) for part in parts]
    for time in of:
        for name in ("created", "completed", "start", "end"):
            if isinstance(time.get(name), int | float):
                yield int(time[name])


def is_prompt(message: Json, parts: list[Json]) -> bool:
    """Whether somebody asked for something: words or pictures of their own."""
    if message.get("role") != "user" or any(part.get("type") == "compaction" for part in parts):
        return False
    return any(
        (
            part.get("type") == "text"
            and not part.get("synthetic")
            and not part.get("ignored")
            and str(part.get("text") or "").strip()
        )
        or part.get("type") in ("subtask", "file")
        for part in parts
    )


def shown(flavor: str, stored: Stored) -> Counted | None:
    """The figures of a session; none where nothing was said or done."""
    counted = Counted(f"{flavor}:{stored.id}")
    counted.agent_version = text_or_none(stored.info.get("version"))
    if parent := text_or_none(stored.info.get("parent_id")):
        counted.parent = f"{flavor}:{parent}"
    counted.cwd = text_or_none(stored.info.get("directory"))
    version = str(stored.info.get("version") or "")
    times: list[int] = []
    costs: list[float] = []
    is_free = False
    says = False
    latest = -1
    for message, parts in stored.messages:
        times += moments(message, parts)
        counted.prompts += is_prompt(message, parts)
        says = says or is_prompt(message, parts)
        for part in parts:
            if part.get("type") == "tool" and part.get("callID"):
                counted.tool_calls += 1
                counted.tool_errors += failed(part)
            counted.compactions += part.get("type") == "compaction"
            says = says or part.get("type") == "tool"
            says = says or bool(
                part.get("type") == "text"
                and message.get("role") == "assistant"
                and not message.get("summary")
                and str(part.get("text") or "").strip()
            )
        if message.get("role") != "assistant":
            continue
        created = whole(mapping(message.get("time")).get("created"))
        if message.get("modelID") and created >= latest:
            counted.model, latest = message["modelID"], created
        tokens = mapping(message.get("tokens"))
        cache = mapping(tokens.get("cache"))
        reasoning = whole(tokens.get("reasoning"))
        output = whole(tokens.get("output")) + (reasoning if is_apart(tokens, version) else 0)
        counted.input += whole(tokens.get("input"))
        counted.output += output
        counted.reasoning += reasoning
        counted.cache_read += whole(cache.get("read"))
        counted.cache_write += whole(cache.get("write"))
        spent = whole(tokens.get("input")) + output + whole(cache.get("read"))
        cost = message.get("cost")
        if isinstance(cost, int | float) and cost:
            costs.append(float(cost))
        elif spent:
            is_free = True
    if times:
        counted.started_at = at(min(times))
        counted.ended_at = at(max(times))
    counted.usd = round(sum(costs), 6) if costs and not is_free else None
    return counted if says else None


def at(millis: int) -> str:
    """A time as Helix prints it."""
    return iso(datetime.fromtimestamp(millis / 1000, UTC))


def count_home(home: Path) -> dict[str, Counted]:
    """Every session of a home by its id; what the database has goes before the storage."""
    sessions: dict[str, Counted] = {}
    for flavor, place in PLACES.items():
        found: dict[str, Stored] = {}
        data = home / place
        for stored in from_storage(data / "storage"):
            found[stored.id] = stored
        for file in sorted(data.glob("*.db")):
            found |= {stored.id: stored for stored in from_database(file)}
        for stored in found.values():
            counted = shown(flavor, stored)
            if counted is not None:
                sessions[counted.id] = counted
    return sessions
