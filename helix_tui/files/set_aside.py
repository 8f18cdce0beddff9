"""Rename state that cannot be read, instead of throwing it away."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

log = logging.getLogger(__name__)


def set_aside(path: Path) -> Path:
    """Rename a broken file, with the time, so that it can be made anew; return its new path."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        target = path.with_name(f"{path.name}.broken-{stamp}{f'-{number}' if number else ''}")
        if not target.exists():
            break
        number += 1
    path.rename(target)
    log.warning("%s could not be read; it is kept as %s", path, target.name)
    return target
