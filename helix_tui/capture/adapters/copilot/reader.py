"""Read a Copilot session: who it is, what its sub-agents are, and what it is called."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helix_tui.capture.adapters import Row
from helix_tui.capture.adapters.copilot.events import Adder
from helix_tui.capture.adapters.copilot.records import Event, decode_event
from helix_tui.capture.adapters.copilot.tokens import Runs, claim_of_row
from helix_tui.capture.adapters.lines import take_lines
from helix_tui.capture.draft import SessionDraft, UnitDraft, put_title
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

# Half of all lines; what hooks are told stands elsewhere.
_HOOK = b'{"type":"hook.'
_TITLES = ("name", "summary")


class CopilotState(msgspec.Struct, array_like=True):
    """What the next reader of this session needs to know."""

    native_id: str = ""
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    model: str = ""
    # Shells among the calls that have not come to an end.
    shells: set[str] = set()
    runs: Runs = msgspec.field(default_factory=Runs)
    # Whether the database tells what each request took: then nothing else does.
    has_rows: bool = False
    version: str = ""
    # The models that sub-agents were started with: their answers name none.
    agent_models: dict[str, str] = {}


class CopilotReader:
    """Read one session, and its sub-agents as sessions of their own."""

    def __init__(self, name: str, state: bytes) -> None:
        self._name = name
        self._memory = msgspec.msgpack.decode(state, type=CopilotState) if state else CopilotState()

    def state(self) -> bytes:
        """The memory that the next reader of this session needs."""
        return msgspec.msgpack.encode(self._memory)

    def restart(self, part: str) -> None:
        """Forget what the events told; a document tells nothing that is kept."""
        if part == "log":
            self._memory = CopilotState(has_rows=self._memory.has_rows)
        elif part != "workspace":
            self._memory.has_rows = False

    def project(self) -> str:
        """The folder that the session worked in, once it is known."""
        return self._memory.cwd

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """`workspace.yaml`, plain lines of `key: value`: what the session is called."""
        told: dict[str, str] = {}
        for line in content.decode("utf-8", "replace").splitlines():
            key, colon, value = line.partition(":")
            if colon and key == key.strip():
                told.setdefault(key, value.strip().strip("'\""))
        title = next((told[name] for name in _TITLES if told.get(name)), "")
        if title and title not in ("null", "~", "|", ">", "|-", ">-"):
            native = self._memory.native_id or without_nul(self._name)
            put_title(draft.session(native), title, is_given=False)

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines; an unreadable one costs nothing but itself."""

        def take(event: Event, line: bytes, position: int) -> None:
            if not event.type.startswith("hook."):
                self._take(event, line, position, draft)

        start = 0
        for end, line in enumerate(lines):
            if line.startswith(_HOOK) and line.endswith(b"}"):
                take_lines(lines[start:end], offset, draft, decode_event, Event, take)
                offset += sum(len(each) + 1 for each in lines[start : end + 1])
                start = end + 1
        take_lines(lines[start:], offset, draft, decode_event, Event, take)

    def _take(self, event: Event, line: bytes, position: int, draft: UnitDraft) -> None:
        memory, data = self._memory, event.data
        ts = parse_iso(event.timestamp) if event.timestamp else None
        if not memory.native_id:
            named = data.session_id if data and event.type == "session.start" else None
            memory.native_id = without_nul(named or self._name)
        if data and data.context and event.type in ("session.start", "session.resume"):
            place = data.context
            memory.cwd = memory.cwd or without_nul(place.cwd or "")
            memory.branch = memory.branch or without_nul(place.branch or "")
            memory.remote = memory.remote or without_nul(place.repository or "")
        if data and data.copilot_version and event.type == "session.start":
            memory.version = memory.version or without_nul(data.copilot_version)
        agent = event.agent_id or (data.parent_tool_call_id if data else None)
        session = self._session(draft, without_nul(agent or ""))
        if ts is not None:
            session.saw_time(ts)
        if agent and data and data.model and event.type == "subagent.started":
            memory.agent_models[agent] = without_nul(data.model)
        model = memory.agent_models.get(agent or "", memory.model)
        Adder(memory.runs, memory.shells, session, event, ts, position).take(
            line, model, is_agent=bool(agent)
        )
        if memory.has_rows:
            session.usage.clear()
        if data and event.type in ("session.start", "session.model_change"):
            memory.model = without_nul(data.new_model or data.selected_model or memory.model)
        elif data and not (memory.model or agent) and event.type == "tool.execution_complete":
            memory.model = without_nul(data.model or "")  # answers of old versions name none

    def read_rows(
        self, part: str, name: str, position: int, rows: Sequence[Row], draft: UnitDraft
    ) -> None:
        """What each request took; a sub-agent's belong to its own session."""
        memory = self._memory
        memory.native_id = memory.native_id or without_nul(self._name)
        for row in rows:
            memory.has_rows = True
            agent = next((value for value in row[9:11] if isinstance(value, str) and value), "")
            session = self._session(draft, without_nul(agent))
            if claim := claim_of_row(row, session.native_id):
                session.claim(claim)

    def _session(self, draft: UnitDraft, agent: str) -> SessionDraft:
        """The session itself, or that of a sub-agent, which works where it does."""
        memory = self._memory
        native = f"{memory.native_id}.{agent}" if agent else memory.native_id
        parent = f"{draft.flavor}:{memory.native_id}" if agent else None
        session = draft.session(native, parent)
        if memory.cwd and session.cwd is None:
            session.saw_cwd(0, memory.cwd)
        if memory.branch and session.branch is None:
            session.saw_branch(0, memory.branch)
        if memory.version and session.agent_version is None:
            session.saw_agent_version(0, memory.version)
        session.remote = memory.remote
        return session
