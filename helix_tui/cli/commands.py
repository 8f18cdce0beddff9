"""All subcommands, made when one of them is looked for: `helix --sweep` needs none."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """A group that knows its commands once somebody asks for one."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name."""
        self._make()
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        self._make()
        return super().list_commands(ctx)

    def _make(self) -> None:
        if not self.commands:
            self.commands.update(typer.main.get_group(_registered()).commands)


def _registered() -> typer.Typer:
    from helix_tui.cli import (
        catalog,
        config,
        curate,
        decisions,
        detect,
        doctor,
        flush,
        forget,
        hooks,
        notes,
        retain,
        schedule,
        search,
        sessions,
        show,
        signature,
        status,
        sweep,
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
        detect,
        signature,
        curate,
        verdicts,
        retain,
        forget,
        flush,
        notes,
        doctor,
    ):
        command.register(app)
    app.add_typer(catalog.app, name="catalog")
    app.add_typer(decisions.app, name="decisions")
    app.add_typer(config.app, name="config")
    app.add_typer(schedule.app, name="schedule")
    app.add_typer(hooks.app, name="hooks")
    return app
