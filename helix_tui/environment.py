"""The environment for programs that are not Helix: all of it except Helix's secrets.

Every program is started with this environment, except Helix's own processes.
"""

from __future__ import annotations

import os

from helix_tui.schema.curation import HubSettings

_secrets = {HubSettings().token_env}


def keep_secret(variable: str) -> None:
    """Mark a variable as holding a secret of Helix; the configuration may choose its name."""
    if variable:
        _secrets.add(variable)


def outside_environment() -> dict[str, str]:
    """The environment of an editor, a drafter, a distiller, git and what these start."""
    return {name: value for name, value in os.environ.items() if name not in _secrets}
