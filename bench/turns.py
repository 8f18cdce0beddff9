"""`python -m bench.turns NAME=PYTHON@TREE NAME=PYTHON@TREE CASE…`: two checkouts, in turns.

Each case runs in each checkout, round by round, so that a slow minute is slow for both; of each
figure the least counts, which a busy machine disturbs least. `approve` runs the script of this
checkout in both, which knows older engines; all else is what each has of `python -m bench`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

_APPROVE = Path(__file__).with_name("approving.py")
_AT_MOST = 1.10


class _Checkout(NamedTuple):
    """A checkout, and the interpreter that has what it needs."""

    name: str
    python: str
    tree: Path


def _checkout(text: str) -> _Checkout:
    name, _, rest = text.partition("=")
    python, _, tree = rest.partition("@")
    if not tree:
        raise argparse.ArgumentTypeError("it is to be NAME=PYTHON@TREE")
    return _Checkout(name, python, Path(tree).absolute())


def main() -> None:
    """Run the cases in turns and print what each figure is in units of the first checkout's."""
    parser = argparse.ArgumentParser(prog="bench.turns", description=__doc__)
    parser.add_argument("checkouts", nargs=2, type=_checkout, metavar="NAME=PYTHON@TREE")
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    before, after = arguments.checkouts
    home = before.tree / "bench" / "work" / "home-approve"  # the same logs for both
    print(f"{'case':<12}{'figure':<44}{before.name:>12}{after.name:>12}{'ratio':>8}")
    for case in arguments.cases:
        least: dict[str, dict[str, float]] = {before.name: {}, after.name: {}}
        for _ in range(arguments.rounds):
            for checkout in (before, after):
                figures = least[checkout.name]
                for figure, value in _figures(checkout, case, home).items():
                    figures[figure] = min(value, figures.get(figure, value))
        for figure, value in least[before.name].items():
            if (other := least[after.name].get(figure)) is not None:
                ratio = other / value if value else float("inf")
                mark = "  slower" if ratio > _AT_MOST else ""
                row = f"{case:<12}{figure:<44}{value:>12.4g}{other:>12.4g}{ratio:>8.2f}{mark}"
                print(row, flush=True)


def _figures(checkout: _Checkout, case: str, home: Path) -> dict[str, float]:
    """Every figure of one run of a case, and the CPU of all that it started."""
    with tempfile.TemporaryDirectory(prefix="helix-turns-") as folder:
        told = Path(folder) / "told.json"
        module = ["-m", "bench", case]
        if case == "approve":
            module = ["-P", str(_APPROVE), "--home", str(home)]
        environ = {**os.environ, "PYTHONPATH": str(checkout.tree)}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        process = subprocess.Popen(
            [checkout.python, *module, "--json", str(told)],
            cwd=checkout.tree,
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        errors = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 3):  # 3: an aim is missed
            raise SystemExit(f"{checkout.name}, {case}: {errors.decode(errors='replace')[-2000:]}")
        rows = json.loads(told.read_text())["rows"]
    figures = {f"{row['case']}: {row['figure']}": float(row["value"]) for row in rows}
    return {**figures, "all of it, CPU": usage.ru_utime + usage.ru_stime}


if __name__ == "__main__":
    main()
