"""Read a secret from a file that nobody else may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from helix_tui.errors import ConfigError

_MOST_BYTES = 8 << 10


def read_private(path: Path, name: str) -> str:
    """Return what a file holds; `name` is what it is called where it cannot be used."""
    try:
        # Opening a pipe must not block before we know that it is one.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ConfigError([f"{name} cannot be read: {path}: {error.strerror}."]) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError([f"{name} cannot be read: {path} is no file."])
        if status.st_uid != os.geteuid():
            raise ConfigError([f"{name} is not used: {path} belongs to somebody else."])
        if status.st_mode & 0o077:
            raise ConfigError([f"{name} is not used: others may read {path}. Do: chmod 600 {path}"])
        return os.read(handle, _MOST_BYTES).decode("ascii", "replace")
    finally:
        os.close(handle)
