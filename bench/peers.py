"""Other tools that read the same logs, installed into bench/work where that is possible."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

from bench.corpus import WORK


def ccusage() -> Path | None:
    """ccusage from npm: counts tokens and keeps nothing."""
    folder = WORK / "npm"
    binary = folder / "node_modules" / ".bin" / "ccusage"
    if binary.exists():
        return binary
    if not shutil.which("npm"):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text("{}")
    # The program is a native binary in a package of its own, which may lag behind.
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), "x64")
    native = f"@ccusage/ccusage-{platform.system().lower()}-{machine}"
    version = _output(["npm", "view", native, "version"]).strip()
    if not version:
        return None
    _output(
        ["npm", "install", "--prefix", str(folder), f"ccusage@{version}", f"{native}@{version}"]
    )
    return binary if binary.exists() and _output([str(binary), "--version"]) else None


def agentsview() -> Path | None:
    """agentsview from PyPI: sessions, messages and full-text search in SQLite."""
    folder = WORK / "agentsview"
    binary = folder / "bin" / "agentsview"
    if not binary.exists():
        _output([sys.executable, "-m", "venv", str(folder)])
        _output([str(folder / "bin" / "pip"), "install", "--quiet", "agentsview"])
    return binary if binary.exists() else None


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""
