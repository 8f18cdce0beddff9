"""Helix's folders by the XDG rules, and the place of the bundled sample."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

APP = "helix"
# The folder in a store that holds the bundled sample, which is then the store's only source.
SAMPLE_HOME = "sample-home"
# Below it: the folders of its repositories.
SAMPLE_CODE = "code"
_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}


def xdg_folder(kind: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Helix's own config, data or state folder by the XDG rules."""
    variable, usual = _XDG[kind]
    base = environ.get(variable, "")
    # The XDG rules ignore a relative path.
    return (Path(base) if base.startswith("/") else home_of(environ) / usual) / APP


def home_of(environ: Mapping[str, str]) -> Path:
    """The user's home."""
    return Path(environ.get("HOME") or Path.home()).absolute()


def sample_store() -> Path:
    """The sample's default place: beside the data folder, never in it."""
    usual = xdg_folder("data")
    return usual.with_name(f"{usual.name}-sample")


def has_sample(store: Path) -> bool:
    """Whether the bundled sample is kept in a store."""
    try:
        return (store / SAMPLE_HOME).is_dir()
    except OSError:
        return False  # reported by whoever opens the store
