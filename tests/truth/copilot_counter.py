"""What the Copilot CLI sessions of a home are, counted straight from their events.

Written from the format notes and the data, not from the adapter, with no thought for speed, so
that a disagreement with Helix points at a real mistake in one of the two.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from tests.truth.figures import Counted, exit_code, sessions
from tests.truth.lines import Json, mapping, moment, pieces, text_or_none, whole

BEGINS = ('{"type":',)
# The line that the shell tool adds behind what a command printed.
ENDED = re.compile(r"exit code (-?\d{1,10})\W*$")
SHELLS = ("bash", "powershell", "local_shell", "shell")
FIELDS = {
    "input": "inputTokens",
    "output": "outputTokens",
    "cache_read": "cacheReadTokens",
    "cache_write": "cacheWriteTokens",
    "reasoning": "reasoningTokens",
}


def files(home: Path) -> list[Path]:
    """Each session's events: in a folder of its own, or flat as before 1.0.11."""
    state = home / ".copilot" / "session-state"
    return sorted([*state.glob("*/events.jsonl"), *state.glob("*.jsonl")])


def name_of(path: Path) -> str:
    """The id that a path tells."""
    return path.parent.name if path.name == "events.jsonl" else path.stem


def agent_of(record: Json) -> str:
    """The call that started the sub-agent whose record this is; empty for the session's own."""
    data = mapping(record.get("data"))
    return text_or_none(record.get("agentId")) or text_or_none(data.get("parentToolCallId")) or ""


def code_of(data: Json, tool: str) -> int | None:
    """How a command ended: the telemetry's word, else the last line of a shell's output."""
    metrics = mapping(mapping(data.get("toolTelemetry")).get("metrics"))
    told = exit_code(metrics.get("exit_code"))
    if told is not None:
        return told
    for place in (data, mapping(data.get("result"))):
        told = exit_code(mapping(place.get("shellExecution")).get("exitCode"))
        if told is not None:
            return told
    content = mapping(data.get("result")).get("content")
    lines = content.rstrip().rsplit("\n", 1) if isinstance(content, str) else [""]
    ended = ENDED.search(lines[-1])
    is_shell = any(tool.endswith(shell) for shell in SHELLS)
    return int(ended[1]) if ended and is_shell else None


class Spent:
    """What the runs of one session say that each model took, in all so far."""

    def __init__(self) -> None:
        self.said = 0
        self.before: dict[str, dict[str, int]] = {}

    def anew(self) -> None:
        """A compaction sets the counters to zero."""
        self.before, self.said = {}, 0

    def run(self, metrics: Json) -> dict[str, int]:
        """What a shutdown adds to what the answers told themselves, which is output alone."""
        now = {
            model: {name: whole(usage_of(told).get(native)) for name, native in FIELDS.items()}
            for model, told in metrics.items()
        }
        nothing = dict.fromkeys(FIELDS, 0)
        fell = any(
            now.get(model, nothing)[name] < count
            for model, counts in self.before.items()
            for name, count in counts.items()
        )
        before = {} if fell else self.before
        added = {
            name: sum(now[model][name] - before.get(model, nothing)[name] for model in now)
            for name in FIELDS
        }
        added["output"] = max(0, added["output"] - self.said)
        added["input"] -= added["cache_read"] + added["cache_write"]
        self.before, self.said = now, 0
        return added


def usage_of(told: object) -> Json:
    """What a model took, by a shutdown."""
    return mapping(mapping(told).get("usage"))


