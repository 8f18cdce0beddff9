"""State that cannot be read is kept under another name, never thrown away."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

log = logging.getLogger(__name__)


def set_aside(path: Path) -> Path:
    """Renames a broken file, with the time, so that it can be made anew; returns where it is."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        kept = path.with_name(f"{path.name}.broken-{stamp}{f'-{number}' if number else ''}")
        if not kept.exists():
            break
        number += 1
    path.rename(kept)
    log.warning("%s could not be read; it is kept as %s", path, kept.name)
    return kept
