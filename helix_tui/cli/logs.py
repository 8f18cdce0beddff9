"""Helix's own log: a rotating file beside the store, and stderr with -v."""

from __future__ import annotations

import logging
import os
import sys
from io import TextIOWrapper
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
    """A formatter that makes paths and reasons safe: they come from logs."""

    def format(self, record: logging.LogRecord) -> str:
        return safe_line(super().format(record))


class _LogFile(RotatingFileHandler):
    """A private file, made when there is something to write; trouble with it is one warning."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=_MAX_BYTES, backupCount=_KEPT, encoding="utf-8", delay=True)
        self._is_broken = False

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return super()._open()

    def emit(self, record: logging.LogRecord) -> None:
        if not self._is_broken:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        self._is_broken = True
        print(f"helix: no log is kept: {self.baseFilename}: {sys.exc_info()[1]}", file=sys.stderr)


def start_log(config: Config, is_verbose: bool, has_file: bool) -> None:
    """Begin logging, to stderr where that is asked for and to a file unless none may be made."""
    root = logging.getLogger("helix_tui")
    root.setLevel(logging.DEBUG if is_verbose else logging.INFO)
    root.propagate = False
    root.handlers = [logging.NullHandler()]
    if is_verbose:
        root.handlers.append(_with_format(logging.StreamHandler(sys.stderr)))
    if has_file:
        root.handlers.append(_with_format(_LogFile(log_folder(config) / "helix.log")))


def log_folder(config: Config) -> Path:
    """`log` in a store that was named, else the state folder."""
    from helix_tui.places import xdg_folder

    return (config.store if config.is_store_named else xdg_folder("state")) / "log"


def _with_format(handler: logging.Handler) -> logging.Handler:
    handler.setFormatter(_SafeFormatter(_FORMAT))
    return handler
