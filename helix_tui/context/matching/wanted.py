"""What is looked for in instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sought(NamedTuple):
    """What is looked for: words with their weights, and the command that fails or works.

    `change` are the words by which what works differs from what fails, `own` those of the command
    that fails. `said` are the words of a person that are sought, instead of a command.
    """

    weights: Mapping[str, float]
    failed: str = ""
    works: str = ""
    error_class: str = ""
    change: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    said: str = ""
