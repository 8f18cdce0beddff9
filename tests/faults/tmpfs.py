"""A small file system of its own for a test; skipped visibly where none can be mounted."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """A tmpfs of that size on a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small file system")
    tried = subprocess.run(mount, capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {tried.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def make_read_only(folder: Path) -> None:
    """Lets nobody, not even root, write to a mounted file system."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> Path:
    """Takes all room but so much with a file of somebody else's."""
    filler = folder / "somebody-elses"
    with filler.open("wb", buffering=0) as file:
        try:
            while free(folder) > leave:
                file.write(b"x" * min(4096, free(folder) - leave))
        except OSError:
            pass  # full to the last byte
    return filler


def free(folder: Path) -> int:
    """How many bytes can still be written."""
    stat = os.statvfs(folder)
    return stat.f_bavail * stat.f_frsize
