"""What a person may do about a verdict; nothing follows from one by itself."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.schema.distribute import RUNGS, Rung
from helix_tui.schema.effect import Effect, EffectStep
from helix_tui.text.human import plural

DAY = 86_400_000
# A rule that has helped for so long, or about what nobody did for so long, may make room.
HELPED_DAYS = 180
QUIET_DAYS = 90
_RUNG_WORDS: dict[Rung, str] = {
    "line": "as a line",
    "rule": "as a rule for some files",
    "skill": "as a skill, with a line that names it",
    "guard": "by a guard, which denies the call or asks",
    "environment": "by a change of the environment, so that it cannot happen",
}


class Means(NamedTuple):
    """How a pattern is taught, and how else it could be.

    `has_files` says that it is about some files, `has_action` that a command's shape decides it.
    `last` is when it last could have happened, `now` the time of the newest session. `is_out` says
    that it was taken out, and not put back yet.
    """

    rung: str
    has_files: bool
    has_action: bool
    last: int | None
    now: int
    is_out: bool = False


def next_step(effect: Effect, means: Means) -> EffectStep | None:
    """What to do next, if anything; what went wrong first."""
    name = effect.id
    if effect.how != "ledger":
        return None
    if means.is_out:
        return _put_back(effect) if effect.state == "too_few" else None
    if effect.state in ("worse", "no_change", "regressed"):
        return _firmer(effect, means)
    if effect.state == "not_seen":
        return EffectStep(
            kind="load",
            text="No session is known to have loaded it; see which agent loads the file.",
            command=f"helix distribute status --pattern {name}",
        )
    quiet = (means.now - max(means.last or 0, effect.since)) // DAY
    if quiet >= QUIET_DAYS:
        return _retire(name, f"For {quiet} days no session could have needed it")
    helped = (means.now - effect.since) // DAY
    if effect.state == "helped" and helped >= HELPED_DAYS:
        return _retire(name, f"It has helped for {helped} days, and may have become a habit")
    if effect.state == "too_few":
        return _experiment(effect)
    return None


def firmer_rung(means: Means) -> Rung | None:
    """The next rung that fits what it is about."""
    places = [at for at, one in enumerate(RUNGS) if one == means.rung]
    fits: dict[Rung, bool] = {"rule": means.has_files, "guard": means.has_action}
    above = RUNGS[places[0] + 1 :] if places else ()
    return next((one for one in above if fits.get(one, True)), None)


def _firmer(effect: Effect, means: Means) -> EffectStep:
    rung = firmer_rung(means)
    said = {
        "worse": "It is more frequent since: take it out, or teach it otherwise",
        "regressed": "It had helped and has come back",
    }.get(effect.state, "Told, seen, and no rarer")
    retract = f"helix distribute retract {effect.id}"
    if rung is None:
        return EffectStep(kind="rung", text=f"{said}; no firmer way is left.", command=retract)
    how = "--guard ask" if rung == "guard" else f"--rung {rung}"
    return EffectStep(
        kind="rung",
        text=f"{said}; the next way to teach it is {_RUNG_WORDS[rung]}.",
        command=f"helix catalog set {effect.id} {how}",
        rung=rung,
    )


def _retire(name: str, why: str) -> EffectStep:
    return EffectStep(
        kind="retire",
        text=f"{why}: it can make room for another rule, and `helix effect` tells if it is back.",
        command=f"helix distribute retract {name}",
    )


def _experiment(effect: Effect) -> EffectStep:
    more = f"{plural(effect.needed, 'session')} more" if effect.needed else "more sessions"
    return EffectStep(
        kind="experiment",
        text=f"Wait for {more}; or take it out for a while and put it back "
        f"(`helix distribute apply --pattern {effect.id}`), which compares the times with and "
        "without it.",
        command=f"helix distribute retract {effect.id}",
    )


def _put_back(effect: Effect) -> EffectStep:
    return EffectStep(
        kind="experiment",
        text="It is out now. Once some sessions have worked without it, put it back: "
        "`helix effect` then compares the times with and without it.",
        command=f"helix distribute apply --pattern {effect.id}",
    )
