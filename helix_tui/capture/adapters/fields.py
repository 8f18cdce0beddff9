"""Fields of untyped objects, for the records that typed decoders refuse."""

from __future__ import annotations

import json
from typing import Annotated

from msgspec import Meta

# No message costs so much; sums of such figures must still fit an integer of the database.
MAX_TOKENS = 1 << 40
# Ranges of numbers that can be stored: a number outside is treated as absent.
Index = Annotated[int, Meta(ge=0, lt=1 << 31)]
ExitCode = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 32)]
Millis = Annotated[int, Meta(ge=0, lt=253_402_300_800_000)]
Seconds = Annotated[float, Meta(ge=0, lt=253_402_300_800)]


def text_of(raw: object) -> str | None:
    """A text, or None for a value of another type."""
    return raw if isinstance(raw, str) else None


def count_of(raw: object) -> int:
    """A whole number, or zero for a value of another type."""
    if isinstance(raw, float) and raw.is_integer():
        return int(raw)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else 0


def tokens_of(count: int | None) -> int:
    """A count of tokens within what can be summed."""
    if count is None or count <= 0:
        return 0
    return count if count < MAX_TOKENS else MAX_TOKENS


def compact_json(value: object) -> str:
    """JSON without spaces, as the agents write it, readable in any script."""
    return (
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        .encode("utf-8", "replace")
        .decode()
    )
