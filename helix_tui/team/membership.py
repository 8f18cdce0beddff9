"""Which team this data folder belongs to: a file beside the verdicts, of the owner alone."""

from __future__ import annotations

import secrets
from pathlib import Path

import msgspec

from helix_tui.errors import StoreError, UsageError
from helix_tui.files.durable import FILE_MODE, make_folder, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.schema.team import Membership

_ORIGIN_BYTES = 8


def team_folder(store: Path) -> Path:
    """Where a data folder keeps what it knows of its team."""
    return store / "team"


def membership_file(store: Path) -> Path:
    """The file that says which team it is."""
    return team_folder(store) / "membership.json"


def read_membership(store: Path) -> Membership | None:
    """The team that this data folder joined, or None."""
    path = membership_file(store)
    try:
        return msgspec.json.decode(read_regular(path), type=Membership)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(
            f"{path}, which says which team this is, cannot be read: {error}.",
            "Put it back from a backup, or remove it and join again: `helix team join`.",
        ) from error


def require_membership(store: Path) -> Membership:
    """The team that this data folder joined; refuse where it joined none."""
    found = read_membership(store)
    if found is None:
        raise UsageError(
            f"The data folder {store} belongs to no team.",
            "Join one: helix team join postgresql://you@host/name",
        )
    return found


def write_membership(store: Path, membership: Membership) -> None:
    """Record which team it is."""
    path = membership_file(store)
    with told(path):
        make_folder(path.parent)
    write_atomically(path, msgspec.json.encode(membership) + b"\n", FILE_MODE)


def new_origin() -> str:
    """A name for a data folder that says nothing about its machine."""
    return secrets.token_hex(_ORIGIN_BYTES)
