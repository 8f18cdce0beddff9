"""The `helix` command: its options and its subcommands."""

from __future__ import annotations

from typing import Annotated

import typer

from helix_tui import __version__
from helix_tui.cli.commands import sweep
from helix_tui.cli.ending import run_to_end
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OriginOption,
    PushOption,
    StoreOption,
    TeamOption,
    VerboseOption,
)
from helix_tui.cli.registry import Commands

app = typer.Typer(
    name="helix",
    cls=Commands,
    help="Turns coding agents' session logs into a curated Pattern Catalog. "
    "Without a command it opens the workstation.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"helix {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    is_sweep: Annotated[
        bool, typer.Option("--sweep", help="Take in what is new in the agents' logs.")
    ] = False,
    is_demo: Annotated[
        bool, typer.Option("--demo", help="The bundled sample, in a store of its own.")
    ] = False,
    is_team: TeamOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --sweep: read everything, create nothing.")
    ] = False,
    push: PushOption = False,
    origin: OriginOption = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Helix on its own opens the workstation; `helix --sweep` is `helix sweep`."""
    if context.invoked_subcommand is not None:
        options = {"sweep": is_sweep, "demo": is_demo, "dry-run": dry_run, "json": as_json}
        options |= {"push": push, "origin": bool(origin), "team": is_team}
        for name, is_given in options.items():
            if is_given:
                command = context.invoked_subcommand
                raise typer.BadParameter(f"--{name} does not go before a command: {command}")
        context.obj = {"config": config, "store": store, "verbose": verbose}
        return
    if is_team and (is_sweep or is_demo):
        raise typer.BadParameter("--team opens the workstation, or goes behind a command")
    if is_sweep and is_demo:
        from helix_tui.cli.commands import demo

        demo.run(context, dry_run, as_json, config, store, verbose)
        return
    if is_sweep:
        sweep.run(context, dry_run, as_json, config, store, verbose, push=push, origin=origin)
        return
    if dry_run or as_json or push or origin:
        name = "--dry-run" if dry_run else "--json" if as_json else "--push"
        raise typer.BadParameter(f"{name} goes with --sweep or a command")
    from helix_tui.cli.commands import workstation

    workstation.run(config, store, is_demo=is_demo, is_team=is_team)


def main() -> None:
    """Run the command; an error is a sentence and an exit code, never a traceback."""
    run_to_end(lambda: app())
