"""Helix's own log: a rotating file beside the store, and stderr with -v."""

from __future__ import annotations

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config

_MAX_BYTES = 1 << 20
_KEPT = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _SafeFormatter(logging.Formatter):
    """Paths and reasons come from logs: no line of ours may carry their control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return safe_line(super().format(record))


def start_log(config: Config, is_verbose: bool, has_file: bool) -> None:
    """Begins logging; a file that cannot be written is one warning, never an error."""
    root = logging.getLogger("helix_tui")
    root.setLevel(logging.DEBUG if is_verbose else logging.INFO)
    root.handlers.clear()
    root.propagate = False
    if is_verbose:
        root.addHandler(_with_format(logging.StreamHandler(sys.stderr)))
    if not has_file:
        root.addHandler(logging.NullHandler())
        return
    folder = log_folder(config)
    try:
        for place in (folder.parent, folder):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "helix.log"
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        handler = RotatingFileHandler(
            path, maxBytes=_MAX_BYTES, backupCount=_KEPT, encoding="utf-8"
        )
    except OSError as error:
        print(f"helix: no log is kept: {folder}: {error.strerror}", file=sys.stderr)
        root.addHandler(logging.NullHandler())
        return
    root.addHandler(_with_format(handler))


def log_folder(config: Config) -> Path:
    """`log` in a store that was named, else the state folder."""
    from helix_tui.config import xdg_folder

    return (config.store if config.is_store_named else xdg_folder("state")) / "log"


def _with_format(handler: logging.Handler) -> logging.Handler:
    handler.setFormatter(_SafeFormatter(_FORMAT))
    return handler
