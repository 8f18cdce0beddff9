"""What a verdict finds: a swept store that it only reads, and a folder with what was decided."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from helix_tui.config import load
from helix_tui.curate.catalog.folder import PAGE
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine import Engine
from helix_tui.schema.review import JournalLine
from tests.conftest import Workbench
from tests.engine.trouble_log import write_troubled
from tests.faults import strace

_EDITS = 2
# The candidates of the small store, by how their ids begin.
RG, YAML = "command-not-found-rg", "module-not-found-yaml"
# Nothing overcame it, so that no batch takes it.
NEXT = "host-unresolved"


@dataclass(frozen=True, slots=True)
class Bench:
    """A small store, swept once; nothing that follows writes to it."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def store(self) -> Path:
        return self.folder / "store"

    def sweep(self) -> None:
        """Makes the store."""
        bench = Workbench(self.folder)
        write_troubled(bench)
        bench.sweep()


@dataclass(frozen=True, slots=True)
class VerdictScene:
    """A command, and the folder that it finds; `changes` are those of `hasty`."""

    name: str
    bench: Bench
    folder: Path
    arguments: Sequence[str]
    changes: tuple[str, ...] = ()
    acknowledged: list[JournalLine] = field(default_factory=list)
    edits: int = 0

    @property
    def before(self) -> Path:
        return self.folder / "before"

    def copy(self, name: str) -> Path:
        """A fresh copy of what was decided before."""
        root = self.folder / name
        shutil.rmtree(root, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, root)
        root.mkdir(exist_ok=True)
        return root

    def engine(self, root: Path) -> Engine:
        return Engine(load(self._config(root), self.bench.store, strace.environ(self.bench.home)))

    def command(self, root: Path) -> list[str]:
        """The command line; its configuration lies outside of what is watched."""
        config = ["--config", str(self._config(root)), "--store", str(self.bench.store)]
        return [*self.arguments, *config]

    def lines(self, root: Path) -> list[JournalLine]:
        return Journal(root / "review" / "journal.jsonl").lines().lines

    def _config(self, root: Path) -> Path:
        path = self.folder / f"{root.name}.toml"
        if not path.exists():
            path.write_text(
                f'[curate]\nauthor = "ann"\ncatalog_dir = "{root}/catalog"\n'
                f'review_log = "{root}/review/journal.jsonl"\n'
                f'decision_queue = "{root}/review/decisions.jsonl"\n'
                "[curate.gate]\nmin_frequency = 2\nmin_sessions = 2\nmin_cost_impact = 1\n"
            )
        return path


def build(name: str, bench: Bench, folder: Path, *changes: str) -> VerdictScene:
    """Makes a scene by its name."""
    arguments, prepare = VERDICTS[name]
    folder.mkdir(parents=True)
    edits = _EDITS if prepare is _edited else 0
    scene = VerdictScene(name, bench, folder, arguments, changes, edits=edits)
    scene.before.mkdir()
    prepare(scene)
    scene.acknowledged.extend(scene.lines(scene.before))
    return scene


def _nothing(scene: VerdictScene) -> None:
    """Nobody has decided anything yet."""


def _batch(scene: VerdictScene) -> None:
    """Patterns that nobody looked at: approving one by hand adds what its sessions say."""
    scene.engine(scene.before).verdicts.approve_all()


def _two(scene: VerdictScene) -> None:
    verdicts = scene.engine(scene.before).verdicts
    verdicts.approve(RG)
    verdicts.approve(YAML, is_new=True)


def _merged(scene: VerdictScene) -> None:
    """A pattern that gave way to another one."""
    _two(scene)
    scene.engine(scene.before).verdicts.merge(RG, [YAML])


def _updated(scene: VerdictScene) -> None:
    _batch(scene)
    scene.engine(scene.before).verdicts.approve(RG, look="page")


def _edited(scene: VerdictScene) -> None:
    """A person edited one page and took another away."""
    _batch(scene)
    scene.engine(scene.before).verdicts.approve(YAML, is_new=True)
    catalog = scene.before / "catalog"
    (first,), (second, *_) = (catalog.glob(f"{name}*{PAGE}") for name in (RG, YAML))
    first.write_text(first.read_text().replace("## Problem\n\n", "## Problem\n\nBy hand. "))
    second.unlink()


VERDICTS: dict[str, tuple[Sequence[str], Callable[[VerdictScene], None]]] = {
    "first approve": (("approve", RG), _nothing),
    "approve that updates": (("approve", RG, "--yes"), _batch),
    "approve behind edits": (("approve", RG), _edited),
    "reject": (("reject", RG, "--note", "not worth it"), _two),
    "undo": (("undo",), _updated),
    "merge": (("merge", RG, YAML), _two),
    "split": (("split", YAML), _merged),
    "auto-approve": (("curate", "--auto-approve"), _nothing),
}
