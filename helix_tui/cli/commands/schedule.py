"""`helix schedule`: sweeps at a cadence, by systemd or cron."""

from __future__ import annotations

import typer

from helix_tui.cli.options import ConfigOption, JsonOption, StoreOption, VerboseOption, load_config
from helix_tui.cli.output import print_json

app = typer.Typer(help="Sweep at a cadence, by systemd or cron.", rich_markup_mode=None)


@app.command("print")
def print_schedule(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print the systemd units and the cron line."""
    from helix_tui.schedule import UNIT, schedule_for

    outer_store = (context.obj or {}).get("store")
    schedule = schedule_for(
        load_config(context, config, store, verbose, keeps_log=False), store or outer_store
    )
    if as_json:
        fields = {"service": schedule.service, "timer": schedule.timer, "cron": schedule.cron_line}
        print_json("schedule", fields)
        return
    print(
        f"# {UNIT}.service\n{schedule.service}\n# {UNIT}.timer\n{schedule.timer}\n# or in a crontab"
    )
    print(schedule.cron_line)


@app.command("install")
def install_schedule(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Install a systemd user timer, or a cron line where there is no systemd."""
    from helix_tui.schedule import install, schedule_for

    outer_store = (context.obj or {}).get("store")
    where = install(
        schedule_for(
            load_config(context, config, store, verbose, keeps_log=False), store or outer_store
        )
    )
    if as_json:
        print_json("schedule", {"installed": where})
    else:
        print(f"Installed {where}.")


@app.command("remove")
def remove_schedule(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Take the timer and the cron line away."""
    from helix_tui.schedule import remove

    load_config(context, config, store, verbose, keeps_log=False)
    removed = remove()
    if as_json:
        print_json("schedule", {"removed": removed})
    else:
        print(f"Removed {' and '.join(removed)}." if removed else "There was nothing to remove.")
