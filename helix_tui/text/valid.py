"""Make text from a log valid once, at ingest: Unicode without NUL and lone surrogates."""

from __future__ import annotations

REPLACEMENT = "\ufffd"


def without_nul(text: str) -> str:
    """Text that a decoder already proved to be Unicode, with every NUL replaced."""
    return text.replace("\0", REPLACEMENT) if "\0" in text else text


def valid(text: str) -> str:
    """Any text with every NUL and lone surrogate replaced."""
    text = without_nul(text)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def valid_json(value: object) -> object:
    """A decoded JSON value with every string in it made valid."""
    if isinstance(value, str):
        return valid(value)
    if isinstance(value, list):
        return [valid_json(item) for item in value]
    if isinstance(value, dict):
        return {valid(key): valid_json(item) for key, item in value.items()}
    return value
