"""What is told of candidates: the lines, the state, and what sweeps keep of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from helix_tui.cli.review.preview import Size, rows_of
from helix_tui.context.files import Disk
from helix_tui.curate.page.page import read_page
from helix_tui.engine.context import told_book
from helix_tui.engine.context.told_book import kept_book
from helix_tui.engine.context.told_texts import repo_text
from helix_tui.schema.context import SessionPlace, Told, ToldLine
from helix_tui.store.database import open_for_writing
from helix_tui.store.layout import StoreLayout
from helix_tui.text.told import next_step, told_words
from tests.conftest import Workbench
from tests.engine.context.just_log import JUST, write_codex, write_rules
from tests.engine.trouble_log import name_of, troubled


def told(bench: Workbench, beginning: str = "command-not-found-just") -> dict[str, Any]:
    listed = bench.helix("detect", "--all", "--json", HOME=str(bench.home)).json["candidates"]
    (found,) = [one["told"] for one in listed if one["id"].startswith(beginning)]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def repo(bench: Workbench, tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    (folder / ".git").mkdir(parents=True)
    return folder


def test_a_line_that_asks_for_what_fails_is_the_cause(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", f"# Rules\n\n{JUST}")
    write_codex(bench, repo)
    bench.helix("--sweep")
    found = told(bench)
    assert (found["state"], found["seen"], found["violated"]) == ("cause", 3, 3)
    (line,) = found["lines"]
    assert (line["file"], line["line"], line["text"]) == (str(repo / "AGENTS.md"), 3, JUST.strip())
    assert line["exposure"] == {"observed": 0, "assumed": 3, "unknown": 0}


def test_what_was_recorded_counts_more_than_the_files_of_today(
    bench: Workbench, repo: Path
) -> None:
    write_rules(repo / "AGENTS.md", "There is no `just`: format with `cargo fmt`.\n")
    write_codex(bench, repo, instructions="Be brief.")
    bench.helix("--sweep")
    found = told(bench)
    assert (found["state"], found["seen"], found["violated"]) == ("told", 0, 0)
    assert found["lines"][0]["exposure"]["observed"] == 3


def test_recorded_lines_are_found_where_no_file_is_left(bench: Workbench, tmp_path: Path) -> None:
    write_codex(bench, tmp_path / "gone", instructions=f"# Rules\n\n{JUST}")
    bench.helix("--sweep")
    found = told(bench)
    assert (found["state"], found["seen"], found["violated"]) == ("cause", 3, 3)
    assert found["lines"][0]["file"].startswith("recorded in codex:")


@pytest.mark.parametrize("how", ["cut", "foreign", "override"])
def test_what_is_there_and_not_loaded_is_unloaded(bench: Workbench, repo: Path, how: str) -> None:
    rule = "There is no `just` here, format with `cargo fmt`.\n"
    if how == "cut":
        write_rules(repo / "AGENTS.md", "Be brief, please.\n" * 2_000 + rule)
    elif how == "foreign":
        write_rules(repo / "CLAUDE.md", rule)
    else:
        write_rules(repo / "AGENTS.md", rule)
        write_rules(repo / "AGENTS.override.md", "Be brief.\n")
    write_codex(bench, repo)
    bench.helix("--sweep")
    found = told(bench)
    assert (found["state"], found["seen"]) == ("unloaded", 0)
    assert found["lines"][0]["loaded"] is False
    assert found["lines"][0]["why"]


def test_nothing_is_told_where_nothing_says_it(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", "Write commit messages in the imperative.\n")
    write_codex(bench, repo)
    bench.helix("--sweep")
    assert told(bench) == {"state": "no", "lines": [], "seen": 0, "violated": 0, "followed": 0}


def test_a_change_of_a_file_shows_at_once_and_is_kept_by_the_next_sweep(
    bench: Workbench, repo: Path
) -> None:
    write_codex(bench, repo)
    bench.helix("--sweep")
    assert told(bench)["state"] == "no"
    write_rules(repo / "AGENTS.md", JUST)
    assert told(bench)["state"] == "cause"
    bench.helix("--sweep")
    assert [one.state for one in book_of(bench).values()] == ["cause"]


def book_of(bench: Workbench) -> dict[str, Any]:
    database = open_for_writing(StoreLayout(bench.store))
    try:
        return dict(kept_book(database.connection()).told)
    finally:
        database.close()


def test_where_nothing_changed_a_sweep_only_looks(
    bench: Workbench, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(bench.home))
    write_rules(repo / "AGENTS.md", JUST)
    write_codex(bench, repo)
    bench.sweep()
    made: list[int] = []
    monkeypatch.setattr(told_book, "_made", lambda *_: made.append(1))
    (repo / "unrelated.txt").write_text("x")
    began = time.perf_counter()
    bench.sweep()
    assert made == []
    assert time.perf_counter() - began < 5
    database = open_for_writing(StoreLayout(bench.store))
    try:
        began = time.perf_counter()
        assert kept_book(database.connection()).is_current(database.connection())
        assert time.perf_counter() - began < 0.1
    finally:
        database.close()


def test_forgetting_a_session_takes_its_lines_along(bench: Workbench, tmp_path: Path) -> None:
    write_codex(bench, tmp_path / "gone", count=2, instructions=f"# Rules\n\n{JUST}")
    bench.helix("--sweep")
    assert book_of(bench)
    for number in range(2):
        bench.helix("forget", f"codex:{name_of(number)}")
    assert b"just fmt" not in (bench.store / "store.db").read_bytes()


def test_show_names_the_record_that_proves_it(bench: Workbench, tmp_path: Path) -> None:
    write_codex(bench, tmp_path / "gone", instructions=f"# Rules\n\n{JUST}")
    bench.helix("--sweep")
    shown = bench.helix("show", f"codex:{name_of(1)}", "--json").json["exposure"]
    assert [record["source"] for record in shown["records"]] == ["session_meta"]
    (line,) = shown["lines"]
    assert (line["exposure"], line["text"]) == ("observed_yes", JUST.strip())
    assert line["proof"].startswith("record session_meta of 2026-02-02")
    out = bench.helix("show", f"codex:{name_of(1)}").out
    assert "record session_meta" in out
    assert "saw recorded in" in out


def test_detect_says_it_in_words(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", f"# Rules\n\n{JUST}")
    write_codex(bench, repo)
    bench.helix("--sweep")
    out = bench.helix("detect", "--all").out
    assert "told, and the cause" in out
    assert f"{repo / 'AGENTS.md'}:3" in out
    why = bench.helix("detect", "--why", "command-not-found-just").out
    assert "it asks for what fails" in why


def test_secrets_of_instructions_are_not_quoted(bench: Workbench, repo: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    write_rules(repo / "AGENTS.md", f"Run `just fmt` with the token {secret}.\n")
    write_codex(bench, repo)
    bench.helix("--sweep")
    out = bench.helix("detect", "--all", "--json").out
    assert "just fmt" in out
    assert secret not in out


def test_work_in_no_repository_has_nothing_in_common(bench: Workbench) -> None:
    for number in range(4):
        troubled(number).write(bench.home)
    bench.helix("--sweep")
    assert all(
        one["told"]["state"] == "no" for one in bench.helix("detect", "--json").json["candidates"]
    )


def test_a_preview_says_what_is_told_and_what_to_do(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", f"# Rules\n\n{JUST}")
    write_codex(bench, repo)
    bench.helix("--sweep")
    preview = bench.engine().verdicts.preview("command-not-found-just")
    assert (preview.told.state, preview.told.violated) == ("cause", 3)
    name = preview.reviewed.ranked.candidate.id
    rows = rows_of(preview, read_page(preview.page, name), "1 of 1", [], "keys", Size(100, 40))
    text = "\n".join(row.text for row in rows)
    assert "told, and the cause" in text
    assert f"{repo / 'AGENTS.md'}:3" in text
    assert "Change the line" in text


def test_what_is_told_proposes_another_step_in_each_state() -> None:
    line = ToldLine("/a", 1, "x", 0.5, "unloaded", "cut at byte 7")
    assert "next rung" in next_step(Told("told", [line], 4, 2))
    assert next_step(Told("told", [line], 4, 0)) == ""
    assert "Move the line" in next_step(Told("unloaded", [line]))
    assert "Change the line" in next_step(Told("cause", [line], 1, 1))
    assert next_step(Told()) == ""
    assert told_words(Told("unloaded", [line])) == "told, but not loaded: cut at byte 7"


def test_who_ran_what_a_line_asks_for_kept_to_it() -> None:
    line = ToldLine("/a", 1, "run `make lint`", 0.5, seen=3, followed=2)
    told = Told("told", [line], 3, followed=2)
    assert told_words(told) == (
        "told already, seen in 3 sessions and kept to: what it asks for failed in 2"
    )
    assert "would not help" not in next_step(told)
    assert "kept to" in next_step(told)


def test_a_huge_file_that_is_cut_takes_no_longer_than_its_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("- Keep it small, and name it well.\n" * 100_000)
    session = SessionPlace(1, "codex:1", "codex:1", "codex", "app", str(tmp_path), 1)
    began = time.process_time()
    text = repo_text([session], {}, {}, Disk())
    assert time.process_time() - began < 5
    assert len(text.lines) == 1
