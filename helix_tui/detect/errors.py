"""Group failed calls by what failed, with what overcame them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.detect.assemble import SessionSignal, assemble
from helix_tui.detect.constant import as_said
from helix_tui.detect.in_sequence import behind_of, follows_of
from helix_tui.detect.keys import candidate_id
from helix_tui.detect.kinds import KINDS, OF_REPOSITORIES, OF_SURROUNDINGS
from helix_tui.detect.parting import FIRST_HAND, apart, parted, parted_by_place, place_of_its_own
from helix_tui.detect.remedies import hints_of, leads_of, remedy_of, ways_of
from helix_tui.detect.titles import error_title, with_remedy
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.quality import RECURRING
from helix_tui.text.shape import action_in
from helix_tui.text.signature.join import join

_MOST_TEMPLATES = 20
_MOST_ACTIONS = 4
# The parts of a key that is not of one change alone.
_WHOLE = 4
_NEVER = 1 << 62
# How many words a joined template must have, beside the name of an exception.
_LEAST_WORDS = 3
_LITERAL = re.compile(r"(?<![<\w])[A-Za-z][a-z]{2,}\w*")
_THROWN = ("Error", "Exception", "error", "assert", "expect", "expected")


def group_errors(occurrences: Sequence[SessionSignal]) -> list[Candidate]:
    """Group errors by class and subject or by joined template, and by what overcame them."""
    templates = _joined({occurrence.signal.template for occurrence in occurrences})
    by_template: dict[str, list[SessionSignal]] = {}
    for occurrence in occurrences:
        by_template.setdefault(templates[occurrence.signal.template], []).append(occurrence)
    return [
        candidate for name, members in by_template.items() for candidate in _of_error(name, members)
    ]


def _joined(templates: set[str]) -> dict[str, str]:
    """Join templates; where the joined one says too little, its members stay apart."""
    joined = join(templates)
    return {
        template: whole if whole == template or _says_enough(whole) else template
        for template, whole in joined.items()
    }


def _says_enough(template: str) -> bool:
    words = [word for word in _LITERAL.findall(template) if not word.endswith(_THROWN)]
    return len(words) >= _LEAST_WORDS


def _of_error(template: str, occurrences: Sequence[SessionSignal]) -> Iterator[Candidate]:
    """Yield the candidates of one cause: where it has no remedy, apart by what overcame it."""
    key = _error_key(occurrences)
    whole = _candidate(key, template, occurrences)
    if whole is None:
        return
    if whole.cure is not None and key[0] not in KINDS:
        yield whole
        return
    whole.cure = None
    general = list(occurrences)
    for change in apart(occurrences):
        specific, general = parted(general, change)
        found = _candidate((*key, change), template, specific)
        if found is not None and found.cure is not None:
            found.title = with_remedy(found.title, found.cure)
            yield found
    if key[0] in OF_REPOSITORIES:
        place = place_of_its_own(general)
        specific, others = parted_by_place(general, place)
        if place is not None and (found := _candidate((*key, *place), template, specific)):
            general = others
            yield found
    rest = whole if len(general) == len(occurrences) else _candidate(key, template, general, True)
    if rest is not None:
        yield rest


def _candidate(
    key: tuple[str, ...],
    template: str,
    occurrences: Sequence[SessionSignal],
    is_remainder: bool = False,
) -> Candidate | None:
    failed = [occurrence for occurrence in occurrences if occurrence.signal.name in FIRST_HAND]
    beside = [occurrence for occurrence in occurrences if occurrence.signal.name not in FIRST_HAND]
    cured = [occurrence for occurrence in beside if occurrence.signal.name == "recovery"]
    if not failed:
        return None
    name, cure_id = candidate_id(*key), candidate_id("recovery", *key)
    found = assemble(name, "", failed, beside)
    found.templates = sorted({occurrence.signal.template for occurrence in occurrences} - {""})[
        :_MOST_TEMPLATES
    ]
    found.cure, found.ways = remedy_of(cure_id, cured), ways_of(cured)
    found.hints = hints_of(failed)
    told = [each for each in failed if found.hint and each.signal.hint == found.hint]
    found.hinted = _named([(session.root, signal.hinted) for session, signal in told])
    del found.hinted[_MOST_ACTIONS:]
    if found.cure is None and key[0] not in KINDS and not is_remainder:
        found.leads = leads_of(cured)
    found.follows, found.behind = follows_of(failed), behind_of(failed)
    found.shape, found.has_common_action = _shape_of(failed), _has_common_action(failed)
    found.check = _check_of(failed)
    found.said, found.is_remainder = _said(template, failed), is_remainder
    is_one = found.has_common_action or found.error_class in OF_SURROUNDINGS
    found.actions = _actions_of(failed) if is_one and found.error_class not in KINDS else []
    found.title = error_title(found, failed[0].signal, found.said, found.actions)
    del found.actions[_MOST_ACTIONS:]
    parts = {candidate_id(key[0], key[1], key[2], name) for name in found.templates}
    # What one change overcame is new: the ids of before go on with the rest.
    former = parts | ({cure_id} if cured else set()) if len(key) == _WHOLE else set()
    found.aliases = sorted(former - {found.id})
    return found


def _said(template: str, failed: Sequence[SessionSignal]) -> str:
    """Return the message, with what two conversations or more have in its masks alike."""
    is_several = len({session.root for session, _ in failed}) >= RECURRING
    return as_said(template, (signal.text for _, signal in failed)) if is_several else template


def _shape_of(failed: Sequence[SessionSignal]) -> str:
    """Return the action that failed in most conversations, else the step of a check."""
    shape = _mostly([(session.root, signal.shape) for session, signal in failed])
    return shape or _mostly([(session.root, signal.step) for session, signal in failed])


def _has_common_action(failed: Sequence[SessionSignal]) -> bool:
    """Whether two conversations failed in the same action, or in one program of one repository."""
    roots: dict[tuple[str, str], set[str]] = {}
    for session, signal in failed:
        action = action_in(signal.shape or signal.step)
        roots.setdefault((action, ""), set()).add(session.root)
        roots.setdefault((action.partition(" ")[0], session.repo), set()).add(session.root)
    return ("", "") in roots or any(len(found) > 1 for found in roots.values())


def _actions_of(failed: Sequence[SessionSignal]) -> list[str]:
    """Return the actions that failed, those of most conversations first."""
    return _named([(session.root, signal.shape or signal.step) for session, signal in failed])


def _named(shapes: Sequence[tuple[str, str]]) -> list[str]:
    """The actions of shapes, each with its conversation, those of most conversations first."""
    found: dict[str, set[str]] = {}
    for root, shape in shapes:
        found.setdefault(action_in(shape), set()).add(root)
    found.pop("", None)
    return sorted(found, key=lambda action: (-len(found[action]), action))


def _mostly(named: Sequence[tuple[str, str]]) -> str:
    """Return the name that more than half of the conversations have."""
    found: dict[str, set[str]] = {}
    for conversation, name in named:
        found.setdefault(name, set()).add(conversation)
    name = min(found, key=lambda each: (-len(found[each]), each), default="")
    return name if len(found.get(name, ())) * 2 > len({one for one, _ in named}) else ""


def _check_of(failed: Sequence[SessionSignal]) -> str:
    """Return the kind of check in which it always happens."""
    kinds = {occurrence.signal.check for occurrence in failed}
    return kinds.pop() if len(kinds) == 1 else ""


def _error_key(occurrences: Sequence[SessionSignal]) -> tuple[str, str, str, str]:
    """Return the key that an id is made of; the earliest of joined templates stands for all.

    So a later occurrence never changes an id.
    """
    signal = occurrences[0].signal
    kind = signal.error_class or ("api_error" if signal.name == "api_error" else "tool_error")
    if not signal.template:
        return kind, signal.subject, "", ""
    first = min(
        occurrences,
        key=lambda occurrence: (
            _NEVER if occurrence.signal.first_ts is None else occurrence.signal.first_ts,
            occurrence.signal.template,
        ),
    )
    return kind, signal.subject, signal.tool_class, first.signal.template
