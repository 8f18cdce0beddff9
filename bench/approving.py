"""What one more approve costs, by how much is in the catalog; `python -m bench approve`.

All that a key does counts: up to the answer, when the verdict is durable, and up to its files. Also
run by `bench.turns` in older checkouts, whose engine names things otherwise; so it is a program of
its own and asks for what there is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from bench import corpus, filled
from bench.row import Row
from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.sample import write_sample
from helix_tui.schema import review

try:
    from helix_tui.curate.journal.journal import Journal
except ImportError:  # a checkout of before the rooms
    from helix_tui.curate.journal import Journal  # type: ignore[attr-defined, no-redef]

_APPROVES = 24


class _Shape(NamedTuple):
    """How much there is: candidates, patterns among them, and lines of each one's history."""

    name: str
    candidates: int
    patterns: int
    lines: int


_SHAPES = (
    _Shape("5 patterns", 100, 5, 1),
    _Shape("100 patterns", 300, 100, 1),
    _Shape("100 patterns of 5 lines", 300, 100, 5),
    _Shape("60 patterns of 60 lines", 300, 60, 60),
    _Shape("20 of 10,000", 10_000, 20, 5),
    _Shape("300 of 10,000", 10_000, 300, 3),
)


_HOME = corpus.WORK / "home-approve"


def approve_rows(home: Path = _HOME) -> Iterator[Row]:
    """The least CPU of some approves in each shape, beside that of its first one."""
    if not home.exists():
        write_sample(home, 7)
    for shape in _SHAPES:
        engine, names = _made(shape, home)
        first, *later = [_approve(engine, name) for name in names]
        for number, figure in enumerate(("answered", "with its files")):
            least = min(took[number] for took in later) * 1e3
            name = f"{shape.name}, {figure}, CPU"
            yield Row("approve", name, least, "the first one", first[number] * 1e3, None, "ms")


def _made(shape: _Shape, home: Path) -> tuple[Engine, list[str]]:
    """A store and a catalog of that shape, and candidates to approve."""
    store = corpus.fresh_store("approve")
    engine = Engine(load(None, store, {"HOME": str(home)}))
    for _ in engine.sweep():
        pass
    looked_at = filled._with_words_of_logs(engine)
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        filled._drop(database, looked_at)
        filled._add_candidates(database, shape.candidates)
        filled._add_sessions(database, shape.candidates)
    names = _names(engine)
    with _verdicts(engine).together() as verdicts:
        for name in names[: shape.patterns]:
            verdicts.approve(name, look="list", is_new=True)
    journal = Journal(engine.config.curate.review_log)
    made = [line for line in journal.lines().lines if line.writes]
    with journal.locked():
        for number in range(1, shape.lines):
            journal.append(*(_again(line, number) for line in made))
    with _verdicts(engine).together() as verdicts:
        verdicts.discuss(names[-1], note="all files are written now")
    return engine, names[shape.patterns : shape.patterns + _APPROVES]


def _again(line: Any, number: int) -> Any:
    """The line of an approve that wrote the next version of the same pages."""
    version = f"version: 1.0.{number}"
    writes = [
        review.Write(one.pattern, (one.text or "").replace("version: 1.0.0", version))
        for one in line.writes
    ]
    return type(line)(
        id="", seq=0, at=line.at, author="bench", action="approve", candidate=line.candidate,
        pattern=line.pattern, snapshot=line.snapshot, writes=writes,
    )  # fmt: skip


def _approve(engine: Engine, name: str) -> tuple[float, float]:
    """CPU seconds until a key is answered, and until its files are written."""
    began = time.process_time()
    with _verdicts(engine).together() as verdicts:
        if hasattr(verdicts, "card"):  # as keys did it before the rooms
            assert not verdicts.card(name).words_of_log
            verdicts.approve(name, look="list")
            verdicts.listed([name])
        else:
            assert verdicts.approve(name, look="list").listed
        answered = time.process_time() - began
    return answered, time.process_time() - began


def _verdicts(engine: Any) -> Any:
    return engine.verdicts if hasattr(engine, "verdicts") else engine.desk


def _names(engine: Any) -> list[str]:
    lister = engine.candidates if hasattr(engine.candidates, "listing") else engine.desk
    return [listed.brief.id for listed in lister.listing().listed]


def main() -> None:
    """Write the rows where `bench.turns` reads them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--home", type=Path, default=_HOME, help="the logs; made where missing")
    arguments = parser.parse_args()
    rows = [asdict(row) for row in approve_rows(arguments.home)]
    shutil.rmtree(corpus.OLD_STORES, ignore_errors=True)
    arguments.json.write_text(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
