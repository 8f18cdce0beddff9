"""What is measured: each case gives rows of figure, baseline, ratio and aim."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import msgspec

from bench import corpus, peers
from bench.approving import approve_rows
from bench.corpus import STORES, fresh_store
from bench.curation import curate
from bench.database import database
from bench.distribute import distribute_rows
from bench.effect import effect_rows
from bench.flavors import flavor_rows
from bench.hooks import guard_rows, hook_rows
from bench.long import long
from bench.measure import Run, Stopwatch, clean_environ, in_turns, median_of, run, timed
from bench.recall import recall_rows
from bench.row import Row
from bench.speech import speech
from bench.sweeps import HELIX, open_engine, scandir_and_stat, sweep_whole
from bench.told import told_rows
from bench.workstation import first_frame, workstation
from helix_tui.digest.excerpt import beginning
from helix_tui.engine import Engine
from helix_tui.events import SweepFinished
from helix_tui.schema import SessionFilter
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.store.detection.candidates import unpack_candidate
from helix_tui.store.digests.search_index import add_texts, index_pending
from helix_tui.store.digests.texts import pack_texts
from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals

_PAGE = 8192
_PLAIN_SCAN = re.compile(r"[A-Za-z0-9]{20,}").findall


def _cold(home: Path, name: str) -> Run:
    store = fresh_store(name)
    command = [*HELIX, "--sweep", "--json", "--store", str(store)]
    return run(command, clean_environ(home), allowed=(0, 1), is_told_early=True)


def _stored(store: Path) -> int:
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def cold() -> Iterator[Row]:
    """A first sweep of 1,000 sessions against tools that read the same."""
    home = corpus.home("1k", sessions=1000, megabytes=218)
    files = corpus.WORK / "files.txt"
    files.write_bytes(b"\0".join(os.fsencode(log) for log in corpus.logs(home)))
    contestants: dict[str, Callable[[], Run]] = {
        "helix": lambda: _cold(home, "cold"),
        "cat": lambda: run(["sh", "-c", f"xargs -0 cat < '{files}' | wc -l"], clean_environ(home)),
    }
    ccusage, agentsview = peers.ccusage(), peers.agentsview()
    if ccusage:
        command = [str(ccusage), "claude", "daily", "--json", "--offline"]
        contestants["ccusage"] = lambda: run(command, clean_environ(home))
    if agentsview:
        contestants["agentsview"] = lambda: _agentsview(agentsview, home)
    costs = in_turns(contestants, 3)
    helix = costs["helix"]
    yield Row("cold 1k", "wall", helix.wall, "cat | wc", costs["cat"].wall, None)
    if "ccusage" in costs:
        yield Row("cold 1k", "wall", helix.wall, "ccusage daily", costs["ccusage"].wall, 1.5)
    if "agentsview" in costs:
        peer = costs["agentsview"]
        yield Row("cold 1k", "cpu", helix.cpu, "agentsview sync", peer.cpu, 0.2)
        yield Row("cold 1k", "wall", helix.wall, "agentsview sync", peer.wall, None)
    raw = corpus.size(home)
    yield Row("cold 1k", "stored", _stored(STORES / "cold") / 1e6, "raw", raw / 1e6, 0.3, "MB")


def agents() -> Iterator[Row]:
    """A first sweep of three agents' logs, generated and real."""
    generated = corpus.home(
        "three", sessions=600, megabytes=180, flavors="claude,codex,grok", sigma=1.3
    )
    agentsview = peers.agentsview()
    for name, home in (("three agents", generated), ("real home", corpus.real_home())):
        store = name.replace(" ", "-")
        contestants: dict[str, Callable[[], Run]] = {"helix": partial(_cold, home, store)}
        if agentsview:
            contestants["agentsview"] = partial(_agentsview, agentsview, home)
        costs = in_turns(contestants, 3)
        helix = costs["helix"]
        if "agentsview" in costs:
            yield Row(name, "cpu", helix.cpu, "agentsview sync", costs["agentsview"].cpu, 0.2)
        raw, stored = corpus.size(home) / 1e6, _stored(STORES / store) / 1e6
        yield Row(name, "stored", stored, "raw", raw, 0.3, "MB")


