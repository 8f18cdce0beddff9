"""`helix doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import plural, print_json
from helix_tui.text.safe import safe_line


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("doctor", help="Check store, sources and permissions; changes nothing.")(_doctor)


def _doctor(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    # Doctor never writes, so it keeps no log either.
    checks = load_engine(context, config, store, verbose, keeps_log=False).doctor()
    wrong = [check for check in checks if not check.is_ok]
    if as_json:
        listed = [
            {
                "name": check.name,
                "ok": check.is_ok,
                "detail": check.detail,
                "todo": "" if check.is_ok else check.todo,
            }
            for check in checks
        ]
        print_json("doctor", {"ok": not wrong, "checks": listed})
    else:
        for check in checks:
            print(f"{'ok   ' if check.is_ok else 'WRONG'}  {check.name}: {safe_line(check.detail)}")
            if not check.is_ok:
                print(f"       {safe_line(check.todo)}")
        print("Everything is fine." if not wrong else f"{plural(len(wrong), 'thing')} to mend.")
    if wrong:
        raise typer.Exit(3)
