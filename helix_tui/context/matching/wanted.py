"""What is looked for in instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sought(NamedTuple):
    """What is looked for: words with their weights, and the command that fails or works.

    `change` are the words by which what works differs from what fails, `own` those of the command
    that fails. `said` are the words of a person that are sought, instead of a command.
    `phrases` are the groups of meaning of its pairs of words; `about` is all that is said of it,
    `why` is why it fails, `besides` are words of the remedy that a line may say and need not.
    `tried` are all commands that failed, `first` those that were run before one of them passed.
    """

    weights: Mapping[str, float]
    failed: str = ""
    works: str = ""
    error_class: str = ""
    change: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    said: str = ""
    phrases: tuple[tuple[str, ...], ...] = ()
    about: str = ""
    besides: tuple[str, ...] = ()
    why: str = ""
    tried: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
