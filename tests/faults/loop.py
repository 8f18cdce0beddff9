"""The loop: a fault at one point, a look at what it left, and a job that makes it good."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from helix_tui.engine import Engine
from helix_tui.errors import HelixError, NotFoundError
from helix_tui.schema import Session, SessionFilter
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.store.digests.texts import unpack_texts
from tests.faults import driver, strace
from tests.faults.forks import Ended, Forks
from tests.faults.scenarios import Scene, build
from tests.faults.strace import Point, Points
from tests.faults.summary import KILLED
from tests.store.released.samples import OLDER

# How many points of each scene are tried; with HELIX_FAULTS=all it is every one.
SHARES = {
    "cold sweep": 18,
    "sweep after growth": 12,
    "sweep that evicts": 12,
    "retain": 10,
    "forget": 6,
    "pin": 4,
    "detect": 6,
    "repair": 10,
    **dict.fromkeys((f"migration of {sample}" for sample in OLDER), 3),
    "restore": 12,
}
KILL = f"signal={signal.SIGKILL.name}"
TAKES_ALL = os.environ.get("HELIX_FAULTS") == "all"
# What doctor says of the machine is not what a fault did.
_NOT_THE_STORE = {"space", "sqlite"}
# Whoever reads the database has SQLite put these beside it.
_OF_READERS = ("-wal", "-shm")

Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Trial:
    """A scene whose undisturbed course is known: its points, and what it ends with."""

    scene: Scene
    forks: Forks
    acknowledged: list[Session]
    points: Points
    wanted: Facts

    def chosen(self, share: int) -> list[Point]:
        """All points, or so many spread evenly, with the first and last of each kind of call."""
        points = self.points.all
        if TAKES_ALL or len(points) <= share:
            return list(points)
        by_name: dict[str, list[int]] = {}
        for index, point in enumerate(points):
            by_name.setdefault(point.name, []).append(index)
        firsts_and_lasts = [index for found in by_name.values() for index in (found[0], found[-1])]
        taken = set(spread(sorted(set(firsts_and_lasts)), share // 2))
        rest = [index for index in range(len(points)) if index not in taken]
        return [points[index] for index in sorted(taken.union(spread(rest, share - len(taken))))]

    def complaints(self, store: Path) -> list[str]:
        """What is wrong with a store that a fault left, and after the job is done again."""
        found = [*doctor_says(self.scene.engine(store), self.scene.told), *self._losses(store)]
        try:
            make_good(self.scene, store)
            found += differences(self.wanted, facts_of(self.scene, store))
        except HelixError as error:
            found.append(f"the job done again fails: {error}")
        return found

    def _losses(self, store: Path) -> list[str]:
        """What was acknowledged before the job and is gone, but for what was to be forgotten."""
        if not self.acknowledged:
            return []
        engine = self.scene.engine(store)
        kept = {session.id: session for session in engine.sessions(SessionFilter())}
        job, _, named = self.scene.job.partition("=")
        found: list[str] = []
        for before in self.acknowledged:
            session = kept.get(before.id)
            if session is None:
                is_wanted = job == "forget" and named in before.id
                found += [] if is_wanted else [f"{before.id} is gone"]
            elif session.events < before.events:
                found.append(f"{before.id} has {session.events} of {before.events} events")
            elif session.raw != "full" and engine.digest(session) is None:
                found.append(f"{before.id} has neither its raw bytes nor a digest")
        return found

    def killed_at(self, point: Point) -> list[str]:
        """Kills the job at a point; returns everything that is not as promised."""
        store = self.scene.copy("killed")
        ended = self.faulted(store, point, KILL)
        if ended.code == -signal.SIGKILL:
            found = self.complaints(store)
        else:
            found = [f"no longer occurs: it ended with {ended.code}. {ended.said}"]
        shutil.rmtree(store, ignore_errors=True)
        return [f"{point}: {complaint}" for complaint in found]

    def faulted(self, store: Path, point: Point, fault: str, *, is_lasting: bool = False) -> Ended:
        """Runs the job, which meets a fault at a point.

        strace counts only the calls that touch the store's paths: nothing else matters.
        """
        paths = [store / path for path in self.points.paths]
        command = self.scene.command(store)
        return self.forks.faulted(command, (), point, fault, is_lasting=is_lasting, paths=paths)


def trial(name: str, folder: Path, forks: Forks, *changes: str) -> Trial:
    """Builds a scene and runs its job undisturbed."""
    scene = build(name, folder / "-".join([*name.split(), *changes]), *changes)
    # A reader leaves files of SQLite's behind: what is copied for each fault must not have them.
    store = scene.copy("undisturbed")
    acknowledged = scene.engine(store).sessions(SessionFilter()) if store.exists() else []
    store = scene.copy("undisturbed")
    points = strace.points_of(forks.calls(scene.command(store)), store)
    assert not doctor_says(scene.engine(store)), "the undisturbed job leaves a sound store"
    make_good(scene, store)
    return Trial(scene, forks, acknowledged, points, facts_of(scene, store))


def spread(items: Sequence[int], count: int) -> list[int]:
    """So many of the items, evenly spaced, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[step * (len(items) - 1) // max(1, count - 1)] for step in range(count)]


def doctor_says(engine: Engine, expected: Collection[str] = ()) -> list[str]:
    """Everything that doctor finds wrong with the store, but for what is expected to be."""
    return [
        f"doctor: {check.name}: {check.detail}"
        for check in engine.doctor()
        if not check.is_ok and check.name not in (*_NOT_THE_STORE, *expected)
    ]


def make_good(scene: Scene, store: Path) -> None:
    """Does the job again, as a person would, and sweeps once more."""
    engine = scene.engine(store)
    if scene.job != "sweep":
        try:
            driver.run(engine, scene.job)
        except NotFoundError:
            if not scene.job.startswith("forget"):
                raise  # only what was to be forgotten may be gone already
    driver.run(engine, "sweep")


def facts_of(scene: Scene, store: Path) -> Facts:
    """Everything that a store says of its sessions, and what lies in its folder."""
    engine = scene.engine(store)
    sessions = {session.id: session for session in engine.sessions(SessionFilter())}
    recalled, events = {}, {}
    for name, session in sessions.items():
        _, recalled[name], shown = engine.transcript(session)
        events[name] = list(shown)
    return {
        **{f"session {name}": session for name, session in sessions.items()},
        **{f"raw of {name}": session.raw for name, session in sessions.items()},
        **{f"digest of {name}": engine.digest(session) for name, session in sessions.items()},
        **{f"transcript of {name}": events[name] for name in sessions},
        **{
            f"recalled of {name}": [(item.path, item.event) for item in recalled[name].events]
            for name in sessions
        },
        "usage": engine.usage("session"),
        **_candidates(engine),
        "problems": sorted(map(str, engine.status().listed_problems)),
        "what doctor says": doctor_says(engine),
        **_facts_of_files(store),
    }


def _candidates(engine: Engine) -> Facts:
    """What recurs, with every member and what the evidence says."""
    found = engine.candidates.detect(CandidateFilter(is_all=True))
    assert found.ranked, "a scene in which nothing recurs shows nothing of grouping"
    return {
        "candidates": [msgspec.to_builtins(one) for one in found.ranked],
        "what evidence says": found.excerpts,
        "why candidates are stale": found.stale,
    }


def _facts_of_files(store: Path) -> Facts:
    """Cursors, and the packs that are missing, too many or of another length than their rows."""
    with closing(sqlite3.connect(f"file:{store}/store.db?mode=ro", uri=True)) as database:
        cursors = database.execute('SELECT path, size, "offset" FROM part ORDER BY path').fetchall()
        rows = database.execute("SELECT key, pack_bytes FROM session WHERE pack_bytes > 0")
        committed = {f"{key:07d}.pack": length for key, length in rows.fetchall()}
        notes = database.execute("SELECT name FROM note ORDER BY name").fetchall()
        searched = database.execute(
            "SELECT s.id, t.data FROM search_text t JOIN session s ON s.key = t.key >> 20"
        ).fetchall()
        waiting = database.execute("SELECT count(*) FROM search_pending").fetchone()
        ungrouped = database.execute(
            "SELECT bucket FROM changed_bucket UNION ALL SELECT session FROM changed_session"
        ).fetchall()
        database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search_index, row)")
        words = database.execute("SELECT term, cnt FROM temp.words").fetchall()
    packs = (store / "packs").rglob("*.pack")
    lying = {path.name: path.stat().st_size for path in packs}
    reserve = store / "reserve"
    return {
        "cursors": cursors,
        "notes": notes,
        "texts": sorted((name, *text) for name, data in searched for text in unpack_texts(data)),
        "texts that wait": waiting,
        "what waits to be grouped": ungrouped,
        "words of the index": words,
        "packs that differ from their rows": sorted(lying.items() ^ committed.items()),
        "the reserve": reserve.stat().st_blocks if reserve.exists() else None,
        "files": sorted(
            path.name.partition("-2")[0]  # without the moment at which files were set aside
            for path in store.iterdir()
            if not path.name.endswith(_OF_READERS)
        ),
    }


def differences(wanted: Facts, found: Facts) -> list[str]:
    """Which facts are otherwise than they should be."""
    return [
        f"{name}: {_short(found.get(name))} instead of {_short(wanted.get(name))}"
        for name in sorted(wanted.keys() | found.keys())
        if wanted.get(name) != found.get(name)
    ]


def _short(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= 300 else f"{shown[:300]}…"


def try_points(subject: Trial, report: Callable[[str, object], None]) -> None:
    """Kills a scene's job at its share of points, tells how many, and fails on any complaint."""
    share = SHARES[subject.scene.name]
    chosen = subject.chosen(share)
    complaints = [line for point in chosen for line in subject.killed_at(point)]
    report(KILLED, f"{subject.scene.name}: {len(chosen)} of {len(subject.points.all)}")
    assert len(chosen) >= min(share, len(subject.points.all))
    assert not complaints, "\n".join(complaints)
