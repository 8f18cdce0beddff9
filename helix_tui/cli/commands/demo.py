"""`helix --demo --sweep`: a sweep of the bundled sample, which touches nothing of yours."""

from __future__ import annotations

from pathlib import Path

import typer

from helix_tui.cli.commands.sweep import sweep_with, tell_sample
from helix_tui.cli.options import load_config
from helix_tui.engine import Engine
from helix_tui.engine.sample import keep_sample, sample_config
from helix_tui.engine.sample_history import tell_history
from helix_tui.places import sample_store


def run(
    context: typer.Context,
    dry_run: bool,
    as_json: bool,
    config: Path | None,
    store: Path | None,
    verbose: bool,
) -> None:
    """Sweep the sample into its own store, or into one that was named for it."""
    place = store or sample_store()
    if dry_run:
        loaded = load_config(context, config, place, verbose, keeps_log=False)
        with sample_config(loaded) as sampled:
            tell_sample(None)
            sweep_with(Engine(sampled), dry_run, as_json)
        return
    # A mistake in the configuration is told before anything is written.
    load_config(context, config, place, verbose, keeps_log=False)
    keep_sample(place)
    loaded = load_config(context, config, place, verbose)
    tell_history(loaded)
    tell_sample(place)
    sweep_with(Engine(loaded), dry_run, as_json)