def count_file(found: dict[str, Counted], path: Path) -> None:
    """Adds the sessions of one file: its own, and one for each sub-agent."""
    records = [record for record in pieces(path.read_bytes(), BEGINS) if record is not None]
    starts = [mapping(r.get("data")) for r in records if r.get("type") == "session.start"]
    native = next(filter(None, (text_or_none(s.get("sessionId")) for s in starts)), name_of(path))
    tools: dict[str, str] = {}
    spent = Spent()
    messages: set[str] = set()
    seen: set[str] = set()
    for record in records:
        kind, data = text_or_none(record.get("type")) or "", mapping(record.get("data"))
        own = text_or_none(record.get("id")) or ""
        if kind.startswith("hook.") or (own and own in seen):
            continue
        seen.add(own)
        agent = agent_of(record)
        name = f"copilot:{native}.{agent}" if agent else f"copilot:{native}"
        session = found.setdefault(name, Counted(name))
        if agent:
            session.parent = f"copilot:{native}"
        session.saw(moment(record.get("timestamp")))
        if kind in ("session.start", "session.resume"):
            version = text_or_none(data.get("copilotVersion"))
            session.agent_version = session.agent_version or version
            context = mapping(data.get("context"))
            session.cwd = session.cwd or text_or_none(context.get("cwd"))
            session.branch = session.branch or text_or_none(context.get("branch"))
        elif kind == "user.message" and is_asked(data, agent):
            session.ask(own)
        elif kind == "assistant.message":
            session.is_session = True
            said = text_or_none(data.get("messageId")) or own
            if said not in messages:
                messages.add(said)
                output = whole(data.get("outputTokens"))
                session.spend(output=output)
                spent.said += output
            requests = data.get("toolRequests")
            for request in requests if isinstance(requests, list) else []:
                call = text_or_none(mapping(request).get("toolCallId"))
                if call:
                    tools.setdefault(call, text_or_none(mapping(request).get("name")) or "")
                    session.call(call)
        elif kind == "tool.execution_start":
            call = text_or_none(data.get("toolCallId"))
            if call:
                tools.setdefault(call, text_or_none(data.get("toolName")) or "")
                session.call(call)
        elif kind == "tool.execution_complete":
            call = text_or_none(data.get("toolCallId"))
            if call:
                code = code_of(data, tools.get(call, ""))
                session.end(call, code != 0 if code is not None else data.get("success") is False)
        elif kind == "session.shutdown":
            session.spend(**spent.run(mapping(data.get("modelMetrics"))))
        elif kind == "session.compaction_complete" and data.get("success") is True:
            spent.anew()
            used = mapping(data.get("compactionTokensUsed"))
            count = {name: whole(used.get(native)) for name, native in FIELDS.items()}
            count["input"] -= count["cache_read"] + count["cache_write"]
            session.spend(**count)


def count_database(found: dict[str, Counted], path: Path) -> None:
    """Where the database has a session's requests, they alone are what it took."""
    if not path.exists():
        return
    live = "" if Path(f"{path}-wal").exists() else "&immutable=1"
    database = sqlite3.connect(f"file:{path}?mode=ro{live}", uri=True)
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute("SELECT * FROM assistant_usage_events")]
    database.close()
    told = {row["session_id"] for row in rows}
    for name, session in found.items():
        if name.removeprefix("copilot:").partition(".")[0] in told:
            session.input = session.output = session.cache_read = 0
            session.cache_write = session.reasoning = 0
    for row in rows:
        agent = row.get("agent_id") or row.get("parent_tool_call_id")
        name = f"copilot:{row['session_id']}" + (f".{agent}" if agent else "")
        read, written = whole(row["cache_read_tokens"]), whole(row["cache_write_tokens"])
        session = found.setdefault(name, Counted(name))
        session.spend(
            input=whole(row["input_tokens"]) - read - written,
            output=whole(row["output_tokens"]),
            cache_read=read,
            cache_write=written,
            reasoning=whole(row["reasoning_tokens"]),
        )


def is_asked(data: Json, agent: str) -> bool:
    """Whether a person asked this, or in a sub-agent its parent."""
    if not str(data.get("content") or "").strip():
        return False
    source = text_or_none(data.get("source"))
    return source is None or bool(agent and source.startswith("agent-"))


def count_home(home: Path) -> dict[str, Counted]:
    """Every Copilot session of a home by id."""
    found: dict[str, Counted] = {}
    for path in files(home):
        count_file(found, path)
    count_database(found, home / ".copilot" / "session-store.db")
    for session in found.values():
        if session.parent and not session.cwd:
            above = found[session.parent]
            session.cwd, session.branch = above.cwd, above.branch
            session.agent_version = above.agent_version
    return sessions(found)
