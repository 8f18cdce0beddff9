"""The samples, and what all of them hold."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

from helix_tui.store.shape import SCHEMA_VERSION

FOLDER = Path(__file__).parent
NAMES = sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))
OLDER = [name for name in NAMES if int(name[:4]) < SCHEMA_VERSION]
SESSIONS = [f"{number:08d}-0000-4000-8000-000000000000" for number in range(4)]


def unpack(name: str, store: Path) -> None:
    """Puts a sample in place of whatever was there."""
    shutil.rmtree(store, ignore_errors=True)
    store.mkdir(parents=True, mode=0o700)
    with tarfile.open(FOLDER / f"{name}.tar.xz") as packed:
        packed.extractall(store, filter="data")
    for folder in store.rglob("*/"):
        folder.chmod(0o700)