def _agentsview(binary: Path, home: Path) -> Run:
    data = fresh_store("agentsview")
    data.mkdir(parents=True)
    environ = clean_environ(home, AGENTSVIEW_DATA_DIR=str(data), AGENTSVIEW_NO_DAEMON="1")
    return run([str(binary), "sync"], environ)


def warm() -> Iterator[Row]:
    """A sweep of 10,000 logs in which nothing changed."""
    home = corpus.home("10k", sessions=10_000, megabytes=400)
    store = fresh_store("warm")
    engine = open_engine(home, store)
    sweep_whole(engine)
    walk, sweep = [], []
    for _ in range(15):
        walk.append(timed(lambda: scandir_and_stat(str(home / ".claude"))))
        sweep.append(timed(lambda: sweep_whole(engine)))
    value, base = statistics.median(sweep), statistics.median(walk)
    yield Row("warm 10k", "in-process", value, "scandir + stat", base, 1.3)
    ccusage = peers.ccusage()
    if ccusage:
        command = [str(ccusage), "claude", "daily", "--json", "--offline"]
        helix = [*HELIX, "--sweep", "--store", str(store)]
        costs = in_turns(
            {
                "helix": lambda: run(helix, clean_environ(home)),
                "ccusage": lambda: run(command, clean_environ(home)),
            },
            5,
        )
        wall = costs["ccusage"].wall
        yield Row("warm 10k", "wall", costs["helix"].wall, "ccusage daily", wall, 0.2)


def append() -> Iterator[Row]:
    """10 KB more in a long session and in a short one."""
    benches = {}
    for megabytes in (5, 50):
        template = corpus.home(f"one-{megabytes}", sessions=1, megabytes=megabytes, sigma=0)
        home = fresh_store(f"append-home-{megabytes}")
        shutil.copytree(template, home)
        log = max(corpus.logs(home), key=lambda path: path.stat().st_size)
        engine = open_engine(home, fresh_store(f"append-{megabytes}"))
        sweep_whole(engine)
        benches[megabytes] = (engine, log)
    seconds: dict[int, list[float]] = {5: [], 50: []}
    for seed in range(15):
        for megabytes, (engine, log) in benches.items():
            corpus.append(log, 10, seed)
            seconds[megabytes].append(timed(partial(sweep_whole, engine)))
    value, base = statistics.median(seconds[50]), statistics.median(seconds[5])
    yield Row("append 10 KB", "to 50 MB", value, "to 5 MB", base, 1.2)


def memory() -> Iterator[Row]:
    """One file of 200 MB; the limit is 150 MB in the largest process."""
    large = corpus.home("one-200", sessions=1, megabytes=200, sigma=0)
    small = corpus.home("one-5", sessions=1, megabytes=5, sigma=0)
    costs = in_turns(
        {"large": lambda: _cold(large, "large"), "small": lambda: _cold(small, "small")}, 2
    )
    value, base = costs["large"].rss_mb, costs["small"].rss_mb
    yield Row("memory", "200 MB file", value, "5 MB file", base, None, "MB")
    yield Row("memory", "200 MB file", value, "limit", 150, 1.0, "MB")


def scaling() -> Iterator[Row]:
    """The time per session at 10,000 sessions against 1,000 of the same size."""
    thousand = corpus.home("1k-small", sessions=1000, megabytes=40)
    ten_thousand = corpus.home("10k", sessions=10_000, megabytes=400)
    costs = in_turns(
        {
            "1k": lambda: _cold(thousand, "scale-1k"),
            "10k": lambda: _cold(ten_thousand, "scale-10k"),
        },
        3,
    )
    for figure in ("wall", "cpu"):
        value = getattr(costs["10k"], figure) / len(corpus.logs(ten_thousand))
        base = getattr(costs["1k"], figure) / len(corpus.logs(thousand))
        aim = 1.1 if figure == "wall" else None
        yield Row("scaling", f"{figure} at 10k", value * 1e3, "at 1k", base * 1e3, aim, "ms/log")


