"""The model of the configuration in its store, and the test of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from helix_tui.config import Config
from helix_tui.model.ask import Model
from helix_tui.model.probe import Probe, probe
from helix_tui.store.layout import StoreLayout


def configured_model(config: Config, cancelled: Callable[[], bool] = bool) -> Model:
    """The model that distills and reads; it runs where discovery does not look."""
    layout = StoreLayout(config.store.absolute())
    return Model(config.model, layout.run, layout.model_spent, cancelled)


def try_model(config: Config) -> Probe:
    """Ask the model one tiny question."""
    with configured_model(config) as model:
        return probe(model, f"{datetime.now().astimezone():%Y-%m-%d}")
