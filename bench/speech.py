"""Grouping what people say: one session more among many that speak, and all of them anew."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from bench import corpus
from bench.corpus import fresh_store
from bench.measure import Stopwatch, clean_environ, run
from bench.row import Row
from helix_tui.config import Config, load
from helix_tui.engine import Engine
from helix_tui.engine.candidates import regroup as regrouping
from helix_tui.events import CandidateCounts
from helix_tui.store.database import Database
from helix_tui.workers.garbage import spare_gc

_SESSIONS, _FEWER = 10_000, 1_000
_REPOS, _TURNS = 50, 4
_ROUNDS = 5
# What one session more, and the command that lists, may take, in seconds.
_GROWN, _LISTED = 0.1, 0.5
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_SYLLABLES = ("ba", "ko", "ri", "lun", "ter", "mas", "po", "vel", "shi", "gra", "nod", "fi", "quar")
# One turn in ten is a wish that others have as well; one in five of all objects to something.
_SHARED = 0.1
_WISHES = (
    "add tests for that",
    "commit and push",
    "log a linear issue about the {0}",
    "write the design doc first",
    "run the linter before you say that it is done",
    "update the changelog",
    "never commit without asking me",
    "no emojis please",
    "don't mock the database",
    "you forgot the migration again",
)
_TASKS = (
    "the {0} of the {1} looks off to me, have a look at the {2}",
    "can you move the {0} into the {1} and rename the {2}?",
    "now make the {0} show the {1} when the {2} is empty",
    "what does the {0} do with the {1}?",
    "I think the {0} should come before the {1}, and the {2} behind it",
    "there is a {0} in the {1} already",
    "go on with the {0}",
    "the {0} is fine, but the {1} needs a {2}",
    "no, not the {0}, the {1}",
    "wrong, the {0} is in the {1}",
)


def speech() -> Iterator[Row]:
    """What a sweep takes to group speech when one session of many says something more."""
    case = "speech 10k"
    spare_gc()  # as the command does before it sweeps
    few, many = _engine(_FEWER), _engine(_SESSIONS)
    fewer, grown = _grown(few, _FEWER), _grown(many, _SESSIONS)
    yield Row(case, "one session more, CPU", grown, "aim", _GROWN, 1.0)
    yield Row(case, "one session more, CPU", grown, "the same among 1,000", fewer, 10.0)
    whole = _regrouped(many)
    yield Row(case, "one session more, CPU", grown, "all anew", whole, 0.1)
    command = [sys.executable, "-m", "helix_tui", "detect", "--store", str(many.config.store)]
    listed = min(run(command, clean_environ(corpus.WORK)).wall for _ in range(3))
    yield Row(case, "helix detect, wall", listed, "aim", _LISTED, 1.0)


def _engine(sessions: int) -> Engine:
    """An engine over a swept home of its own, to which something may be added."""
    home = fresh_store(f"speech-home-{sessions}")
    shutil.copytree(_home(sessions), home)
    engine = Engine(load(None, fresh_store(f"speech-{sessions}"), {"HOME": str(home)}))
    for _ in engine.sweep():
        pass
    return engine


def _grown(engine: Engine, sessions: int) -> float:
    """The CPU seconds that grouping takes of a sweep with one session more."""
    home = corpus.STORES / f"speech-home-{sessions}"
    regroup = regrouping.regroup
    took = []

    def timed(config: Config, database: Database) -> CandidateCounts:
        began = time.process_time()
        counts = regroup(config, database)
        took.append(time.process_time() - began)
        return counts

    with patch.object(regrouping, "regroup", timed):
        for number in range(_ROUNDS):
            _write(home, sessions + number, random.Random(number))
            for _ in engine.sweep():
                pass
    return statistics.median(took)


def _regrouped(engine: Engine) -> float:
    with closing(sqlite3.connect(engine.config.store / "store.db")) as database, database:
        database.execute("DELETE FROM note WHERE name = 'grouped'")
    watch = Stopwatch(engine.candidates.dropped)  # the least that groups what has to be
    watch()
    return watch.seconds


def _home(sessions: int) -> Path:
    """A home in which every session has a few turns in words, made once."""
    place = corpus.WORK / f"home-speech-{sessions}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        for number in range(sessions):
            _write(place, number, random.Random(number))
        (place / "complete").touch()
    return place


def _write(home: Path, number: int, rng: random.Random) -> None:
    """One session of Claude Code's, of four turns with some work between."""
    repo, session = f"repo{number % _REPOS}", f"{number:08d}-0000-4000-8000-000000000000"
    at = _BEGAN + timedelta(minutes=30 * number)
    records: list[dict[str, object]] = []

    def say(role: str, content: object) -> None:
        nonlocal at
        at += timedelta(seconds=20)
        name = f"{number}-{len(records)}"
        records.append(
            {
                "type": role,
                "uuid": name,
                "sessionId": session,
                "cwd": f"/work/{repo}",
                "gitBranch": "main",
                "timestamp": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "message": {"id": name, "role": role, "content": content},
            }
        )

    for turn in range(_TURNS):
        said = rng.choice(_WISHES if rng.random() < _SHARED else _TASKS)
        say("user", said.format(*(_noun(rng) for _ in range(3))))
        for step in range(2):
            call = f"{number}-{turn}-{step}"
            given = {"file_path": f"/work/{repo}/{_noun(rng)}.py", "old_string": "a"}
            use = {"type": "tool_use", "id": call, "name": "Edit", "input": given}
            say("assistant", [use])
            say("user", [{"type": "tool_result", "tool_use_id": call, "content": "ok"}])
        say("assistant", [{"type": "text", "text": "Done, it works now."}])
    path = home / ".claude" / "projects" / f"-work-{repo}" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))


def _noun(rng: random.Random) -> str:
    """A word that some sessions share: few are said often, many seldom."""
    rank = int(2_000 ** rng.random()) - 1
    spelled = (_SYLLABLES[(rank // step) % len(_SYLLABLES)] for step in (1, 13, 169))
    return "".join(spelled)
