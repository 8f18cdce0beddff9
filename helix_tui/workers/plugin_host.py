"""The process that a plug-in's adapter runs in.

Requests come on the original stdin, answers go to the original stdout. Whatever else reads or
prints there meets an empty file and the pipe of errors.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

import msgspec

from helix_tui.capture.adapters import Adapter, adapters, fault_of, tell_adapters
from helix_tui.schema import UnitTask
from helix_tui.workers.wire import receive, send


class PluginRequest(msgspec.Struct, array_like=True):
    """A request to an adapter: one of its methods, `about` it, or to `read` a unit."""

    method: str
    arguments: list[Any]


class PluginReply(msgspec.Struct, array_like=True):
    """One answer; a unit that is read gives several. A fault ends them."""

    value: msgspec.Raw = msgspec.Raw(b"\xc0")
    fault: str = ""


class About(msgspec.Struct, array_like=True):
    """An adapter's own properties."""

    version: int
    joins_parts: bool


_encode = msgspec.msgpack.Encoder().encode


def main(flavor: str, target: str) -> None:
    """Answer requests until the sweep closes the pipe."""
    requests, replies = _own_streams()
    threading.Thread(target=_die_with, args=(requests.fileno(),), daemon=True).start()
    tell_adapters([f"{flavor}={target}"])
    decode = msgspec.msgpack.Decoder(PluginRequest).decode
    while (message := receive(requests)) is not None:
        try:
            for value in _answers(flavor, decode(message)):
                send(replies, _encode(PluginReply(msgspec.Raw(_encode(value)))))
        except BaseException as error:  # noqa: BLE001 - a plug-in may raise anything at all
            send(replies, _encode(PluginReply(fault=fault_of(flavor, error))))
    # Neither threads nor hooks of a plug-in keep the process alive.
    os._exit(0)


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Our ends of the pipes, replaced by others for everything that a plug-in does."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _die_with(descriptor: int) -> None:
    """End this process with the sweep, even if a plug-in hangs."""
    ends = select.poll()
    ends.register(descriptor, 0)  # only to notice that the other end is closed
    ends.poll()
    os._exit(0)


def _answers(flavor: str, request: PluginRequest) -> Iterator[object]:
    adapter = adapters()[flavor]
    if request.method == "read":
        yield from _read(msgspec.convert(request.arguments[0], UnitTask))
    elif request.method == "about":
        yield About(adapter.version, bool(adapter.joins_parts))
    else:
        yield _ASKED[request.method](adapter, *request.arguments)


def _read(task: UnitTask) -> Iterator[object]:
    # Listing folders needs none of what folds events.
    from helix_tui.workers.plugin_batches import checked
    from helix_tui.workers.reading import read_and_fold

    return map(checked, read_and_fold(task))


def _settings_files(adapter: Adapter) -> list[str]:
    return list(adapter.settings_files())


def _cleanup_days(adapter: Adapter, settings: Mapping[str, bytes]) -> int | None:
    return adapter.cleanup_days(settings)


def _database(adapter: Adapter, name: str, tables: Mapping[str, list[str]]) -> object:
    asked = getattr(adapter, "database", None)
    return asked(name, tables) if asked else None


_ASKED: dict[str, Callable[..., object]] = {
    "subfolders": lambda adapter, path, names: list(adapter.subfolders(path, names)),
    "parts": lambda adapter, path, names: list(adapter.parts(path, names)),
    "is_excluded": lambda adapter, path, globs: bool(adapter.is_excluded(path, globs)),
    "cleanup_days": _cleanup_days,
    "settings_files": _settings_files,
    "database": _database,
}


if __name__ == "__main__":
    main(*sys.argv[1:3])
