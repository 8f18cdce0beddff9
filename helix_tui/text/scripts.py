"""Which programs are scripts of a repository: files that are run as they are."""

from __future__ import annotations

import re

_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|ps1|py|rb|pl|js|mjs|cjs|ts)$")


def is_script(program: str) -> bool:
    """Whether a program is called as a file of a repository is: `make-feature.sh`."""
    return _SCRIPT.search(program) is not None
