"""Settings of sharing with a team; apart from its data, since every command reads settings."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

Share = Literal["numbers", "excerpts"]
SHARES: tuple[Share, ...] = ("numbers", "excerpts")


class TeamSettings(NamedTuple):
    """What a machine shares: nothing, until a repository is named.

    `repos` are globs of the repositories whose sessions are pushed, `names` of those whose names
    others may read; `push` sends with each sweep.
    """

    url: str = ""
    repos: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    share: Share = "numbers"
    push: bool = False
    secret_env: str = "HELIX_TEAM_SECRET"
    secret_file: Path | None = None
    ca_file: Path | None = None
    timeout_seconds: int = 30
