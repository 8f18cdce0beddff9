"""Rows in a file, where there is no network: written by one job, pushed by a later one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.engine.team.pushing import Leaving, Pushed, held_rows, outbox_path
from helix_tui.engine.team.rows import encoded
from helix_tui.engine.team.ways import carrier_to, secret_of
from helix_tui.errors import HelixError, StoreError, UsageError
from helix_tui.files.durable import FILE_MODE, make_folder, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.schema.team import Held, Membership, TeamRow
from helix_tui.team.carrier import row_decoder
from helix_tui.team.membership import require_membership
from helix_tui.team.outbox import Outbox

SCHEMA = "helix.team-rows/1"
_BATCH = 100


class _Heading(msgspec.Struct, frozen=True):
    schema: str
    origin: str


def preview(config: Config, *, is_all: bool = False) -> Iterator[bytes]:
    """Every row exactly as it would leave, but for its number; nothing is sent or recorded."""
    membership = require_membership(config.store)
    outbox = Outbox(outbox_path(config.store)) if outbox_path(config.store).exists() else None
    try:
        leaving = Leaving(config, membership, secret_of(config, membership), outbox)
        for _, row in leaving.rows(is_all=is_all):
            yield encoded(row)
    finally:
        if outbox is not None:
            outbox.close()


def write_rows(config: Config, path: Path, membership: Membership | None = None) -> Pushed:
    """Write everything that may leave to a file; the record of what was sent stays as it is.

    Nobody knows whether the file arrives, and pushed twice it changes nothing.
    """
    member = membership or require_membership(config.store)
    outbox = Outbox(outbox_path(config.store))
    try:
        leaving = Leaving(config, member, secret_of(config, member), outbox)
        lines = [msgspec.json.encode(_Heading(SCHEMA, member.origin))]
        for _, row in leaving.rows(is_all=True):
            revision = outbox.next_revision(time.time_ns() // 1_000_000)
            lines.append(encoded(replace(row, revision=revision)))
        data = b"".join(line + b"\n" for line in lines)
        with told(path):
            make_folder(path.absolute().parent)
        write_atomically(path, data, FILE_MODE)
        outbox.record(leaving.held.values())
        return Pushed(len(lines) - 1, held_rows(outbox), 0, len(data))
    finally:
        outbox.close()


def push_file(config: Config, path: Path) -> Pushed:
    """Push the rows of a file that was written elsewhere; its origin becomes one's own."""
    membership = require_membership(config.store)
    origin, rows = _read(path)
    held: list[Held] = []
    pushed = size = 0
    problem = ""
    try:
        with carrier_to(config, membership.address, secret_of(config, membership)) as carrier:
            carrier.enrol(origin)
            for start in range(0, len(rows), _BATCH):
                some = rows[start : start + _BATCH]
                states = carrier.take([data for _, data in some])
                pushed += sum(state == "taken" for state in states.values())
                size += sum(len(data) for _, data in some)
                held += [
                    Held(row.uid, "it was forgotten, or is older than what the team keeps")
                    for row, _ in some
                    if states.get(row.uid) == "forgotten"
                ]
    except HelixError as error:
        problem = str(error)
    return Pushed(pushed, held, 0 if not problem else len(rows) - pushed, size, problem)


def _read(path: Path) -> tuple[str, list[tuple[TeamRow, bytes]]]:
    try:
        lines = read_regular(path).split(b"\n")
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        heading = msgspec.json.decode(lines[0], type=_Heading)
        rows = [(row_decoder.decode(line), line) for line in lines[1:] if line]
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} holds no rows of a team: {error}.") from error
    if heading.schema != SCHEMA or any(row.origin != heading.origin for row, _ in rows):
        raise UsageError(f"{path} holds no rows of a team.", "`helix team push --to` writes them.")
    return heading.origin, rows
