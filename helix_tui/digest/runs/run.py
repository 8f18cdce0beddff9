"""A run and the verdict on it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from helix_tui.digest.runs.table import Kind

State = Literal["passed", "failed", "unknown"]
REASON_LENGTH = 200


class Run(NamedTuple):
    """One run: the check, the command's part that ran it, what came of it and why that is said."""

    name: str
    kind: Kind
    runner: str
    part: str
    state: State
    passed: int | None = None
    failed: int | None = None
    reason: str = ""
    # The script that ran it, or that it is, behind its program: `npm check`, `make`.
    script: str = ""


class Verdict(NamedTuple):
    """What an output or a status says of a run."""

    state: State
    passed: int | None = None
    failed: int | None = None
    reason: str = ""
    is_evident: bool = False  # its own output tells that it ran


UNKNOWN = Verdict("unknown", reason="its output does not tell")
# A filter that lets failures through showed nothing, which tells less than that it passed.
NOTHING_SEEN = "nothing is seen of it behind its filter"
