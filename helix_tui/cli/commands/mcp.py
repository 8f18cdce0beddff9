"""`helix mcp`: a server by which agents ask what earlier sessions taught."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.agent_settings import (
    AgentArgument,
    OneAgentArgument,
    print_notes,
    print_taken_out,
)
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
    load_engine,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import UsageError
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.mcp import McpStatus

app = typer.Typer(
    help="Serve what earlier sessions taught to agents, by MCP on stdio.\n\n"
    "Agents start it by themselves once it is installed in their settings. Tools: recall, "
    "seen_before, patterns_for. It needs the package `mcp`: pip install 'helix-tui[mcp]'.",
    invoke_without_command=True,
    rich_markup_mode=None,
)
_AnyRepo = Annotated[
    bool,
    typer.Option("--any-repo", help="Tell of any repository that is asked for, not of one alone."),
]


@app.callback()
def serve(
    context: typer.Context,
    is_any_repo: _AnyRepo = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Answer on stdin and stdout until the agent goes."""
    if context.invoked_subcommand is not None:
        if is_any_repo:
            raise typer.BadParameter("--any-repo goes behind install, or without a command")
        return
    from helix_tui.engine.memory.mcp_install import MISSING, has_package

    if not has_package():
        raise UsageError("`helix mcp` needs the package `mcp`.", f"Run `{MISSING}`.")
    engine = load_engine(context, config, store, verbose)
    from helix_tui.mcp.server import serve as serve_mcp
    from helix_tui.mcp.tools import Toolbox

    serve_mcp(Toolbox(engine, Path.cwd(), is_any_repo=is_any_repo))


@app.command("install", help="Put the server into an agent's settings; all else in there stays.")
def install(
    context: typer.Context,
    flavor: AgentArgument,
    is_any_repo: _AnyRepo = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Install, and say what the person has to know."""
    from helix_tui.engine.memory.mcp_install import install_mcp, mcp_advice, mcp_statuses

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    is_changed = install_mcp(loaded, flavor, is_any_repo=is_any_repo)
    (status,) = mcp_statuses(loaded, flavor)
    if as_json:
        print_json("mcp", {"servers": [_as_json(status)], "changed": is_changed})
        return
    verb = "Installed in" if is_changed else "It was installed in"
    print(f"{verb} {safe_line(status.path)}.")
    whose = "any repository that is asked for" if is_any_repo else "the repository it is started in"
    print(f"It tells of {whose}, from {safe_line(str(loaded.store))}.")
    print(mcp_advice(loaded, flavor))
    print_notes([status])


@app.command("uninstall", help="Take the server out of an agent's settings; the file is as before.")
def uninstall(
    context: typer.Context,
    flavor: AgentArgument,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Uninstall; that there was nothing to do is fine."""
    from helix_tui.engine.memory.mcp_install import mcp_statuses, uninstall_mcp

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    is_changed = uninstall_mcp(loaded, flavor)
    (status,) = mcp_statuses(loaded, flavor)
    if as_json:
        print_json("mcp", {"servers": [_as_json(status)], "changed": is_changed})
        return
    print_taken_out(status.path, is_changed=is_changed)


@app.command("status", help="Show which agents know the server.")
def show(
    context: typer.Context,
    flavor: OneAgentArgument = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Look at the agents' settings; nothing is started."""
    from helix_tui.engine.memory.mcp_install import mcp_statuses

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    statuses = mcp_statuses(loaded, flavor)
    if as_json:
        print_json("mcp", {"servers": [_as_json(status) for status in statuses]})
        return
    print_table(
        (("agent", "left"), ("server", "left"), ("file", "flex")),
        [(one.flavor, "installed" if one.installed else "none", one.path) for one in statuses],
    )
    print_notes(statuses)


def _as_json(status: McpStatus) -> dict[str, Any]:
    return {
        "flavor": status.flavor,
        "installed": status.installed,
        "path": status.path,
        "command": status.command,
        "current": status.is_current,
        "any_repo": status.is_any_repo,
        "notes": status.notes,
        "todo": status.todo,
    }
