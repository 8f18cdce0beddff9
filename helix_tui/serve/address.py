"""Who may connect: the token in the address, the name of this machine, the page that asks."""

from __future__ import annotations

import hmac
import ipaddress
import secrets

_TOKEN_BYTES = 24
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_token(given: str, token: str) -> bool:
    """Whether a token is the right one; how long that takes tells nothing."""
    return hmac.compare_digest(given.encode(), token.encode())


def is_own_host(header: str, host: str, port: int) -> bool:
    """Whether a request was sent to this server by a name of its own.

    A page of somebody else can have its name point to this machine, and would be let in.
    """
    name, _, number = header.rpartition(":") if _has_port(header) else (header, "", "80")
    name = name.strip("[]").lower()
    if number != str(port):
        return False
    if is_loopback(host):
        return name in _LOCAL_NAMES or name == host.lower()
    # On another address a person names this machine as they like, but not by a name of a site.
    return name in (host.lower(), *_LOCAL_NAMES) or _is_number(name) or "." not in name


def is_own_origin(origin: str | None, host_header: str) -> bool:
    """Whether the page that opens a connection is one of this server's own."""
    return origin in (f"http://{host_header}", f"https://{host_header}")


def shown_address(host: str, port: int, token: str) -> str:
    """What to open in a browser."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{token}/"


def _has_port(header: str) -> bool:
    return header.rpartition(":")[2].isdecimal() and not header.endswith("]")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
