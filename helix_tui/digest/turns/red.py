"""Which check a report is about: one that its words name, or whose failing output it holds."""

from __future__ import annotations

import re
from collections import Counter

from helix_tui.digest.runs.filters import View
from helix_tui.digest.runs.lines import read_lines
from helix_tui.digest.runs.recognise import may_run, plan_of
from helix_tui.digest.runs.scripts import rows_for
from helix_tui.digest.runs.table import Runner
from helix_tui.digest.turns.traits import names_of
from helix_tui.schema import Facts, TurnFact
from helix_tui.text.clauses import sentences_of
from helix_tui.text.shape import action_in

_NAMED = re.compile(
    r"(?i)(?<![a-z])(?:(?P<test>tests?|specs|e2e|pytest|jest|vitest)|(?P<lint>lint(?:ing|er|s)?)"
    r"|(?P<types>type ?check(?:s|ing|er)?|tsc|mypy|pyright)|(?P<build>builds?|compil(?:es?|ing|er))"
    r"|(?P<ci>ci|pipeline))(?![a-z])"
)
# Behind a small letter, a name such as `TestFoo` begins another word.
_INNER = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
# Who guesses at a cause names what may be behind it, not what is red.
_GUESS = re.compile(r"(?i)\b(?:maybe|perhaps|might|possibly|i (?:suspect|guess|wonder))\b")
# A pasted review may speak of anything further down.
_BEGINNING = 200
# What stands in quotation marks is a program's, or a command.
_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|`[^`\n]{1,200}`")
_OF_GIT = re.compile(r"(?m)^\W{0,4}git \S|^fatal: ")


def red_check(turn: TurnFact) -> str:
    """The kind of check that a person reports as red behind the agent's edits, if any."""
    traits = set(names_of(turn.traits))
    if "edited" not in traits:
        return ""
    own = _QUOTED.sub(" ", turn.own or turn.text)
    for sentence in sentences_of(_INNER.sub(" ", own[:_BEGINNING])):
        named = _NAMED.search(sentence)
        if named and _GUESS.search(sentence, 0, named.start()) is None:
            return named.lastgroup or ""
    if "failure" not in traits:
        return ""
    kinds = [row.kind for row in rows_for(turn.text, {}) if _is_red(row, turn.text)]
    if "git" in kinds or _OF_GIT.search(turn.text):
        return ""
    return kinds[0] if kinds else ""


def check_in(command: str) -> str:
    """The kind of the last check that a command line runs, if any."""
    if not may_run(command):
        return ""
    return next((part.kind for part in reversed(plan_of(command).parts) if part.is_check), "")


def step_of(facts: Facts, check: str) -> str:
    """How agents run a kind of check in a session, mostly: `mise run lint`."""
    runs: Counter[str] = Counter()
    for text, tally in facts.shapes.items():
        action = action_in(text)
        if check_in(action) == check:
            runs[action] += tally.runs
    return min(runs, key=lambda action: (-runs[action], action), default="")


def _is_red(row: Runner, text: str) -> bool:
    return read_lines(row, text, View(), None, False).state == "failed"
