"""Whether what was said is of the same things as what was said or done later: then that stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.memory.distill.prose import lines_of
from helix_tui.schema.memory import Exchange

# Lines that share so many words of some length are of one matter.
_SAME_MATTER = 4
_TELLING = re.compile(r"[^\W_][\w./-]{4,}")


def done_since(turn: Exchange, turns: Sequence[Exchange]) -> list[str]:
    """What later turns say of their edits, line by line."""
    at = next((at for at, one in enumerate(turns) if one is turn), len(turns))
    return [
        line.text for later in turns[at + 1 :] if later.edits for line in lines_of(later.answered)
    ]


def is_superseded(line: str, later: Sequence[str]) -> bool:
    """Whether a later line speaks of the same things: of what was found out, or done, since."""
    names = _telling(line)
    least = max(_SAME_MATTER, len(names) // 3)
    return any(len(names & _telling(one)) >= least for one in later if one)


def _telling(line: str) -> set[str]:
    return {word.casefold() for word in _TELLING.findall(line)}
