"""`helix archive`: logs in object storage or on a network drive."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.commands.sweep import sweep_with
from helix_tui.cli.options import ConfigOption, JsonOption, StoreOption, VerboseOption, load_engine
from helix_tui.errors import UsageError

if TYPE_CHECKING:
    from helix_tui.archive.engines import Engine

app = typer.Typer(
    help="Take in logs that were gathered in an archive.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(
    "sweep",
    help="Take in what is new in an archive of logs.\n\n"
    "URL is a path, file://, s3://, gs:// or what else fsspec knows; the agents' folders are "
    "looked for below it by the names that they have in a home (.claude, .codex …). It can be "
    "stopped and called again: what was taken in is not read twice. Give an archive a store of its "
    "own (--into). Needs `pip install 'helix-tui[archive]'`.",
)
def sweep(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="Where the archive is.")],
    engine: Annotated[
        str,
        typer.Option(help="Who reads: local (processes), dask, or dask=ADDRESS of a scheduler."),
    ] = "local",
    workers: Annotated[
        int, typer.Option(min=0, help="How many processes of this machine read; 0: its cores.")
    ] = 0,
    flavor: Annotated[
        str, typer.Option("--as", help="Take URL itself for the folder of this agent.")
    ] = "",
    into: Annotated[
        Path | None, typer.Option(help="The store to fill; the same as --store.")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Sweep an archive once and end as a sweep does."""
    if find_spec("fsspec") is None:
        raise UsageError(
            "An archive needs fsspec.", "Install it with: pip install 'helix-tui[archive]'"
        )
    from helix_tui.agent_homes import FLAVORS
    from helix_tui.archive.places import Archive
    from helix_tui.engine.sweep.archive import ArchiveLogs

    if flavor and flavor not in FLAVORS:
        raise UsageError(
            f"No agent is called {flavor}.", f"There are {', '.join(sorted(FLAVORS))}."
        )
    if into is not None and store is not None and into != store:
        raise UsageError("--into and --store name two stores.", "Give one of them.")
    loaded = load_engine(context, config, into or store, verbose)
    archive = Archive(url)
    readers = _engine(engine, workers or os.cpu_count() or 1)
    try:
        sweep_with(loaded, False, as_json, ArchiveLogs(archive, readers, flavor))
    finally:
        readers.close()


def _engine(name: str, workers: int) -> Engine:
    kind, _, address = name.partition("=")
    if kind == "local" and not address:
        from helix_tui.archive.engines import Processes

        return Processes(workers)
    if kind != "dask":
        raise UsageError(f"There is no engine {name}.", "Take local, dask or dask=ADDRESS.")
    if find_spec("distributed") is None:
        raise UsageError(
            "This engine needs distributed.", "Install it with: pip install 'helix-tui[archive]'"
        )
    from helix_tui.archive.dask_engine import Dask

    return Dask(address, workers)
