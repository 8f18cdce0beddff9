"""An occurrence as a person reads it: what was done, what came of it, and what was done next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helix_tui.schema import ErrorFact, Facts, Moment, Recovery
from helix_tui.schema.signal import SignalName
from helix_tui.text.signature.naming import is_wrapper

MOST = 2048
# So far down a reader still sees the line that names the error.
_HEAD = 4
# Fingerprints of events with what is said of them.
_Told = Iterator[tuple[int, str]]


def excerpts(facts: Facts, signal: SignalName) -> dict[int, str]:
    """What is kept of a signal's events, by fingerprint; an event may count for several things."""
    found: dict[int, str] = {}
    for fingerprint, text in _TOLD.get(signal, _errors)(facts):
        found.setdefault(fingerprint, text if len(text) <= MOST else text[: MOST - 1] + "…")
    return found


def _errors(facts: Facts) -> _Told:
    for error in facts.errors:
        yield error.fingerprint, _failed(error)
    for group in facts.groups.values():
        call = f"$ {group.command}\n" if group.command else ""
        yield group.fingerprint, f"{call}{group.line}"


def _recoveries(facts: Facts) -> _Told:
    errors = {error.fingerprint: error for error in facts.errors}
    for found in facts.recoveries:
        yield found.fingerprint, _recovered(found, errors.get(found.fingerprint))


def _corrections(facts: Facts) -> _Told:
    for moment in (*facts.corrections, *facts.reactions):
        yield moment.fingerprint, _said(moment)


def _persistences(facts: Facts) -> _Told:
    for moment in facts.persistences:
        yield moment.fingerprint, _said(moment)


def _false_claims(facts: Facts) -> _Told:
    for moment in facts.false_claims:
        said = f"agent: {moment.before}\n{moment.text}\nfailed"
        yield moment.fingerprint, _with_error(facts, moment, said)


def _fixes(facts: Facts) -> _Told:
    for moment in facts.fixes:
        said = f"{moment.text}\nfailed {moment.count} times, each after an edit"
        yield moment.fingerprint, _with_error(facts, moment, said)


def _with_error(facts: Facts, moment: Moment, said: str) -> str:
    """What happened with the line that names the error, where that is kept."""
    lines = [one.line for one in facts.errors if one.fingerprint == moment.fingerprint]
    return f"{said}: {lines[0]}" if lines and lines[0] else said


def _loops(facts: Facts) -> _Told:
    for moment in facts.loops:
        yield moment.fingerprint, f"{moment.text}\n{moment.count} times with the same output"


def _interruptions(facts: Facts) -> _Told:
    for moment in facts.interrupted:
        yield moment.fingerprint, f"{moment.text}\nstopped by the user"


def _passes(facts: Facts) -> _Told:
    for moment in (*facts.first_passes.values(), *facts.kept):
        yield moment.fingerprint, f"{moment.text}\npassed"


def _slow(facts: Facts) -> _Told:
    for moment in facts.slow:
        yield moment.fingerprint, f"{moment.text}\ntook {moment.ms / 1000:,.0f} s"


def _left(facts: Facts) -> _Told:
    if facts.ended == "question":
        yield facts.last_reply_fingerprint, f"agent: {facts.ended_text}"
    yield from _errors(facts)


def _api_failures(facts: Facts) -> _Told:
    for moment in facts.api_failures:
        yield moment.fingerprint, moment.text


def _compactions(facts: Facts) -> _Told:
    for moment in facts.compacted:  # of which Codex keeps no words
        yield moment.fingerprint, moment.text or "the context was compacted"


# All others are on errors.
_TOLD: dict[SignalName, Callable[[Facts], _Told]] = {
    "recovery": _recoveries,
    "user_correction": _corrections,
    "error_persistence": _persistences,
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
    """The call, the line that names the error before all else that was said, what came next."""
    said = [line for line in error.text.splitlines() if not is_wrapper(line.strip())]
    at = next((n for n, line in enumerate(said) if error.line and error.line in line), 0)
    shown = "\n".join(said) if at < _HEAD else "\n".join([error.line, "…", *said])
    after = [f"then {action}" for action in error.after]
    room = MOST - len(error.call) - sum(map(len, after)) - 8
    if len(shown) > room:
        shown = shown[: room - 1] + "…"
    return "\n".join([line for line in (error.call, shown) if line] + after)


def _said(moment: Moment) -> str:
    before = [moment.before] if moment.before else []
    after = [f"then {action}" for action in moment.after]
    return "\n".join([*before, f"user: {moment.text}", *after])


def _recovered(found: Recovery, error: ErrorFact | None) -> str:
    failed = [error.call, error.line] if error else []
    passed = [f"then {found.passed}", "passed"] if found.passed != found.remedy else ["passed"]
    return "\n".join([*(line for line in failed if line), f"then {found.remedy}", *passed])
