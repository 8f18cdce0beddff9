"""`helix team sync` and `assign`: the one list, and who is to look at what."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.configured import configured
from helix_tui.cli.options import (
    CandidateArgument,
    JsonOption,
    NoteOption,
    named,
)
from helix_tui.cli.output import print_json
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config


def register(app: typer.Typer) -> None:
    """Add the commands to those of a team."""
    app.command(
        "sync",
        help="Bring the team's list here, tell verdicts and hear those of others.\n\n"
        "No session is sent. A keeper groups what others pushed first; big groups of which little "
        "changed wait for an hour, unless --thorough says otherwise.",
    )(configured(_sync))
    app.command(
        "assign",
        help="Say who of the team is to look at a candidate.\n\n"
        "It stands in the journal and goes to the team as verdicts do. Without a pseudonym anybody "
        "is to look at it again.",
    )(configured(_assign))


def _sync(
    config: Config,
    is_thorough: Annotated[
        bool, typer.Option("--thorough", help="A keeper groups everything that waits.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Exchange list and verdicts."""
    from helix_tui.engine.team.exchange import exchange_now

    done = exchange_now(config, is_hurried=not is_thorough)
    if as_json:
        print_json(
            "team",
            {
                "pulled": done.pulled,
                "grouped": done.grouped._asdict() if done.grouped else None,
                "held": [one._asdict() for one in done.held],
            },
        )
        return
    for one in done.held:
        print(safe_line(f"helix: held back: {one.what}: {one.why}"), file=sys.stderr)
    print(f"{plural(done.pulled, 'candidate')} changed. `helix --team` shows the list.")
    if done.grouped is not None and done.grouped.waiting:
        print(f"{plural(done.grouped.waiting, 'big group')} will be grouped within an hour.")


def _assign(
    config: Config,
    candidate: CandidateArgument,
    pseudonym: Annotated[
        str, typer.Argument(parser=named, help="Who, as `helix team status` names them.")
    ] = "",
    note: NoteOption = "",
    as_json: JsonOption = False,
) -> None:
    """Assign a candidate to a member."""
    from helix_tui.engine.team.assigning import assign as assign_to
    from helix_tui.engine.team.engine import TeamEngine

    engine = TeamEngine(config)
    line = assign_to(engine, candidate, pseudonym, note)
    if as_json:
        print_json(
            "team", {"candidate": line.candidate, "assigned": pseudonym or None, "id": line.id}
        )
        return
    whose = f"is for {pseudonym} to look at" if pseudonym else "is for anybody to look at"
    print(safe_line(f"{line.candidate} {whose}. `helix team sync` tells the others."))
