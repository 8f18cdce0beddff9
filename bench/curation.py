"""Curation at size: a long journal, a large catalog, one verdict from the keyboard's side."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from bench.row import Row
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.draft.lookalikes import Lookalikes
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project
from helix_tui.curate.journal.standings import ReviewState
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern, PatternEvidence, Provenance
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.review import JournalLine, Write

_LINES = 20_000
_PATTERNS = 1_000
_ROUNDS = 5
_WORDS = [
    "read",
    "run",
    "ask",
    "check",
    "list",
    "open",
    "quote",
    "build",
    "move",
    "test",
    "log",
    "path",
    "file",
    "port",
    "name",
    "lock",
    "key",
]


def curate() -> Iterator[Row]:
    """Reading and folding 20,000 lines, 1,000 pages, and what one more verdict costs."""
    folder = Path(tempfile.mkdtemp(prefix="helix-bench-"))
    try:
        yield from _journal(folder)
        yield from _catalog(folder / "catalog")
    finally:
        shutil.rmtree(folder)


def _journal(folder: Path) -> Iterator[Row]:
    journal = Journal(folder / "journal.jsonl")
    page = write_page(_pattern(0))
    lines = [_line(number, page) for number in range(_LINES)]
    with journal.locked():
        journal.append(*lines)
    data = journal.path.read_bytes()
    decode = msgspec.json.Decoder().decode
    plain = _least(lambda: [decode(line) for line in data.splitlines()])
    read = _least(lambda: journal.lines())
    yield Row("curate", "read journal", read, "decode its JSON", plain, 3.0)
    found = journal.lines().lines
    yield Row("curate", "fold it", _least(lambda: ReviewState(found)), "read journal", read, 3.0)
    yield Row("curate", "project files", _least(lambda: project(found)), "read journal", read, 3.0)

    def append() -> None:
        with journal.locked():
            journal.append(lines[0])

    def sync() -> None:
        with (folder / "sync").open("ab") as file:
            file.write(b"x")
            file.flush()
            _sync(file.fileno())

    yield Row("curate", "one line more", _least(append), "a synced write", _least(sync), None)


def _catalog(root: Path) -> Iterator[Row]:
    root.mkdir()
    patterns = [_pattern(number) for number in range(_PATTERNS)]
    for one in patterns:
        (root / f"{one.id}.md").write_text(write_page(one))
    texts = _least(lambda: Catalog(root).texts())
    yield Row(
        "curate", "read catalog", _least(lambda: Catalog(root).read()), "its texts", texts, None
    )
    lookalikes = Lookalikes(patterns, 90)
    draft, candidate = _pattern(_PATTERNS), _candidate()
    took = _least(lambda: lookalikes.resembles(draft, candidate))
    yield Row("curate", "guard one draft", took, "its texts", texts, 1.0)


def _least(job: Callable[[], object]) -> float:
    seconds = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def _sync(descriptor: int) -> None:
    import os

    os.fsync(descriptor)


def _line(number: int, page: str) -> JournalLine:
    name = f"pattern-{number % 2000:08x}"
    text = page.replace("version: 1.0.0", f"version: 1.0.{number // 2000}")
    return JournalLine(
        id=f"{number:032x}",
        seq=0,
        at="2026-11-01T00:00:00Z",
        author="bench",
        action="approve",
        candidate=name,
        writes=[Write(name, text)],
    )


def _pattern(number: int) -> Pattern:
    chance = random.Random(number)
    return Pattern(
        id=f"pattern-{number:08x}",
        version="1.0.0",
        kind="problem",
        status="approved",
        candidates=[f"pattern-{number:08x}"],
        evidence=PatternEvidence(sessions=5, frequency=9, flavors={"claude": 5}, repos=2),
        provenance=Provenance(
            author="bench",
            at="2026-11-01T00:00:00Z",
            candidate=f"pattern-{number:08x}",
            score=1.0,
            guidance="person",
        ),
        title=f"Pattern {number}",
        problem="Something fails again and again.",
        applies="When it fails.",
        guidance="\n".join(f"- {' '.join(chance.sample(_WORDS, 8))}." for _ in range(4)),
    )


def _candidate() -> Candidate:
    return Candidate("one", "problem", "tool_error", {}, "", "", "", "One", {}, [])
