"""A home with agents, repositories and a catalog to distribute from."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from helix_tui.config import load
from helix_tui.curate.page.page import write_page
from helix_tui.engine.distribute.distribution import Carried, Distribution
from helix_tui.schema.distribute import DistributeRequest, Plan
from tests.curate.made_patterns import made_evidence, made_pattern

PYTHON = "Call `.venv/bin/python`, never `python`."
PNPM = "Use pnpm, never npm."


class Workplace:
    """Where a test distributes; HOME is set by whoever makes it."""

    def __init__(self, folder: Path, *repos: str, agents: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.store = folder / "store"
        self.catalog = folder / "catalog"
        self.catalog.mkdir(parents=True)
        for agent in agents or ("claude", "codex", "grok"):
            (self.home / f".{agent}").mkdir(parents=True)
        named = "".join(f'{name} = "{name}"\n' for name in repos)
        self.config = folder / "config.toml"
        self.config.write_text(
            '[curate]\nauthor = "ann"\ncatalog_dir = "catalog"\n'
            'review_log = "review/journal.jsonl"\ndecision_queue = "review/decisions.jsonl"\n'
            f"[distribute.repos]\n{named}"
        )
        for name in repos:
            (folder / name / ".git").mkdir(parents=True)

    def repo(self, name: str) -> Path:
        return self.folder / name

    def git(self, name: str, *arguments: str) -> str:
        """Runs git in a repository, which becomes a real one."""
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        command = ["git", "-C", str(self.repo(name)), *who, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def teach(self, name: str, guidance: str = PYTHON, scope: str = "user", **fields: Any) -> None:
        """Puts a page into the catalog, or a new version of it."""
        pattern = made_pattern(
            id=name, candidates=[name], guidance=guidance, scope=scope, excerpts=[], **fields
        )
        (self.catalog / f"{name}.md").write_text(write_page(pattern))

    def forget(self, name: str) -> None:
        (self.catalog / f"{name}.md").unlink()

    @property
    def distribution(self) -> Distribution:
        config = load(self.config, self.store, {"HOME": str(self.home)})
        return Distribution(config, list)

    def plan(self, **fields: Any) -> Plan:
        return self.distribution.plan(DistributeRequest(**fields))

    def apply(self, **fields: Any) -> Carried:
        return self.distribution.apply(DistributeRequest(**fields))

    def retract(self, *patterns: str) -> Carried:
        return self.apply(patterns=patterns, is_retract=True)

    def undo(self) -> Carried:
        return self.distribution.undo()

    def files(self) -> dict[str, bytes]:
        """Every file of home and repositories."""
        own = {self.store, self.catalog, self.folder / "review"}
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
            and not path.is_symlink()
            and path != self.config
            and own.isdisjoint(path.parents)
        }

    def folders(self) -> set[str]:
        return {str(path) for path in self.folder.rglob("*") if path.is_dir()}


THIN = made_evidence(sessions=2, frequency=3, flavors={"claude": 2}, cost_impact=0)
