"""Read-only checks of a store: is everything present that the rows refer to?"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator

from helix_tui.schema import DoctorCheck
from helix_tui.store.database import Database
from helix_tui.store.detection.agreement import trouble_in_detection
from helix_tui.store.digests.search_index import SHIFT, are_indexed
from helix_tui.store.digests.texts import are_sound
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.aside import files_aside
from helix_tui.store.packs.packs import FramePlace, PackDamagedError, header_in, prove_frame
from helix_tui.store.packs.seal import packs_state
from helix_tui.store.packs.unowned import unowned_packs
from helix_tui.store.read.spend import BY_SPEND, BY_USAGE
from helix_tui.store.shape import trouble_in_shape

_OLDEST_SQLITE = (3, 35, 0)
_SHOWN = 3
REPAIR = (
    "Run `helix doctor --repair`: it rebuilds the store from the logs and packs that still exist, "
    "says what is lost, and keeps the damaged files."
)


def check_sqlite() -> DoctorCheck:
    """Whether this machine's SQLite can do what the store needs."""
    connection = sqlite3.connect(":memory:")
    modules = connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchall()
    connection.close()
    is_ok = sqlite3.sqlite_version_info >= _OLDEST_SQLITE and bool(modules)
    oldest = ".".join(map(str, _OLDEST_SQLITE))
    detail = f"version {sqlite3.sqlite_version}{'' if modules else ' without FTS5'}"
    return DoctorCheck("sqlite", is_ok, detail, f"Install SQLite {oldest} or newer, with FTS5.")


