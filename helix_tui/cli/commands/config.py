"""`helix config`: the settings in force, and whether a file is right."""

from __future__ import annotations

import typer

from helix_tui.cli.options import ConfigOption, JsonOption, StoreOption, VerboseOption, load_config
from helix_tui.cli.output import print_json, print_table

app = typer.Typer(help="Show settings with their origin, or check a file.", rich_markup_mode=None)


@app.command("show")
def show(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print each value and where it came from."""
    loaded = load_config(context, config, store, verbose, keeps_log=False)
    if as_json:
        values = [
            {"key": item.key, "value": item.value, "origin": item.origin} for item in loaded.origins
        ]
        print_json("config", {"file": str(loaded.file) if loaded.file else None, "values": values})
        return
    print_table(
        (("key", "left"), ("value", "flex"), ("from", "flex")),
        [(item.key, _as_toml(item.value), item.origin) for item in loaded.origins],
    )


@app.command("check")
def check(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Read the configuration and say every mistake in it."""
    loaded = load_config(context, config, store, verbose, keeps_log=False)
    from helix_tui.cli.commands.workstation import refuse_keys

    refuse_keys(loaded)
    file = str(loaded.file) if loaded.file else None
    if as_json:
        print_json("config", {"file": file, "ok": True})
    else:
        print(f"{file or 'The built-in defaults'}: no mistakes.")


def _as_toml(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
