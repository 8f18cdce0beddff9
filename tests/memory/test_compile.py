"""Daily logs become knowledge: what changed, when it is due, each line citing its entries."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.flush.entry import read_entries
from helix_tui.memory.knowledge.article import (
    MOST_LINES,
    Lesson,
    new_article,
    slug_of,
    with_lessons,
)
from helix_tui.memory.knowledge.compile import compile_logs
from helix_tui.memory.places import MemoryPlaces

NOON = datetime(2026, 3, 2, 12, 0).astimezone()


def entry(
    mark: int, lessons: list[str], repo: str = "app", decisions: list[str] | None = None
) -> str:
    """An entry as a flush writes it."""
    rows = [f"## 11:{mark:02d} · claude · {repo} · {mark:08d} <!-- helix {mark:016x} -->"]
    if decisions:
        rows += ["", "### Decisions made", "", *(f"- {line}" for line in decisions)]
    rows += ["", "### Lessons learned", "", *(f"- {line}" for line in lessons)]
    return "\n".join(rows) + "\n"


@pytest.fixture
def places(tmp_path: Path) -> MemoryPlaces:
    return MemoryPlaces(tmp_path)


def add(
    places: MemoryPlaces, mark: int, *lessons: str, day: str = "2026-03-02", **more: object
) -> None:
    add_entry(places, day, f"{mark:016x}", entry(mark, list(lessons), **more))  # type: ignore[arg-type]


def article(places: MemoryPlaces, name: str = "app") -> str:
    return (places.knowledge / f"{name}.md").read_text()


class TestWhen:
    """A log that changed, and not more often than the interval."""

    def test_the_first_time_at_once_then_after_the_interval(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        assert compile_logs(places, 60, NOON).days == ["2026-03-02"]
        add(places, 2, "use grep -rn")
        soon = compile_logs(places, 60, NOON + timedelta(minutes=59))
        assert soon.days == []
        assert [one.day for one in soon.waiting] == ["2026-03-02"]
        assert compile_logs(places, 60, NOON + timedelta(minutes=60)).days == ["2026-03-02"]
        assert "use grep -rn" in article(places)

    def test_unchanged_input_touches_nothing(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        compile_logs(places, 60, NOON)
        before = {path: path.stat().st_mtime_ns for path in places.knowledge.iterdir()}
        done = compile_logs(places, 60, NOON + timedelta(days=3))
        assert (done.days, done.waiting, done.articles) == ([], [], [])
        assert {path: path.stat().st_mtime_ns for path in places.knowledge.iterdir()} == before

    def test_a_clock_that_jumped_back_holds_nothing_up(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        compile_logs(places, 60, NOON)
        add(places, 2, "use grep -rn")
        assert compile_logs(places, 60, NOON - timedelta(days=2)).days == ["2026-03-02"]

    def test_a_broken_state_is_kept_and_rebuilt(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        compile_logs(places, 60, NOON)
        before = article(places)
        state = places.knowledge / ".state.json"
        state.write_text('{"2026-03-02": 7}')
        assert compile_logs(places, 60, NOON).days == ["2026-03-02"]
        (kept,) = places.knowledge.glob(".state.json.broken-*")
        assert kept.read_text() == '{"2026-03-02": 7}'
        assert article(places) == before


class TestWhat:
    """Lessons become or update articles."""

    def test_each_line_cites_its_entries(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        add(places, 2, "RG is not installed here.", day="2026-03-03")
        compile_logs(places, 60, NOON)
        assert (
            "- rg is not installed here ([2026-03-02 11:01 00000001](../daily/2026-03-02.md), "
            "[2026-03-03 11:02 00000002](../daily/2026-03-03.md))\n"
        ) in article(places)
        assert article(places).count("not installed") == 1

    def test_an_article_for_each_repository_and_an_index(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here", decisions=["keep grep", "Committed: fix: it"])
        add(places, 2, "pin the image", repo="Web Shop/ünïcode")
        compile_logs(places, 60, NOON)
        assert "## Decided in sessions\n\n- keep grep (" in article(places)
        assert "Committed" not in article(places)
        index = (places.knowledge / "index.md").read_text()
        assert "| [`app`](app.md) | 2 |" in index
        assert "Web Shop/ünïcode" in index

    def test_a_persons_edits_stay(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here", "use grep -rn")
        compile_logs(places, 60, NOON)
        path = places.knowledge / "app.md"
        edited = [row for row in article(places).split("\n") if "grep" not in row]
        path.write_text("\n".join(edited).replace("rg is not", "ripgrep is never") + "\nMine.\n")
        add(places, 2, "pin the image")
        compile_logs(places, 0, NOON + timedelta(hours=2))
        text = article(places)
        assert "ripgrep is never installed here" in text
        assert "rg is not installed" not in text
        assert "grep -rn" not in text
        assert "pin the image" in text
        assert "Mine." in text

    def test_cut_off_before_its_state_it_repeats_nothing(self, places: MemoryPlaces) -> None:
        add(places, 1, "rg is not installed here")
        compile_logs(places, 60, NOON)
        (places.knowledge / ".state.json").unlink()
        before = article(places)
        done = compile_logs(places, 60, NOON)
        assert [one.action for one in done.articles] == ["unchanged"]
        assert article(places) == before


class TestArticle:
    """Lines are put where they belong."""

    def test_what_was_seen_more_often_stands_first(self, places: MemoryPlaces) -> None:
        add(places, 1, "pin the image", "rg is not installed here")
        add(places, 2, "rg is not installed here", day="2026-03-03")
        compile_logs(places, 60, NOON)
        assert article(places).index("rg is not") < article(places).index("pin the image")
        index = (places.knowledge / "index.md").read_text()
        assert "| 2 | 2026-03-03 | `rg is not installed here` |" in index

    def test_lines_that_say_nearly_the_same_are_one(self, places: MemoryPlaces) -> None:
        add(places, 1, "The agent: `the importer fails on paths that have a blank in their name`")
        add(places, 2, "The agent: `the importer fails on paths which have a blank in their name`")
        add(places, 3, "The agent: `the importer fails on v1.2 paths that have a blank in a name`")
        compile_logs(places, 60, NOON)
        assert article(places).count("importer fails") == 2

    def test_of_a_long_section_the_oldest_lines_seen_once_give_way(
        self, places: MemoryPlaces
    ) -> None:
        lines = [f"line {number} tells of one thing only" for number in range(MOST_LINES)]
        add(places, 1, "seen again", *lines)
        compile_logs(places, 60, NOON)
        path = places.knowledge / "app.md"
        path.write_text(article(places).replace("line 7 tells", "line 7 as I put it tells"))
        add(places, 2, "seen again", "a new one", day="2026-03-04")
        compile_logs(places, 0, NOON + timedelta(hours=2))
        text = article(places)
        assert "line 7 as I put it tells" in text  # a person's words stay
        assert "seen again" in text
        assert "a new one" in text
        assert text.count("tells of one thing") < MOST_LINES

    def test_lines_stand_behind_those_of_their_section(self) -> None:
        first = with_lessons(new_article("app"), [Lesson("Lessons", "one", "[a](b)")])
        both = with_lessons(
            first, [Lesson("Decisions", "two", "[a](b)"), Lesson("Lessons", "three", "[c](d)")]
        )
        assert (
            both.index("one") < both.index("three") < both.index("## Decisions") < both.index("two")
        )

    @pytest.mark.parametrize("name", ["../../etc", "", "index", "a" * 300, "Ünï", "a/b", ".hidden"])
    def test_names_of_logs_never_leave_the_folder(self, name: str) -> None:
        slug = slug_of(name)
        assert "/" not in slug
        assert not slug.startswith(".")
        assert 0 < len(slug) <= 80
        assert slug != "index"


def test_entries_are_read_as_they_were_written() -> None:
    text = "# day\n\n" + entry(1, ["a", "b"]) + "\n## my own\n\n- c\n\n" + entry(2, ["d"])
    found = list(read_entries(text))
    assert [one.lines["lessons"] for one in found] == [["a", "b"], ["d"]]
    assert [one.mark for one in found] == [f"{1:016x}", f"{2:016x}"]


class TestWhatHolds:
    """What is made anew from all entries of a repository."""

    def entry(self, places: MemoryPlaces, number: int, day: str, *, action: str = "") -> None:
        lines = [
            f"## 11:0{number} · claude · `app` · 0000000{number}: `work {number}` "
            f"<!-- helix 000000000000000{number} -->",
            *("", "### Context", "", "- How it stands: `the last check passed`"),
            "- Passed: `make test`",
            *("", "### What was seen", ""),
            f"- After the error `rg: command not found {number}` this passed: "
            f"`grep {number}` (`use grep`)",
        ]
        if action:
            lines += ["", "### Action items", "", f"- {action}"]
        add_entry(places, day, f"000000000000000{number}", "\n".join(lines) + "\n")

    def test_last_work_checks_recurring_cures_and_open_ends_are_told(
        self, places: MemoryPlaces
    ) -> None:
        for number in (1, 2, 3):
            self.entry(places, number, f"2026-03-0{number}", action=f"Remains: `part {number}`")
        compile_logs(places, 60, NOON)
        text = article(places)
        held = text[text.index("## What holds") : text.index("## Seen")]
        assert "## Left open" in held
        last = text[text.index("## Last sessions") :]
        assert text.index("## Seen") < text.index("## Last sessions")
        assert "- `work 3`: `the last check passed` ([2026-03-03 11:03" in last
        assert "- Checks that passed here: `make test` (3 sessions, last 2026-03-03)" in held
        assert "- In 3 sessions: After the error `rg: command not found 3`" in held
        assert "- Open since 2026-03-02, in `work 2`: Remains: `part 2`" in held
        index = (places.knowledge / "index.md").read_text()
        assert "| `work 3: the last check passed` |" in index

    def test_it_is_made_anew_and_what_a_person_took_out_stays_out(
        self, places: MemoryPlaces
    ) -> None:
        self.entry(places, 1, "2026-03-01", action="Remains: `part 1`")
        compile_logs(places, 60, NOON)
        path = places.knowledge / "app.md"
        rows = [row for row in article(places).split("\n") if "part 1" not in row]
        path.write_text("\n".join(rows).replace("## Seen", "Mine.\n\n## Seen"))
        self.entry(places, 2, "2026-03-02", action="Remains: `part 2`")
        compile_logs(places, 0, NOON + timedelta(hours=2))
        text = article(places)
        assert "part 1" not in text
        assert "part 2" in text
        assert "Mine." in text
        assert text.count("- `work 1`") == text.count("- `work 2`") == 1
        assert text.count("## What holds") == text.count("<!-- helix holds") == 1

    def test_nothing_changes_where_nothing_came_in(self, places: MemoryPlaces) -> None:
        self.entry(places, 1, "2026-03-01", action="Remains: `part 1`")
        compile_logs(places, 60, NOON)
        before = article(places)
        (places.knowledge / ".state.json").unlink()
        compile_logs(places, 0, NOON)
        assert article(places) == before


class TestNearlyTheSame:
    """Lines that name the same things in nearly the same words are one, and no others."""

    LINE = "The agent: `the import of load.py was slow because every row was read on its own`"

    def _lines(self, places: MemoryPlaces, other: str) -> int:
        add(places, 1, self.LINE)
        add(places, 2, other)
        compile_logs(places, 60, NOON)
        return article(places).count("load.py")

    def test_common_words_may_differ(self, places: MemoryPlaces) -> None:
        assert self._lines(places, self.LINE.replace("was slow", "is actually slow")) == 1

    @pytest.mark.parametrize(
        ("said", "otherwise"),
        [
            ("was slow", "was not slow"),
            ("row", "walnut"),
            ("because", "before"),
            ("load.py", "a.py"),
        ],
    )
    def test_what_turns_the_sense_or_names_another_thing_may_not(
        self, places: MemoryPlaces, said: str, otherwise: str
    ) -> None:
        other = self.LINE.replace(said, otherwise)
        assert self._lines(places, other) == (1 if said == "load.py" else 2)
        assert other in article(places)

    def test_what_was_said_on_the_way_to_an_edit_stays_in_its_log(
        self, places: MemoryPlaces
    ) -> None:
        cause = "The agent: `the count is wrong because rows are read twice`; it then edited `a.py`"
        add(places, 1, "The agent: `one more file wants the field`; it then edited `a.py`", cause)
        compile_logs(places, 60, NOON)
        assert cause in article(places)
        assert "one more file" not in article(places)
