"""Where this machine keeps what it knows of its team's list and verdicts."""

from __future__ import annotations

from pathlib import Path

from helix_tui.config import Config
from helix_tui.store.layout import StoreLayout
from helix_tui.team.membership import team_folder


def list_layout(config: Config) -> StoreLayout:
    """The store of the team's list; `config` is that of the data folder which joined."""
    return StoreLayout(team_folder(config.store) / "list")


def told_file(config: Config) -> Path:
    """Which verdicts went to the team, and up to where those of others came in."""
    return team_folder(config.store) / "verdicts.json"
