"""Where Copilot CLI keeps its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import DatabaseReads, PartFile, PlainAdapter, Query

if TYPE_CHECKING:
    from helix_tui.capture.adapters.copilot.reader import CopilotReader

STATE = "session-state"
LOG, WORKSPACE = "log", "workspace"
_EVENTS, _WORKSPACE, _FLAT = "events.jsonl", "workspace.yaml", ".jsonl"
_DATABASE, _USAGE = "session-store.db", "assistant_usage_events"
_UNITS = (
    f"SELECT session_id, count(*), max(id), total(input_tokens), total(output_tokens) FROM {_USAGE}"
    " GROUP BY session_id"
)
# Later versions added some; what a database lacks is null.
USAGE_COLUMNS = (
    *("id", "created_at", "model", "input_tokens", "output_tokens", "cache_read_tokens"),
    *("cache_write_tokens", "reasoning_tokens", "total_nano_aiu", "agent_id"),
    "parent_tool_call_id",
)


class CopilotAdapter(PlainAdapter):
    """Copilot's folders, and a reader of its sessions."""

    flavor = "copilot"
    joins_parts = True
    # What the database knows comes first.
    part_order = (LOG, WORKSPACE)

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `session-state`, a folder for each session."""
        if not path:
            return [name for name in names if name == STATE]
        return names if len(path) == 1 else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """A session's events and what it is called; flat files are those of before 1.0.11.

        Beside them all is the database that has the usage of each request.
        """
        if not path:
            return [PartFile(name, is_database=True) for name in names if name == _DATABASE]
        if len(path) == 1:
            return [PartFile(name) for name in names if name.endswith(_FLAT)]
        if len(path) != 2 or _EVENTS not in names:
            return ()
        events = PartFile(_EVENTS, path[1], LOG)
        if _WORKSPACE not in names:
            return [events]
        return [events, PartFile(_WORKSPACE, path[1], WORKSPACE, is_document=True)]

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        """The usage of each request; what was said there is a copy that the agent can rebuild."""
        columns = tables.get(_USAGE, ())
        if not {"id", "session_id", "input_tokens", "output_tokens"}.issubset(columns):
            return None
        asked = ", ".join(name if name in columns else f"NULL AS {name}" for name in USAGE_COLUMNS)
        rows = f"SELECT {asked} FROM {_USAGE} WHERE session_id = ? ORDER BY id"
        return DatabaseReads((_USAGE,), _UNITS, (Query(_USAGE, rows),))

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> CopilotReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.copilot.reader import CopilotReader

        log = paths.get(LOG) or paths.get(WORKSPACE)
        if log is None:
            return CopilotReader(unit.rpartition("#")[2], state)
        *_, folder, name = log.split("/")
        own = folder if name in (_EVENTS, _WORKSPACE) else name.removesuffix(_FLAT)
        return CopilotReader(own, state)
