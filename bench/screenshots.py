"""Pictures of the workstation on the bundled sample, the same bytes on every machine."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import msgspec
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from helix_tui.config import Config, load
from helix_tui.engine import Engine
from helix_tui.engine.memory.flushing import Memory
from helix_tui.engine.review import promotion, transaction
from helix_tui.engine.sample import keep_sample
from helix_tui.engine.sample_history import tell_history
from helix_tui.memory.distill import distill
from helix_tui.places import SAMPLE_HOME
from helix_tui.retain.plan import plan
from helix_tui.schema import Caps, DiskUsage, Problem, RetentionReport, SessionFilter, SweepSummary
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.schema.memory import MemorySettings
from helix_tui.tui.app import HelixApp
from helix_tui.tui.jobs import Connection
from helix_tui.tui.screens import has_screen
from helix_tui.tui.themes import CONTRAST, LIGHT

if TYPE_CHECKING:
    from helix_tui.engine.status import Status

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
SIZE = (120, 40)
NOW = 1_794_700_800.0  # a day after the last session of the sample
_VERDICT_TIME = "2026-11-15T09:30:00.000Z"
_AUTHOR = "reviewer"
# Room for some of the sample only, so that there is something to evict.
_CAPS = Caps(soft=960 << 10, hard=1280 << 10, max_age_days=0, distilled=16 << 20)
# What sessions distill to on a disk depends on the disk.
_DISTILLED = 9 << 20
_APPROVED = 5
# The pattern whose second version somebody words.
_REWORDED = "push-rejected"
_FLUSHED = 24
_OVERLOADED = ("sh", "-c", "echo the model is overloaded >&2; exit 1")
_PATIENCE = 600
# So many looks in a row that show the same are a screen that stands still.
_STILL = 10


class Shot(NamedTuple):
    """A picture: what is pressed, what is seen then, and which screen that needs."""

    name: str
    keys: Sequence[str]
    wanted: str
    screen: str = "review"
    theme: str = ""


SHOTS = (
    Shot("review", ("j", "j"), "why here"),
    Shot("again", (), "more frequent since"),
    Shot("evidence", ("j", "enter"), "", "evidence"),
    Shot("editor", ("j", "e"), "", "editor"),
    Shot("discuss", ("j", "d"), "note:"),
    Shot("sessions", ("f3",), "", "sessions"),
    Shot("catalog", ("f4", "j"), "Problem", "catalog"),
    Shot("versions", ("f4", "j", "enter", "d"), "1.0.0 to 1.1.0", "catalog"),
    Shot("budget", ("f5", "j"), "frees", "budget"),
    Shot("memory", ("f6",), "How it stands:", "memory"),
    Shot("effect", ("f8",), "┊", "effect"),
    Shot("helped", ("f8", "j", "j"), "Helped", "effect"),
    Shot("insight", ("f9",), "By repository", "insight"),
    Shot("problems", ("P",), "", "problems"),
    Shot("undo", ("U",), "", "undo"),
    Shot("help", ("question_mark",), "On review", "help"),
    Shot("commands", ("ctrl+p",), "candidate: Approve"),
    Shot("jump", ("f2",), "jump: a letter"),
    Shot("review-light", ("j", "j"), "why here", theme=LIGHT.name),
    Shot("review-contrast", ("j", "j"), "why here", theme=CONTRAST.name),
)


class FrozenEngine(Engine):
    """The sample's store with the sizes that do not depend on the disk under it."""

    def _usage(self) -> DiskUsage:
        return DiskUsage(sum(one.raw_bytes for one in self.holdings()), _DISTILLED)

    def status(self) -> Status:
        """What the store holds, swept two minutes ago."""
        found = super().status()
        last = found.last_sweep
        if last is not None:
            last = msgspec.structs.replace(last, started_ts=int((NOW - 120) * 1000))
        return msgspec.structs.replace(found, usage=self._usage(), caps=_CAPS, last_sweep=last)

    def problems(self, most: int) -> list[Problem]:
        """What could not be read, in a home that everybody may see."""
        home = str(self.config.store / SAMPLE_HOME)
        found = [
            msgspec.structs.replace(one, path=one.path.replace(home, "/home/dev"))
            for one in super().problems(most)
        ]
        # One sweep told of all of them, in whatever order it read the logs.
        return sorted(found, key=lambda one: one.path)

    def retain(self, *, is_dry_run: bool, cancelled: Callable[[], bool] = bool) -> RetentionReport:
        """The plan by the caps of the picture."""
        usage = self._usage()
        made = plan(self.holdings(), usage, _CAPS, int(NOW * 1000))
        return RetentionReport(made, DiskUsage(usage.raw - made.freed, usage.distilled))

    def growth(self, most: int) -> list[SweepSummary]:
        """One sweep has made this store."""
        return super().growth(most)[:1]


def _damage(home: Path) -> None:
    """What a full disk does to a log, so that there is a problem to show."""
    first, *_, last = sorted(home.rglob("*.jsonl"))
    for log, left in ((first, b'{"type":"assistant","message":{"role":"assi'), (last, b"\0" * 64)):
        with log.open("ab") as file:
            file.write(left + b"\n")


