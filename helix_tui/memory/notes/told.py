"""What a session's entry would tell, as lines of its notes: for whoever takes the session over."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.memory.distill.exchanges import task_of
from helix_tui.memory.distill.extract import extract
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.rules import rules_in
from helix_tui.memory.notes.asked import asked_for
from helix_tui.memory.notes.errors import CORRECTED
from helix_tui.memory.notes.sections import (
    BOUNDS,
    HELPED,
    LEFT_OUT,
    NOTHING,
    SO_FAR,
    TASK_LENGTH,
)
from helix_tui.memory.notes.text import code, fitting, items, quote
from helix_tui.schema.memory import Distilled, Piece
from helix_tui.text.markdown import said_in

_OF_USER = "Corrected by the user: "
_LAID_DOWN = "Laid down by the user: "
_STATE = "How it stands: "
_KEPT = ("Committed: ", "Opened: ")
_LEFT = "- Left open: "
_ANSWERED = "- Answered last: "
_GREEN = "- The last check passed: "
_BROKE_OFF = ("- It broke off ", "- The last prompt was never ", "- The agent asked something")
_ASKING = ("Offered: ", "Asked: ")
_CUT_SHORT = ("Broke off ", "Not answered: ", "Stopped by ", "No result: ", "Its context was ")
_ENOUGH = 40
_PATH = 160


def with_told(sections: dict[str, list[str]], piece: Piece) -> dict[str, list[str]]:
    """The sections with the task, decisions, causes, results and open ends of a piece."""
    entry = extract(piece)
    told = entry or Distilled([], [], [], [], [])
    state = [line for line in told.context if line.startswith(_STATE)]
    kept = [line for line in told.context if line.startswith(_KEPT)]
    corrected = [line for line in told.lessons if line.startswith(_OF_USER)]
    learned = [line for line in told.lessons if line not in corrected]
    filled = dict(sections)
    is_cut = any(line.startswith((*_CUT_SHORT, *_ASKING)) for line in told.actions)
    filled["Current state"] = [
        *items([*state, *told.actions]),
        *(
            line
            for line in sections["Current state"]
            if not _is_told(line, told, is_cut, entry is not None)
        ),
    ]
    filled["Task"] = items([*_task(piece), *(line[2:] for line in _others(sections["Task"]))])
    filled["Files"] = _files(piece, _real(sections["Files"]))
    filled["Workflow"] = items(
        [*(f"Check that passed: {code(one, _PATH)}" for one in piece.passed)]
    ) or _real(sections["Workflow"])
    filled["Errors and corrections"] = _errors(sections["Errors and corrections"], corrected)
    plain = [line for line in sections["Learnings"] if not (learned and HELPED in line)]
    rules = _rules(piece, [*told.decisions, *told.lessons])
    filled["Learnings"] = [*items([*rules, *told.decisions, *learned]), *_real(plain)]
    results = [
        line for line in sections["Key results"] if not ((state or is_cut) and SO_FAR in line)
    ]
    filled["Key results"] = list(
        dict.fromkeys([*items([*kept, *told.key_exchanges]), *_real(results)])
    )
    return {
        name: fitting(lines, BOUNDS[name], LEFT_OUT) or [NOTHING] for name, lines in filled.items()
    }


def _task(piece: Piece) -> list[str]:
    """The prompt that the title speaks of, whole; a brief by what it asks for."""
    task = task_of(piece)
    turns = [turn for turn in piece.exchanges if turn.asked]
    fits = [turn for turn in turns if task and gist(turn.asked, piece.title) == task]
    prompt = next(iter([*fits, *turns]), None)
    if prompt is None:
        return []
    return [f"Asked: {quote(asked_for(prompt.asked, piece.title, TASK_LENGTH), TASK_LENGTH)}"]


def _others(lines: Sequence[str]) -> list[str]:
    return [line for line in _real(lines) if not line.startswith("- Asked")]


def _files(piece: Piece, lines: Sequence[str]) -> list[str]:
    """Files that were changed, also by a shell; what was written is not told as read."""
    root = f"{piece.cwd}/" if piece.cwd else ""
    names = [code(name.removeprefix(root) if root else name, _PATH) for name in piece.written]
    known = {line.removeprefix("- ").rpartition(": ")[0]: line for line in lines}
    read = {name for name, line in known.items() if line.endswith((" read", " reads"))}
    kept = [line for name, line in known.items() if name not in read or not names]
    return [
        *kept,
        *(f"- {one}: written by a shell" for one in names if one not in known or one in read),
    ]


def _rules(piece: Piece, told: Sequence[str]) -> list[str]:
    """What a person laid down in any prompt, where no line of the entry has it."""
    rules = dict.fromkeys(rule for turn in piece.exchanges for rule in rules_in(turn.asked))
    return [
        f"{_LAID_DOWN}{quote(rule, _PATH)}"
        for rule in rules
        if not any(rule in line for line in told)
    ]


def _errors(lines: Sequence[str], corrected: Sequence[str]) -> list[str]:
    """Corrections as the entry has them, with what the agent had said, then what failed."""
    told = [f"- {CORRECTED}{line.removeprefix(_OF_USER)}" for line in corrected]
    rest = _real(lines)
    if told:
        rest = [line for line in rest if not line.startswith(f"- {CORRECTED}")]
    return [*told, *rest]


def _is_told(line: str, told: Distilled, is_cut: bool, has_entry: bool) -> bool:
    """Whether a line of the state is told in better words by what stands, is open or came of it."""
    if line.startswith(_LEFT):
        return has_entry
    if line.startswith(_BROKE_OFF):
        return is_cut
    if line.startswith(_GREEN):
        return any(one.startswith(_STATE) for one in told.context)
    if line.startswith(_ANSWERED):
        start = said_in(line.removeprefix(_ANSWERED))[:_ENOUGH]
        return any(start in one for one in told.key_exchanges)
    return False


def _real(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line != NOTHING]
