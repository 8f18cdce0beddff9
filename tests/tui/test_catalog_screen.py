"""The catalog screen: patterns, pages, versions and what is wrong with files."""

from __future__ import annotations

from pathlib import Path

import pytest

from helix_tui.config import load
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.versions import history_line
from helix_tui.engine.catalog.catalog_reader import Edition
from helix_tui.engine.context import told_patterns
from helix_tui.schema.context import Told, ToldLine
from helix_tui.tui.catalog.page_text import diff_lines
from helix_tui.tui.kit.page_text import text_lines
from helix_tui.tui.kit.text_pane import Line
from helix_tui.tui.review.screen import ReviewScreen
from tests.conftest import Workbench
from tests.curate.made_patterns import made_pattern
from tests.tui.at_work import at_work
from tests.tui.made import MadeSource
from tests.tui.sitting import both_sizes, sitting


class Shelved(MadeSource):
    """A source whose catalog is a real folder."""

    def __init__(self, place: Path) -> None:
        super().__init__([])
        self.config = load(None, place, {"HOME": str(place)})
        self.folder = self.config.curate.catalog_dir
        self.folder.mkdir(parents=True)

    def put(self, name: str, **fields: object) -> str:
        text = write_page(made_pattern(id=name, **fields))
        (self.folder / f"{name}.md").write_text(text)
        return text


@pytest.fixture
def shelved(tmp_path: Path) -> Shelved:
    return Shelved(tmp_path / "store")


def texts(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def edition(version: str, text: str) -> Edition:
    return Edition(version, None, None, True, text)


@both_sizes
async def test_patterns_are_listed_and_enter_shows_the_page(
    size: tuple[int, int], shelved: Shelved
) -> None:
    shelved.put("one", title="Look before you leap", status="approved", version="1.4.0")
    shelved.put("two", title="Ask before you push", status="provisional")

    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "Page  one" in found.text and "Problem" in found.text)
        await found.until(lambda: "Catalog  3 of 3 · ! 3 to look at" in found.text)
        assert "no pattern" in found.text, "the index is missing, and said to be"
        assert "approved" in found.text
        assert "1.4.0" in found.text
        await found.press("j")
        await found.until(lambda: "Page  two" in found.text and "Problem" in found.text)
        await found.press("enter")
        await found.until(lambda: "Catalog  3" not in found.text)
        assert "Ask before you push" in found.text
        await found.press("G", "g", "y")
        assert "# Ask before you push" in found.app.clipboard
        await found.press("escape", "y")
        await found.until(lambda: "Catalog  3" in found.text)
        assert found.app.clipboard == "two"
        await found.press("slash", *"leap", "enter")
        await found.until(lambda: "1 of 3" in found.text)
        await found.press("escape", "o", "escape")
        assert isinstance(found.app.screen, ReviewScreen)


@both_sizes
async def test_versions_are_gone_through_and_compared(
    size: tuple[int, int], shelved: Shelved
) -> None:
    old = write_page(made_pattern(id="one", version="1.0.0", problem="It was so."))
    shelved.put("one", version="1.1.0", problem="It is otherwise.")
    line = history_line(old, "1.0.0", "1.1.0", "2026-02-01T00:00:00Z", "me")
    (shelved.folder / "one.history.jsonl").write_text(line)

    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "2 of 2, p n go to others" in found.text)
        await found.press("enter", "d")
        await found.until(lambda: "1.0.0 to 1.1.0" in found.text)
        assert "-version: 1.0.0" in found.text
        await found.press("G")
        await found.until(lambda: "+It is otherwise." in found.text)
        await found.press("d", "p")
        await found.until(lambda: "1 of 2, p n go" in found.text)
        assert "It was so." in found.text
        await found.press("p")
        await found.until(lambda: "This is the first version." in found.text)
        await found.press("d")
        await found.until(lambda: "there is none before it" in found.text)
        await found.press("n", "escape", "escape", "escape")
        assert isinstance(found.app.screen, ReviewScreen)


@both_sizes
async def test_an_empty_catalog_says_what_to_press(size: tuple[int, int], shelved: Shelved) -> None:
    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "The catalog is empty" in found.text)
        assert "a makes one a pattern" in found.text
        await found.press("enter", "y", "d", "n", "p", "o", "j", "G", "tab")
        assert found.app.jobs.failures == []


