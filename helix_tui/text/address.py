"""Addresses that a token may be sent to."""

from __future__ import annotations

import re


def url_problem(url: str) -> str:
    """What is wrong with an address, or an empty text: only https, or http on this machine."""
    if not re.fullmatch(r"[\x21-\x7e]+", url) or "\\" in url:
        return "it is no address"
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "it is no address"
    if parts.scheme not in ("http", "https"):
        return "it is no https address"
    if "@" in parts.netloc:
        return "it holds a name or password; a token belongs into the environment or a file"
    if "?" in url or "#" in url:
        return "it has a query or a fragment"
    # Strict, so that nobody who reads it after us can find another host in it.
    if not re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]+", host):
        return "it names no host"
    if parts.scheme == "http" and not _is_loopback(host):
        return "it is not encrypted; http is only for this machine (localhost, 127.0.0.1, ::1)"
    return ""


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
