"""`helix model test`: whether the model of the settings can be asked, by one tiny question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.model.probe import Probe

app = typer.Typer(help="The model that may distil sessions and read turns.", no_args_is_help=True)


@app.command("test")
def _test(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Ask the model of [model] one tiny question, and say what works or what to do.

    The exit code is 3 where it does not work. Nothing of a session is sent.
    """
    from helix_tui.engine.model import try_model

    settings = load_engine(context, config, store, verbose).config
    result = try_model(settings)
    if as_json:
        print_json("model", _as_json(settings, result))
    else:
        _print(settings, result)
    if not result.is_ready:
        raise typer.Exit(ExitCode.FINDINGS)


def _as_json(config: Config, result: Probe) -> dict[str, object]:
    from helix_tui.model.presets import model_of, target_of

    return {
        "ready": result.is_ready,
        "preset": config.model.preset or None,
        "target": target_of(config.model) or None,
        "model": model_of(config.model) or None,
        "seconds": round(result.seconds, 3),
        "tokens": result.tokens,
        "kind": result.kind,
        "problem": result.problem or None,
        "todo": result.todo or None,
        "used_by": _users(config),
    }


def _print(config: Config, result: Probe) -> None:
    from helix_tui.model.presets import model_of, target_of

    if not result.is_ready:
        print(safe_line(f"{result.problem} {result.todo}".strip()), file=sys.stderr)
        return
    name = model_of(config.model)
    whom = f"{config.model.preset} ({target_of(config.model)}{f', {name}' if name else ''})"
    spent = plural(result.tokens, "token")
    print(safe_line(f"It works: {whom} answered in {result.seconds:.1f} s, with {spent}."))
    users = _users(config)
    if users:
        print(f"It is asked by {' and '.join(users)}.")
    else:
        print('Nothing asks it yet: set [memory] distiller or [detect] reader to "model".')


def _users(config: Config) -> list[str]:
    """The settings that have the model asked."""
    users = []
    if config.memory.distiller == "model":
        users.append("memory.distiller")
    if config.detect.reader == "model":
        users.append("detect.reader")
    return users
