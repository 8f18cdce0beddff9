"""Where a team's store is: an address without a password, by TLS wherever it leaves the machine."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from helix_tui.errors import UsageError
from helix_tui.text.address import url_problem

SCHEMES = ("postgresql", "postgres")
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
# So that a network that is cut is noticed, and nothing waits for it for ever.
_PATIENCE = {
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}


def is_https(address: str) -> bool:
    """Whether the team's store is reached through a hub."""
    return urlsplit(address).scheme in ("https", "http")


def checked_address(address: str) -> str:
    """The address as it is kept; refuse one with a password, or that speaks in the clear."""
    try:
        parts = urlsplit(address)
        asked = dict(parse_qsl(parts.query, keep_blank_values=True))
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"This is no address: {error}.", "postgresql://kim@host/name") from error
    if is_https(address):
        if wrong := url_problem(address):
            raise UsageError(f"This is no address of a hub: {wrong}.", "https://hub.example")
        return address.rstrip("/")
    if parts.scheme not in SCHEMES:
        raise UsageError(
            "A team's store is in PostgreSQL, or behind a hub.",
            "Give postgresql://kim@host/name, or https://hub.example",
        )
    if parts.password or "password" in asked:
        raise UsageError(
            "A password in the address would stand in the list of processes and in logs.",
            "Put it into $HELIX_TEAM_SECRET, or into a file that only you may read.",
        )
    if not is_local(address) and asked.get("sslmode", "verify-full") != "verify-full":
        raise UsageError(
            f"sslmode={asked['sslmode']} does not prove who answers.", "Leave it out: verify-full."
        )
    return address


def is_local(address: str) -> bool:
    """Whether the store is on this very machine, so that nothing goes over a network."""
    parts = urlsplit(address)
    host = dict(parse_qsl(parts.query)).get("host") or (parts.hostname or "")
    return host in _LOCAL or host.startswith("/")


def dialled(address: str, seconds: int, ca_file: Path | None) -> str:
    """The address with all that the driver has to know; still without a password."""
    parts = urlsplit(address)
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    usual = {"connect_timeout": str(seconds), "application_name": "helix", **_PATIENCE}
    if not is_local(address):
        usual |= {"sslmode": "verify-full", "sslrootcert": str(ca_file or "system")}
    return urlunsplit(parts._replace(scheme="postgresql", query=urlencode(usual | asked)))


def role_in(address: str) -> str:
    """The role that an address names."""
    return urlsplit(address).username or ""
