"""What the client says: interruptions, failed requests, titles, commands of the person."""

from __future__ import annotations

from helix_tui.digest.background import background_failure_in
from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.hook_runs import is_hook_run, note_hook_run
from helix_tui.digest.person_runs import note_person_run
from helix_tui.digest.steps.failure import record_error
from helix_tui.digest.steps.folding import AFTER_LENGTH, Folding
from helix_tui.digest.tables import note
from helix_tui.digest.title.own import note_own_title
from helix_tui.schema import PROMPT_TEXT, Fault, Moment


def note_title(part: Folding, ts: int | None, text: str) -> None:
    """Takes a title that the agent gives its session, if a text is one."""
    part.texts.add(PROMPT_TEXT, ts, note_own_title(part.facts, ts, text))


def take_system(
    part: Folding,
    fingerprint: int,
    ts: int | None,
    role: str | None,
    text: str,
    fault: Fault | None,
) -> None:
    """Takes what the client says."""
    facts = part.facts
    note_title(part, ts, text)
    if fault == "interruption":
        facts.interruptions += 1
        part.listener.take_interruption()
        note(facts.interrupted, Moment(fingerprint, ts, part.memory.last_action))
        facts.ended, facts.ended_text = "interrupted", ""
    elif fault == "api_error":
        facts.api_errors += 1
        note(facts.api_failures, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
        # A record of a failed attempt is followed by another one; a message ends the turn.
        if role == "assistant":
            facts.ended, facts.ended_text = "api_error", excerpt_line(text, AFTER_LENGTH)
    elif failure := background_failure_in(text):
        facts.failures += 1
        record_error(part, fingerprint, ts, None, None, failure)
    elif is_hook_run(text):
        note_hook_run(facts, part.memory, fingerprint, ts, text)
    elif text.startswith("<bash-"):
        note_person_run(facts, part.memory, fingerprint, ts, text)
