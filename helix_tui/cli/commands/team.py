"""`helix team`: a store that many machines share, in PostgreSQL."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated, Literal

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
    named,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import UsageError
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
