"""The objects that OpenCode stores, by the fields that are read of them."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

from helix_tui.capture.adapters.fields import ExitCode, Millis
from helix_tui.capture.adapters.lenient import any_json, lenient

T = TypeVar("T", bound=msgspec.Struct)


class Time(msgspec.Struct, gc=False):
    """When something began and ended; messages are created and completed."""

    created: Millis | None = None
    completed: Millis | None = None
    start: Millis | None = None
    end: Millis | None = None


class Cache(msgspec.Struct, gc=False):
    """Tokens of the prompt cache."""

    read: int = 0
    write: int = 0


class Tokens(msgspec.Struct, gc=False):
    """What a message took; `input` without what came from the cache."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache: Cache = msgspec.field(default_factory=Cache)
    total: int | None = None


class Failure(msgspec.Struct, gc=False):
    """Why a message came to nothing."""

    name: str = ""
    data: Raw = Raw(b"{}")


class Place(msgspec.Struct, gc=False):
    """Where a message was answered."""

    cwd: str = ""


class MessageInfo(msgspec.Struct, gc=False):
    """A message but for its parts; `summary` is true for the reply of a compaction."""

    role: str = ""
    id: str = ""
    time: Time = msgspec.field(default_factory=Time)
    model_id: str = msgspec.field(default="", name="modelID")
    tokens: Tokens | None = None
    cost: float | None = None
    error: Failure | None = None
    summary: Raw = Raw(b"")
    path: Place | None = None


class Metadata(msgspec.Struct, gc=False):
    """What a tool says beside its output; `exit` is null where a command was ended."""

    exit: ExitCode | UnsetType | None = UNSET
    interrupted: bool = False


class State(msgspec.Struct, gc=False):
    """How far a call has come."""

    status: str = ""
    input: Raw = Raw(b"{}")
    output: str = ""
    error: str = ""
    metadata: Metadata = msgspec.field(default_factory=Metadata)
    time: Time = msgspec.field(default_factory=Time)


class PartInfo(msgspec.Struct, gc=False):
    """One part of a message."""

    type: str = ""
    id: str = ""
    text: str = ""
    synthetic: bool = False
    ignored: bool = False
    time: Time = msgspec.field(default_factory=Time)
    call_id: str = msgspec.field(default="", name="callID")
    tool: str = ""
    state: State | None = None
    mime: str = ""
    prompt: str = ""
    error: Failure | None = None


class SessionTime(msgspec.Struct, gc=False):
    """When a session began."""

    created: Millis | None = None


class SessionInfo(msgspec.Struct, gc=False):
    """A session as files and exports have it; in a database these are columns."""

    id: str = ""
    parent_id: str | None = msgspec.field(default=None, name="parentID")
    directory: str = ""
    title: str = ""
    version: str = ""
    time: SessionTime = msgspec.field(default_factory=SessionTime)


class ExportedMessage(msgspec.Struct, gc=False):
    """A message of an exported session, with its parts."""

    info: Raw = Raw(b"{}")
    parts: list[Raw] = []


class Export(msgspec.Struct, gc=False):
    """An exported session."""

    info: SessionInfo
    messages: list[ExportedMessage]


def decoded(data: bytes | Raw, kind: type[T]) -> T | None:
    """An object, as much of it as can be read; None for what is none."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = any_json(bytes(data))
    return lenient(value, kind) if isinstance(value, dict) else None