def start_up() -> Iterator[Row]:
    """`helix --help` against the smallest Typer app that has two commands."""
    app = corpus.WORK / "two_commands.py"
    app.parent.mkdir(parents=True, exist_ok=True)
    app.write_text(
        textwrap.dedent(
            """
            import typer

            app = typer.Typer(rich_markup_mode=None)


            @app.command()
            def one(number: int = 1) -> None:
                "Does one thing."


            @app.command()
            def two(number: int = 2) -> None:
                "Does another."


            app()
            """
        )
    )
    environ = clean_environ(corpus.WORK)
    helix = [str(Path(sys.executable).with_name("helix")), "--help"]
    plain = [sys.executable, str(app), "--help"]
    for command in (helix, plain):
        subprocess.run(command, env=environ, check=True, capture_output=True)
    costs = in_turns(
        {"helix": lambda: run(helix, environ), "typer": lambda: run(plain, environ)}, 15
    )
    yield Row(
        "start-up", "helix --help", costs["helix"].wall, "typer app", costs["typer"].wall, 1.5
    )


def stages() -> Iterator[Row]:
    """What each stage takes of a cold sweep in one process, and redaction within the digests."""
    home = corpus.home("1k", sessions=1000, megabytes=218)
    alone = corpus.WORK / "alone.toml"
    alone.write_text("[sweep]\nworkers = 0\n")
    redacting = Stopwatch(redact)
    started = time.perf_counter()
    with patch("helix_tui.digest.excerpt.redact", redacting):
        *_, last = open_engine(home, fresh_store("stages"), alone).sweep()
    total = time.perf_counter() - started
    assert isinstance(last, SweepFinished)
    for name, seconds in last.report.stages.items():
        yield Row("stages", name, seconds, "cold sweep", total, None)
    yield Row("stages", "redaction", redacting.seconds, "cold sweep", total, 0.1)


def redaction() -> Iterator[Row]:
    """Redacting what a sweep of a real home keeps, and asking a page for secrets before a write."""
    alone = corpus.WORK / "alone.toml"
    alone.parent.mkdir(parents=True, exist_ok=True)
    alone.write_text("[sweep]\nworkers = 0\n")
    texts: list[str] = []

    def kept(text: str) -> str:
        texts.append(text)
        return redact(text)

    with patch("helix_tui.digest.excerpt.redact", kept):
        sweep_whole(open_engine(corpus.real_home(), fresh_store("redaction"), alone))
    page = "".join(texts)[:_PAGE]
    for figure, read, pieces in (
        ("texts kept", redact, texts),
        ("page of 8 KB", refusals, [page]),
    ):
        value, base = _scans(read, pieces)
        yield Row("redact", f"{figure}, CPU", value * 1e3, "one expression", base * 1e3, None, "ms")


