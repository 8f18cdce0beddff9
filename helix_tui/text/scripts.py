"""Which programs are scripts of a repository: files that are run as they are."""

from __future__ import annotations

import re

# How a repository's own scripts are run by their names.
_OWN = re.compile(
    r"(?:npm|pnpm|yarn|bun|mise) run |deno task |(?:make|just|task|composer|rake|poe|nox|invoke) "
)
_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|ps1|py|rb|pl|js|mjs|cjs|ts)$")


def is_script(program: str) -> bool:
    """Whether a program is called as a file of a repository is: `make-feature.sh`."""
    return _SCRIPT.search(program) is not None


def is_own_script(command: str) -> bool:
    """Whether a command runs a script that the repository gives a name: `npm run fix`."""
    return _OWN.match(command) is not None
