"""`helix forget`: drops everything of a session and keeps it out."""

from __future__ import annotations

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    SessionArgument,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import plural, print_json
from helix_tui.text.safe import safe_line


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "forget",
        help="Drop everything of a session, and keep it out.\n\n"
        "Its sub-agents go with it. The agent's own log is not touched.",
    )(_forget)


def _forget(
    context: typer.Context,
    session: SessionArgument,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    forgotten, count = load_engine(context, config, store, verbose).forget(session)
    if as_json:
        print_json("forget", {"session": forgotten.id, "dropped": count})
        return
    children = f" and {plural(count - 1, 'sub-agent')} of it" if count > 1 else ""
    print(f"Forgot {safe_line(forgotten.id)}{children}; its log is untouched and stays out.")
