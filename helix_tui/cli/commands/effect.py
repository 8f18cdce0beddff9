"""`helix effect`: did it help?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.completion import complete_pattern
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    RepoOption,
    SinceOption,
    StoreOption,
    TeamOption,
    VerboseOption,
    load_config,
    load_engine,
    named,
    parse_since,
    tell_unknown,
)
from helix_tui.cli.output import console, print_json, print_table
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.text.human import human_chance
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from helix_tui.config import Config
    from helix_tui.schema.effect import EffectFilter, EffectReport, Measured, Rate

_STATES = {
    "helped": "helped",
    "no_change": "no change",
    "worse": "worse",
    "too_few": "too few",
    "not_seen": "not seen",
    "regressed": "came back",
}
_PARTS = {
    "before": "before",
    "after": "after",
    "control_before": "control",
    "control_after": "control",
    "left_out": "left out",
}
# Nobody reads more from a terminal; --json has all.
_MOST_SESSIONS = 40


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "effect",
        help="Say whether what was taught helped.\n\n"
        "Without an ID all patterns that were ever distributed, what needs you first. With one: "
        "its rates before and since, by week and by agent, the control, what it rests on, and what "
        "to do next. Nothing is changed by it.",
    )(_effect)


def _effect(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            autocompletion=complete_pattern,
            help="A pattern; a candidate together with --at or --rule.",
        ),
    ] = None,
    repo: RepoOption = None,
    agent: Annotated[
        str | None, typer.Option("--agent", parser=named, help="Only sessions of this agent.")
    ] = None,
    since: SinceOption = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="When it came in, where nobody noted it: 2026-10-01, 14d. All sessions since "
            "count as having seen it.",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            metavar="FILE:LINE",
            parser=named,
            help="Measure a line that somebody wrote by hand, since the first commit that has it.",
        ),
    ] = None,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema.effect import EffectFilter

    wanted = EffectFilter(
        repo or None,
        agent or None,
        parse_since(since) if since else None,
        parse_since(at) if at else None,
        _place(rule) if rule else None,
    )
    if is_team and (wanted.at is not None or wanted.rule is not None):
        raise UsageError(
            "--at and --rule measure what lies on this machine.", "Say them without --team."
        )
    if wanted.at is not None and name is None and wanted.rule is None:
        raise UsageError("--at says when something came in.", "Name the pattern or candidate.")
    if is_team:
        loaded = load_config(context, config, store, verbose, keeps_log=False)
        report = _of_team(loaded, name, wanted)
        if name is None:
            _show_all(report, as_json)
        else:
            _show(report.measured, as_json)
        return
    engine = load_engine(context, config, store, verbose, keeps_log=False)
    tell_unknown(engine, wanted.agent, wanted.repo)
    if wanted.rule is not None:
        measured = engine.effects.rule(name, wanted)
    elif name is not None:
        measured = [engine.effects.one(name, wanted)]
    else:
        _show_all(engine.effects.all(wanted), as_json)
        return
    _show(measured, as_json)


def _of_team(config: Config, name: str | None, wanted: EffectFilter) -> EffectReport:
    """What all machines measured; with an id that pattern alone, each of its wordings."""
    from helix_tui.engine.team.engine import TeamEngine

    report = TeamEngine(config).measured(wanted)
    if name is None:
        return report
    found = [one for one in report.measured if name in (one.id, *one.candidates)]
    if not found:
        raise NotFoundError(
            f"Nobody in the team distributed {name}.", "`helix effect --team` lists what was."
        )
    return report._replace(measured=found)


def _show_all(report: EffectReport, as_json: bool) -> None:
    if not as_json:
        _print_all(report)
        return
    from helix_tui.cli.commands.effect_json import measured_json, unmeasured_json

    rows = [measured_json(one) for one in report.measured]
    print_json("effect", {"patterns": rows, "unmeasured": unmeasured_json(report)})


def _show(measured: Sequence[Measured], as_json: bool) -> None:
    if as_json:
        from helix_tui.cli.commands.effect_json import measured_json

        print_json(
            "effect", {"patterns": [measured_json(one) for one in measured], "unmeasured": []}
        )
        return
    for number, one in enumerate(measured):
        if number:
            print()
        _print_one(one)


def _place(text: str) -> tuple[str, int]:
    file, sign, line = text.rpartition(":")
    if not sign or not file or not line.isdecimal():
        raise UsageError(f"{text!r} names no line.", "Say FILE:LINE, such as AGENTS.md:12.")
    return file, int(line)


def _print_all(report: EffectReport) -> None:
    if not report.measured and not report.unmeasured:
        print(
            "Nothing was distributed yet, so there is nothing to measure. `helix distribute plan` "
            "shows what could be; `helix effect --rule FILE:LINE` measures a rule of your own."
        )
        return
    if report.measured:
        print_table(
            (
                *(("state", "left"), ("pattern", "flex"), ("before", "left"), ("since", "left")),
                *(("p", "left"), ("control", "left"), ("came in", "left")),
            ),
            [_row(one) for one in report.measured],
        )
        _say("")
    for one in report.measured:
        if one.step is not None and one.step.kind != "experiment":
            _say(f"{one.id}: {one.step.text} `{one.step.command}`")
    for other in report.unmeasured:
        _say(f"not measured: {other.id}: {other.reason}")
    _say("with / sessions that could. `helix effect ID` shows one whole; docs/effect.md says how.")


def _row(one: Measured) -> tuple[str, ...]:
    from helix_tui.measure.sentence import p_value

    effect = one.effect
    more = f" ({effect.needed:,} more)" if effect.needed else ""
    return (
        f"{_STATES[effect.state]}{more}",
        one.id,
        _of(effect.before),
        _of(effect.after),
        p_value(effect.p).removeprefix("= ") if effect.p is not None else "",
        _of(effect.control) if effect.control else "",
        (iso(effect.since) or "-")[:10],
    )


def _of(rate: Rate) -> str:
    return f"{rate.did:,}/{rate.opportunities:,}"


def _say(line: str) -> None:
    from rich.text import Text

    console().print(Text(safe_line(line)))


def _print_one(one: Measured) -> None:
    effect = one.effect
    _say(one.title)
    version = f" {effect.version}" if effect.version else ""
    _say(f"{one.id}{version}: {_STATES[effect.state]}")
    if one.rule:
        _say(f"rule: {one.rule}")
    _say("")
    _say(effect.sentence)
    _say(f"An opportunity: {one.opportunity}.")
    _rates(one)
    for warning in effect.warnings:
        _say(f"! {warning.message}")
    if one.experiment is not None:
        from helix_tui.measure.sentence import p_value

        made = one.experiment
        _say(
            f"Taken out and put back: {_of(made.with_rule)} with it, {_of(made.without_rule)} "
            f"without, p {p_value(made.p)}."
        )
    if one.step is not None:
        _say(f"\nNext: {one.step.text}\n  {one.step.command}")
    _moments(one)
    _agents(one)
    _weeks(one)
    _sessions(one)


def _rates(one: Measured) -> None:
    effect = one.effect
    rows = [("before", effect.before), ("since", effect.after)]
    if effect.control is not None and effect.control_before is not None:
        rows += [("control before", effect.control_before), ("control since", effect.control)]
    for label, rate in rows:
        if rate.rate is not None:
            _say(
                f"  {label:<15} {rate.rate:4.0%}  ({rate.low:.0%} to {rate.high:.0%}), {_of(rate)}"
            )
    if effect.baseline is not None and effect.baseline_method != "raw":
        _say(
            f"  {'baseline':<15} {effect.baseline:4.0%}  ({effect.baseline_low:.0%} to "
            f"{effect.baseline_high:.0%}), before without the luck of being picked"
        )
    if effect.chance is not None:
        _say(f"  chance that the rate is lower than the baseline: {human_chance(effect.chance)}")
    seen = effect.exposure
    _say(
        f"  who saw it: {seen.observed:,} by their log, {seen.assumed:,} assumed, {seen.unknown:,} "
        f"unknown, {seen.unseen:,} did not"
    )


_KINDS = {"in": "came in", "words": "other words", "out": "went out", "again": "came in again"}


def _moments(one: Measured) -> None:
    if one.moments:
        print()
    for moment in one.moments:
        who = f" for {', '.join(moment.agents)}" if moment.agents else ""
        when = (iso(moment.at) or "-")[:16]
        where = ", ".join(moment.files)
        _say(f"{when}  {_KINDS[moment.kind]} ({moment.version}){who}: {where}")
    if len(one.periods) > 2:
        for period in one.periods:
            since = (iso(period.since) or "")[:10] if period.since else "the beginning"
            state = "in" if period.is_in else "not in"
            _say(f"  from {since}: {state}, {_of(period.rate)}")


def _agents(one: Measured) -> None:
    if len(one.agents) < 2:
        return
    print()
    for agent in one.agents:
        needed = f", {agent.needed:,} more" if agent.needed else ""
        _say(
            f"{agent.agent}: {_STATES[agent.state]}{needed}; before {_of(agent.before)}, since "
            f"{_of(agent.after)}"
        )


def _weeks(one: Measured) -> None:
    print()
    marks = {week: kind for kind, week in ((m.kind, _monday(m.at)) for m in one.moments)}
    print_table(
        (("week", "left"), ("", "left"), ("with/could", "right"), ("rate", "left"), ("", "left")),
        [
            (
                point.week,
                "control" if point.is_control else "",
                f"{point.did:,}/{point.opportunities:,}",
                f"{'█' * round(20 * point.rate):<20} {point.rate:.0%}",
                _KINDS[marks[point.week]] if point.week in marks and not point.is_control else "",
            )
            for point in one.points
        ],
    )


def _monday(ts: int) -> str:
    from helix_tui.measure.weeks import monday_of

    return monday_of(ts)


def _sessions(one: Measured) -> None:
    print()
    latest = sorted(one.sessions, key=lambda row: -row.at)[:_MOST_SESSIONS]
    print_table(
        (
            *(("began", "left"), ("session", "flex"), ("repo", "flex"), ("as", "left")),
            *(("with", "left"), ("saw it", "left"), ("how it is known", "flex")),
        ),
        [
            (
                (iso(row.at) or "-")[:16],
                row.session,
                row.repo,
                _PARTS[row.part],
                "yes" if row.did else "",
                row.exposure.replace("_", " "),
                row.proof,
            )
            for row in latest
        ],
    )
    if len(one.sessions) > len(latest):
        _say(f"the latest {len(latest)} of {len(one.sessions):,} that could; --json has all.")
