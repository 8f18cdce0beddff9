"""What a person reads of an occurrence says what it is cited for."""

from __future__ import annotations

import pytest

from helix_tui.digest.evidence import MOST, excerpts
from helix_tui.schema import ErrorFact, Facts, Moment, Recovery
from helix_tui.schema.signal import SignalName

EVENT = 7


def facts() -> Facts:
    """One event that counts for whatever an event can count for."""
    call = "$ pytest -q"
    error = ErrorFact(EVENT, 1, "Bash", 1, "g", "E  boom", "E  boom\nat x", call, ["$ ls"])
    moment = Moment(EVENT, 1, call, 3, before="All done.", ms=90_000)
    return Facts(
        errors=[error],
        recoveries=[Recovery(EVENT, 1, "g", "add -p", "$ pytest -q -p 1", "$ pytest -q -p 1")],
        corrections=[moment],
        persistences=[moment],
        false_claims=[moment],
        fixes=[moment],
        loops=[moment],
        interrupted=[moment],
        first_passes={"pytest": moment},
        kept=[moment],
        slow=[moment],
        compacted=[Moment(EVENT, 1, "")],
        api_failures=[Moment(EVENT, 1, "overloaded")],
    )


@pytest.mark.parametrize(
    ("signal", "text"),
    [
        ("tool_error", "$ pytest -q\nE  boom\nat x\nthen $ ls"),
        ("abandoned", "$ pytest -q\nE  boom\nat x\nthen $ ls"),
        ("recovery", "$ pytest -q\nE  boom\nthen $ pytest -q -p 1\npassed"),
        ("user_correction", "All done.\nuser: $ pytest -q"),
        ("error_persistence", "All done.\nuser: $ pytest -q"),
        ("false_claim", "agent: All done.\n$ pytest -q\nfailed: E  boom"),
        ("edit_test_fix", "$ pytest -q\nfailed 3 times, each after an edit: E  boom"),
        ("retry_loop", "$ pytest -q\n3 times with the same output"),
        ("interruption", "$ pytest -q\nstopped by the user"),
        ("first_pass", "$ pytest -q\npassed"),
        ("kept_work", "$ pytest -q\npassed"),
        ("slow_command", "$ pytest -q\ntook 90 s"),
        ("api_error", "overloaded"),
        ("compaction", "the context was compacted"),
    ],
)
def test_one_event_is_told_as_what_it_is_cited_for(signal: SignalName, text: str) -> None:
    assert excerpts(facts(), signal) == {EVENT: text}


def test_it_is_bounded() -> None:
    long = Facts(slow=[Moment(EVENT, 1, "$ " + "x" * 5000, ms=1)])
    assert len(excerpts(long, "slow_command")[EVENT]) == MOST


def test_an_open_question() -> None:
    asked = Facts(ended="question", ended_text="Shall I?", last_reply_fingerprint=EVENT)
    assert excerpts(asked, "abandoned") == {EVENT: "agent: Shall I?"}
