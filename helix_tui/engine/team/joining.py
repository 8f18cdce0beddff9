"""Enrol this data folder: its origin, its role, and the secret that it signs in with."""

from __future__ import annotations

import re
import time

from helix_tui.config import Config
from helix_tui.engine.team.ways import carrier_to
from helix_tui.errors import UsageError
from helix_tui.schema.team import Membership
from helix_tui.team.address import checked_address, role_in
from helix_tui.team.membership import new_origin, read_membership, write_membership
from helix_tui.team.secret import find_secret
from helix_tui.text.times import iso

_ORIGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{3,63}")


def join(config: Config, address: str, origin: str = "") -> Membership:
    """Join the team at an address; joined again, the origin stays what it was.

    An origin that is given names a place whose data folder is thrown away each time, as in CI.
    """
    place = checked_address(address)
    before = read_membership(config.store)
    if before is not None and before.address != place and not origin:
        raise UsageError(
            f"This data folder belongs to the team at {before.address}.",
            "Take another --store for another team, or leave this one: helix team forget --me.",
        )
    role = role_in(place)
    secret = find_secret(config.team, config.store, role or "helix")
    name = named_origin(origin) if origin else before.origin if before else new_origin()
    with carrier_to(config, place, secret) as carrier:
        role = carrier.enrol(name)
    membership = Membership(
        address=place, origin=name, role=role, joined_at=iso(time.time_ns() // 1_000_000) or ""
    )
    write_membership(config.store, membership)
    return membership


def named_origin(text: str) -> str:
    """An origin that somebody chose, such as `ci:NAME`, as it is kept."""
    name = text.replace(":", "-")
    if not _ORIGIN.fullmatch(name):
        raise UsageError(
            f"{text!r} is no origin: 4 to 64 letters, digits, - and _.", "Such as ci:checkout-api"
        )
    return name


def be_member(config: Config, origin: str) -> None:
    """Make sure that this data folder may push, as an origin that is given if one is.

    One that is thrown away joins each time, at the address of the settings.
    """
    membership = read_membership(config.store)
    name = named_origin(origin) if origin else ""
    if membership is not None and name in ("", membership.origin):
        return
    address = config.team.url or (membership.address if membership else "")
    if not address:
        raise UsageError(
            "This data folder belongs to no team.",
            "Join one: helix team join URL. Or name it in [team] url.",
        )
    join(config, address, name)
