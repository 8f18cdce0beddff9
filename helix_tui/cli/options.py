"""The options that many commands share, and what they resolve to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine import Engine


def _named_path(text: str) -> Path:
    """A path that somebody meant: an unset variable of a script must not become this folder."""
    if not text:
        raise typer.BadParameter("it is empty")
    return Path(text)


def named(text: str) -> str:
    """A name as the store may have it: what is no Unicode names nothing that there is."""
    from helix_tui.text.valid import valid

    return valid(text)


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="PATH", parser=_named_path, help="The configuration file to use."
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="PATH", parser=_named_path, help="The data folder to use."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
VerboseOption = Annotated[
    bool, typer.Option("-v", "--verbose", help="Say on stderr what is being done.")
]
SessionArgument = Annotated[
    str,
    typer.Argument(metavar="SESSION", parser=named, help="A session's id, or the beginning of it."),
]


def load_config(
    context: typer.Context,
    config: Path | None,
    store: Path | None,
    verbose: bool = False,
    *,
    keeps_log: bool = True,
) -> Config:
    """The configuration in force, and the log that goes with it; a dry run keeps none."""
    from helix_tui.cli.logs import start_log
    from helix_tui.config import load

    outer: dict[str, Any] = context.obj or {}
    loaded = load(config or outer.get("config"), store or outer.get("store"))
    start_log(loaded, verbose or bool(outer.get("verbose")), has_file=keeps_log)
    return loaded


def load_engine(
    context: typer.Context,
    config: Path | None,
    store: Path | None,
    verbose: bool = False,
    *,
    keeps_log: bool = True,
) -> Engine:
    """The engine for a command's options, which win over those given before the command."""
    from helix_tui.engine import Engine

    return Engine(load_config(context, config, store, verbose, keeps_log=keeps_log))
