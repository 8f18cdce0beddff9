"""The session's facts: a pure merge of its parts' folds, in the order of their first times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import reduce
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from helix_tui.digest.ending import merged_ending
from helix_tui.digest.extractor import FIRST_WITH_ENDING
from helix_tui.digest.fold import IDLE_MS
from helix_tui.digest.left_open import left_open
from helix_tui.digest.links import MOST_LINKS
from helix_tui.digest.outcome import judge
from helix_tui.digest.remedies.hints import first_hint
from helix_tui.digest.standing import standing_checks
from helix_tui.digest.state import PartFold
from helix_tui.schema import (
    REST,
    CheckFact,
    CommandTally,
    Digest,
    ErrorGroup,
    Facts,
    FileTally,
    Habit,
    ShapeTally,
    ToolTally,
)

_SUMMED = (
    "active_ms",
    "prompts",
    "replies",
    "refusals",
    "cascades",
    "timeouts",
    "benign_exits",
    "retries",
    "correction_count",
    "interruptions",
    "api_errors",
    "compactions",
    "checks_passed",
    "checks_failed",
    "commits",
    "reverts",
    "policy_refusals",
    "planned_reds",
    "useful_calls",
    "tasks",
    "failures",
    "unknown_wordings",
)
# Lists that are put behind each other.
_LISTED = (
    "errors",
    "loops",
    "corrections",
    "reactions",
    "recoveries",
    "fixes",
    "false_claims",
    "persistences",
    "kept",
    "interrupted",
    "compacted",
    "api_failures",
    "slow",
    "runs",
    "refused_in_words",
    "turns",
    "named",
    "reds_behind_commits",
)


class NamedFold(NamedTuple):
    """A part's fold with the name that orders it among parts that began at the same time."""

    name: str
    fold: PartFold


def digest_of(folds: Iterable[NamedFold], is_exact: bool) -> Digest:
    """What stays of a session."""
    in_order = [named.fold for named in sorted(folds, key=_order)]
    facts = _facts(in_order)
    extractor = min((fold.extractor for fold in in_order), default=0)
    open_ends = left_open(facts) if extractor >= FIRST_WITH_ENDING else None
    outcome = judge(facts, extractor)
    standing = replace(facts, checks=standing_checks(facts))
    return Digest(standing, outcome, is_exact, extractor, open_ends)


def facts_of(folds: Iterable[NamedFold]) -> Facts:
    """What can be counted of a session, without a judgement of how it went."""
    return _facts([named.fold for named in sorted(folds, key=_order)])


def _facts(in_order: list[PartFold]) -> Facts:
    if len(in_order) == 1 and not in_order[0].memory.orphans:
        return in_order[0].facts  # as nearly all sessions are
    facts = reduce(_merged, (fold.facts for fold in in_order), Facts())
    _join_across(facts, in_order)
    return facts


def _order(named: NamedFold) -> tuple[bool, int, str]:
    first = named.fold.memory.began_ts
    return first is None, first or 0, named.name


def _merged(one: Facts, two: Facts) -> Facts:
    """The facts of a part and of those that began before it; the one that ended last ends both."""
    early, late = (one, two) if _ended(one) <= _ended(two) else (two, one)
    merged = Facts(
        first_ts=_least(one.first_ts, two.first_ts),
        last_ts=_greatest(one.last_ts, two.last_ts),
        first_prompt=one.first_prompt or two.first_prompt,
        last_prompt=late.last_prompt or early.last_prompt,
        last_reply=late.last_reply or early.last_reply,
        last_reply_fingerprint=late.last_reply_fingerprint or early.last_reply_fingerprint,
        tools=_joined(one.tools, two.tools, ToolTally),
        commands=_joined(one.commands, two.commands, CommandTally),
        files=_joined(one.files, two.files, FileTally),
        habits=_joined(one.habits, two.habits, Habit),
        shapes=_joined(one.shapes, two.shapes, ShapeTally),
        kinds_edited=_summed(one.kinds_edited, two.kinds_edited),
        error_groups=_summed(one.error_groups, two.error_groups),
        groups=_groups(one.groups, two.groups),
        last_group=late.last_group or early.last_group,
        first_passes={**two.first_passes, **one.first_passes},
        checks=_checks(early.checks, late.checks),
        last_check=late.last_check or early.last_check,
        last_check_passed=(
            early.last_check_passed if late.last_check_passed is None else late.last_check_passed
        ),
        edits_since_check=late.edits_since_check
        + (early.edits_since_check if late.last_check_passed is None else 0),
        calls_since_prompt=late.calls_since_prompt
        + (0 if late.prompts else early.calls_since_prompt),
        checks_since_prompt=late.checks_since_prompt
        + (0 if late.prompts else early.checks_since_prompt),
        **_titles(one, two),
        ending=merged_ending(early, late),
        links=sorted({*one.links, *two.links})[:MOST_LINKS],
        ended=late.ended or early.ended,
        ended_text=late.ended_text if late.ended else early.ended_text,
    )
    for name in (*_SUMMED, *_LISTED):
        setattr(merged, name, getattr(one, name) + getattr(two, name))
    if one.last_ts is not None and two.first_ts is not None:
        between = two.first_ts - one.last_ts
        merged.active_ms += between if 0 < between <= IDLE_MS else 0
    if merged.first_ts is not None and merged.last_ts is not None:
        # Two files that were written at the same time are active once.
        merged.active_ms = min(merged.active_ms, merged.last_ts - merged.first_ts)
    return merged


