"""Small homes and the stores that a job finds: built once, copied for each fault."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine import Engine
from tests.claude_log import ClaudeLog, as_line, usage
from tests.faults import driver, strace
from tests.store.released.samples import OLDER, unpack

# Well in the past whenever the tests run: what is older than an hour no longer grows.
_LONG_AGO = -90_000_000
_HOUR = 3600
PARENT = "aaaaaaaa-0000-4000-8000-000000000000"
UNOWNED = 9
_STEPS = (4, 3, 4, 5, 6)
_ROOMY = ("1 GiB", "1 GiB")
_TIGHT = ("14 KiB", "40 KiB")


@dataclass(frozen=True, slots=True)
class Scene:
    """A home, a store as it was before the job, and the configuration that the job runs under."""

    name: str
    job: str
    folder: Path
    changes: tuple[str, ...] = ()
    start: str = "before"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def before(self) -> Path:
        return self.folder / self.start

    @property
    def newer(self) -> Path:
        """The store before an older database was put back."""
        return self.folder / "newer"

    @property
    def told(self) -> tuple[str, ...]:
        """What doctor rightly finds wrong until the job is done."""
        return ("owners",) if self.newer.exists() else ()

    @property
    def config(self) -> Path:
        return self.folder / "config.toml"

    def copy(self, name: str) -> Path:
        """A fresh copy of the store as it was before, or the place where it will be made."""
        store = self.folder / name
        shutil.rmtree(store, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, store)
        return store

    def engine(self, store: Path) -> Engine:
        return Engine(load(self.config, store, strace.environ(self.home)))

    def command(self, store: Path) -> list[str]:
        """What the driver is called with."""
        return [self.job, str(self.home), str(store), str(self.config), *self.changes]

    def set_caps(self, caps: tuple[str, str]) -> None:
        soft, hard = caps
        self.config.write_text(
            "[sweep]\nworkers = 0\n[retention]\n"
            f'raw_soft_cap_bytes = "{soft}"\nraw_hard_cap_bytes = "{hard}"\n'
        )


def build(name: str, folder: Path, *changes: str) -> Scene:
    """Makes a scene by its name; the changes are the driver's."""
    job, prepare = SCENES[name]
    if name == "cold sweep":
        changes += (driver.ONE_SYNC,)  # elsewhere each pack is synced for itself
    scene = Scene(name, job, folder, changes)
    scene.home.mkdir(parents=True)
    scene.set_caps(_ROOMY)
    prepare(scene)
    return scene


def _cold(scene: Scene) -> None:
    """A home that no store knows yet."""
    _write_home(scene.home)


def _grown(scene: Scene) -> None:
    """Logs were appended to, rewritten, begun; what was evicted grows, too."""
    _swept(scene)
    scene.set_caps(("20 KiB", "40 KiB"))
    driver.run(scene.engine(scene.before), "retain")
    scene.set_caps(_ROOMY)
    _grow(scene.home)


def _evicting(scene: Scene) -> None:
    """New logs come in while the caps call for evictions."""
    _swept(scene)
    _grow(scene.home)
    scene.set_caps(_TIGHT)


def _full(scene: Scene) -> None:
    """Nothing is new, the caps are low, one session is pinned, and some logs are gone for good."""
    _swept(scene)
    driver.run(scene.engine(scene.before), f"pin={name_of(1)}")
    shutil.rmtree(scene.home / ".claude" / "projects" / "-work-other")
    scene.set_caps(_TIGHT)


def _ungrouped(scene: Scene) -> None:
    """Everything is taken in, and nothing is made of the digests yet."""
    _swept(scene)
    with closing(sqlite3.connect(scene.before / "store.db")) as database, database:
        for table in (
            *("signal", "counted", "candidate", "speech", "saying"),
            *("changed_bucket", "changed_session"),
        ):
            database.execute(f"DELETE FROM {table}")
        database.execute("DELETE FROM note WHERE name IN ('signals', 'grouped')")


