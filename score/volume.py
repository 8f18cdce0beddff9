"""Many messages through `helix signature`: seconds, and whether the memory stays flat."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import Run
from bench.measure import run as measured
from score.figures import Board, BoardFailedError, Figure, Goal
from score.held_out import CATALOGS, load_catalog
from score.helix import HELIX, environ

MESSAGES = 100_000
SECONDS = 10
GROWTH = 1.5
"""Memory counts as flat when ten times the messages take at most this much more of it."""


def board(messages: int = MESSAGES, command: Sequence[str] = HELIX) -> Board:
    """Wall time and peak of the whole process, start included, for all and for a tenth."""
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        folder = Path(name)
        few = _signed(folder, messages // 10, command)
        many = _signed(folder, messages, command)
    return Board(
        f"{messages:,} signatures grouped",
        [
            Figure("seconds", many.wall, goal=Goal(SECONDS, is_least=False)),
            Figure("lines/s", messages / many.wall, goal=Goal(messages / SECONDS)),
            Figure("peak MB", many.rss_mb, note=f"{few.rss_mb:.0f} MB for a tenth"),
            Figure("peak growth", many.rss_mb / few.rss_mb, goal=Goal(GROWTH, is_least=False)),
        ],
    )


def _signed(folder: Path, count: int, command: Sequence[str]) -> Run:
    lines = folder / f"{count}.txt"
    with lines.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in messages_of(count))
    script = 'exec "$@" < "$0"'
    whole = ["/bin/sh", "-c", script, str(lines), *command, "signature", "--json"]
    try:
        return measured(whole, environ(folder))
    except RuntimeError as error:
        raise BoardFailedError(f"helix signature --json: {error}") from error


def messages_of(count: int) -> Iterator[str]:
    """Lines of errors of many kinds, no two alike."""
    r = random.Random("volume")
    texts = sorted({row[2] for name in CATALOGS for row in load_catalog(name).ONE_OFFS})
    templates = [line for text in texts for line in text.split("\\n") if len(line) > 12]
    for i in range(count):
        line = templates[r.randrange(len(templates))]
        for hole, filling in (
            ("{w}", f"w{r.randrange(4000)}"),
            ("{f}", f"src/w{r.randrange(4000)}/m{i}.py"),
            ("{n}", str(r.randrange(1000))),
            ("{d}", str(r.randrange(10))),
            ("{h}", f"{r.getrandbits(28):07x}"),
            ("{cwd}", "/home/dev/code/shop"),
            ("{repo}", "shop"),
            ("{d2}", "src"),
        ):
            line = line.replace(hole, filling)
        yield f"{line} [{i}]"
