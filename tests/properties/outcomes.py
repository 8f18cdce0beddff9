"""What a store holds after sweeps, to be compared."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec

from tests.conftest import Workbench

_numbers = itertools.count()


def fresh(folder: Path) -> Workbench:
    return Workbench(folder / str(next(_numbers)))


Outcome = tuple[dict[str, dict[str, object]], dict[str, list[tuple[object, ...]]]]


def outcome(bench: Workbench) -> Outcome:
    """All that a user can see of what was ingested, but for the size on disk."""
    listed = bench.sessions()
    seen: dict[str, list[tuple[object, ...]]] = {
        name: [(e.fingerprint, e.kind, e.text, e.ts) for e in bench.events(name)] for name in listed
    }
    engine, texts = bench.engine(), bench.texts()
    figures = {
        name: {
            **msgspec.structs.asdict(session),
            "raw_bytes": 0,
            "digest": msgspec.to_builtins(engine.digest(session)),
            "texts": texts.get(name),
        }
        for name, session in sorted(listed.items())
    }
    return figures, seen
