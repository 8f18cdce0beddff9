"""All subcommands, imported when one is asked for: `helix --sweep` needs none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo, TyperInfo

from helix_tui.cli.output import discard_output, has_no_reader
from helix_tui.errors import ExitCode

# What somebody wants to do, and the commands for it: the order of `--help` and of the reference.
GROUPS: dict[str, tuple[str, ...]] = {
    "Take in and look": (
        "sweep",
        "status",
        "sessions",
        "show",
        "search",
        "usage",
        "report",
        "serve",
    ),
    "Find what recurs": ("detect", "context", "signature"),
    "Decide": (
        *("curate", "approve", "reject", "discuss", "snooze", "merge", "split", "undo"),
        *("catalog", "decisions"),
    ),
    "Teach": ("distribute", "effect"),
    "Remember": ("recall", "flush", "compile", "notes", "memory", "mcp"),
    "Work in a team": ("team", "hub", "archive"),
    "Keep in order": ("doctor", "retain", "pin", "forget"),
    "Set up": ("config", "schedule", "hooks", "model", "uninstall"),
}

_WIDEST_HELP = 100


class Commands(TyperGroup):
    """A group that imports its commands on first use, and lists them by purpose."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; where who reads its output has seen enough, it ends in order."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            if not has_no_reader():
                # Typer takes every broken pipe for that of the output, and ends without a word.
                raise RuntimeError(f"a pipe to another program broke: {error}") from error
            discard_output()
            ctx.exit(ExitCode.DONE)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name: it alone is made, which takes longer than importing all."""
        if cmd_name not in self.commands:
            # An unknown name is answered with those that are like it.
            names = (cmd_name,) if cmd_name in _entries() else tuple(_entries())
            self.commands.update(_made(names))
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all, in the order of their purposes."""
        listed = [name for names in GROUPS.values() for name in names]
        return listed + [name for name in _entries() if name not in listed]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of `--help` under what somebody wants to do."""
        width = max(map(len, self.list_commands(ctx)))
        for purpose, names in GROUPS.items():
            with formatter.section(purpose):
                formatter.write_dl([(name.ljust(width), _short_help(name)) for name in names])


def _short_help(name: str) -> str:
    """The first sentence of a command's help, of which nothing else is made."""
    entry = _entries()[name]
    app = entry.typer_instance if isinstance(entry, TyperInfo) else None
    text = app.info.help if app is not None else entry.help
    return TyperCommand(name, help=text).get_short_help_str(limit=_WIDEST_HELP)


def _made(names: Iterable[str]) -> Mapping[str, Any]:
    """Commands, ready to be run."""
    app = typer.Typer(rich_markup_mode=None)
    for name in names:
        entry = _entries()[name]
        if isinstance(entry, TyperInfo):
            app.registered_groups.append(entry)
        else:
            app.registered_commands.append(entry)
    return typer.main.get_group(app).commands


@cache
def _entries() -> dict[str, CommandInfo | TyperInfo]:
    """What is registered, by name."""
    app = _registered()
    entries: list[CommandInfo | TyperInfo] = [*app.registered_commands, *app.registered_groups]
    return {entry.name: entry for entry in entries if entry.name}


def _registered() -> typer.Typer:
    from helix_tui.cli.commands import (
        archive,
        catalog,
        config,
        context,
        curate,
        decisions,
        detect,
        distribute,
        doctor,
        effect,
        flush,
        forget,
        hooks,
        hub,
        mcp,
        memory,
        model,
        notes,
        recall,
        report,
        retain,
        schedule,
        search,
        serve,
        sessions,
        show,
        signature,
        status,
        sweep,
        team,
        team_admin,
        team_list,
        uninstall,
        usage,
        verdicts,
    )

    app = typer.Typer(rich_markup_mode=None)
    for command in (
        sweep,
        status,
        sessions,
        show,
        search,
        usage,
        report,
        serve,
        detect,
        context,
        signature,
        curate,
        verdicts,
        retain,
        forget,
        flush,
        notes,
        recall,
        doctor,
        effect,
        uninstall,
    ):
        command.register(app)
    app.add_typer(catalog.app, name="catalog")
    app.add_typer(decisions.app, name="decisions")
    app.add_typer(distribute.app, name="distribute")
    app.add_typer(config.app, name="config")
    app.add_typer(schedule.app, name="schedule")
    app.add_typer(hooks.app, name="hooks")
    app.add_typer(model.app, name="model")
    app.add_typer(memory.app, name="memory")
    app.add_typer(mcp.app, name="mcp")
    team.app.add_typer(team_admin.app)
    team_list.register(team.app)
    app.add_typer(team.app, name="team")
    app.add_typer(hub.app, name="hub")
    app.add_typer(archive.app, name="archive")
    return app
