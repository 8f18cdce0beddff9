"""Errors that another way of running it got past, where the step behind it acted on the error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.prose import shortened
from helix_tui.memory.distill.quoting import call
from helix_tui.schema import Facts, Recovery
from helix_tui.schema.memory import Piece
from helix_tui.text.markdown import code_span
from helix_tui.text.shape_change import ASKED_BY_TOOLS
from helix_tui.text.weakening_ways import change_weakens, way_weakens

_ERROR_LENGTH = 120
_MOST_CURES = 2
# Where something is run is of one session.
_OF_PLACES = re.compile(r"\bpath\b|where you are|^run it in |^leave out |^give another |^mkdir")
_OF_STYLE = re.compile(
    r"(?i)\bformat (?:issues?|errors?)\b|\b(?:would (?:be )?reformat|not formatted|unformatted)"
    r"|\bcode style issues|\bformatter would have printed|\bformat ━|FIXABLE|without `?--check"
)
_SILENT = re.compile(r"(?i)^\W*(?:\(?no (?:output|content)\)?|exit (?:code|status) \d+)\W*$")
# A step says by a word of its own what it acts on; these are of every step.
_WORD = re.compile(r"[^\W_]{4,}")
_OF_STEPS = re.compile(
    r"(?i)(?:pnpm|yarn|exec|bunx|python|errors?|failed|found|with|this|that|from|files?|true|false"
    r"|install|tests?|check|build|lint)"
)
_STEM = 6


def cures_told(piece: Piece) -> Iterator[str]:
    """Errors that another way of running it got past; none that gives up a safeguard."""
    facts = piece.facts
    told: set[str] = set()
    for recovery in facts.recoveries:
        group = facts.groups.get(recovery.group)
        if not group or group.tool_class == "edit" or not is_cure(recovery):
            continue
        # An error without words is none to be known again; a way that failed otherwise is no cure.
        if recovery.is_further or _SILENT.match(group.line):
            continue
        if not _acts_on(recovery, group.line):
            continue
        if _is_of_style(facts, recovery, group.line) or not _is_sure(facts, recovery):
            continue
        if recovery.verb in told or len(told) >= _MOST_CURES:
            continue
        told.add(recovery.verb)
        error = code_span(shortened(" ".join(group.line.split()), _ERROR_LENGTH))
        remedy, passed = call(recovery.remedy), call(recovery.passed or recovery.remedy)
        if remedy and remedy != passed:
            yield f"After the error {error} the agent ran {remedy}; then {passed} passed"
        else:
            yield f"After the error {error} this passed: {passed} ({code_span(recovery.verb)})"


def _is_of_style(facts: Facts, recovery: Recovery, error: str) -> bool:
    """Whether a formatter or fixer had something to say: to run it is what it asks for."""
    kinds = {run.kind for run in facts.runs if run.fingerprint == recovery.fingerprint}
    return bool(recovery.fixer) or kinds == {"format"} or _OF_STYLE.search(error) is not None


def _is_sure(facts: Facts, recovery: Recovery) -> bool:
    """Whether the way that passed, as it is told, never failed: else something else cured it."""
    group = facts.groups.get(recovery.group)
    if recovery.remedy != (recovery.passed or recovery.remedy):
        # Behind a step of its own it is the same command that failed, but not by other errors.
        failed = facts.commands.get(recovery.passed)
        return failed is None or group is None or failed.failures <= group.count
    shown = call(recovery.passed or recovery.remedy)
    begun = shown.strip("`").removesuffix("…")
    is_cut = shown.rstrip("`").endswith("…")
    alike = [
        tally
        for command, tally in facts.commands.items()
        if (told := call(command)) == shown or (is_cut and told.strip("`").startswith(begun))
    ]
    return not any(tally.failures for tally in alike)


def is_cure(recovery: Recovery) -> bool:
    """Whether what got past an error may help again, and gives up no safeguard."""
    verb = recovery.verb
    if not verb or verb in ASKED_BY_TOOLS or _OF_PLACES.search(verb):
        return False
    return not (
        way_weakens(verb, recovery.remedy, recovery.passed)
        or change_weakens(verb, recovery.remedy, recovery.failed, recovery.passed)
    )


def _acts_on(recovery: Recovery, error: str) -> bool:
    """Whether the step before what passed has to do with the error, or with what failed by it.

    What stands between an error and a run that passes is not what cured it by that alone.
    """
    remedy = recovery.remedy
    if recovery.fixer or not remedy or remedy == (recovery.passed or remedy):
        return True
    words = _words(remedy)
    return bool(words & (_words(error) | _words(recovery.failed)))


def _words(text: str) -> set[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return {word[:_STEM] for word in words if not _OF_STEPS.fullmatch(word)}
