"""`helix team` for whoever runs the database: make it, invite, revoke, retain."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from helix_tui.cli.commands.team import AddressArgument
from helix_tui.cli.configured import configured
from helix_tui.cli.options import JsonOption, named
from helix_tui.cli.output import print_json, print_table
from helix_tui.text.human import human_bytes, plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config

app = typer.Typer()


@app.command(
    "init",
    help="Make a team's store in PostgreSQL, or bring it up to date.\n\n"
    "Creates tables, monthly partitions, roles and row-level security; called again it changes "
    "nothing that is as it must be. URL names an administrator, who may create roles; their "
    "password comes from $PGPASSWORD or ~/.pgpass.",
)
@configured
def init(
    config: Config,
    address: AddressArgument,
    team: Annotated[str, typer.Option("--team-name", help="What the team is called.")] = "team",
    as_json: JsonOption = False,
) -> None:
    """Make or migrate the store."""
    from helix_tui.engine.team.setup import make_team

    made = make_team(config, address, named(team))
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
@configured
def invite(
    config: Config,
    address: AddressArgument,
    pseudonym: Annotated[str, typer.Argument(help="What the others shall see.")] = "",
    kind: Annotated[
        Literal["person", "ci", "hub"],
        typer.Option(
            help="A CI project only pushes, and reads nothing of others; a hub takes rows for "
            "those who are invited --through it."
        ),
    ] = "person",
    through: Annotated[
        str, typer.Option(metavar="HUB", parser=named, help="The hub that pushes for them.")
    ] = "",
    keeper: Annotated[
        bool, typer.Option("--keeper", help="It may group what all push into candidates.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print a new member's secret."""
    from helix_tui.engine.team.setup import invite_hub, invite_member, reach_through

    if kind == "hub":
        _print_hub(pseudonym, invite_hub(config, address, named(pseudonym)), as_json)
        return
    made = invite_member(config, address, named(pseudonym), kind, is_keeper=keeper)
    if through:
        reach_through(config, address, through, made.role)
        print(
            f"helix: through the hub their secret is the token of `helix hub token add "
            f"{made.role}`, and behind it what follows the last point here, that point included.",
            file=sys.stderr,
        )
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


def _print_hub(name: str, password: str, as_json: bool) -> None:
    if as_json:
        print_json("team", {"role": name, "password": password, "kind": "hub"})
        return
    print(password)
    print(
        f"This is the password of the hub {name}: $HELIX_HUB_TEAM_PASSWORD of "
        f"`helix hub serve --team-store postgresql://{name}@…`",
        file=sys.stderr,
    )


@app.command("revoke", help="End what a member may do; what it pushed stays.")
@configured
def revoke(
    config: Config,
    address: AddressArgument,
    pseudonym: Annotated[str, typer.Argument(help="Whose role.")],
    as_json: JsonOption = False,
) -> None:
    """Revoke a member's role."""
    from helix_tui.engine.team.setup import revoke_member

    name = named(pseudonym)
    revoke_member(config, address, name)
    if as_json:
        print_json("team", {"role": name, "revoked": True})
        return
    print(safe_line(f"{name} can no longer sign in. What it pushed stays."))


@app.command(
    "retain",
    help="Show how much each month holds, and drop months that are over.\n\n"
    "URL names whoever made the store. Without --yes it only says what would go.",
)
@configured
def retain(
    config: Config,
    address: AddressArgument,
    before: Annotated[
        str, typer.Option("--before", metavar="YYYY-MM", help="The first month that is kept.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Drop what was listed.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Drop whole months, or say which would go."""
    from helix_tui.engine.team.setup import retain_months

    kept = retain_months(config, address, before, is_certain=yes)
    if as_json:
        print_json("team", {**kept._asdict(), "months": [row._asdict() for row in kept.months]})
        return
    print_table(
        (("month", "left"), ("sessions", "right"), ("size", "right"), ("", "flex")),
        [
            (
                f"{row.month // 100}-{row.month % 100:02}" if row.month else "undated",
                f"{row.sessions:,}",
                human_bytes(row.size),
                "goes" if row.month in kept.dropped else "",
            )
            for row in kept.months
        ],
    )
    if kept.is_done:
        print(f"Dropped {plural(kept.sessions, 'session')}.")
    elif kept.dropped:
        print(f"{plural(kept.sessions, 'session')} would go. Say --yes to drop them.")
