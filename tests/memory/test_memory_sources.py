"""What a model wrote says which of its lines have a source, and which have none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helix_tui.schema.memory import Flushed
from tests.conftest import Workbench
from tests.memory.sessions import Flushing

ANSWER = {
    "context": [],
    "key_exchanges": [],
    "decisions": ["They moved the whole shop to Kubernetes on Friday"],
    "lessons": ["rg: command not found, so grep was run on src/alpha"],
    "actions": [],
}


@pytest.fixture
def flushed(bench: Workbench) -> Flushed:
    flushing = Flushing(bench)
    flushing.work("alpha")
    flushing.distiller(f"print(json.dumps({ANSWER!r}))")
    return flushing.flush()


def test_lines_say_what_they_come_from(bench: Workbench, flushed: Flushed) -> None:
    assert flushed.by == "command"
    day = Path(str(flushed.daily)).stem
    shown = bench.helix("memory", "show", day).out
    lines = {line for line in shown.split("\n") if line.startswith("- ")}
    (decision,) = [line for line in lines if "Kubernetes" in line]
    (lesson,) = [line for line in lines if "grep was run" in line]
    assert decision.endswith("[no source found]")
    assert "[source: " in lesson
    assert "<!--" not in shown


def test_check_names_lines_without(bench: Workbench, flushed: Flushed) -> None:
    ran = bench.helix("memory", "check", check=False)
    assert ran.code == 3
    assert "no source for: " in ran.out
    assert "Kubernetes" in ran.out
    assert "grep was run" not in ran.out
    told = json.loads(bench.helix("memory", "check", "--json", check=False).out)
    assert told["without_source"] == 1
    sources = {line["text"]: line["source"] for line in told["entries"][0]["lines"]}
    assert sum(source is None for source in sources.values()) == 1


def test_what_is_extracted_needs_no_check(bench: Workbench) -> None:
    flushing = Flushing(bench)
    flushing.work("alpha")
    flushing.flush()
    assert "needs no check" in bench.helix("memory", "check").out


def test_memory_is_searched(bench: Workbench) -> None:
    flushing = Flushing(bench)
    flushing.work("alpha")
    flushing.flush()
    flushing.memory.compile(is_now=True)
    hits = bench.helix("search", "--memory", "import", "-nowhere", "--json").json
    assert {hit["kind"] for hit in hits["memory"]} >= {"entry"}
    assert hits["total"] == len(hits["memory"])
    assert "Nothing found in memory" in bench.helix("search", "--memory", "zebrafinch").out
    assert bench.helix("search", "--memory", "x", "--flavor", "claude", check=False).code == 2


def test_a_page_that_is_not_there_is_told(bench: Workbench) -> None:
    Flushing(bench).work("alpha")
    ran = bench.helix("memory", "show", "2020-01-01", check=False)
    assert ran.code == 66
    assert "Nothing is remembered of" in ran.err


def test_a_models_lines_are_checked_and_what_was_measured_is_not(bench: Workbench) -> None:
    flushing = Flushing(bench)
    flushing.work("alpha")
    number = "text.partition('] ERROR: ')[0].rpartition('[')[2]"
    lesson = "'Whoever searches on this machine meets a command that is not found [' + number + ']'"
    decision = "'They moved the whole shop to Kubernetes on Friday'"
    flushing.model(
        f"number = {number}\nprint(json.dumps({{'lessons': {lesson}, 'decisions': {decision}}}))"
    )
    flushing.flush()
    told = json.loads(bench.helix("memory", "check", "--json", check=False).out)
    (entry,) = told["entries"]
    assert sorted(line["text"][1:5] for line in entry["lines"]) == ["They", "Whoe"]
    assert "ommitted: `fix: the import of alpha`" in flushing.daily(), "beside the model's lines"
    assert told["without_source"] == 1, "one was held against the session when it was written"
