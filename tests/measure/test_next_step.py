"""What is proposed behind each verdict; a person decides."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helix_tui.measure.next_step import DAY, HELPED_DAYS, QUIET_DAYS, Means, next_step
from helix_tui.schema.effect import Effect, EffectState
from tests.tui.made_effects import HELPED

SINCE = HELPED.effect.since
AT_ONCE = Means("line", has_files=False, has_action=True, last=SINCE, now=SINCE)


def made(state: EffectState) -> Effect:
    return replace(HELPED.effect, state=state, how="ledger")


@pytest.mark.parametrize("state", ["worse", "no_change", "regressed"])
def test_what_did_not_help_is_taught_by_the_next_rung_that_fits(state: EffectState) -> None:
    wanted = {"line": "skill", "skill": "guard", "guard": "environment", "environment": ""}
    for rung, firmer in wanted.items():
        step = next_step(made(state), AT_ONCE._replace(rung=rung))
        assert step is not None
        assert (step.kind, step.rung or "") == ("rung", firmer)
        assert ("retract" if not firmer else "catalog set") in step.command
    scoped = next_step(made(state), AT_ONCE._replace(has_files=True))
    assert scoped is not None
    assert scoped.rung == "rule"
    without = next_step(made(state), AT_ONCE._replace(rung="skill", has_action=False))
    assert without is not None
    assert without.rung == "environment", "no command's shape decides it: no guard can"


def test_what_helped_for_long_or_is_needed_no_more_may_make_room() -> None:
    now = SINCE + HELPED_DAYS * DAY
    cases: list[tuple[EffectState, int | None, int, bool]] = [
        ("helped", now, now, True),
        ("helped", now - DAY, now - DAY, False),
        ("too_few", SINCE, SINCE + QUIET_DAYS * DAY, True),
        ("helped", None, SINCE + QUIET_DAYS * DAY, True),
        ("helped", SINCE + DAY, SINCE + QUIET_DAYS * DAY, False),
    ]
    for state, last, until, is_offered in cases:
        step = next_step(made(state), AT_ONCE._replace(last=last, now=until))
        assert (step is not None and step.kind == "retire") is is_offered, (state, last, until)


def test_too_few_may_be_taken_out_and_put_back() -> None:
    step = next_step(made("too_few"), AT_ONCE)
    assert step is not None
    assert (step.kind, step.command) == ("experiment", f"helix distribute retract {HELPED.id}")
    assert f"apply --pattern {HELPED.id}" in step.text
    assert next_step(made("helped"), AT_ONCE) is None
    assert next_step(replace(made("worse"), how="given"), AT_ONCE) is None, "nothing to take out"


def test_what_is_out_may_be_put_back_and_not_taken_out_again() -> None:
    out = AT_ONCE._replace(is_out=True)
    step = next_step(made("too_few"), out)
    assert step is not None
    assert (step.kind, step.command) == (
        "experiment",
        f"helix distribute apply --pattern {HELPED.id}",
    )
    assert "It is out now." in step.text
    assert [next_step(made(state), out) for state in ("worse", "no_change", "helped")] == [None] * 3
