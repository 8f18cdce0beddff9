"""Find what overcame a problem: the difference between what failed and what then passed.

A difference is a remedy where it held in two conversations, in half of those that got past the
problem, and is made there more often than where nothing had failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.schema.candidate import Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.text.command_difference import added_in, exchanged_in
from helix_tui.text.plain_command import roughness, shortened
from helix_tui.text.shape import HERE
from helix_tui.text.shape_change import (
    ASKED_BY_TOOLS,
    BEFORE,
    JOINED_BY,
    PATH,
    PROGRAM,
    REPOSITORY,
    in_words,
)
from helix_tui.text.weakening_ways import change_weakens
from helix_tui.text.weakens import weakens

_LEAST_SHARE = 0.5
_MOST_WAYS = 5
_SHELL = "$ "
# Of several steps that do the same, one is named.
_ONE_OF = "a step before, such as "
_FOLDER, _TO_HERE = "folder ", f" -> {HERE}"
_MOST_LEADS = 2
_MOST_HINTS = 3
_HOW_RUN = ("+env ", "+wrapper ", "-wrapper ", "wrapper ", _FOLDER)
_PLAIN_EDITS = (*_HOW_RUN, PATH, PROGRAM, REPOSITORY)
_MISSING = "command_not_found"
# What was never read is not read again.
_NEVER_READ, _AGAIN, _AT_FIRST = "file_not_read", "read the file again", "read the file first"
_OF_OPTIONS = frozenset({"unknown_option", "no_tests_found"})


def remedy_of(name: str, cured: Sequence[SessionSignal]) -> Remedy | None:
    """Return the remedy that the recoveries of one problem show, if one holds.

    A way counts where its own run passed. One that only ever got past the problem, and then failed
    by something else, is told as that, and never together with runs that passed.
    """
    passed = [occurrence for occurrence in cured if not occurrence.signal.is_further]
    further = [occurrence for occurrence in cured if occurrence.signal.is_further]
    return _held(name, passed, cured) or _held(name, further, cured)


def _held(
    name: str, same: Sequence[SessionSignal], cured: Sequence[SessionSignal]
) -> Remedy | None:
    """Return what some recoveries of a problem show, where it holds among all of them."""
    by_change = conversations_by_change(same)
    if not by_change:
        return None
    advice, changes = _most_common_advice(by_change, len(_overcame(cured)))
    found = _remedy(name, same, advice, changes, len(_overcame(cured)))
    is_common = found.sessions >= RECURRING and found.sessions >= _LEAST_SHARE * found.of
    return found if is_common and _is_telling(found) else None


def leads_of(cured: Sequence[SessionSignal]) -> list[Remedy]:
    """Return the ways past a problem without a remedy, where they are few and show why they work.

    That is so of how an action was run: variables, wrappers, another program, another path. Of an
    option only where the failure is about options.
    """
    changes = sorted(conversations_by_change(cured))
    of = len(_overcame(cured))
    found = [_remedy("", cured, "", {change}, of) for change in changes[: _MOST_LEADS + 1]]
    is_plain = len(found) <= _MOST_LEADS and all(_shows_why(change, cured) for change in changes)
    return found if is_plain and all(map(_is_telling, found)) else []


def _remedy(
    name: str, cured: Sequence[SessionSignal], advice: str, changes: set[str], of: int
) -> Remedy:
    """Tell what some changes, which are one piece of advice, come to, of all that got past it."""
    same = [occurrence for occurrence in cured if change_of(occurrence) in changes]
    members = _overcame(same)
    by_change = conversations_by_change(same)
    # The plainest change shows the advice best.
    shown = min(changes, key=lambda one: (one.count(JOINED_BY), -len(by_change[one]), one))
    # What gives up a safeguard is no example, and the remedy itself where most of them do.
    harmless = [each for each in same if not _weakens(each)]
    is_weakening = 2 * len(_overcame(harmless)) < len(members)
    telling = same if is_weakening else harmless
    as_shown = [each for each in telling if change_of(each) == shown] or telling
    example = _example(as_shown)
    verb, ran = advice or example.signal.verb, _most_common([each.signal.text for each in as_shown])
    further = len(members - _overcame([each for each in same if not each.signal.is_further]))
    is_one_of = len(changes) > 1 and shown.startswith(BEFORE)
    rate = f", {_rate(len(members), of, further)}" if name else ""
    added = {added_in(*_as_run(each)) for each in as_shown}
    told = _told(same, example, f"{_ONE_OF}{verb}" if is_one_of else verb, rate)
    return Remedy(
        id=name,
        text=_not_advised(len(members), of) if is_weakening else told,
        verb=verb,
        ran=ran,
        failed=example.signal.failed,
        works=example.signal.passed or ran,
        of=of,
        share=round(len(members) / of, 3),
        lift=_lift(len(members) / of, same),
        members=sorted(members),
        ways=_by_verb(cured),
        is_weakening=is_weakening,
        further=further,
        added=_only(added),
        is_varied=len(added) > 1 and "" not in added,
        gone=_only({exchanged_in(*_as_run(each))[0] for each in as_shown}),
        come=_only({exchanged_in(*_as_run(each))[1] for each in as_shown}),
        again=max(each.signal.again for each in as_shown),
        warned=max(each.signal.warned for each in as_shown),
    )


def _as_run(occurrence: SessionSignal) -> tuple[str, str]:
    signal = occurrence.signal
    return signal.failed.removeprefix(_SHELL), signal.passed.removeprefix(_SHELL)


def _only(words: set[str]) -> str:
    """The one word of a set; nothing where there are several."""
    (only,) = words if len(words) == 1 else ("",)
    return only


def _weakens(occurrence: SessionSignal) -> bool:
    signal = occurrence.signal
    return change_weakens(signal.verb, signal.text, signal.failed, signal.passed)


def _rate(worked: int, of: int, further: int) -> str:
    rate = f"in {worked} of the {of} conversations that got past it"
    return f"{rate} (all of them then failed by something else)" if further == worked else rate


def _not_advised(worked: int, of: int) -> str:
    return (
        "got past by what switches a safeguard off or destroys something, which is not advised, "
        f"in {worked} of the {of} conversations that got past it"
    )


def _overcame(cured: Sequence[SessionSignal]) -> set[str]:
    return {occurrence.session.root for occurrence in cured}


def _is_telling(remedy: Remedy) -> bool:
    """Whether it is done more often than where nothing had failed, as far as that is known."""
    return remedy.lift is None or remedy.lift > 1


def _shows_why(change: str, cured: Sequence[SessionSignal]) -> bool:
    is_of_options = cured[0].signal.error_class in _OF_OPTIONS
    plain = (*_PLAIN_EDITS, "+flag ", "-flag ") if is_of_options else _PLAIN_EDITS
    return all(edit.startswith(plain) for edit in change.split(JOINED_BY))


def _most_common_advice(by_change: dict[str, set[str]], overcame: int) -> tuple[str, set[str]]:
    """Return the changes that are one piece of advice, and that in words where they differ.

    One edit that several changes share is one piece of advice, whatever else differs; so is any
    other program in the place of one that cannot be run. Steps before an action that make, convert
    or start the same thing differ by machine and repository: they count with one that recurs.
    """
    change = min(by_change, key=lambda name: (-len(by_change[name]), name))
    members = len(by_change[change])
    if members >= RECURRING and members >= _LEAST_SHARE * overcame:
        return "", {change}
    if members >= RECURRING and change.startswith(BEFORE):
        return "", {name for name in by_change if name.startswith(BEFORE)}
    families: dict[str, set[str]] = {}
    for name in by_change:
        for advice in _advice_in(name):
            families.setdefault(advice, set()).add(name)
    sizes = {advice: len(_together(names, by_change)) for advice, names in families.items()}
    best = min(sizes, key=lambda advice: (-sizes[advice], advice), default="")
    if not best or sizes[best] <= members:
        return "", {change}
    return "" if best.startswith(PROGRAM) else best, families[best]


def _advice_in(change: str) -> set[str]:
    """Return the pieces of advice that a change holds, each in the words of all that say the same.

    What is run before an action says which step it was, and is no part of another change. That a
    folder was left says nothing: naming the one that one is in is a habit.
    """
    if change.startswith(BEFORE):
        return set()
    said = (
        edit.partition(" -> ")[0] if edit.startswith(PROGRAM) else in_words(edit)
        for edit in change.split(JOINED_BY)
        if not (edit.startswith(_FOLDER) and edit.endswith(_TO_HERE))
    )
    return {advice for advice in said if advice}


def _together(changes: set[str], by_change: dict[str, set[str]]) -> set[str]:
    return set().union(*(by_change[name] for name in changes))


def change_of(occurrence: SessionSignal) -> str:
    """Return the change that overcame an error; nothing where nobody knows by what.

    Another program stands in for the one that is missing, not for what wanted to start that; and
    since none fails by what another lacks, only one that passed says anything.
    """
    signal = occurrence.signal
    if signal.error_class == _MISSING and signal.change.startswith(PROGRAM):
        if signal.is_further:
            return ""
        exchanged = signal.change.removeprefix(PROGRAM).partition(" -> ")[0]
        if signal.subject not in exchanged.split():
            return ""
    return (signal.change or signal.verb) if signal.verb else ""


def conversations_by_change(cured: Sequence[SessionSignal]) -> dict[str, set[str]]:
    """Return the conversations in which each change overcame an error."""
    found: dict[str, set[str]] = {}
    for occurrence in cured:
        if change := change_of(occurrence):
            found.setdefault(change, set()).add(occurrence.session.root)
    return found


def hints_of(failed: Sequence[SessionSignal]) -> dict[str, int]:
    """Count the conversations by what the failed command's own output names as the cure.

    A hint that gives up a safeguard is left out, whoever says it.
    """
    found: dict[str, set[str]] = {}
    for session, signal in failed:
        if signal.hint and not weakens(signal.hint):
            found.setdefault(signal.hint, set()).add(session.root)
    ranked = sorted(found, key=lambda hint: (-len(found[hint]), hint))
    return {hint: len(found[hint]) for hint in ranked[:_MOST_HINTS]}


def ways_of(cured: Sequence[SessionSignal]) -> dict[str, int]:
    """Tell how an error was overcome, each way with an example and its conversations.

    Ways that give up a safeguard are left out.
    """
    by_change = conversations_by_change(cured)
    ranked = sorted(by_change, key=lambda change: (-len(by_change[change]), change))
    told: dict[str, int] = {}
    for change in ranked[:_MOST_WAYS]:
        example = _example([each for each in cured if change_of(each) == change]).signal
        if change_weakens(example.verb, example.text, example.failed, example.passed):
            continue
        passed = shortened(example.passed or example.text)
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
    """Return the plainest example, then the shortest, which shows the change best."""
    return min(
        same,
        key=lambda each: (
            each.signal.is_further,
            roughness(each.signal.failed) + roughness(each.signal.passed),
            len(each.signal.failed) + len(each.signal.passed),
            each.signal.failed,
            each.signal.passed,
            each.signal.text,
        ),
    )


def _told(same: Sequence[SessionSignal], example: SessionSignal, verb: str, rate: str) -> str:
    """Say both actions as they stand, and how often each failed and passed."""
    signal = example.signal
    failed, passed = signal.failed, signal.passed
    if signal.error_class == _NEVER_READ:
        verb = verb.replace(_AGAIN, _AT_FIRST)
    if not (failed.startswith(_SHELL) and passed.startswith(_SHELL)) or failed == passed:
        # How somebody read a file again says nothing of how others should.
        is_step = signal.text.startswith(_SHELL) and verb not in ASKED_BY_TOOLS
        step = f" (`{shortened(signal.text)}`)" if is_step else ""
        return f"{verb}{step}, then the same passed{rate}"
    fails = sum(each.signal.count for each in same)
    times = f"failed {fails} {'time' if fails == 1 else 'times'}"
    ended = "got past it" if signal.is_further else "passed"
    # What failed in several forms did not fail so often in the one that is shown.
    is_one_form = len({shortened(each.signal.failed) for each in same}) == 1
    what = f"`{shortened(failed)}`" if is_one_form else f"forms such as `{shortened(failed)}`"
    return f"{what} {times}; {verb}: `{shortened(passed)}` {ended}{rate}"


def _most_common(texts: list[str]) -> str:
    texts.sort()
    return max(texts, key=texts.count)
