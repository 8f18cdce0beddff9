"""`helix serve`: the workstation in a browser."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from helix_tui.cli.options import ConfigOption, StoreOption, VerboseOption, load_config
from helix_tui.errors import UsageError

_PORT = 8723


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "serve",
        help="Show the workstation in a browser.\n\n"
        "Prints the address to open. A token in it is asked for by every request; without it "
        "nothing is shown. Only this machine can connect, unless you name another address and "
        "say --network. Needs `pip install 'helix-tui[serve]'`.",
    )(_serve)


def _serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port to listen on.")] = _PORT,
    is_network: Annotated[
        bool, typer.Option("--network", help="Let other machines connect, unencrypted.")
    ] = False,
    is_demo: Annotated[
        bool, typer.Option("--demo", help="The bundled sample, in a store of its own.")
    ] = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.serve.address import is_loopback, new_token, shown_address

    load_config(context, config, store, verbose)  # what is wrong with it is told here
    if not is_loopback(host):
        if not is_network:
            raise UsageError(
                f"{host} can be reached from other machines.",
                "Say --network as well if that is what you want, or use `ssh -L` instead.",
            )
        print(
            "helix: whoever has the address below can read your sessions and decide in your name, "
            "and whoever is on the way can read it: it is not encrypted.",
            file=sys.stderr,
        )
    if find_spec("textual_serve") is None:
        raise UsageError(
            "The workstation in a browser needs textual-serve.",
            "Install it with: pip install 'helix-tui[serve]'",
        )
    outer = context.obj or {}
    command = _command(config or outer.get("config"), store or outer.get("store"), is_demo)
    from helix_tui.serve.server import HelixServer

    token = new_token()

    def tell() -> None:
        print(f"Open {shown_address(host, port, token)}")
        print("Ctrl-C ends it; what was decided is saved at once.", flush=True)

    try:
        HelixServer(command, host, port, token).serve_until_stopped(tell)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"Nothing can be served on {host}, port {port}: {reason}.", "--port names another."
        ) from error


def _command(config: Path | None, store: Path | None, is_demo: bool) -> str:
    """The workstation's own command, in the same Python, on the same store."""
    words = [sys.executable, "-m", "helix_tui"]
    words += ["--config", str(config.absolute())] if config else []
    words += ["--store", str(store.absolute())] if store else []
    words += ["--demo"] if is_demo else []
    return shlex.join(words)