def _scans(read: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    """The least CPU of reading all texts, and of looking for long runs of letters and digits."""
    spent: dict[Callable[[str], object], list[float]] = {read: [], _PLAIN_SCAN: []}
    for _ in range(9):
        for function, found in spent.items():
            watch = Stopwatch(partial(_each, function, texts))
            watch()
            found.append(watch.seconds)
    return min(spent[read]), min(spent[_PLAIN_SCAN])


def _each(function: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        function(text)


def queries() -> Iterator[Row]:
    """Listing 10,000 sessions, against reading the rows alone."""
    home = corpus.home("10k", sessions=10_000, megabytes=400)
    store = STORES / "warm"
    engine = open_engine(home, store)
    sweep_whole(engine)
    listed = median_of(lambda: engine.sessions(SessionFilter()), 5)
    rows = median_of(lambda: _rows(store), 5)
    yield Row("sessions 10k", "list", listed, "sqlite rows", rows, None)


# Queries of each sort, and which sessions they are asked of.
_QUERIES = {
    "rare word": ("enqueue", SessionFilter()),
    "common word": ("the", SessionFilter()),
    "two words": ("database traceback", SessionFilter()),
    "phrase": ('"no module named"', SessionFilter()),
    "prefix": ("test*", SessionFilter()),
    "one word without another": ("database -pytest", SessionFilter()),
    "common word in one repo": ("the", SessionFilter(repo="helix")),
}
# What an answer may take, in milliseconds.
_AT_MOST = 100


def search() -> Iterator[Row]:
    """Queries over 10,000 sessions, in-process and as a command, and what search costs."""
    home = corpus.home("10k", sessions=10_000, megabytes=400)
    store = STORES / "search"
    engine = open_engine(home, store)
    sweep_whole(engine)  # which brings a store of before up to date
    for name, (text, wanted) in _QUERIES.items():
        ask = partial(engine.search, text, wanted, 20)
        what = f"{name}, {ask().total:,} found"
        cpu = Stopwatch(ask)
        wall = sorted(timed(cpu) for _ in range(41))
        # The wall of the slowest tells more of a shared machine than of the query.
        for figure, seconds, aim in (
            ("CPU", cpu.seconds / len(wall), 1.0),
            ("p50", wall[20], 1.0),
            ("p95", wall[38], None),
        ):
            yield Row("search 10k", f"{what}, {figure}", seconds * 1e3, "aim", _AT_MOST, aim, "ms")
    command = [*HELIX, "search", "database", "--json", "--store", str(store)]
    listing = [*HELIX, "status", "--json", "--store", str(store)]
    costs = in_turns(
        {
            "search": lambda: run(command, clean_environ(corpus.WORK)),
            "status": lambda: run(listing, clean_environ(corpus.WORK)),
        },
        5,
    )
    base = costs["status"].wall
    yield Row("search 10k", "command, wall", costs["search"].wall, "helix status", base, None)
    yield from _search_costs()


def _search_costs() -> Iterator[Row]:
    """The share of a cold sweep's CPU and of its store that search takes."""
    home = corpus.home("1k", sessions=1000, megabytes=218)
    alone = corpus.WORK / "alone.toml"
    alone.write_text("[sweep]\nworkers = 0\n")
    store = fresh_store("search-costs")
    gathering, packing = Stopwatch(beginning), Stopwatch(pack_texts)
    storing, indexing = Stopwatch(add_texts), Stopwatch(index_pending)
    started = time.process_time()
    with (
        patch("helix_tui.digest.texts.beginning", gathering),
        patch("helix_tui.workers.reading.pack_texts", packing),
        patch("helix_tui.store.ingest.writer.add_texts", storing),
        patch("helix_tui.engine.sweep.sweep.index_pending", indexing),
    ):
        sweep_whole(open_engine(home, store, alone))
    total = time.process_time() - started
    gathered = gathering.seconds + packing.seconds + storing.seconds
    yield Row("search", "texts, CPU", gathered, "cold sweep", total, None)
    yield Row("search", "indexing, CPU", indexing.seconds, "cold sweep", total, None)
    raw = corpus.size(home) / 1e6
    with closing(sqlite3.connect(store / "store.db")) as database:
        for name, tables in (("texts", "search_text"), ("index", "search_index_*")):
            (size,) = database.execute(
                "SELECT sum(pgsize) FROM dbstat WHERE name GLOB ?", (tables,)
            ).fetchone()
            yield Row("search", f"{name}, stored", size / 1e6, "raw", raw, None, "MB")


# Grouping all of 10,000 sessions, and what one that grew takes, in seconds.
_COLD, _GROWN = 5.0, 0.1
_MANY_CANDIDATES, _FEW_SESSIONS = 100_000, 4


def detect() -> Iterator[Row]:
    """Detection over some 10,000 sessions that fail, recover and are corrected."""
    home = fresh_store("detect-home")
    shutil.copytree(corpus.troubled_home("samples", 82), home)
    engine = open_engine(home, fresh_store("detect"))
    sweep_whole(engine)
    for figure, notes in (("from signals", ("grouped",)), ("from digests", ("grouped", "signals"))):
        times = [_regrouped(engine, notes) for _ in range(3)]
        yield Row("detect 10k", f"{figure}, CPU", min(times), "aim", _COLD, 1.0)
    log = max(home.glob(".claude/**/*.jsonl"), key=lambda path: path.stat().st_size)
    for figure, add, aim in (
        ("one failed", corpus.add_failure, 1.0),
        ("one corrected", corpus.add_correction, 1.0),
    ):
        grown = []
        for number in range(5):
            add(log, number)
            grown.append(_stage(engine, "group"))
        yield Row("detect 10k", figure, statistics.median(grown), "aim", _GROWN, aim)
    yield Row("detect 10k", "nothing new", _stage(engine, "group"), "aim", _GROWN, 1.0)
    yield from _detect_commands("detect 10k", engine)
    _fill_with_candidates(engine.config.store / "store.db")
    yield from _detect_commands("detect 100k", engine)


def _detect_commands(case: str, engine: Engine) -> Iterator[Row]:
    """The command as a person and as a script calls it, beside one that reads a few rows."""
    store = ["--store", str(engine.config.store)]
    (first, *_) = engine.candidates.detect(CandidateFilter(), has_excerpts=False).ranked
    commands = {
        "helix detect": ["detect"],
        "--json": ["detect", "--json"],
        "--why": ["detect", "--why", first.candidate.id],
        "status": ["status"],
    }
    costs = in_turns(
        {
            name: partial(run, [*HELIX, *words, *store], clean_environ(corpus.WORK))
            for name, words in commands.items()
        },
        3,
    )
    base = costs.pop("status")
    for name, cost in costs.items():
        yield Row(case, f"{name}, wall", cost.wall, "helix status", base.wall, None)
    for name, cost in costs.items():
        yield Row(case, f"{name}, RSS", cost.rss_mb, "helix status", base.rss_mb, None, "MB")


def _regrouped(engine: Engine, notes: Sequence[str]) -> float:
    """CPU seconds of grouping everything again."""
    with closing(sqlite3.connect(engine.config.store / "store.db")) as database, database:
        database.executemany("DELETE FROM note WHERE name = ?", [(name,) for name in notes])
    watch = Stopwatch(engine.candidates.dropped)  # the least that groups what has to be
    watch()
    return watch.seconds


def _stage(engine: Engine, name: str) -> float:
    *_, last = engine.sweep()
    assert isinstance(last, SweepFinished)
    return last.report.stages[name]


def _fill_with_candidates(path: Path) -> None:
    """Puts in many more candidates, each of as few sessions as most have."""
    with closing(sqlite3.connect(path)) as database, database:
        (there,) = database.execute("SELECT count(*) FROM candidate").fetchone()
        data = database.execute("SELECT data FROM candidate ORDER BY sessions DESC").fetchone()[0]
        small = unpack_candidate(data)
        small.members = dict(islice(small.members.items(), _FEW_SESSIONS))
        del small.evidence[_FEW_SESSIONS:]
        rows = []
        for number in range(_MANY_CANDIDATES - there):
            small.id = f"made-up-{number:08x}"
            encoded = msgspec.msgpack.encode(small)
            rows.append((small.id, number, len(small.members), encoded))
        database.executemany(
            "INSERT INTO candidate (id, bucket, sessions, data) VALUES (?, ?, ?, ?)", rows
        )


def hook() -> Iterator[Row]:
    """An event through the installed command: a fresh store, and one of 1,000 sessions."""
    large, empty = STORES / "cold", fresh_store("hook-empty")
    empty.mkdir(parents=True)
    if not (large / "store.db").exists():
        _cold(corpus.home("1k", sessions=1000, megabytes=218), "cold")
    yield from hook_rows(empty, large)
    yield from guard_rows(empty)


def _rows(store: Path) -> int:
    with sqlite3.connect(store / "store.db") as connection:
        return len(connection.execute("SELECT * FROM session ORDER BY last_ts").fetchall())


CASES: dict[str, Callable[[], Iterator[Row]]] = {
    "start-up": start_up,
    "told": told_rows,
    "distribute": distribute_rows,
    "effect": effect_rows,
    "warm": warm,
    "append": append,
    "memory": memory,
    "scaling": scaling,
    "database": database,
    "stages": stages,
    "redact": redaction,
    "cold": cold,
    "agents": agents,
    "flavors": flavor_rows,
    "queries": queries,
    "long": long,
    "search": search,
    "detect": detect,
    "speech": speech,
    "curate": curate,
    "approve": approve_rows,
    "first-frame": first_frame,
    "workstation": workstation,
    "hook": hook,
    "recall": recall_rows,
}
