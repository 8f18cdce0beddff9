"""The loop from one end to the other: what was taught in one repository, and what came of it.

Two rules came in on a Monday, a third on a Thursday ten days later. Of the first the trouble ended.
The second names a command, which is run far more often since, and fails the more often. Of the
third nobody knows yet. Gemini CLI never reads the file that they were written to.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from helix_tui.sample.steps import Ask, Say, Steps
from helix_tui.sample.trouble import Trouble
from helix_tui.sample.work import Scene

REPO = "driftwood"
# Each trouble by week, the oldest first; a letter is one session of that agent.
LOOP = {
    "migrate": ("ccxxom", "cxxoom", "ccxoom", "m", "m"),
    "preview": ("c", "x", "om", "cccxxoo", "cccxxxoom"),
    "tides": ("cx", "om", "cxo", "cxo", ""),
}
# Those that load the file with the rules.
LOADING = ("claude", "codex", "opencode")
FILE = "AGENTS.md"
_BEFORE_WORK = time(6, 10)
_NO_DATABASE = (
    "uv run alembic upgrade head\nsqlalchemy.exc.OperationalError: (psycopg.OperationalError) "
    'connection failed: connection to server at "127.0.0.1", port 5433 failed: Connection refused\n'
    "make: *** [Makefile:{n}: migrate] Error 1"
)
_MIGRATED = "uv run alembic upgrade head\nINFO  [alembic] Running upgrade {hash} -> {hash}"
_DATABASE = "docker start driftwood-db\ndriftwood-db"
_TAKEN = (
    "uv run python -m driftwood.preview\n"
    "driftwood.preview.PreviewError: another preview is running (pid 4{n}{pid})\n"
    "make: *** [Makefile:{pid}: preview] Error 1"
)
_SHOWN = "preview on http://localhost:8600, {n} pages"
_NO_TIDES = (
    "uv run python -m driftwood.tour\n"
    "driftwood.tides.NoTidesError: var/tides.db has no tide tables for this year\n"
    "make: *** [Makefile:{n}: tour] Error 1"
)
_ENDED = "uv run python -m driftwood.tour\n9 pages in {s}s"


class Taught(NamedTuple):
    """A rule that came in, so many days before the month ends, and the page that it is from.

    `candidate` is the id that detection gives to what its `story` leaves in the logs.
    """

    story: str
    candidate: str
    rule: str
    title: str
    problem: str
    applies: str
    days_before: int


TAUGHT = (
    Taught(
        "migrate",
        "connection-refused-postgres-a8859f2a",
        "Start the database with `make db-up` before `make migrate`.",
        "Start the database before migrations run",
        "`make migrate` fails: nothing listens on port 5433 until the database was started.",
        "Migrations are run in driftwood.",
        13,
    ),
    Taught(
        "preview",
        "tool-error-1f6ea7ce",
        "Look at pages with `make preview`; only one preview runs at a time.",
        "Look at pages with the preview, one at a time",
        "`make preview` fails while another one is running.",
        "A page of driftwood was changed.",
        13,
    ),
    Taught(
        "tides",
        "tool-error-7e2b735f",
        "Run `make tides` once before `make tour`.",
        "Load the tide tables before the tour",
        "`make tour` fails: the database has no tide tables until they were loaded.",
        "The tour through the pages of driftwood is run.",
        3,
    ),
)


def came_in(rule: Taught, until: date) -> datetime:
    """When a rule came in, in a month that ends with a day: before anybody worked that day."""
    return datetime.combine(until - timedelta(days=rule.days_before), _BEFORE_WORK, UTC)


def told_at(start: float, until: date) -> str:
    """What the file with the rules says when a session begins."""
    lines = ["# driftwood", "", "Keep changes small. `make check` has to pass."]
    rules = [f"- {one.rule}" for one in TAUGHT if came_in(one, until).timestamp() <= start]
    return "\n".join([*lines, "", *rules] if rules else lines)


def tell_loop(scene: Scene, stories: list[str], told: str) -> Steps:
    """A short session: the change, what goes wrong on the way, and the checks."""
    steps: Steps = [
        Ask(scene.task.ask),
        Say(scene.fill("I'll look at {path} first.")),
        scene.read(),
    ]
    for name in stories:
        steps += LOOP_TROUBLES[name].tell(scene)
    if "migrate" not in stories and scene.chance(0.4):
        up = "make db-up && make migrate"
        steps.append(scene.run(up, f"{_DATABASE}\n{_MIGRATED}", 0, 5))
    # A rule that names a command has it run.
    if "preview" not in stories and scene.chance(0.5 if "make preview" in told else 0.1):
        steps.append(scene.run("make preview", _SHOWN, 0, 3))
    return [*steps, scene.edit(), scene.check(), Say(scene.task.done)]


def _migrate(scene: Scene) -> Steps:
    return [
        scene.run("make migrate", _NO_DATABASE, 2, 4),
        scene.run("make db-up", _DATABASE, 0, 3),
        scene.run("make migrate", _MIGRATED, 0, 4),
    ]


def _preview(scene: Scene) -> Steps:
    return [
        scene.run("make preview", _TAKEN, 2, 2),
        scene.run("make preview-stop", "stopped", 0, 1),
        scene.run("make preview", _SHOWN, 0, 3),
    ]


def _tides(scene: Scene) -> Steps:
    return [
        scene.run("make tour", _NO_TIDES, 2, 5),
        scene.run("make tides", "tide tables of 2026: 705 rows", 0, 6),
        scene.run("make tour", _ENDED, 0, 20),
    ]


LOOP_TROUBLES = {
    "migrate": Trouble("look", _migrate),
    "preview": Trouble("look", _preview),
    "tides": Trouble("look", _tides),
}
