"""Makes the stored samples: `python -m tests.store.released.make NAME COMMIT`, from the checkout.

The Helix of that commit sweeps a home written here, then evicts the oldest sessions where it can.
The home is gone afterwards: what a sample holds is in the sample alone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from tests.claude_log import ClaudeLog, usage
from tests.store.released.samples import FOLDER, SESSIONS

_HOME = Path("/tmp/helix-released/home")
_HOUR = 3600
_CAPS = '[retention]\nraw_soft_cap_bytes = "14 KiB"\nraw_hard_cap_bytes = "40 KiB"\n'


def write_home(home: Path) -> None:
    """A few sessions that meet the same error, one of them with a sub-agent."""
    for number, name in enumerate(SESSIONS):
        log = ClaudeLog(session=name, start=number * _HOUR)
        log.prompt(f"make it work, part {number}")
        log.step("make lint", "Exit code 2\nruff: F401 `os` imported but unused", is_error=True)
        log.step("ruff check --fix", "Found 1 error (1 fixed, 0 remaining).")
        log.step("make lint", "All checks passed!")
        log.reply("It works now.", usage=usage(out=7 + number))
        log.write(home)
    agent = ClaudeLog(session=SESSIONS[0], agent="abc", start=60)
    agent.prompt("look around")
    agent.step("ls", "README.md")
    agent.reply("There is a page.")
    agent.write(home)


def make(name: str, commit: str) -> Path:
    """Has the Helix of a commit make a store, and packs that as a sample."""
    shutil.rmtree(_HOME.parent, ignore_errors=True)
    tree, store = _HOME.parent / "tree", _HOME.parent / "store"
    tree.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], check=True, capture_output=True)
    subprocess.run(["tar", "x", "-C", str(tree)], input=archive.stdout, check=True)
    _say_its_adapters(tree)
    write_home(_HOME)
    config = _HOME.parent / "config.toml"
    config.write_text("")
    _run(tree, config, store)
    if (tree / "helix_tui" / "retain").exists():
        config.write_text(_CAPS)
        _run(tree, config, store)
    target = FOLDER / f"{name}.tar.xz"
    with tarfile.open(target, "w:xz", preset=9) as packed:
        for part in ("store.db", "packs"):
            packed.add(store / part, part, filter=_anonymous)
    shutil.rmtree(_HOME.parent)
    return target


def _say_its_adapters(tree: Path) -> None:
    """Adapters are found by what is said of an installed package; the tree's own come first."""
    project = tomllib.loads((tree / "pyproject.toml").read_text())["project"]
    said = tree / "helix_tui-0.dist-info"
    said.mkdir()
    (said / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n")
    groups = project["entry-points"]
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (said / "entry_points.txt").write_text("\n".join(lines) + "\n")


def _run(tree: Path, config: Path, store: Path) -> None:
    options = ["--json", "--config", str(config), "--store", str(store)]
    ran = subprocess.run(
        [sys.executable, "-m", "helix_tui", "--sweep", *options],
        env={"PATH": os.environ["PATH"], "HOME": str(_HOME), "PYTHONPATH": str(tree)},
        cwd=tree,
        check=True,
        capture_output=True,
    )
    print(json.dumps(json.loads(ran.stdout), indent=None)[:300])


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = 0
    return member


if __name__ == "__main__":
    print(make(sys.argv[1], sys.argv[2]))