def check_permissions(layout: StoreLayout) -> DoctorCheck:
    """Whether only the owner can read the store."""
    folders = [layout.root, layout.packs]
    files = [*layout.root.glob("store.*")]
    open_to_others = [
        path
        for path in (*folders, *files)
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if not open_to_others:
        return DoctorCheck("permissions", True, "only you can read the store")
    names = ", ".join(str(path) for path in open_to_others[:_SHOWN])
    return DoctorCheck(
        "permissions", False, f"others can read {names}", f"Run `chmod -R go= {layout.root}`."
    )


def check_database(database: Database) -> DoctorCheck:
    """Run SQLite's own check of every page."""
    messages = [str(row[0]) for row in database.execute_sql("PRAGMA quick_check(5)").fetchall()]
    if messages == ["ok"]:
        return DoctorCheck("database", True, "every page is sound")
    return DoctorCheck("database", False, "; ".join(messages), REPAIR)


def check_shape(database: Database) -> DoctorCheck:
    """Whether all tables, columns and indexes exist, and nothing else."""
    trouble = trouble_in_shape(database.connection())
    return DoctorCheck(
        "schema", not trouble, trouble or "tables and indexes are as they must be", REPAIR
    )


def check_rows(database: Database) -> Iterator[DoctorCheck]:
    """Whether sessions, events, frames and usage agree with each other."""
    connection: sqlite3.Connection = database.connection()
    miscounted = connection.execute(
        "SELECT s.id FROM session s LEFT JOIN "
        "(SELECT session, count(*) AS n FROM event GROUP BY session) e ON e.session = s.key "
        "LEFT JOIN evicted g ON g.session = s.key "
        "WHERE s.events - s.evicted_events <> coalesce(e.n, 0) "
        "OR s.evicted_events <> coalesce(length(g.fingerprints), 0) / 8"
    ).fetchall()
    yield _agreement("events", miscounted, "every session has the events it counts")
    undigested = connection.execute(
        "SELECT s.id FROM session s WHERE s.is_analyzed AND s.is_exact AND s.events > 0 "
        "AND NOT EXISTS (SELECT 1 FROM fold f WHERE f.session = s.key)"
    ).fetchall()
    yield _agreement("digests", undigested, "every session said to be analyzed has a digest")
    orphans = connection.execute(
        "SELECT DISTINCT 'session ' || o.session FROM (SELECT session FROM event UNION "
        "SELECT session FROM fold UNION SELECT session FROM evicted UNION "
        "SELECT session FROM usage UNION SELECT session FROM spend "
        "UNION SELECT session FROM instructed "
        f"UNION SELECT key >> {SHIFT} FROM search_text) o "
        "LEFT JOIN session s ON s.key = o.session WHERE s.key IS NULL"
    ).fetchall()
    yield _agreement("sessions", orphans, "every row belongs to a session")
    homeless = connection.execute(
        "SELECT DISTINCT s.id FROM event e JOIN session s ON s.key = e.session "
        'LEFT JOIN frame f ON f.session = e.session AND f."offset" = e.frame '
        'WHERE f."offset" IS NULL'
    ).fetchall()
    yield _agreement("frames", homeless, "every event has its frame")
    misjudged = connection.execute(
        "SELECT s.id FROM session s LEFT JOIN (SELECT session, sum(input) i, sum(output) o, "
        "sum(cache_read) r, sum(cache_write) w, sum(reasoning) t FROM usage GROUP BY session) u "
        "ON u.session = s.key WHERE (s.input, s.output, s.cache_read, s.cache_write, s.reasoning) "
        "<> (coalesce(u.i, 0), coalesce(u.o, 0), coalesce(u.r, 0), coalesce(u.w, 0), "
        "coalesce(u.t, 0))"
    ).fetchall()
    yield _agreement("usage", misjudged, "every token is counted once")
    unbalanced = connection.execute(
        f"SELECT DISTINCT 'session ' || session FROM (SELECT * FROM ({BY_USAGE} EXCEPT {BY_SPEND}) "
        f"UNION SELECT * FROM ({BY_SPEND} EXCEPT {BY_USAGE}))"
    ).fetchall()
    yield _agreement("cost", unbalanced, "what is priced is what was counted")
    # The offset in a compressed log is that of the plain text.
    overrun = connection.execute(
        "SELECT path FROM part WHERE size >= 0 AND \"offset\" > size AND path NOT LIKE '%.zst'"
    ).fetchall()
    yield _agreement("cursors", overrun, "no cursor stands behind the end of its file")


def check_texts(database: Database) -> DoctorCheck:
    """Whether every text that can be searched can be read."""
    connection: sqlite3.Connection = database.connection()
    rows = connection.execute(
        f"SELECT s.id, t.data FROM search_text t JOIN session s ON s.key = t.key >> {SHIFT}"
    ).fetchall()
    damaged = sorted({name for name, data in rows if not are_sound(data)})
    if not damaged:
        return DoctorCheck("texts", True, f"{len(rows):,} texts that can be searched are sound")
    return DoctorCheck("texts", False, f"damaged: {some(damaged)}", REPAIR)


def check_index(database: Database) -> DoctorCheck:
    """Whether the index has each text once, and every word of it can be read."""
    todo = "Run `helix doctor --repair`: it makes the index anew from the stored texts."
    with database.atomic():  # index and texts of one moment
        trouble = are_indexed(database.connection())
    return DoctorCheck("search", not trouble, trouble or "index and texts agree", todo)


def check_detection(database: Database) -> DoctorCheck:
    """Whether everything detection stored can be read and refers to existing sessions."""
    todo = "Run `helix doctor --repair`: it makes signals and candidates anew from the digests."
    with database.atomic():  # sessions and candidates of one moment
        trouble = trouble_in_detection(database.connection())
    return DoctorCheck("detection", not trouble, trouble or "candidates and sessions agree", todo)


def check_packs(database: Database, layout: StoreLayout) -> DoctorCheck:
    """Whether every frame is where its row says, whole and unchanged."""
    connection: sqlite3.Connection = database.connection()
    damaged: list[str] = []
    frames = 0
    sessions = connection.execute("SELECT key, id FROM session WHERE pack_bytes > 0").fetchall()
    for key, name in sessions:
        places = connection.execute(
            'SELECT "offset", length FROM frame WHERE session = ?', (key,)
        ).fetchall()
        frames += len(places)
        try:
            descriptor = os.open(layout.pack(key), os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            damaged.append(f"{name}: {error.strerror}")
            continue
        try:
            header = header_in(layout.pack(key))
            if header is None:
                damaged.append(f"{name}: the pack's header is damaged")
            elif header.id != name:
                damaged.append(f"{name}: its pack is that of {header.id}")
            for place in places:
                prove_frame(descriptor, FramePlace(*place))
        except PackDamagedError as error:
            damaged.append(f"{name}: {error}")
        finally:
            os.close(descriptor)
    if not damaged:
        return DoctorCheck("packs", True, f"{frames} frames of {len(sessions)} sessions are sound")
    return DoctorCheck("packs", False, some(damaged), REPAIR)


def check_owners(database: Database, layout: StoreLayout) -> DoctorCheck:
    """Whether every byte of every pack belongs to a row, and nothing waits to be taken over."""
    connection: sqlite3.Connection = database.connection()
    state = packs_state(connection, layout)
    if state.is_cut_off:
        # What such a writer leaves behind is no damage, and nothing a person has to act on.
        return DoctorCheck(
            "owners", True, "a writer is at work, or was cut off: the next sweep goes on"
        )
    unowned = [item.size for item in unowned_packs(connection, layout)]
    aside = [path.stat().st_size for path in files_aside(layout)]
    if not unowned and not aside:
        return DoctorCheck("owners", True, "every byte of every pack belongs to a session")
    problems = []
    if unowned:
        problems.append(
            f"{len(unowned):,} packs hold {sum(unowned):,} bytes that no row owns: "
            "the database is older than they are, or was put back"
        )
    if aside:
        problems.append(
            f"{len(aside):,} files of {sum(aside):,} bytes were put aside: {layout.aside}"
        )
    todo = (
        "Run `helix --sweep` or `helix doctor --repair`: both take over what is not in the store, "
        "and delete nothing else. `helix status` says why a file stays aside."
    )
    return DoctorCheck("owners", False, "; ".join(problems), todo)


def _agreement(name: str, wrong: list[tuple[str]], fine: str) -> DoctorCheck:
    if not wrong:
        return DoctorCheck(name, True, fine)
    return DoctorCheck(name, False, f"not so: {some([row[0] for row in wrong])}", REPAIR)


def some(names: list[str]) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more