@both_sizes
async def test_files_that_cannot_be_read_and_edits_are_shown(
    size: tuple[int, int], shelved: Shelved
) -> None:
    shelved.put("one")
    (shelved.folder / "bad.md").write_text("---\nid: bad\nversion: x\n---\n\x1b[31m[b]no[/b]\n")
    (shelved.folder / "no id!.md").write_text("hello")

    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "✗ 2 cannot be read · ! 2 to look at" in found.text)
        assert "✗ bad.md:" in found.text
        assert "\x1b" not in found.text
        await found.press("slash", *"one", "enter")
        await found.until(lambda: "not in the journal yet" in found.text)
        assert found.app.jobs.failures == []


@both_sizes
async def test_hostile_words_are_shown_as_they_stand(
    size: tuple[int, int], shelved: Shelved
) -> None:
    shelved.put("one", title="[red]日本語 🦑 e\u0301", guidance="[/] [link=x]y " + "z" * 7_000)

    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "[red]日本" in found.text)
        await found.press("enter")
        await found.until(lambda: "[/] [link=x]y" in found.text or "What to do" in found.text)
        await found.press("G")
        assert "\u202e" not in found.text


async def test_a_catalog_that_cannot_be_listed_is_a_toast(shelved: Shelved) -> None:
    shelved.folder.rmdir()
    shelved.folder.write_text("a file")

    async with sitting(source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: found.app.jobs.failures)
        await found.press("escape")
        assert isinstance(found.app.screen, ReviewScreen)


def test_a_diff_has_signs_and_hides_control_characters() -> None:
    lines = texts(diff_lines(edition("1.0.0", "a\nb"), edition("1.1.0", "a\n\x1b[2J"), 80))
    assert " -b" in lines
    assert " +␛[2J" in lines
    assert "say the same" in texts(diff_lines(edition("1", "a"), edition("2", "a"), 80))[1]


def test_a_page_of_one_endless_line_is_cut() -> None:
    assert len(text_lines("x" * 1_000_000, 80)) < 40
    assert "lines more" in texts(text_lines("\n".join("x" * 10_000), 80))[-1]


async def test_one_can_work_in_the_catalog(
    sampled: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "editor"
    command.write_text("#!/bin/sh\nsed -i 's/^# .*/# By my own hand/' \"$1\"\n")
    command.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(command))
    async with at_work(sampled) as found:
        (name,) = found.without_words_of_log()
        await found.go_to(name)
        await found.press("a")
        await found.until(lambda: found.page(name).exists())
        await found.press("f4")
        await found.sees("version 1.0.0")
        await found.press("e")
        await found.until(lambda: "# By my own hand" in found.page(name).read_text())
        await found.until(lambda: found.verdicts[-1][0] == "edit")
        await found.sees("By my own hand", "version 1.0.0")
        await found.press("i")
        await found.sees("page     ", "now      ", "nothing new")
        await found.press("escape", "D")
        await found.sees("no longer follow")
        await found.press("y")
        await found.until(lambda: "status: deprecated" in found.page(name).read_text())
        await found.sees("deprecated")
        await found.until(lambda: "reading…" not in found.text)
        await found.press("D", "y")
        await found.until(lambda: "status: deprecated" not in found.page(name).read_text())
        await found.until(lambda: "reading…" not in found.text and "version" in found.text)
        await found.press("w")
        await found.sees("of “By my own hand”")
        await found.press("escape")
        await found.until(lambda: "version" in found.text)
        await found.press("v")
        await found.sees("Evidence  1 of")


@both_sizes
async def test_what_is_told_already_is_marked_and_stands_over_the_page(
    size: tuple[int, int], shelved: Shelved, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelved.put("one", title="Look before you leap")
    shelved.put("two", title="Ask before you push")
    line = ToldLine("/src/app/AGENTS.md", 12, "Look twice, then leap.", 0.8, seen=4, violated=3)
    told = {"one": Told("told", [line], 4, 3), "two": Told()}
    monkeypatch.setattr(told_patterns, "told_patterns", lambda config, patterns: told)
    async with sitting(size, source=shelved) as found:
        await found.press("f4")
        await found.until(lambda: "(told) Look before" in found.text)
        await found.until(lambda: "/src/app/AGENTS.md:12" in found.text)
        assert "violated in 3" in found.text
        assert "(told) Ask" not in found.text
        await found.press("slash", *"told:told", "enter")
        await found.until(lambda: "1 of 3" in found.text)
