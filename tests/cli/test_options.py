"""An option means one thing, whichever command takes it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from helix_tui.cli.main import app

# Options of one name that mean something of their own in each command.
OF_THEIR_OWN = {
    "--agent",  # what it loads, or its sessions
    "--all",  # of which things
    "--dry-run",  # what is not done differs
    "--guard",  # to have it, to take it out, or what it answers
    "--into",  # a pattern or a store
    "--json",  # `signature` prints an object a line
    "--limit",  # of which things, and how many without it
    "--now",  # which waiting is cut short
    "--rule",  # its words, or where it stands
    "--since",  # `usage` and `report` count whole days
    "--to",  # a folder for pages, or a file for rows
    "--until",  # the same, and `snooze` wakes then
    "--yes",  # what nobody is asked about
}


def commands_of(command: Any, context: typer.Context) -> Iterator[Any]:
    yield command
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            yield from commands_of(command.get_command(context, name), context)


def test_options_of_one_name_say_the_same_in_every_command() -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    root = typer.main.get_command(app)
    for command in commands_of(root, typer.Context(root, info_name="helix")):
        for parameter in command.params:
            if parameter.param_type_name == "option":
                for name in parameter.opts:
                    texts[name].add(parameter.help or "")
    assert {"--config", "--store", "--flavor", "--yes"} <= texts.keys()
    assert {name for name, helps in texts.items() if len(helps) > 1} == OF_THEIR_OWN
