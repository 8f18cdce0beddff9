"""Causes that later sessions refute leave the article; their logs keep them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.places import MemoryPlaces

NOON = datetime(2026, 3, 9, 12, 0).astimezone()
PROVED = ("How it stands: `the last check passed`", "Changed: `load_rows.py`")
FAILS = "The agent: ``The `make check` fails because the plugin breaks six rules of lint.``"
FOUND = "The agent: `Rows are lost because load_rows.py:7 only logs the error.`"
ERROR = "After the error `Unable to find the element 'bucket-7'`"
WAIT = f"{ERROR} the agent: `It fails because the state is late.`; it then edited `load_rows.py`"
SEED = f"{ERROR} the agent: `It fails because no row is seeded.`; it then edited `seed.py`"


def add(places: MemoryPlaces, day: int, *lessons: str, context: tuple[str, ...] = PROVED) -> None:
    rows = [
        f"## 11:00 · claude · `app` · s{day}: `work {day}` <!-- helix {day:016x} -->",
        *("", "### Context", "", *(f"- {line}" for line in context)),
    ]
    if lessons:
        rows += ["", "### What was seen", "", *(f"- {line}" for line in lessons)]
    add_entry(places, f"2026-03-0{day}", f"{day:016x}", "\n".join(rows) + "\n")


def article(places: MemoryPlaces) -> str:
    compile_logs(places, 0, NOON, is_now=True)
    return (places.knowledge / "app.md").read_text()


@pytest.mark.parametrize(
    ("line", "context", "later", "lessons"),
    [
        (FAILS, ("Changed: `a.py`", "Passed: `make lint`"), ("Passed: `make check`",), ()),
        (FOUND, ("1 prompt; 9 tool calls.",), PROVED, ()),
        (WAIT, PROVED, PROVED, (SEED,)),
    ],
)
def test_what_a_later_session_refutes_goes(
    tmp_path: Path,
    line: str,
    context: tuple[str, ...],
    later: tuple[str, ...],
    lessons: tuple[str, ...],
) -> None:
    places = MemoryPlaces(tmp_path)
    add(places, 2, line, context=context)
    assert line in article(places)
    # What was before it, or is of another thing, refutes nothing.
    add(places, 1, *lessons, context=later)
    add(places, 3, context=("Passed: `make docs`", "Changed: `b.py`"))
    assert line in article(places)
    add(places, 4, *lessons, context=later)
    assert line not in article(places)
    assert all(other in article(places) for other in lessons)


def test_what_a_person_changed_stays(tmp_path: Path) -> None:
    places = MemoryPlaces(tmp_path)
    add(places, 2, FOUND, context=("1 prompt; 9 tool calls.",))
    path = places.knowledge / "app.md"
    path.write_text(article(places).replace("Rows are lost", "Rows get lost"))
    add(places, 4)
    assert "Rows get lost" in article(places)
