"""Find what overcame a problem: the difference between what failed and what then passed.

A difference is a remedy where it held in two conversations, in half of those that got past the
problem, and is made there more often than where nothing had failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.schema.candidate import Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.text.shape_change import BEFORE

_LEAST_SHARE = 0.5
_MOST_WAYS = 5
_EXAMPLE_LENGTH = 120
_SHELL = "$ "


def remedy_of(name: str, cured: Sequence[SessionSignal]) -> Remedy | None:
    """Return the remedy that the recoveries of one problem show, if one holds."""
    by_change = conversations_by_change(cured)
    if not by_change:
        return None
    overcame = {occurrence.session.root for occurrence in cured}
    change = min(by_change, key=lambda name: (-len(by_change[name]), name))
    changes = _alike(change, by_change, len(overcame))
    members = set().union(*(by_change[name] for name in changes))
    share = len(members) / len(overcame)
    same = [occurrence for occurrence in cured if change_of(occurrence) in changes]
    lift = _lift(share, same)
    if len(members) < RECURRING or share < _LEAST_SHARE or (lift is not None and lift <= 1):
        return None
    example = _example([each for each in same if change_of(each) == change])
    verb, ran = example.signal.verb, _most_common([each.signal.text for each in same])
    return Remedy(
        id=name,
        text=_told(same, example, len(members), len(overcame)),
        verb=verb,
        ran=ran,
        failed=example.signal.failed,
        works=example.signal.passed or ran,
        of=len(overcame),
        share=round(share, 3),
        lift=lift,
        members=sorted(members),
        ways=_by_verb(cured),
    )


def _alike(change: str, by_change: dict[str, set[str]], overcame: int) -> set[str]:
    """Return a change with those that do the same in its place.

    Programs that make, convert or start the same thing differ by machine and repository: where one
    step before it recurs and is too rare by itself, other steps count with it.
    """
    members = by_change[change]
    is_rare = len(members) < _LEAST_SHARE * overcame
    if not is_rare or len(members) < RECURRING or not change.startswith(BEFORE):
        return {change}
    return {name for name in by_change if name.startswith(BEFORE)}


def change_of(occurrence: SessionSignal) -> str:
    """Return the change that overcame an error; nothing where nobody knows by what."""
    signal = occurrence.signal
    return (signal.change or signal.verb) if signal.verb else ""


def conversations_by_change(cured: Sequence[SessionSignal]) -> dict[str, set[str]]:
    """Return the conversations in which each change overcame an error."""
    found: dict[str, set[str]] = {}
    for occurrence in cured:
        if change := change_of(occurrence):
            found.setdefault(change, set()).add(occurrence.session.root)
    return found


def ways_of(cured: Sequence[SessionSignal]) -> dict[str, int]:
    """Tell how an error was overcome, each way with an example and its conversations."""
    by_change = conversations_by_change(cured)
    ranked = sorted(by_change, key=lambda change: (-len(by_change[change]), change))
    told: dict[str, int] = {}
    for change in ranked[:_MOST_WAYS]:
        example = _example([each for each in cured if change_of(each) == change]).signal
        passed = _short(example.passed or example.text)
        told[f"{example.verb} ({passed})" if passed else example.verb] = len(by_change[change])
    return told


def _by_verb(cured: Sequence[SessionSignal]) -> dict[str, int]:
    found: dict[str, set[str]] = {}
    for occurrence in cured:
        if occurrence.signal.verb:
            found.setdefault(occurrence.signal.verb, set()).add(occurrence.session.root)
    return {verb: len(found[verb]) for verb in sorted(found, key=lambda v: (-len(found[v]), v))}


def _lift(share: float, same: Sequence[SessionSignal]) -> float | None:
    """Compare a share with how often the same change is made where nothing had failed."""
    by_session = {each.session.id: each.signal for each in same}
    pairs = sum(signal.pairs for signal in by_session.values())
    usual = sum(signal.usual for signal in by_session.values())
    if not pairs:
        return None
    # What was never seen is not impossible.
    base = usual / pairs if usual else 0.5 / (pairs + 1)
    return round(share / base, 2)


def _example(same: Sequence[SessionSignal]) -> SessionSignal:
    """Return the shortest example, which shows the change best."""
    return min(
        same,
        key=lambda each: (
            len(each.signal.failed) + len(each.signal.passed),
            each.signal.failed,
            each.signal.passed,
            each.signal.text,
        ),
    )


def _told(same: Sequence[SessionSignal], example: SessionSignal, worked: int, of: int) -> str:
    """Say both actions as they stand, and how often each failed and passed."""
    signal = example.signal
    rate = f"in {worked} of the {of} conversations that got past it"
    failed, passed = signal.failed, signal.passed
    if not (failed.startswith(_SHELL) and passed.startswith(_SHELL)) or failed == passed:
        step = f" (`{_short(signal.text)}`)" if signal.text.startswith(_SHELL) else ""
        return f"{signal.verb}{step}, then the same passed, {rate}"
    fails = sum(each.signal.count for each in same)
    times = f"failed {fails} {'time' if fails == 1 else 'times'}"
    return f"`{_short(failed)}` {times}; {signal.verb}: `{_short(passed)}` passed, {rate}"


def _short(action: str) -> str:
    text = action.removeprefix(_SHELL)
    return text if len(text) <= _EXAMPLE_LENGTH else text[: _EXAMPLE_LENGTH - 1].rstrip() + "…"


def _most_common(texts: list[str]) -> str:
    texts.sort()
    return max(texts, key=texts.count)