def _titles(one: Facts, two: Facts) -> dict[str, Any]:
    """The titles of two parts: the agent's latest of the highest rank, the first best prompt."""
    own = max(one, two, key=lambda facts: (facts.own_title_rank, facts.own_title_ts or 0))
    asked = one if one.asked_title_rank >= two.asked_title_rank else two
    return {
        "own_title": own.own_title,
        "own_title_rank": own.own_title_rank,
        "own_title_ts": own.own_title_ts,
        "asked_title": asked.asked_title,
        "asked_title_rank": asked.asked_title_rank,
    }


def _ended(facts: Facts) -> int:
    return -(1 << 62) if facts.last_ts is None else facts.last_ts


Tally = TypeVar("Tally", ToolTally, CommandTally, FileTally, Habit, ShapeTally)


def _joined(one: dict[str, Tally], two: dict[str, Tally], kind: type[Tally]) -> dict[str, Tally]:
    joined = {name: copy(tally) for name, tally in one.items()}
    for name, tally in two.items():
        into = joined.get(name)
        if into is None:
            joined[name] = copy(tally)
            continue
        for field in kind.__struct_fields__:
            setattr(into, field, _added(field, getattr(into, field), getattr(tally, field)))
    return joined


def _groups(one: dict[str, ErrorGroup], two: dict[str, ErrorGroup]) -> dict[str, ErrorGroup]:
    joined = {name: copy(group) for name, group in one.items()}
    for name, group in two.items():
        known = joined.get(name)
        if known is None:
            joined[name] = copy(group)
            continue
        known.count += group.count
        known.chars += group.chars
        known.ms += group.ms
        known.fingerprint = known.fingerprint or group.fingerprint
        known.shapes = _summed(known.shapes, group.shapes)
        known.hint, known.hinted = first_hint(known, group)
        known.first_ts = _least(known.first_ts, group.first_ts)
        known.last_ts = _greatest(known.last_ts, group.last_ts)
    return joined


def _summed(one: dict[str, int], two: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + two.get(name, 0) for name in {**one, **two}}


def _checks(early: dict[str, CheckFact], late: dict[str, CheckFact]) -> dict[str, CheckFact]:
    joined = dict(early)
    for name, check in late.items():
        if name not in joined or check.state != "unknown":
            joined[name] = check
    return joined


def _added(field: str, one: object, two: object) -> object:
    if isinstance(one, dict) and isinstance(two, dict):
        return {key: one.get(key, 0) + two.get(key, 0) for key in {**one, **two}}
    assert isinstance(one, int)
    assert isinstance(two, int)
    return max(one, two) if field == "longest_ms" else one + two


def _least(*times: int | None) -> int | None:
    return min((ts for ts in times if ts is not None), default=None)


def _greatest(*times: int | None) -> int | None:
    return max((ts for ts in times if ts is not None), default=None)


def _join_across(facts: Facts, folds: Sequence[PartFold]) -> None:
    """Books errors whose call stands in another part than their result."""
    calls = {key: call for fold in folds for key, call in fold.memory.pending.items()}
    for fold in folds:
        for key, errors in fold.memory.orphans.items():
            call = calls.get(key)
            name = call.tool if call else REST
            facts.tools.setdefault(name, ToolTally()).errors += errors
