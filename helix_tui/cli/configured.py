"""Commands that take the configuration, and not the options that name it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import typer

from helix_tui.cli.options import ConfigOption, StoreOption, VerboseOption, load_config

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def configured(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function whose first parameter is the configuration in force.

    The command has the function's other parameters, and behind them --config, --store and
    --verbose.
    """
    hints = get_type_hints(command, localns={"Config": object}, include_extras=True)
    _, *own = inspect.signature(command).parameters.values()

    def run(
        context: typer.Context,
        config: Path | None,
        store: Path | None,
        verbose: bool,
        **options: Any,
    ) -> None:
        command(load_config(context, config, store, verbose), **options)

    added: dict[str, tuple[object, object]] = {
        "config": (ConfigOption, None),
        "store": (StoreOption, None),
        "verbose": (VerboseOption, False),
    }
    shown = [inspect.Parameter("context", _KEYWORD, annotation=typer.Context)]
    shown += [one.replace(kind=_KEYWORD, annotation=hints[one.name]) for one in own]
    shown += [
        inspect.Parameter(name, _KEYWORD, default=default, annotation=kind)
        for name, (kind, default) in added.items()
    ]
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in shown}
    return run
