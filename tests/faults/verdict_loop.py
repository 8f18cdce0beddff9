"""A fault while a verdict is written, a look at what it left, and the verdicts that come next."""

from __future__ import annotations

import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.check import check
from helix_tui.curate.hub.decisions import decisions_of
from helix_tui.curate.hub.queue import Queue
from helix_tui.curate.journal.projection import project
from helix_tui.engine.catalog.folder_differences import applied
from helix_tui.engine.health.doctor_review import check_review
from helix_tui.engine.review.review_reading import read_review
from helix_tui.errors import HelixError
from helix_tui.schema.review import JournalLine
from tests.faults.forks import Ended, Forks
from tests.faults.loop import KILL, spread
from tests.faults.strace import Point
from tests.faults.verdict_scenes import NEXT, VerdictScene

_TIMES = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+Z")
Pages = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class VerdictTrial:
    """A scene whose undisturbed course is known: its points, its lines and the files behind it."""

    scene: VerdictScene
    forks: Forks
    points: list[Point]
    wanted: list[tuple[str, str]]
    pages: Pages

    def chosen(self, share: int) -> list[Point]:
        """So many points, spread evenly."""
        return [self.points[index] for index in spread(range(len(self.points)), share)]

    def killed_at(self, point: Point) -> list[str]:
        """Kills the command at a point; returns everything that is not as promised."""
        root = self.scene.copy("killed")
        ended = self.forks.faulted(self.scene.command(root), self.scene.changes, point, KILL)
        if ended.code != -signal.SIGKILL:
            return [f"{point} no longer occurs: it ended with {ended.code}. {ended.said}"]
        return [f"{point}: {line}" for line in self.complaints(root)]

    def failed_at(self, point: Point, error: str, *, is_lasting: bool) -> list[str]:
        """Has a call fail; returns everything that is not as promised."""
        root = self.scene.copy("failing")
        ended = self.forks.faulted(
            self.scene.command(root),
            self.scene.changes,
            point,
            f"error={error}",
            is_lasting=is_lasting,
        )
        wrong = [*self._unplain(root, ended), *self.complaints(root)]
        return [f"{point}, {error}{', lasting' * is_lasting}: {line}" for line in wrong]

    def complaints(self, root: Path) -> list[str]:
        """What is wrong with what a fault left, and after the next verdicts."""
        try:
            return [*self._left(root), *self._made_good(root)]
        except HelixError as error:
            return [f"what comes next fails: {error}"]

    def _left(self, root: Path) -> list[str]:
        """Right after the fault: what was acknowledged is there, the verdict whole or not."""
        engine = self.scene.engine(root)
        lines = self.scene.lines(root)
        found = doctor_says(engine.config)
        if lines[: len(self.scene.acknowledged)] != self.scene.acknowledged:
            found.append("an acknowledged verdict is gone")
        if self._news(lines) not in ([], self.wanted):
            found.append(f"of the verdict there is {self._news(lines)}")
        read_review(engine.config).state()
        return found

    def _made_good(self, root: Path) -> list[str]:
        """After another verdict, and after the same one where it was not written."""
        verdicts = self.scene.engine(root).verdicts
        is_there = bool(self._news(self.scene.lines(root)))
        verdicts.discuss(NEXT, note="what comes next")
        found = self._disagreements(root)
        pages = contents(root / "catalog")
        if is_there and pages != self.pages:
            found.append(f"the files of the verdict did not follow: {sorted(pages)}")
        if not is_there:
            again = self.forks.run(self.scene.command(root))
            if again.code:
                found.append(f"given again it ends with {again.code}: {again.said}")
            found += self._disagreements(root)
            if self.scene.name != "undo" and contents(root / "catalog") != self.pages:
                found.append("given again it comes to something else")
        return found

    def _disagreements(self, root: Path) -> list[str]:
        """Whether journal, catalog, index, mark and queue say the same."""
        engine, lines = self.scene.engine(root), self.scene.lines(root)
        found = doctor_says(engine.config)
        again = root / "again"
        wanted = project(lines)
        Catalog(again).apply(wanted, wanted.keys())
        if contents(again, is_exact=True) != contents(root / "catalog", is_exact=True):
            found.append("replay gives other files")
        shutil.rmtree(again, ignore_errors=True)
        found += [f"check: {one.path.name}: {one.reason}" for one in check(root / "catalog")]
        if applied(engine.config, lines).lines != len(lines):
            found.append("the mark is not at the last line")
        edits = [line for line in lines if line.action in ("edit", "rename")]
        if len(edits) > sum(action == "edit" for action, _ in self._all_wanted()):
            found.append(f"somebody is said to have edited {[one.writes for one in edits]}")
        queued = {row.id for row in Queue(root / "review" / "decisions.jsonl").rows()}
        if missing := [one.id for one in decisions_of(lines) if one.id not in queued]:
            found.append(f"the hub is never told of {missing}")
        left = [path.name for path in root.rglob("*") if path.name.endswith(("~", ".partial"))]
        return found + [f"{name} is left" for name in left]

    def _news(self, lines: list[JournalLine]) -> list[tuple[str, str]]:
        """What was written behind the acknowledged lines, but for what a person did to files."""
        return said(lines[len(self.scene.acknowledged) :])

    def _all_wanted(self) -> list[tuple[str, str]]:
        edits = self.scene.edits
        known = [(line.action, line.candidate) for line in self.scene.acknowledged]
        return [*known, *[("edit", "")] * edits]

    def _unplain(self, root: Path, ended: Ended) -> list[str]:
        """An error is told in a sentence and leaves nothing; what stands is told as such."""
        is_there = bool(self._news(self.scene.lines(root)))
        lines = ended.said.splitlines()
        if ended.code == 0:
            return [] if is_there else ["it says that all is well, and nothing is there"]
        if ended.code not in (74, 75):
            return [f"ends with {ended.code}: {ended.said[-500:]}"]
        if is_there:
            return [f"it says that it failed, and it stands: {ended.said}"]
        is_plain = all(line.startswith("helix: ") for line in lines)
        return [] if is_plain and lines else [f"says {ended.said!r}"]


def doctor_says(config: Config) -> list[str]:
    """What doctor finds wrong with verdicts and catalog; no verdict touches the store."""
    return [f"doctor: {one.name}: {one.detail}" for one in check_review(config) if not one.is_ok]


def said(lines: list[JournalLine]) -> list[tuple[str, str]]:
    """What lines decide, in order, without what a person did to files."""
    return [
        (line.action, line.candidate) for line in lines if line.action not in ("edit", "rename")
    ]


def contents(folder: Path, *, is_exact: bool = False) -> Pages:
    """The files of a folder, without the moments at which they were made."""
    files = {path.name: path.read_bytes() for path in folder.glob("*")}
    return files if is_exact else {name: _TIMES.sub(b"T", data) for name, data in files.items()}


def verdict_trial(scene: VerdictScene, forks: Forks) -> VerdictTrial:
    """Runs a scene's command undisturbed."""
    root = scene.copy("undisturbed")
    points = forks.traced(scene.command(root), scene.changes, root)
    wanted = said(scene.lines(root)[len(scene.acknowledged) :])
    assert wanted, "a verdict that writes nothing shows nothing"
    return VerdictTrial(scene, forks, points, wanted, contents(root / "catalog"))
