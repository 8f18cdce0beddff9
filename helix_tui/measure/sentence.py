"""A verdict as one plain sentence or two, for a screen, a report or a page."""

from __future__ import annotations

from helix_tui.measure.groups import groups_named
from helix_tui.schema.effect import Effect, Rate


def sentence(effect: Effect) -> str:
    """Both rates, what follows, and what became of it where the rule was not loaded."""
    parts = [f"{_rates(effect)} {_verdict(effect)}"]
    if effect.control is not None:
        parts.append(
            f"{groups_named(effect.control_groups)}, which did not load it: {_of(effect.control)}."
        )
    if any(warning.kind == "control_fell" for warning in effect.warnings):
        parts.append("It became rarer there, too.")
    return " ".join(parts)


def p_value(p: float) -> str:
    """A p-value as people write it: .003."""
    if p < 0.001:
        return "< .001"
    text = f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
    return "= " + text.removeprefix("0")


def _rates(effect: Effect) -> str:
    before = f"before: {_of(effect.before)}"
    if effect.state == "not_seen":
        return f"No session since it came in is known to have seen it; {before}."
    sessions = f"{effect.sessions:,} session{'' if effect.sessions == 1 else 's'}"
    return f"In {sessions} since it came in: {_of(effect.after)} that could; {before}."


def _verdict(effect: Effect) -> str:
    tested = "" if effect.p is None else f", p {p_value(effect.p)}"
    match effect.state:
        case "helped":
            return f"Helped{tested}."
        case "worse":
            return f"Worse{tested}."
        case "regressed":
            return f"It had helped{tested}, and has come back since."
        case "no_change":
            return f"No change that can be told{tested}."
        case "too_few" if effect.needed is None:
            return "Too few to tell, and more will not do."
        case "too_few":
            return f"Too few to tell: about {effect.needed:,} more that could."
        case _:
            return "Nothing can be said yet."


def _of(rate: Rate) -> str:
    return f"{rate.did:,} of {rate.opportunities:,}"
