"""`make bench`: runs the cases and prints a table and, with --json FILE, the figures."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
from dataclasses import asdict
from pathlib import Path

from bench.cases import CASES
from bench.corpus import OLD_STORES
from bench.row import Row


def main() -> None:
    """Runs what was asked for; exits with 3 when an aim is missed."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}; all if none is named")
    parser.add_argument("--json", type=Path, metavar="FILE", default=Path("bench/work/bench.json"))
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - CASES.keys()
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(
        f"{'case':<14}{'figure':<16}{'value':>10} {'':<7}{'baseline':<17}{'value':>10}{'ratio':>8}"
    )
    rows: list[Row] = []
    for name in arguments.cases or CASES:
        for row in CASES[name]():
            rows.append(row)
            print(_line(row), flush=True)
    shutil.rmtree(OLD_STORES, ignore_errors=True)
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(_as_json(rows), indent=2) + "\n")
    print(f"figures in {arguments.json}; load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores")
    if any(row.is_good is False for row in rows):
        raise SystemExit(3)


def _line(row: Row) -> str:
    verdict = "" if row.aim is None else f"  {'ok' if row.is_good else 'MISSED'}, aim {row.aim:g}"
    return (
        f"{row.case:<14}{row.figure:<16}{row.value:>10.3f} {row.unit:<7}{row.baseline:<17}"
        f"{row.base:>10.3f}{row.ratio:>8.2f}{verdict}"
    )


def _as_json(rows: list[Row]) -> dict[str, object]:
    return {
        "schema": "helix.bench/1",
        "machine": {
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": os.getloadavg(),
        },
        "rows": [{**asdict(row), "ratio": row.ratio, "is_good": row.is_good} for row in rows],
    }


if __name__ == "__main__":
    main()
