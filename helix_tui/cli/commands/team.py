"""`helix team`: a store that many machines share, in PostgreSQL."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated, Literal

import typer

from helix_tui.cli.options import (
    CandidateArgument,
    ConfigOption,
    JsonOption,
    NoteOption,
    StoreOption,
    VerboseOption,
    load_config,
    named,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import UsageError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

app = typer.Typer(
    help="Share what recurs with a team, never a transcript.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

AddressArgument = Annotated[
    str,
    typer.Argument(
        metavar="URL", parser=named, help="postgresql://you@host/name, without a password."
    ),
]


def need_driver() -> None:
    """Refuse where what a team needs is not installed."""
    if find_spec("psycopg") is None:
        raise UsageError("A team needs psycopg.", "Install it with: pip install 'helix-tui[team]'")


@app.command(
    "init",
    help="Make a team's store in PostgreSQL, or bring it up to date.\n\n"
    "Creates tables, monthly partitions, roles and row-level security; called again it changes "
    "nothing that is as it must be. URL names an administrator, who may create roles; their "
    "password comes from $PGPASSWORD or ~/.pgpass.",
)
def init(
    context: typer.Context,
    address: AddressArgument,
    team: Annotated[str, typer.Option(help="What the team is called.")] = "team",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Make or migrate the store."""
    need_driver()
    from helix_tui.engine.team.setup import make_team

    made = make_team(load_config(context, config, store, verbose), address, named(team))
    if as_json:
        print_json("team", made._asdict())
        return
    done = f"ran {', '.join(made.migrations)}" if made.migrations else "nothing was left to do"
    print(safe_line(f"The store of {made.team} is at schema {made.schema}: {done}."))
    print(safe_line(f"The team's key is in {made.key_file}: keep a copy, invitations need it."))
    print("Next: helix team invite URL, for each person and each CI project.")


@app.command(
    "invite",
    help="Make a role for a person or a CI project, and print its secret, once.\n\n"
    "The pseudonym is all that others see of who it is; without one it is made up.",
)
def invite(
    context: typer.Context,
    address: AddressArgument,
    pseudonym: Annotated[str, typer.Argument(help="What the others shall see.")] = "",
    kind: Annotated[
        Literal["person", "ci"],
        typer.Option(help="A CI project only pushes, and reads nothing of others."),
    ] = "person",
    keeper: Annotated[
        bool, typer.Option("--keeper", help="It may group what all push into candidates.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print a new member's secret."""
    need_driver()
    from helix_tui.engine.team.setup import invite_member

    loaded = load_config(context, config, store, verbose)
    made = invite_member(loaded, address, named(pseudonym), kind, is_keeper=keeper)
    if as_json:
        print_json("team", made._asdict())
        return
    print(made.secret)
    print(
        f"This is the secret of {made.role}; it is kept nowhere. On their machine it goes into "
        "$HELIX_TEAM_SECRET or a file of mode 0600, then: "
        f"helix team join postgresql://{made.role}@…",
        file=sys.stderr,
    )


@app.command("revoke", help="End what a member may do; what it pushed stays.")
def revoke(
    context: typer.Context,
    address: AddressArgument,
    pseudonym: Annotated[str, typer.Argument(help="Whose role.")],
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Revoke a member's role."""
    need_driver()
    from helix_tui.engine.team.setup import revoke_member

    name = named(pseudonym)
    revoke_member(load_config(context, config, store, verbose), address, name)
    if as_json:
        print_json("team", {"role": name, "revoked": True})
        return
    print(safe_line(f"{name} can no longer sign in. What it pushed stays."))


@app.command(
    "sync",
    help="Bring the team's list here, tell verdicts and hear those of others.\n\n"
    "No session is sent. A keeper groups what others pushed first; big groups of which little "
    "changed wait for an hour, unless --thorough says otherwise.",
)
def sync(
    context: typer.Context,
    is_thorough: Annotated[
        bool, typer.Option("--thorough", help="A keeper groups everything that waits.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Exchange list and verdicts."""
    need_driver()
    from helix_tui.engine.team.exchange import exchange_now

    loaded = load_config(context, config, store, verbose)
    done = exchange_now(loaded, is_hurried=not is_thorough)
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


@app.command(
    "assign",
    help="Say who of the team is to look at a candidate.\n\n"
    "It stands in the journal and goes to the team as verdicts do. Without a pseudonym anybody is "
    "to look at it again.",
)
def assign(
    context: typer.Context,
    candidate: CandidateArgument,
    pseudonym: Annotated[
        str, typer.Argument(parser=named, help="Who, as `helix team status` names them.")
    ] = "",
    note: NoteOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Assign a candidate to a member."""
    from helix_tui.engine.team.assigning import assign as assign_to
    from helix_tui.engine.team.engine import TeamEngine

    engine = TeamEngine(load_config(context, config, store, verbose))
    line = assign_to(engine, candidate, pseudonym, note)
    if as_json:
        print_json(
            "team", {"candidate": line.candidate, "assigned": pseudonym or None, "id": line.id}
        )
        return
    whose = f"is for {pseudonym} to look at" if pseudonym else "is for anybody to look at"
    print(safe_line(f"{line.candidate} {whose}. `helix team sync` tells the others."))