def make_sample(store: Path) -> Config:
    """A store of the sample with a few patterns in its catalog."""
    keep_sample(store)
    _damage(store / SAMPLE_HOME)
    config = load(None, store, {"HOME": str(store)})
    config = msgspec.structs.replace(config, curate=config.curate._replace(author=_AUTHOR))
    engine = Engine(config)
    tell_history(config)
    for _ in engine.sweep():
        pass
    with (
        patch.object(transaction, "now_text", lambda: _VERDICT_TIME),
        patch.object(promotion, "now_text", lambda: _VERDICT_TIME),
    ):
        approved: list[str] = []
        board = engine.candidates.board(CandidateFilter()).reviewed
        for one in [one for one in board if one.verdict == "open"][3:]:
            name = one.ranked.candidate.id
            if len(approved) < _APPROVED and not engine.verdicts.preview(name).words_of_log:
                engine.verdicts.approve(name, look="list")
                approved.append(name)
        reworded = next(name for name in approved if name.startswith(_REWORDED))
        engine.verdicts.approve(reworded, guidance="Use what the project uses.", look="list")
    _remember(engine)
    return config


def _remember(engine: Engine) -> None:
    """Flushes sessions when they ended, keeps notes of one, and has a program fail on another."""
    config = engine.config
    sessions = [
        one for one in engine.sessions(SessionFilter()) if one.parent is None and one.last_ts
    ]
    failing, noted, *flushed = sessions[: _FLUSHED + 2]

    def memory_at(ts: int | None, settings: MemorySettings) -> Memory:
        moment = datetime.fromtimestamp((ts or 0) / 1000 + 60, UTC)
        other = msgspec.structs.replace(config, memory=settings)
        return Memory(other, engine._reading, engine.session, lambda: moment)

    for one in reversed(flushed):
        memory_at(one.last_ts, config.memory).flush(one)
    memory_at(flushed[0].last_ts, config.memory).compile(is_now=True)
    list(engine.notes(noted.last_ts).update([noted.id], is_forced=True))
    program = config.memory._replace(distiller="command", command=_OVERLOADED)
    with patch.object(distill, "FIRST_WAIT_SECONDS", 0.0):
        memory_at(failing.last_ts, program).flush(failing)
    event = {"flavor": noted.flavor, "session": noted.native_id, "event": "Stop"}
    line = msgspec.json.encode({**event, "path": "/home/dev/code", "at": noted.last_ts})
    (config.store / "spool.jsonl").write_bytes(line + b"\n")


async def take(config: Config, shot: Shot) -> str:
    """One picture, of an app of its own."""
    connection = Connection(FrozenEngine(config), ["true"], is_sample=True)
    app = HelixApp(lambda: connection, clock=lambda: NOW)
    async with app.run_test(size=SIZE) as pilot:
        if shot.theme:
            app.theme = shot.theme
        await _until(app, "why here")
        await _until(app, "next sweep frees")
        await press_all(pilot, shot.keys)
        await _until(app, shot.wanted)
        for line in (*app.screen.query(Input), *app.screen.query(TextArea)):
            line.cursor_blink = False
        app.clear_notifications()
        await pilot.pause(0.5)
        return app.export_screenshot(title=f"helix: {shot.name}")


async def press_all(pilot: Pilot[None], keys: Sequence[str]) -> None:
    """Presses keys, each on a screen that stands still: before, there is nothing to move in."""
    for number, key in enumerate(keys):
        if number:
            await _settled(pilot)
        await pilot.press(key)


async def _settled(pilot: Pilot[None]) -> None:
    app, before, still = pilot.app, "", 0
    for _ in range(_PATIENCE):
        await asyncio.sleep(0.02)
        now = _shown(app)
        still = still + 1 if now == before and "reading…" not in now else 0
        before = now
        if still >= _STILL:
            return


def _shown(app: App[None]) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def _until(app: HelixApp, wanted: str) -> None:
    for _ in range(_PATIENCE):
        if wanted in _shown(app):
            return
        await asyncio.sleep(0.02)
    raise RuntimeError(f"{wanted!r} never came on the screen")


def main(names: Sequence[str]) -> None:
    """Writes all pictures, or those that are named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ.pop("NO_COLOR", None)  # a picture is for others
    with tempfile.TemporaryDirectory(prefix="helix-screens-") as folder:
        config = make_sample(Path(folder) / "store")
        for shot in SHOTS:
            if (names and shot.name not in names) or not has_screen(shot.screen):
                continue
            picture = asyncio.run(take(config, shot))
            (FOLDER / f"{shot.name}.svg").write_text(_clean(picture))
            print(f"docs/screens/{shot.name}.svg")


def _clean(picture: str) -> str:
    """With every blank of the screen, whatever draws it, and no font that is fetched."""
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)
    return "\n".join(line.rstrip() for line in picture.split("\n")) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
