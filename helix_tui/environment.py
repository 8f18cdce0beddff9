"""What programs that are not Helix get of its environment: all of it but Helix's secrets.

Whoever starts a program takes the environment from here, but for Helix's own processes.
"""

from __future__ import annotations

import os

from helix_tui.schema.curation import HubSettings

_secrets = {HubSettings().token_env}


def keep_secret(variable: str) -> None:
    """Names a variable that holds a secret of Helix; a configuration may call it as it likes."""
    if variable:
        _secrets.add(variable)


def outside_environment() -> dict[str, str]:
    """The environment of an editor, a drafter, a distiller, git and whatever these start."""
    return {name: value for name, value in os.environ.items() if name not in _secrets}
