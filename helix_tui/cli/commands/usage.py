"""`helix usage`: tokens and cost by time, repository, model, agent or session."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.commands.sessions import cost_json
from helix_tui.cli.options import (
    ConfigOption,
    FlavorOption,
    JsonOption,
    RepoOption,
    SinceDayOption,
    StoreOption,
    UntilDayOption,
    VerboseOption,
    load_engine,
    parse_days,
    tell_unknown,
)
from helix_tui.cli.output import print_json, print_table, screen_width
from helix_tui.text.human import human_usd, plural

if TYPE_CHECKING:
    from helix_tui.schema import UsageRow


class By(StrEnum):
    """What tokens are summed by."""

    day = "day"
    week = "week"
    month = "month"
    repo = "repo"
    model = "model"
    flavor = "flavor"
    session = "session"


_HEADINGS = (
    "sessions",
    "input",
    "output",
    "cache read",
    "cache write",
    "reasoning",
    "cost",
    "share",
)
# What is left out where there is no room for all: no figure is ever cut.
_WIDE_ONLY = ("sessions", "cache write", "reasoning")
_WIDE = 110


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("usage", help="Sum up tokens and what they cost; days are UTC.")(_usage)


def _usage(
    context: typer.Context,
    by: Annotated[By, typer.Option(help="What to sum by.")] = By.day,
    flavor: FlavorOption = None,
    repo: RepoOption = None,
    since: SinceDayOption = None,
    until: UntilDayOption = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema import UsageFilter

    engine = load_engine(context, config, store, verbose)
    tell_unknown(engine, flavor, repo)
    wanted = UsageFilter(flavor, repo, *parse_days(since, until))
    rows, total = engine.usage(by.value, wanted)
    if as_json:
        listed = [_row_json(row, total) for row in rows]
        print_json("usage", {"rows": listed, "total": _row_json(total, total)})
        return
    headings = [by.value, *_HEADINGS]
    cells = [_cells(row, total) for row in (*rows, total)]
    is_narrow = sys.stdout.isatty() and screen_width() < _WIDE
    shown = [
        number
        for number, heading in enumerate(headings)
        if not (is_narrow and heading in _WIDE_ONLY)
    ]
    print_table(
        [(headings[number], "flex" if number == 0 else "right") for number in shown],
        [[row[number] for number in shown] for row in cells],
    )
    if total.cost.unpriced_tokens:
        print(
            f"{plural(total.cost.unpriced_tokens, 'token')} without a price: "
            "[prices] in the configuration can name one."
        )


def _row_json(row: UsageRow, total: UsageRow) -> dict[str, Any]:
    share = _share(row, total)
    return {"key": row.key, "sessions": row.sessions, **cost_json(row.cost), "share": share}


def _share(row: UsageRow, total: UsageRow) -> float | None:
    """The part of all that is priced; None where nothing is."""
    if not total.cost.usd_priced:
        return None
    return round((row.cost.usd_priced or 0) / total.cost.usd_priced, 4)


def _cells(row: UsageRow, total: UsageRow) -> tuple[str, ...]:
    cost, share = row.cost, _share(row, total)
    counts = (cost.input, cost.output, cost.cache_read, cost.cache_write, cost.reasoning)
    return (
        row.key,
        f"{row.sessions:,}",
        *(f"{count:,}" for count in counts),
        human_usd(cost),
        "-" if share is None else f"{share:.0%}",
    )