def _damaged(scene: Scene) -> None:
    """Some sessions have only digests, some only packs, one what no row owns; all is damaged."""
    _swept(scene)
    _put_pack_aside(scene)
    scene.set_caps(("20 KiB", "40 KiB"))
    driver.run(scene.engine(scene.before), "retain")
    scene.set_caps(_ROOMY)
    shutil.rmtree(scene.home / ".claude" / "projects" / "-work-other")
    with (scene.before / "store.db").open("r+b") as database:
        database.seek(4096 * 5)
        database.write(b"\xff" * 4096)
    pack = max((scene.before / "packs").rglob("*.pack"))
    with pack.open("r+b") as file:
        file.truncate(pack.stat().st_size // 2)


def _put_pack_aside(scene: Scene) -> None:
    """A pack of a session of which nobody else knows."""
    other = Scene("other", "sweep", scene.folder / "other")
    other.home.mkdir(parents=True)
    other.set_caps(_ROOMY)
    log = _log(UNOWNED)
    _talk(log, 2)
    log.write(other.home)
    driver.run(other.engine(other.before), "sweep")
    (pack,) = (other.before / "packs").rglob("*.pack")
    (scene.before / "aside").mkdir(mode=0o700)
    pack.rename(scene.before / "aside" / "0000099-1.pack")


def _released(scene: Scene, sample: str) -> None:
    """A store as an earlier version left it; the logs that it was made of are gone."""
    (scene.home / ".claude" / "projects").mkdir(parents=True)
    unpack(sample, scene.before)


def _restored(scene: Scene) -> None:
    """An older database was put back, and some of what came in since is only in packs."""
    _swept(scene)
    older = scene.folder / "older.db"
    shutil.copy2(scene.before / "store.db", older)
    _grow(scene.home)
    driver.run(scene.engine(scene.before), "sweep")
    scene.before.rename(scene.newer)
    shutil.copytree(scene.newer, scene.before)
    shutil.copy2(older, scene.before / "store.db")
    projects = scene.home / ".claude" / "projects"
    for number, project in ((1, "-work-app"), (7, "-work-app"), (4, "-work-other")):
        (projects / project / f"{name_of(number)}.jsonl").unlink()


def _swept(scene: Scene) -> None:
    _write_home(scene.home)
    driver.run(scene.engine(scene.before), "sweep")


def name_of(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def _log(number: int, agent: str | None = None) -> ClaudeLog:
    name = name_of(number) if number else PARENT
    return ClaudeLog(session=name, agent=agent, start=_LONG_AGO + number * _HOUR)


def _talk(log: ClaudeLog, steps: int) -> None:
    """A prompt, steps of which one in three fails, and a reply."""
    log.prompt(f"make it work in {log.session}")
    noise = random.Random(f"{log.session}{log.agent}{len(log.records)}")
    for number in range(steps):
        output = noise.randbytes(400).hex()
        is_error = number % 3 == 1
        failed = f"Exit code 127\nbash: line 1: frob: command not found\n{output}"
        log.step(f"make {number}", failed if is_error else output, is_error)
    log.reply("It works now.", usage=usage(out=7))


def _write_home(home: Path) -> None:
    parent = _log(0)
    _talk(parent, _STEPS[0])
    parent.write(home)
    agent = _log(0, "abc")
    _talk(agent, 2)
    agent.write(home)
    for number in range(1, 5):
        log = _log(number)
        _talk(log, _STEPS[number])
        if number == 2:
            path = log.write(home)
            lines = log.lines()
            path.write_bytes(b"".join([*lines[:3], b'{"torn": \n', *lines[3:]]))
        else:
            log.write(home, project="-work-other" if number > 2 else "-work-app")
    _write_copy(home)
    _write_resumed(home)


def _write_copy(home: Path) -> None:
    """A copy of a log that goes on by itself: one session of two files that overlap."""
    log = _log(3)
    _talk(log, _STEPS[3])
    del log.records[6:]
    _talk(log, 2)
    log.write(home, project="-work-app", name="copy")


def _write_resumed(home: Path) -> None:
    """A session that holds messages of another one: their usage counts once."""
    log = _log(5)
    log.prompt("go on")
    log.reply("So it is.", message="shared", usage=usage(out=11))
    log.write(home, project="-work-other")
    other = _log(6)
    other.reply("So it is.", message="shared", usage=usage(out=11))
    _talk(other, 1)
    other.write(home, project="-work-other")


def _grow(home: Path) -> None:
    projects = home / ".claude" / "projects"
    for number, project in ((0, "-work-app"), (1, "-work-app"), (4, "-work-other")):
        log = _log(number)
        _talk(log, _STEPS[number])
        before = len(log.records)
        _talk(log, 2)
        with (projects / project / f"{log.session}.jsonl").open("ab") as file:
            file.write(b"".join(log.lines()[before:]))
    rewritten = projects / "-work-other" / f"{name_of(5)}.jsonl"
    log = _log(5)
    log.prompt("go on, but otherwise")
    log.reply("So it is not.", message="shared", usage=usage(out=11))
    rewritten.write_bytes(as_line({"type": "mode", "sessionId": log.session}) + log.text())
    new = _log(7)
    _talk(new, 3)
    new.write(home)


SCENES: dict[str, tuple[str, Callable[[Scene], None]]] = {
    "cold sweep": ("sweep", _cold),
    "sweep after growth": ("sweep", _grown),
    "sweep that evicts": ("sweep", _evicting),
    "retain": ("retain", _full),
    "forget": (f"forget={PARENT}", _swept),
    "detect": ("detect", _ungrouped),
    "pin": (f"pin={name_of(2)}", _swept),
    "repair": ("repair", _damaged),
    **{
        f"migration of {sample}": ("migrate", partial(_released, sample=sample)) for sample in OLDER
    },
    "restore": ("sweep", _restored),
}
