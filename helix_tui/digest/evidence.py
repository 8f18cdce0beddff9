"""An occurrence as a person reads it: what was done, what came of it, and what was done next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helix_tui.schema import ErrorFact, Facts, Moment, Recovery, TurnFact
from helix_tui.schema.signal import SignalName
from helix_tui.text.signature.naming import is_wrapper

MOST = 2048
# So far down a reader still sees the line that names the error.
_HEAD = 4
# Fingerprints of events with what is shown of them.
_Excerpts = Iterator[tuple[int, str]]


def excerpts(facts: Facts, signal: SignalName) -> dict[int, str]:
    """What is kept of a signal's events, by fingerprint; an event may count for several things."""
    found: dict[int, str] = {}
    for fingerprint, text in _BY_SIGNAL.get(signal, _errors)(facts):
        found.setdefault(fingerprint, text if len(text) <= MOST else text[: MOST - 1] + "…")
    return found


def _errors(facts: Facts) -> _Excerpts:
    for error in facts.errors:
        yield error.fingerprint, _failed(error)
    for group in facts.groups.values():
        call = f"$ {group.command}\n" if group.command else ""
        yield group.fingerprint, f"{call}{group.line}"


def _recoveries(facts: Facts) -> _Excerpts:
    errors = {error.fingerprint: error for error in facts.errors}
    for found in facts.recoveries:
        yield found.fingerprint, _recovered(found, errors.get(found.fingerprint))


def _corrections(facts: Facts) -> _Excerpts:
    for moment in (*facts.corrections, *facts.reactions):
        yield moment.fingerprint, _words_of(moment)
    yield from _turns(facts)


def _turns(facts: Facts) -> _Excerpts:
    for turn in facts.turns:
        yield turn.fingerprint, _turn(turn)


def _persistences(facts: Facts) -> _Excerpts:
    for moment in facts.persistences:
        yield moment.fingerprint, _words_of(moment)
    yield from _turns(facts)


def _false_claims(facts: Facts) -> _Excerpts:
    for moment in facts.false_claims:
        shown = f"agent: {moment.before}\n{moment.text}\nfailed"
        yield moment.fingerprint, _with_error(facts, moment, shown)


def _fixes(facts: Facts) -> _Excerpts:
    for moment in facts.fixes:
        shown = f"{moment.text}\nfailed {moment.count} times, each after an edit"
        yield moment.fingerprint, _with_error(facts, moment, shown)


def _with_error(facts: Facts, moment: Moment, shown: str) -> str:
    """What happened with the line that names the error, where that is kept."""
    lines = [one.line for one in facts.errors if one.fingerprint == moment.fingerprint]
    return f"{shown}: {lines[0]}" if lines and lines[0] else shown


def _loops(facts: Facts) -> _Excerpts:
    for moment in facts.loops:
        yield moment.fingerprint, f"{moment.text}\n{moment.count} times with the same output"


def _interruptions(facts: Facts) -> _Excerpts:
    for moment in facts.interrupted:
        yield moment.fingerprint, f"{moment.text}\nstopped by the user"


def _passes(facts: Facts) -> _Excerpts:
    for moment in (*facts.first_passes.values(), *facts.kept):
        yield moment.fingerprint, f"{moment.text}\npassed"


def _slow(facts: Facts) -> _Excerpts:
    for moment in facts.slow:
        yield moment.fingerprint, f"{moment.text}\ntook {moment.ms / 1000:,.0f} s"


def _left(facts: Facts) -> _Excerpts:
    if facts.ended == "question":
        yield facts.last_reply_fingerprint, f"agent: {facts.ended_text}"
    yield from _errors(facts)


def _api_failures(facts: Facts) -> _Excerpts:
    for moment in facts.api_failures:
        yield moment.fingerprint, moment.text


def _compactions(facts: Facts) -> _Excerpts:
    for moment in facts.compacted:  # of which Codex keeps no words
        yield moment.fingerprint, moment.text or "the context was compacted"


# All others are on errors.
_BY_SIGNAL: dict[SignalName, Callable[[Facts], _Excerpts]] = {
    "recovery": _recoveries,
    "user_correction": _corrections,
    "error_persistence": _persistences,
    "user_request": _turns,
    "instruction": _turns,
    "workflow": _turns,
    "false_claim": _false_claims,
    "edit_test_fix": _fixes,
    "retry_loop": _loops,
    "interruption": _interruptions,
    "first_pass": _passes,
    "kept_work": _passes,
    "slow_command": _slow,
    "abandoned": _left,
    "api_error": _api_failures,
    "compaction": _compactions,
}


def _failed(error: ErrorFact) -> str:
    """The call, the line that names the error before all else that was printed, what came next."""
    printed = [line for line in error.text.splitlines() if not is_wrapper(line.strip())]
    at = next((n for n, line in enumerate(printed) if error.line and error.line in line), 0)
    shown = "\n".join(printed) if at < _HEAD else "\n".join([error.line, "…", *printed])
    after = [f"then {action}" for action in error.after]
    room = MOST - len(error.call) - sum(map(len, after)) - 8
    if len(shown) > room:
        shown = shown[: room - 1] + "…"
    return "\n".join([line for line in (error.call, shown) if line] + after)


def _words_of(moment: Moment) -> str:
    before = [moment.before] if moment.before else []
    after = [f"then {action}" for action in moment.after]
    return "\n".join([*before, f"user: {moment.text}", *after])


def _turn(turn: TurnFact) -> str:
    before = [turn.before] if turn.before else []
    after = [f"then {action}" for action in turn.after]
    label = turn.label
    read = [f"read by {label.model} as: {label.rule}"] if label and label.rule else []
    return "\n".join([*before, f"user: {turn.own or turn.text}", *after, *read])


def _recovered(found: Recovery, error: ErrorFact | None) -> str:
    failed = [error.call, error.line] if error else []
    ended = "got past it" if found.is_further else "passed"
    passed = [f"then {found.passed}", ended] if found.passed != found.remedy else [ended]
    return "\n".join([*(line for line in failed if line), f"then {found.remedy}", *passed])
