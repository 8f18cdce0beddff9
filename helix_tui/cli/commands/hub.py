"""`helix hub`: a server that records the decisions of a team, and whom it listens to."""

from __future__ import annotations

import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
    named,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import UsageError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.hub_server.records import Records
    from helix_tui.hub_server.team_rows import TeamRows

_PORT = 8724
_MOST_NAME = 60
_VARIABLE = "HELIX_HUB_DATABASE"
_TEAM_VARIABLE = "HELIX_HUB_TEAM_PASSWORD"

app = typer.Typer(
    help="Serve a hub that records the decisions of a team.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
tokens = typer.Typer(
    help="Say who may send decisions to your hub.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(tokens, name="token")

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        help=f"A file, or postgresql://user@host/name; `${_VARIABLE}` keeps a password out of the "
        "list of processes. Default: hub/hub.db in the data folder.",
    ),
]


@app.command(
    "serve",
    help="Take decisions at POST /decisions until Ctrl-C.\n\n"
    "Only this machine can connect, unless you name another address, a certificate and its key. "
    "GET /ready says whether decisions can be recorded, GET /metrics counts them. Needs "
    "`pip install 'helix-tui[team]'`.",
)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port to listen on.")] = _PORT,
    certificate: Annotated[
        Path | None, typer.Option(help="The certificate (PEM) to speak TLS with.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The certificate's key (PEM).")] = None,
    per_second: Annotated[
        int, typer.Option(min=1, help="How many decisions a second one token may send.")
    ] = 1_000,
    database: DatabaseOption = "",
    team: Annotated[
        str,
        typer.Option(
            "--team-store",
            metavar="URL",
            help="The store of a team, whose rows are taken as well: postgresql://hub@host/name, "
            f"its password in `${_TEAM_VARIABLE}`.",
        ),
    ] = "",
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Serve until stopped."""
    from helix_tui.serve.address import is_loopback

    if (certificate is None) != (key is None):
        raise UsageError("A certificate needs its key.", "Give both --certificate and --key.")
    if certificate is None and not is_loopback(host):
        raise UsageError(
            f"{host} can be reached from other machines, and tokens would go there in the clear.",
            "Give --certificate and --key, or let a proxy on this machine speak TLS.",
        )
    _need("uvicorn", "starlette")
    records = _records(context, database, config, store, verbose)
    if not records.senders():
        print(
            "helix: nobody has a token yet, so that nothing will be taken. "
            "Make one: helix hub token add NAME",
            file=sys.stderr,
        )
    import uvicorn

    from helix_tui.hub_server.app import HubApp

    settings = uvicorn.Config(
        HubApp(records, per_second, _team_rows(team) if team else None).asgi(),
        host=host,
        port=port,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=30,
        limit_concurrency=2_000,
    )
    scheme = "https" if certificate else "http"
    shown = f"[{host}]" if ":" in host else host
    print(f"Taking decisions at {scheme}://{shown}:{port} into {safe_line(records.place)}.")
    print("Ctrl-C ends it; what was answered is on the disk.", flush=True)
    try:
        uvicorn.Server(settings).run()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"Nothing can be served on {host}, port {port}: {reason}.", "--port names another."
        ) from error
    finally:
        records.close()


@app.command("decisions", help="Show what was recorded, and which decisions hold.")
def decisions(
    context: typer.Context,
    database: DatabaseOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print the record."""
    recorded = _records(context, database, config, store, verbose).decisions()
    if as_json:
        print_json("hub", {"decisions": [row._asdict() for row in recorded]})
        return
    if not recorded:
        print("No decision was recorded yet: point [hub] url of a machine at this hub.")
        return
    print_table(
        (
            ("at", "left"),
            ("sender", "left"),
            ("author", "left"),
            ("verdict", "left"),
            ("candidate", "flex"),
            ("holds", "left"),
        ),
        [
            (
                row.at[:16],
                safe_line(row.sender),
                safe_line(row.author),
                row.verdict,
                row.candidate,
                "yes" if row.holds else "no",
            )
            for row in recorded
        ],
    )
    print(f"{plural(len(recorded), 'decision')}.")


@tokens.command("add", help="Make a token for a person, a machine or a project; it is shown once.")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Who sends with it.")],
    database: DatabaseOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print a new token."""
    plain = safe_line(named(name)).strip()
    if not plain or len(plain) > _MOST_NAME:
        raise UsageError(f"A name has 1 to {_MOST_NAME} characters.", "Take another one.")
    records = _records(context, database, config, store, verbose)
    token = records.add_token(plain, _now_ms())
    if as_json:
        print_json("hub", {"name": plain, "token": token})
        return
    print(token)
    print(
        f"This is the token of {plain}; it is kept nowhere. On their machine it goes into the file "
        "that [hub] token_file names, or the variable of token_env.",
        file=sys.stderr,
    )


@tokens.command("list", help="Show who has a token, without the tokens.")
def show(
    context: typer.Context,
    database: DatabaseOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print the names."""
    rows = [
        {"name": row.name, "created_at": iso(row.created_ms), "revoked_at": iso(row.revoked_ms)}
        for row in _records(context, database, config, store, verbose).tokens()
    ]
    if as_json:
        print_json("hub", {"tokens": rows})
        return
    if not rows:
        print("Nobody has a token yet. Make one: helix hub token add NAME")
        return
    print_table(
        (("name", "flex"), ("made", "left"), ("revoked", "left")),
        [
            (
                str(row["name"]),
                str(row["created_at"])[:16],
                str(row["revoked_at"])[:16] if row["revoked_at"] else "",
            )
            for row in rows
        ],
    )


@tokens.command("revoke", help="End what a token may do; what it sent stays in the record.")
def revoke(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Whose token.")],
    database: DatabaseOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Revoke a token; a running server refuses it within a second."""
    plain = safe_line(named(name)).strip()
    _records(context, database, config, store, verbose).revoke_token(plain, _now_ms())
    if as_json:
        print_json("hub", {"name": plain, "revoked": True})
        return
    print(f"The token of {plain} is revoked. A running hub refuses it within a second.")


def _records(
    context: typer.Context,
    database: str,
    config: Path | None,
    store: Path | None,
    verbose: bool,
) -> Records:
    from helix_tui.hub_server.records import Records

    loaded = load_config(context, config, store, verbose)
    address = database or os.environ.get(_VARIABLE, "") or str(loaded.store / "hub" / "hub.db")
    if "://" in address:
        _need("psycopg")
    return Records(address)


def _team_rows(address: str) -> TeamRows:
    """What takes a team's rows; the password is in no list of processes."""
    from helix_tui.team.address import checked_address, is_https

    place = checked_address(address)
    if is_https(place):
        raise UsageError("A hub reaches a team's store itself.", "Give postgresql://hub@host/name")
    _need("psycopg")
    from helix_tui.hub_server.team_rows import TeamRows

    return TeamRows(place, os.environ.get(_TEAM_VARIABLE, ""))


def _need(*modules: str) -> None:
    if any(find_spec(module) is None for module in modules):
        raise UsageError(
            f"A hub needs {' and '.join(modules)}.",
            "Install what it needs with: pip install 'helix-tui[team]'",
        )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
