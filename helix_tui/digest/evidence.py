"""An occurrence as a person reads it: what was done, what came of it, and what was done next."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.schema import ErrorFact, Facts, Moment, Recovery
from helix_tui.text.naming import is_wrapper

MOST = 2048
# So far down a reader still sees the line that names the error.
_HEAD = 4


def excerpts(facts: Facts, fingerprints: set[int]) -> dict[int, str]:
    """What is kept of events, by fingerprint; an event may count for several things."""
    found: dict[int, str] = {}
    for fingerprint, text in _all(facts):
        if fingerprint in fingerprints and fingerprint not in found:
            found[fingerprint] = text if len(text) <= MOST else text[: MOST - 1] + "…"
    return found


def recovery_excerpts(facts: Facts, fingerprints: set[int]) -> dict[int, str]:
    """Errors with what then worked."""
    errors = {error.fingerprint: error for error in facts.errors}
    return {
        found.fingerprint: _recovered(found, errors.get(found.fingerprint))[:MOST]
        for found in reversed(facts.recoveries)
        if found.fingerprint in fingerprints
    }


def _all(facts: Facts) -> Iterator[tuple[int, str]]:
    for error in facts.errors:
        yield error.fingerprint, _failed(error)
    for moment in (*facts.corrections, *facts.reactions, *facts.persistences):
        yield moment.fingerprint, _said(moment)
    for moment in facts.false_claims:
        yield moment.fingerprint, f"agent: {moment.before}\n{moment.text}\nfailed"
    for moment in facts.fixes:
        yield moment.fingerprint, f"{moment.text}\nfailed {moment.count} times, each after an edit"
    for moment in facts.loops:
        yield moment.fingerprint, f"{moment.text}\n{moment.count} times with the same output"
    for moment in facts.interrupted:
        yield moment.fingerprint, f"{moment.text}\nstopped by the user"
    for moment in (*facts.first_passes.values(), *facts.kept):
        yield moment.fingerprint, f"{moment.text}\npassed"
    for moment in facts.slow:
        yield moment.fingerprint, f"{moment.text}\ntook {moment.ms / 1000:,.0f} s"
    if facts.ended == "question":
        yield facts.last_reply_fingerprint, f"agent: {facts.ended_text}"
    for moment in (*facts.api_failures, *facts.compacted):
        yield moment.fingerprint, moment.text


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
