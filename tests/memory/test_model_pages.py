"""A model says which lines of an article are one, and adds to notes; it writes no article."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from helix_tui.memory.distill.standing import NO_SOURCE
from helix_tui.memory.knowledge.article import Lesson, cite, with_lessons
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.knowledge.judge import Judge
from helix_tui.memory.places import MemoryPlaces
from helix_tui.schema.memory import NotesOutcome
from tests.conftest import Workbench
from tests.memory.sessions import Flushing
from tests.model.made import DAY, model_of, program

NOON = datetime(2026, 3, 2, 12, 0).astimezone()
OLD = "The agent: `the cache is keyed by path`"
SAME = "The agent: `paths are what the cache goes by`"
OTHER = "The agent: `tests need a clock of their own`"
DULL = "The agent: `three files were moved today`"


def write_day(places: MemoryPlaces, day: str, *lines: str) -> None:
    """A daily log with one entry."""
    places.daily.mkdir(parents=True, exist_ok=True)
    heading = f"## 12:00 · claude · `shop` · s{day[-2:]} <!-- helix {int(day[-2:]):016x} -->"
    rows = [f"# {day}", "", heading, "", "### What was seen", "", *(f"- {line}" for line in lines)]
    (places.daily / f"{day}.md").write_text("\n".join(rows) + "\n")


class Judging:
    """A store with an article of one line, and a program that judges the next ones."""

    def __init__(self, folder: Path, answer: object, body: str = "") -> None:
        self.folder = folder
        self.places = MemoryPlaces(folder / "store")
        write_day(self.places, "2026-03-01", OLD)
        compile_logs(self.places, 0, NOON)
        write_day(self.places, "2026-03-02", SAME, OTHER, DULL, f"`made up` {NO_SOURCE}")
        body = body or f"print({json.dumps(answer)!r})"
        self.asked = folder / "asked"
        file = program(folder, "judge", f"open({str(self.asked)!r}, 'a').write(text)\n{body}")
        self.model = model_of(folder, preset="command", command=(str(file),))

    def compile(self) -> tuple[str, str, str]:
        """The article, who judged, and why the model did not."""
        done = compile_logs(self.places, 0, NOON, is_now=True, judge=Judge(self.model, DAY))
        (article,) = done.articles
        return Path(article.path).read_text(), article.by, article.reason


def test_lines_that_say_the_same_are_one_and_dull_ones_stay_in_the_log(tmp_path: Path) -> None:
    judging = Judging(tmp_path, {"same": [[2, 1]], "drop": [4, 1, 99, "x"]})
    text, by, reason = judging.compile()
    assert (by, reason) == ("model", "")
    assert f"- {OLD} ([2026-03-01 12:00 s01]" in text
    assert text.index("2026-03-01 12:00 s01") < text.index("2026-03-02 12:00 s02")
    assert SAME not in text
    assert DULL not in text
    assert OTHER in text
    assert "made up" not in text, "what stands on no line of a session is not compiled"
    asked = judging.asked.read_text()
    assert "[1] OLD, Seen in sessions: " in asked
    judging.asked.unlink()
    compile_logs(judging.places, 0, NOON, is_now=True, judge=Judge(judging.model, DAY))
    assert not judging.asked.exists(), "what did not change costs nothing"


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ({"same": [[1, 2], [2, 2], [2, 99], "x", [2]], "drop": "all"}, [OLD, SAME, OTHER, DULL]),
        ({"same": [[3, 2], [4, 3]]}, [OLD, SAME, DULL]),  # no chain: a line is one with another
    ],
)
def test_only_what_points_from_new_lines_to_others_counts(
    tmp_path: Path, answer: object, kept: list[str]
) -> None:
    text, _, _ = Judging(tmp_path, answer).compile()
    assert [line for line in (OLD, SAME, OTHER, DULL) if line in text] == kept


def test_a_rule_of_a_model_leads_the_article_where_it_stands_on_a_person(tmp_path: Path) -> None:
    places = MemoryPlaces(tmp_path / "store")
    lines = [
        "`Rule: use pnpm` (source: user 00000000000000aa)",
        "`Rule: tabs` (source: agent 00000000000000bb)",
    ]
    write_day(places, "2026-03-01", *lines)
    log = places.daily / "2026-03-01.md"
    log.write_text(log.read_text().replace("### What was seen", "### Decisions made"))
    compile_logs(places, 0, NOON)
    text = (places.knowledge / "shop.md").read_text()
    rules = text[text.index("## Rules that people gave") : text.index("## Decided in sessions")]
    assert "Rule: use pnpm" in rules
    assert "Rule: tabs" not in rules


def test_without_an_answer_the_rules_compare_and_it_is_told(tmp_path: Path) -> None:
    text, by, reason = Judging(tmp_path, {"other": 1}).compile()
    assert (by, "no JSON object" in reason) == ("extractive", True)
    assert all(line in text for line in (OLD, SAME, OTHER, DULL))


def test_what_was_forgotten_is_not_kept_in_the_words_of_another(bench: Workbench) -> None:
    flushing = Flushing(bench)
    flushing.work("alpha")
    flushing.flush()
    flushing.memory.compile(is_now=True)
    (article,) = (bench.store / "memory/knowledge").glob("[!i]*.md")
    line = next(row for row in article.read_text().splitlines() if "the path had no alpha" in row)
    text, _, _ = line[2:].rpartition(" (")
    lessons = [Lesson("Seen in sessions", text, cite("2026-03-01", "09:00", "other"))]
    article.write_text(with_lessons(article.read_text(), lessons))
    flushing.memory.forget([bench.session().id])
    assert "the path had no alpha" not in article.read_text()


NOTED = {
    "state": ["The import of alpha works now, and beta comes next [99]"],
    "learnings": ["rg: command not found, so grep took its place"],
    "results": ["Grep finds what rg would"],
}


class TestNotes:
    def notes(self, bench: Workbench, body: str) -> tuple[str, NotesOutcome]:
        flushing = Flushing(bench)
        flushing.work("alpha")
        flushing.model(f"open({str(bench.home / 'runs')!r}, 'a').write('x')\n{body}")
        (outcome,) = bench.engine().notes().update([bench.session().id], is_forced=True)
        return Path(outcome.path).read_text(), outcome

    def test_its_lines_stand_before_the_facts_with_their_sources(self, bench: Workbench) -> None:
        text, outcome = self.notes(bench, f"print({json.dumps(NOTED)!r})")
        assert (outcome.by, outcome.fell_back) == ("model", "")
        state = text[text.index("# Current state") : text.index("# Task")]
        first, second = [row for row in state.splitlines() if row.startswith("- ")][:2]
        assert first.startswith("- `The import of alpha works now, and beta comes next` (source: ")
        assert "1 prompt" in state
        assert second
        learned = text[text.index("# Learnings") : text.index("# Key results")]
        assert "so grep took its place` (source: " in learned
        results = text[text.index("# Key results") : text.index("# Worklog")]
        assert "- `Grep finds what rg would`" in results
        assert "- Committed: `fix: the import of alpha`" in results, "what was measured stays"
        assert "The agent: " not in results

    @pytest.mark.parametrize("body", ["print('hm')", "sys.exit('it broke')"])
    def test_without_an_answer_they_are_written_all_the_same(
        self, bench: Workbench, body: str
    ) -> None:
        text, outcome = self.notes(bench, body)
        assert (outcome.action, outcome.by) == ("written", "extractive")
        assert outcome.fell_back
        assert "# Task\n\n- Asked: " in text
        assert (bench.home / "runs").read_text() == "x"
