"""`helix uninstall`: everything of Helix out of agents' and people's files."""

from __future__ import annotations

from typing import Annotated

import typer

from helix_tui.cli.commands.distribute import plan_json
from helix_tui.cli.options import ConfigOption, JsonOption, StoreOption, VerboseOption, load_engine
from helix_tui.cli.output import print_json
from helix_tui.text.safe import safe_line


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "uninstall",
        help="Take Helix out of agents' and people's files: blocks, rules, skills, hooks, "
        "MCP servers, schedule.\n\nThe store, the catalog and the journal stay.",
    )(_uninstall)


def _uninstall(
    context: typer.Context,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be taken out.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui import schedule
    from helix_tui.engine.memory.hook_status import hook_statuses
    from helix_tui.engine.memory.hooks import uninstall_hook
    from helix_tui.engine.memory.mcp_install import mcp_statuses, uninstall_mcp
    from helix_tui.schema.distribute import DistributeRequest

    engine = load_engine(context, config, store, verbose, keeps_log=False)
    request = DistributeRequest(is_retract=True)
    plan = engine.distribution.plan(request)
    hooks = [one for one in hook_statuses(engine.config) if one.installed]
    servers = [one for one in mcp_statuses(engine.config) if one.installed]
    if is_dry_run:
        timers = schedule.installed()
    else:
        if engine.distribution.ledger.path.exists():
            plan = engine.distribution.apply(request).plan
        for one in hooks:
            uninstall_hook(engine.config, one.flavor)
        for server in servers:
            uninstall_mcp(engine.config, server.flavor)
        timers = schedule.remove()
    files = [one for one in plan.writes if one.is_write]
    if as_json:
        print_json(
            "uninstall",
            {
                **plan_json(plan),
                "hooks": [{"flavor": one.flavor, "path": one.path} for one in hooks],
                "mcp": [{"flavor": one.flavor, "path": one.path} for one in servers],
                "schedule": timers,
                "dry_run": is_dry_run,
            },
        )
        return
    verb = "Would be taken out of" if is_dry_run else "Taken out of"
    theirs = (*(one.path for one in hooks), *(one.path for one in servers))
    for path in (*(one.file for one in files), *theirs, *timers):
        print(safe_line(f"{verb} {path}"))
    for refusal in plan.refusals:
        print(safe_line(f"Left in {refusal.file}: {refusal.pattern}: {refusal.message}"))
    if not (files or hooks or servers or timers):
        print("There was nothing to take out.")
