"""What people ask for in a session, as signals that meet where act and thing are the same."""

from __future__ import annotations

from collections.abc import Iterator

from helix_tui.digest.programs import programs_in
from helix_tui.digest.turns.traits import names_of
from helix_tui.schema import Facts, TurnFact
from helix_tui.schema.signal import Signal
from helix_tui.text.clauses import clauses_of
from helix_tui.text.request_words import ACTS, WEAK

# The task of a session, answers, refusals and pasted text are no request that may recur.
_NO_REQUEST = frozenset(
    {"first", "task", "pick", "long", "pasted", "failure", "negates", "plain", "declines", "asks"}
)
_MOST_STEMS = 6
_LONGEST = 200
# A command that the person ran without the agent is a signal of its own.
RAN = "$ "


def requests(facts: Facts) -> Iterator[Signal]:
    """Each brief order of a person by its verb and the thing it names, and what they ran before it.

    A turn that a model has labelled is the reader's, one that the rules hear as a correction is
    theirs.
    """
    heard = {moment.fingerprint for moment in (*facts.corrections, *facts.persistences)}
    for turn in facts.turns:
        is_labelled = turn.label is not None and bool(turn.label.topic)
        if is_labelled or turn.fingerprint in heard:
            continue
        traits = set(names_of(turn.traits))
        if turn.own_run and (programs := programs_in(turn.own_run)) and not traits & {"task"}:
            yield _request(turn, f"{RAN}{programs[-1]}", "")
        text = turn.own or turn.text
        if traits & _NO_REQUEST or turn.command or len(text) > _LONGEST:
            continue
        for clause in clauses_of(text):
            if is_order(clause):
                yield _request(turn, f"{clause[0]} {clause[1]}", " ".join(clause))


def is_order(clause: list[str]) -> bool:
    """Whether a clause is brief, begins with a verb that asks for work, and names a thing."""
    if not 2 <= len(clause) <= _MOST_STEMS or clause[0] not in ACTS:
        return False
    return not (clause[0] in WEAK and clause[1] in WEAK)


def _request(turn: TurnFact, subject: str, template: str) -> Signal:
    return Signal(
        "user_request",
        subject=subject,
        template=template,
        first_ts=turn.ts,
        last_ts=turn.ts,
        chars=turn.took,
        fingerprints=[turn.fingerprint],
        text=turn.own or turn.text,
    )
