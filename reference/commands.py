"""The page of all commands, made of what `--help` is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from helix_tui.cli.commands import GROUPS
from helix_tui.cli.main import app
from reference.markdown import page, table

_SHARED = {"--config", "--store", "--json", "--verbose", "--help"}
_INTRO = """
`helix` without a command opens the workstation ([keys](keys.md)); where no agent has left logs, on
the bundled sample, saying so. `helix COMMAND --help` prints what stands here. Where a session,
candidate or pattern is asked for, the beginning of its id will do.
"""
_EVERY = """
Every command takes these, before or behind its name (`signature` has no `-v`; `--json` stands
behind it). With `--json` it prints [one object](json.md); how it ended is told by its [exit
code](exit-codes.md). A rotating log is kept in `log/` of a store that was named, else in
`~/.local/state/helix/log`.
"""


def commands_page() -> str:
    """Every command by purpose, with its arguments and options."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    context = typer.Context(group, info_name="helix")
    own = [option for option in group.params if not _is_shared(option)]
    shared = [option for option in group.params if _is_shared(option)]
    parts = [_INTRO, f"## helix\n\n{_parameters(own)}"]
    parts.append(f"## Options of every command\n{_EVERY}\n{_parameters(shared)}")
    for purpose, names in GROUPS.items():
        parts.append(f"## {purpose}")
        for name in names:
            command = group.get_command(context, name)
            parts += _command(command, f"helix {name}")
    return page("Commands", "the commands themselves", *parts)


def _command(command: Any, name: str) -> Iterator[str]:
    said = [f"### {name}", _paragraphs(command.help or "")]
    if isinstance(command, TyperGroup):
        yield "\n\n".join(said)
        for inner, found in command.commands.items():
            yield from _inner(found, f"{name} {inner}")
        return
    yield "\n\n".join([*said, f"`{_usage(command, name)}`", *_own_parameters(command)])


def _inner(command: Any, name: str) -> Iterator[str]:
    said = _paragraphs(command.help or command.short_help or "")
    yield "\n\n".join([f"**`{_usage(command, name)}`**: {said}", *_own_parameters(command)])


def _own_parameters(command: TyperCommand) -> list[str]:
    own = [one for one in command.params if not _is_shared(one)]
    return [_parameters(own)] if own else []


def _usage(command: TyperCommand, name: str) -> str:
    pieces = [name]
    for one in command.params:
        if isinstance(one, TyperArgument):
            shown = one.make_metavar(typer.Context(command))
            pieces.append(shown + ("…" if one.nargs == -1 and "…" not in shown else ""))
    if any(not isinstance(one, TyperArgument) and not _is_shared(one) for one in command.params):
        pieces.append("[options]")
    return " ".join(pieces)


def _parameters(params: list[Any]) -> str:
    return table(("", "does"), [(_name(one), getattr(one, "help", "") or "") for one in params])


def _name(one: Any) -> str:
    if isinstance(one, TyperArgument):
        return f"`{one.make_metavar(typer.Context(typer.main.get_command(app)))}`"
    value = "" if one.is_flag else f" {_choices(one)}"
    return ", ".join(f"`{opt}{value}`" for opt in (*one.opts, *one.secondary_opts))


def _choices(one: Any) -> str:
    choices = getattr(one.type, "choices", None)
    if choices:
        return "|".join(map(str, choices))
    return one.metavar or ("N" if one.type.name.startswith("int") else "TEXT")


def _is_shared(one: Any) -> bool:
    return bool(_SHARED & {*one.opts})


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
