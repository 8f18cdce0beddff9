"""What sub-agents found, where the session that asked them has no words of its own on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill.conclusion import conclusion, is_said, plain_words
from helix_tui.memory.distill.earning import earns
from helix_tui.memory.distill.quoting import quoted
from helix_tui.memory.distill.superseded import is_superseded
from helix_tui.schema.memory import Piece
from helix_tui.text.causes import names_cause
from helix_tui.text.weakens import speaks_against_guards

_MOST = 5
_LENGTH = 260
_TASK_LENGTH = 70
# What a sub-agent makes is told by the work itself.
_TO_DO = re.compile(
    r"(?i)\W*(?:implement|add|create|write|fix|update|build|refactor|remove|rename|move|run|commit"
    r"|migrate|apply|resolve|generate)\b"
)
_STARTED = re.compile(r"(?i)\W*(?:async agent|agent launched|launched|started|task_id:|agentid:)")
# Where it put its answer, and what that goes by.
_BESIDE = re.compile(
    r"(?i)\b(?:task_id\b|agentid\b|branch:|commit(?: sha)?:|citations?\b|worktree\b)"
)


def found_by_agents(piece: Piece, told: Sequence[str]) -> Iterator[str]:
    """The sentence of each answer that tells most; none that the session tells itself."""
    known = [plain_words(line) for line in told]
    found = 0
    for answer in piece.agents:
        if found == _MOST or _TO_DO.match(answer.task) or _STARTED.match(answer.text):
            continue
        parts = conclusion(answer.text, answer.task, _LENGTH, 1)
        part = parts[0] if parts else ""
        is_telling = (earns(part) or names_cause(part)) and not _BESIDE.search(part)
        is_known = is_said(part, known) or is_superseded(part, told)
        if is_telling and not is_known and not speaks_against_guards(part):
            found += 1
            yield f"A sub-agent ({quoted(answer.task, _TASK_LENGTH)}): {quoted(part, _LENGTH)}"
