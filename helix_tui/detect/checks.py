"""Group what a check finds: one candidate for the step that runs it, with its kinds inside.

A linter, a compiler or a hook says something else each time; what recurs is that the step is red.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from helix_tui.detect.assemble import SessionSignal, assemble
from helix_tui.detect.fixers import fixed_by, formatted, is_fixed, without_fixers
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.parting import FIRST_HAND, apart, parted
from helix_tui.detect.remedies import change_of, hints_of, remedy_of, ways_of
from helix_tui.detect.titles import check_title, with_remedy
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import Signal
from helix_tui.text.shape_change import MEND

_MOST_TEMPLATES = 20
_KIND_LENGTH = 60
_MOST_ALIASES = 200
_CLASSES = {
    "lint": "lint_error",
    "hook": "hook_failed",
    "types": "type_error",
    "build": "compile_error",
    "test": "test_failure",
    "format": "not_formatted",
}
# Checks of the code as it was written: mending what they name is all there is to do.
_OF_STYLE = frozenset({"lint", "format", "check"})
_NOT_FORMATTED = "not_formatted"
_OF_RULES = frozenset({"lint", "hook", "types", "format", "check"})
# These run others: what has no rule is of another check than what has one.
_OF_SEVERAL = frozenset({"hook", "check"})
_TIMES = re.compile(r"\(\d[\d.]* ?m?s\)")


def group_checks(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group the errors of one step into one candidate, and what one change overcame apart."""
    whole = _candidate(occurrences)
    if whole is None:
        return []
    if whole.check in _OF_STYLE and whole.cure is not None:
        return [whole]
    whole.cure = None
    found, general = [], list(occurrences)
    for change in apart(occurrences):
        specific, general = parted(general, change)
        candidate = _candidate(specific, change)
        if candidate is not None and candidate.cure is not None:
            if not candidate.cure.fixer:
                candidate.title = with_remedy(candidate.title, candidate.cure)
            found.append(candidate)
    rest = whole if len(general) == len(occurrences) else _candidate(general, is_remainder=True)
    return [*found, rest] if rest is not None else found


def _candidate(
    occurrences: Sequence[SessionSignal], change: str = "", *, is_remainder: bool = False
) -> Candidate | None:
    failed = [each for each in occurrences if each.signal.name in FIRST_HAND]
    beside = [each for each in occurrences if each.signal.name not in FIRST_HAND]
    cured = [each for each in beside if each.signal.name == "recovery"]
    if not failed:
        return None
    check, step = failed[0].signal.check, failed[0].signal.step
    key = (step, change) if change else (step,)
    name, cure_id = candidate_id(f"{check}_red", *key), candidate_id("recovery", check, *key)
    found = assemble(name, "", failed, beside)
    found.error_class, found.subject = _CLASSES.get(check, ""), ""
    found.check, found.shape, found.kinds = check, step, _kinds(failed)
    found.is_remainder = is_remainder
    found.late = len({session.root for session, signal in failed if signal.late})
    found.templates = sorted({each.signal.template for each in occurrences} - {""})
    del found.templates[_MOST_TEMPLATES:]
    if not change:
        found.aliases = sorted(_former_ids(occurrences) - {name})[:_MOST_ALIASES]
    found.cure = _cure(cure_id, step, failed, cured, is_apart=bool(change))
    found.ways, found.hints = ways_of(cured), hints_of(failed)
    if is_remainder:
        found.cure = None
    found.title = check_title(found, partial(_is_mostly, failed))
    if found.cure is not None and found.cure.fixer:
        found.title = with_remedy(found.title, found.cure)
    return found


def _cure(
    name: str,
    step: str,
    failed: Sequence[SessionSignal],
    cured: Sequence[SessionSignal],
    *,
    is_apart: bool,
) -> Remedy | None:
    """What turned the step green: commands that did, another remedy, or mending as such."""
    is_of_style = failed[0].signal.check in _OF_STYLE
    found = fixed_by(name, step, cured, is_of_style=is_of_style) or remedy_of(
        name, without_fixers(cured)
    )
    found = found or _mended(name, step, failed, cured)
    return found or (formatted(name, step, cured) if is_apart else None)


def _kinds(failed: Sequence[SessionSignal]) -> dict[str, int]:
    """Count the conversations by what the check found: its rules, or its own words."""
    names_rules = failed[0].signal.check in _OF_RULES
    found: dict[str, set[str]] = {}
    for session, signal in failed:
        kind = signal.subject if names_rules else _said(signal)
        found.setdefault(kind, set()).add(session.root)
    # A linter names its rules; what else it says besides tells nothing more.
    if found.pop("", None) and (failed[0].signal.check in _OF_SEVERAL or not found):
        for session, signal in failed:
            if not signal.subject:
                found.setdefault(_said(signal), set()).add(session.root)
    ranked = sorted(found, key=lambda kind: (-len(found[kind]), kind))
    return {kind: len(found[kind]) for kind in ranked[:_MOST_TEMPLATES]}


def _is_mostly(failed: Sequence[SessionSignal], kind: str) -> bool:
    """Whether more than half of the failures, and of the conversations, are of one kind."""
    of_kind = [each for each in failed if kind in (each.signal.subject, _said(each.signal))]
    times, of = (sum(each.signal.count for each in some) for some in (of_kind, failed))
    roots, of_roots = ({each.session.root for each in some} for some in (of_kind, failed))
    return 2 * times > of and 2 * len(roots) > len(of_roots)


def _said(signal: Signal) -> str:
    """What a check said, as far as that may be said again: without times and numbers of its own."""
    if signal.error_class == _NOT_FORMATTED:
        return "formatting"
    return _TIMES.sub("", signal.text).strip()[:_KIND_LENGTH].rstrip()


def _former_ids(occurrences: Sequence[SessionSignal]) -> set[str]:
    """Return the ids that its parts had when each message was a candidate of its own."""
    found: set[str] = set()
    for _, signal in occurrences:
        if signal.error_class == _NOT_FORMATTED:
            continue  # where a formatter is run by itself, that is a candidate still
        place = (signal.tool_class, signal.template) if signal.template else ("", "")
        key = (signal.error_class or "tool_error", signal.subject, *place)
        found.add(candidate_id(*key))
        if signal.name == "recovery":
            found.add(candidate_id("recovery", *key))
    return found


def _mends(each: SessionSignal) -> bool:
    """Whether what was named was mended: by hand, or by a formatter or fixer run before."""
    return not change_of(each) or is_fixed(each)


def _mended(
    name: str, step: str, failed: Sequence[SessionSignal], cured: Sequence[SessionSignal]
) -> Remedy | None:
    """Return that mending what it names made a check of style green, where that recurs."""
    overcame = {each.session.root for each in cured}
    mended = {each.session.root for each in cured if _mends(each)}
    if (
        failed[0].signal.check not in _OF_STYLE
        or len(mended) < RECURRING
        or len(mended) < len(overcame) / 2
    ):
        return None
    rate = f"in {len(mended)} of the {len(overcame)} conversations that got past it"
    late = len({session.root for session, signal in failed if signal.late})
    when = f"run `{step}` before you say that you are done or commit: it was red behind that in "
    told = f"{when}{late} conversations; " if late >= RECURRING else ""
    return Remedy(
        id=name,
        text=f"{told}{MEND}, then `{step}` passed, {rate}",
        verb=MEND,
        ran=f"$ {step}",
        failed=f"$ {step}",
        works=f"$ {step}",
        of=len(overcame),
        share=round(len(mended) / len(overcame), 3),
        lift=None,
        members=sorted(mended),
        ways={MEND: len(mended)},
    )
