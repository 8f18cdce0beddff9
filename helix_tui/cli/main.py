"""The `helix` command: its options, its subcommands, and how it ends."""

from __future__ import annotations

import errno
import io
import sys
from typing import Annotated, NoReturn

import typer

from helix_tui import __version__
from helix_tui.cli.commands import sweep
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OriginOption,
    PushOption,
    StoreOption,
    TeamOption,
    VerboseOption,
)
from helix_tui.cli.output import discard_output
from helix_tui.cli.registry import Commands
from helix_tui.errors import ExitCode, HelixError
from helix_tui.text.safe import safe_line

_OUTPUT_TROUBLE = (errno.ENOSPC, errno.EIO)

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

    workstation.run(context, config, store, is_demo=is_demo, is_team=is_team)


def main() -> None:
    """Run the command; an error is a sentence and an exit code, never a traceback."""
    _prepare_streams()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except HelixError as error:
        for line in str(error).split("\n"):
            print(f"helix: {safe_line(line)}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Who reads has seen enough: `helix sessions | head`.
        discard_output()
        sys.exit(ExitCode.DONE)
    except OSError as error:
        if error.errno not in _OUTPUT_TROUBLE:
            _tell_bug(error)
        discard_output()
        print(f"helix: the output cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(ExitCode.UNWRITABLE)
    except Exception as error:  # noqa: BLE001 - the last resort: a bug, told as such
        _tell_bug(error)


def _prepare_streams() -> None:
    """A closed or narrow stream must not keep a command from doing its work."""
    if sys.stdout is None:
        discard_output()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _tell_bug(error: Exception) -> NoReturn:
    import logging

    log = logging.getLogger("helix_tui")
    if log.handlers:
        log.error("a bug", exc_info=error)
    print(
        f"helix: this is a bug in Helix: {safe_line(f'{type(error).__name__}: {error}')}. "
        "The log file has the details; the store is as the last commit left it.",
        file=sys.stderr,
    )
    sys.exit(ExitCode.BUG)
