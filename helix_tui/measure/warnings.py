"""What a reader should know before believing a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.agent_homes import agent_name
from helix_tui.measure.looks import LOOKS, sessions_without
from helix_tui.schema.effect import Baseline, EffectState, EffectWarning, ExposureCounts


class Basis(NamedTuple):
    """What warnings are made of."""

    state: EffectState
    baseline: Baseline
    exposure: ExposureCounts
    has_control_fallen: bool
    can_tell: bool
    # Agents with the model that they mostly had before, and the one that they have since.
    changed_models: Sequence[tuple[str, str, str]] = ()
    # The same of the agents' own versions, right before and right after.
    changed_versions: Sequence[tuple[str, str, str]] = ()


def warnings_of(basis: Basis) -> list[EffectWarning]:
    """All that apply, what weighs most first."""
    exposure, baseline = basis.exposure, basis.baseline
    made: list[EffectWarning] = []
    if basis.has_control_fallen and basis.state in ("helped", "regressed"):
        made.append(
            EffectWarning(
                "control_fell",
                "It became rarer where the rule was not loaded, too: something else may be why.",
            )
        )
    for agent, before, after in basis.changed_models:
        made.append(
            EffectWarning(
                "model",
                f"{agent_name(agent)} mostly worked with {before} before and with {after} since: "
                "that may be why.",
            )
        )
    for agent, before, after in basis.changed_versions:
        made.append(
            EffectWarning(
                "agent_version",
                f"{agent_name(agent)} itself was {before} right before and {after} right after: "
                "that may be why.",
            )
        )
    if not baseline.of:
        made.append(
            EffectWarning("none_before", "No session from before it came in can be compared with.")
        )
    elif not basis.can_tell:
        made.append(EffectWarning("rare", _rare(baseline)))
    if baseline.method in ("split", "lower_half"):
        made.append(
            EffectWarning(
                "split",
                "There are too few candidates to correct the rate before for having been picked: "
                f"only {baseline.of} of the sessions before count.",
            )
        )
    if exposure.unknown:
        made.append(
            EffectWarning(
                "unknown",
                f"Of {exposure.unknown} later sessions nobody knows whether they saw the rule; "
                "they are left out.",
            )
        )
    if exposure.unseen:
        made.append(
            EffectWarning(
                "unseen",
                f"{exposure.unseen} later sessions did not load the rule, though other sessions of "
                "the same agent did; they are left out.",
            )
        )
    if exposure.assumed > exposure.observed:
        made.append(
            EffectWarning(
                "assumed",
                f"That {exposure.assumed} of the sessions saw the rule is assumed: their logs do "
                "not say.",
            )
        )
    return made


def _rare(baseline: Baseline) -> str:
    text = f"It was too rare before, or too few sessions are known: not even {LOOKS[-1]} sessions "
    text += "without it would show that it helped."
    if baseline.rate:
        text += f" At a rate that is known for sure it takes {sessions_without(baseline.rate)}."
    return text
