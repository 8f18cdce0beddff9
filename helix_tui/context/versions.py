"""Versions of agents, as far as their rules differ by them."""

from __future__ import annotations


def numbers_of(version: str) -> tuple[int, ...]:
    """The numbers of a version, as far as they go; none where it is not known."""
    numbers = []
    for part in version.split("-")[0].split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part[:9]))
    return tuple(numbers)
