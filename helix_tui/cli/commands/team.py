"""`helix team`: a store that many machines share, in PostgreSQL."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OriginOption,
    RepoOption,
    StoreOption,
    VerboseOption,
    load_config,
    named,
)
from helix_tui.cli.output import print_json, print_json_stream, print_table
from helix_tui.errors import ExitCode, UsageError
from helix_tui.text.human import human_bytes, plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine.team.pushing import Pushed

_SHOWN_HELD = 10

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


def need_driver(address: str = "") -> None:
    """Refuse where what a team needs is not installed; a hub needs no driver."""
    if not address.startswith("http") and find_spec("psycopg") is None:
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
    team: Annotated[str, typer.Option("--team-name", help="What the team is called.")] = "team",
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
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print a new member's secret."""
    need_driver()
    from helix_tui.engine.team.setup import invite_hub, invite_member, reach_through

    loaded = load_config(context, config, store, verbose)
    if kind == "hub":
        _print_hub(pseudonym, invite_hub(loaded, address, named(pseudonym)), as_json)
        return
    made = invite_member(loaded, address, named(pseudonym), kind, is_keeper=keeper)
    if through:
        reach_through(loaded, address, through, made.role)
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
    "join",
    help="Make this data folder one of a team's.\n\n"
    "Its origin is random and says nothing about the machine. The secret comes from "
    "$HELIX_TEAM_SECRET, a file of mode 0600 or the keyring, never from the command line. "
    "Nothing leaves before [team] repos names a repository.",
)
def join(
    context: typer.Context,
    address: AddressArgument,
    origin: OriginOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Enrol this data folder."""
    need_driver(address)
    from helix_tui.engine.team.joining import join as enrol

    loaded = load_config(context, config, store, verbose)
    joined = enrol(loaded, address, origin)
    if as_json:
        print_json("team", {"role": joined.role, "origin": joined.origin, "url": joined.address})
        return
    print(safe_line(f"Joined as {joined.role}; this data folder is {joined.origin}."))
    repos = loaded.team.repos
    print(
        safe_line(f"Pushed are sessions of {', '.join(repos)}: {loaded.team.share}.")
        if repos
        else "Nothing leaves yet: [team] repos names the repositories that are shared."
    )
    print("Look first at what would leave: helix team push --preview")


@app.command(
    "push",
    help="Send what changed to the team.\n\n"
    "Only sessions of [team] repos leave; what they hold is redacted once more, and what does not "
    "pass is held back and told. It can be stopped and called again: nothing is sent twice in "
    "effect. --preview prints exactly what would leave, a line of JSON for each session. Without a "
    "network --to writes it to a file, which --from sends from elsewhere.",
)
def push(
    context: typer.Context,
    is_preview: Annotated[
        bool, typer.Option("--preview", help="Print what would leave, and send nothing.")
    ] = False,
    to_file: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write all rows to a file.")
    ] = None,
    from_file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Send the rows of such a file.")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Push, or show what would be pushed."""
    if sum((is_preview, to_file is not None, from_file is not None)) > 1:
        raise UsageError("--preview, --to and --from are three things.", "Say one of them.")
    loaded = load_config(context, config, store, verbose)
    if is_preview:
        _preview(loaded)
        return
    with stop_on_signal() as stop:
        done = _pushed(loaded, to_file, from_file, stop.is_asked)
    stop.exit_if_asked()
    if as_json:
        print_json("team", _pushed_json(done))
    else:
        _tell_pushed(done, to_file)
    if done.problem:
        print(f"helix: {safe_line(done.problem)}", file=sys.stderr)
    elif to_file is None:
        from helix_tui.engine.team.exchange import exchange_behind

        for message in exchange_behind(loaded):
            print(f"helix: {safe_line(message)}", file=sys.stderr)
    if done.problem or done.held:
        raise typer.Exit(ExitCode.PROBLEMS)


def _pushed(
    config: Config,
    to_file: Path | None,
    from_file: Path | None,
    cancelled: Callable[[], bool],
) -> Pushed:
    if to_file is not None or from_file is not None:
        from helix_tui.engine.team import row_files

        if to_file is not None:
            return row_files.write_rows(config, to_file)
        assert from_file is not None
        return row_files.push_file(config, from_file)
    from helix_tui.engine.team.pushing import push as send

    return send(config, cancelled=cancelled)


def _pushed_json(done: Pushed) -> dict[str, object]:
    return {
        "pushed": done.pushed,
        "held": [one._asdict() for one in done.held],
        "pending": done.pending,
        "bytes": done.size,
        "problem": done.problem,
    }


def _tell_pushed(done: Pushed, to_file: Path | None) -> None:
    verb = f"Wrote to {to_file}:" if to_file else "Pushed:"
    sessions = plural(done.pushed, "session")
    print(safe_line(f"{verb} {sessions}, {human_bytes(done.size)}. {done.pending:,} wait."))
    for one in done.held[:_SHOWN_HELD]:
        print(safe_line(f"  held back: {one.what}: {one.why}"))
    if len(done.held) > _SHOWN_HELD:
        print(f"  and {len(done.held) - _SHOWN_HELD:,} more: `helix team status --json` lists all")


def _preview(config: Config) -> None:
    """Print the rows as they would leave, byte for byte, and on stderr how many bytes that is."""
    from helix_tui.engine.team.row_files import preview

    rows = size = 0
    for data in preview(config):
        sys.stdout.write(data.decode() + "\n")
        rows, size = rows + 1, size + len(data)
    sys.stdout.flush()
    print(
        f"helix: {plural(rows, 'session')} would leave, {size:,} bytes; nothing was sent.",
        file=sys.stderr,
    )


@app.command("status", help="How this data folder stands with its team: sent, waiting, held back.")
def status(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print the state of the outbox."""
    from helix_tui.engine.team.standing import standing

    found = standing(load_config(context, config, store, verbose))
    if as_json:
        from msgspec import to_builtins

        membership = found.membership
        print_json(
            "team",
            {
                **found._asdict(),
                "membership": membership and to_builtins(membership),
                "held": [one._asdict() for one in found.held],
            },
        )
        return
    if found.membership is None:
        print("This data folder belongs to no team. Join one: helix team join URL")
        return
    member = found.membership
    print(safe_line(f"{member.role} at {member.address}, origin {member.origin}."))
    repos = ", ".join(found.repos) or "none, so that nothing leaves"
    print(safe_line(f"Shared: {found.share} of {repos}."))
    print(
        f"Sessions: {found.sent:,} sent, {found.pending:,} wait, {len(found.held):,} held back, "
        f"{found.forgotten:,} forgotten."
    )
    for one in found.held[:_SHOWN_HELD]:
        print(safe_line(f"  held back: {one.what}: {one.why}"))
    if found.tombstones_waiting:
        print(f"{found.tombstones_waiting:,} to be forgotten, which the team has not heard yet.")
    if found.error:
        print(safe_line(f"Last try: {found.error} Tried again from {found.next_at} on."))
    print(
        "The team's store answers."
        if found.is_reachable
        else safe_line(f"The team's store does not answer: {found.problem}")
    )


@app.command(
    "forget",
    help="Have the team forget a session, a repository, or all that is yours.\n\n"
    "It is gone from the team's store, and stays out whatever is pushed later. What is on this "
    "machine stays; `helix forget` drops a session here, and the next push has the team forget it.",
)
def forget(
    context: typer.Context,
    session: Annotated[str, typer.Option("--session", parser=named, help="One session.")] = "",
    repo: RepoOption = None,
    me: Annotated[
        bool, typer.Option("--me", help="All sessions of all your machines, and leave the team.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Forget for good."""
    if sum((bool(session), bool(repo), me)) != 1:
        raise UsageError("Say what is to be forgotten.", "--session ID, --repo NAME or --me")
    from helix_tui.engine.team.forgetting import forget as bury

    loaded = load_config(context, config, store, verbose)
    done = bury(loaded, session=session, repo=repo or "", is_everything=me)
    if as_json:
        print_json("team", done._asdict())
    elif done.is_told:
        print("The team's store has forgotten it, for good.")
    if not done.is_told:
        print(
            safe_line(
                f"helix: the team has not heard it yet, the next push tells it: {done.problem}"
            ),
            file=sys.stderr,
        )
        raise typer.Exit(ExitCode.PROBLEMS)


@app.command("export", help="Print all that the team's store has of you, a line of JSON a row.")
def export(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print one's own rows."""
    need_driver()
    from helix_tui.engine.team.exporting import export as own

    rows: Iterator[dict[str, object]] = own(load_config(context, config, store, verbose))
    if as_json:
        print_json_stream("team", {}, "rows", rows)
        return
    for row in rows:
        print(json.dumps(row, ensure_ascii=True))


@app.command(
    "retain",
    help="Show how much each month holds, and drop months that are over.\n\n"
    "URL names whoever made the store. Without --yes it only says what would go.",
)
def retain(
    context: typer.Context,
    address: AddressArgument,
    before: Annotated[
        str, typer.Option("--before", metavar="YYYY-MM", help="The first month that is kept.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Drop what was listed.")] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Drop whole months, or say which would go."""
    need_driver()
    from helix_tui.engine.team.setup import retain_months

    loaded = load_config(context, config, store, verbose)
    kept = retain_months(loaded, address, before, is_certain=yes)
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
